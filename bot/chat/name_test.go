package chat

import (
	"testing"
	"unicode"
)

// TestNamesShowSomebody checks that a name shows its person to others and nothing else: it has no character that is
// invisible or turns a line around, and a name without a visible character gives way to the next one.
func TestNamesShowSomebody(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ann":                          "Ann",
		" Ann \n\t  Lee\u00a0":         "Ann Lee",
		"Ann\u2028Lee\u2800":           "Ann Lee",
		"\u202eresu live\u202c":        "resu live",
		"A\u2066n\u200en\u061c":        "Ann",
		"🃏":                            "🃏",
		"👨\u200d👩\u200d👧 \u2764\ufe0f": "👨\u200d👩\u200d👧 \u2764\ufe0f",
		"Zoe\u0308":                    "Zoe\u0308",
		"נועה":                         "נועה",
		"می\u200cخواهم":                "می\u200cخواهم",
		".":                            ".",
		"\u0301\u0302":                 "next",
		"   ":                          "next",
		"\u200d\ufe0f":                 "next",
		"\xff":                         "next",
		"":                             "next",
	} {
		if got := CleanName(name, "next", "last"); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
	var hidden []rune
	for r := range unicode.MaxRune + 1 {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Z) {
			hidden = append(hidden, r)
		}
	}
	for _, r := range append(hidden, '\u2800', '\u3164', '\u115f', '\u1160', '\uffa0', '\u034f', '\U0001d159') {
		if got := CleanName(string([]rune{r, r}), "", "7"); got != "7" {
			t.Errorf("a name of %U is shown as %q", r, got)
		}
	}
	if got := CleanName(" ", ""); got != "" {
		t.Errorf("nobody is shown as %q", got)
	}
	if got := []rune(CleanName("x" + string(make([]rune, 9)) + string(hidden) + "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy")); len(got) != 64 {
		t.Errorf("a long name has %d characters", len(got))
	}
}
