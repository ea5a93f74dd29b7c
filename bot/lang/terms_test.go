package lang

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sedmabot/bot/clocktest"
)

// term is the word of one language for a concept: see terms.yaml.
type term struct {
	Say string   `yaml:"say"`
	Not []string `yaml:"not"`
}

// concept is the terms of a concept by language.
type concept struct {
	Except map[string]string `yaml:"except"` // by key: why the text may use another word
	Terms  map[string]term   `yaml:",inline"`
}

// word matches text where a word begins with these letters. Capital letters count only if the word has one.
func word(beginning string) *regexp.Regexp {
	flags := "(?i)"
	if strings.ToLower(beginning) != beginning {
		flags = ""
	}
	return regexp.MustCompile(flags + `(^|[^\pL])` + regexp.QuoteMeta(beginning))
}

var slot = regexp.MustCompile(`\{[a-z_]+\}`)

// whole returns all forms of a text, a line each, with {name} for placeholders.
func whole(t text) string {
	var forms []string
	for _, form := range slices.Sorted(maps.Keys(t)) {
		var b strings.Builder
		for _, p := range t[form] {
			if p.Arg != "" {
				b.WriteString("{" + p.Arg + "}")
			}
			b.WriteString(p.Text)
		}
		forms = append(forms, b.String())
	}
	return strings.Join(forms, "\n")
}

// TestOneWordForOneThing holds all texts against the glossary in terms.yaml.
func TestOneWordForOneThing(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	data, err := os.ReadFile("terms.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var concepts map[string]concept
	if err := yaml.Unmarshal(data, &concepts); err != nil {
		t.Fatal(err)
	}
	for name, concept := range concepts {
		for _, c := range catalogues {
			term, ok := concept.Terms[c.code]
			if !ok {
				t.Errorf("%s: %s has no word", name, c.code)
				continue
			}
			used, say := false, word(term.Say)
			var not []*regexp.Regexp
			for _, beginning := range term.Not {
				not = append(not, word(beginning))
			}
			for key, forms := range c.texts() {
				text := slot.ReplaceAllString(whole(forms), "…")
				used = used || say.MatchString(text)
				for i := range not {
					if _, excepted := concept.Except[key]; !excepted && not[i].MatchString(text) {
						t.Errorf("%s: %s: %q for %s: say %q: %s", c.code, key, term.Not[i], name, term.Say, text)
					}
				}
			}
			if !used {
				t.Errorf("%s: no text uses %q for %s", c.code, term.Say, name)
			}
		}
	}
}
