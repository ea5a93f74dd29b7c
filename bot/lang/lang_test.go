package lang

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/feature/plural"
)

func TestForMatchesLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tags []string
		want string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"cs"}, "cs"},
		{[]string{"cs-CZ"}, "cs"},
		{[]string{"en-GB", "cs"}, "en"},
		{[]string{"xx-nonsense-----", "cs"}, "cs"},
		{[]string{"", "cs"}, "cs"},
		{[]string{"und", "cs"}, "cs"},
		{[]string{"ja"}, "en"},
		{[]string{"ja", "cs"}, "cs"},
	} {
		if got := For(c.tags...).Code(); got != c.want {
			t.Errorf("For(%q) speaks %s, want %s", c.tags, got, c.want)
		}
	}
	if got := Languages()[0]; got != "en" {
		t.Errorf("the first language is %s, want en", got)
	}
}

func TestEveryLanguageIsComplete(t *testing.T) {
	t.Parallel()
	en := catalogues[0]
	for _, c := range catalogues {
		for key, t2 := range c.texts() {
			if _, ok := en.texts()[key]; !ok {
				t.Errorf("%s: %s is unknown in English", c.code, key)
			}
			for _, phrase := range t2 {
				for _, p := range phrase.parts {
					if p.Text == "" && p.Arg == "" {
						t.Errorf("%s: %s (%v) is empty", c.code, key, phrase.form)
					}
				}
			}
		}
		for key, want := range en.texts() {
			got, ok := c.texts()[key]
			if !ok {
				t.Errorf("%s: %s is missing", c.code, key)
				continue
			}
			if len(want) > 1 != (len(got) > 1) {
				t.Errorf("%s: %s has plural forms in one language and none in the other", c.code, key)
			}
			if len(got) > 1 {
				var has []plural.Form
				for _, p := range got {
					has = append(has, p.form)
				}
				if diff := cmp.Diff(c.forms(), has); diff != "" {
					t.Errorf("%s: %s: plural forms (-wanted +has):\n%s", c.code, key, diff)
				}
			}
			names := placeholders(want[0].parts)
			for _, p := range got {
				has := placeholders(p.parts)
				if p.form != plural.Other && names["n"] {
					has["n"] = true // a form such as "a trick" needs no number
				}
				if diff := cmp.Diff(names, has); diff != "" {
					t.Errorf("%s: %s (%v): placeholders (-English +here):\n%s", c.code, key, p.form, diff)
				}
			}
		}
	}
}

// TestButtonsAreShort checks that no button label is longer than screen.Button allows.
func TestButtonsAreShort(t *testing.T) {
	t.Parallel()
	for _, c := range catalogues {
		for key := range c.texts() {
			if label := c.Text(key); strings.HasPrefix(key, "button.") && utf8.RuneCountInString(label) > 34 {
				t.Errorf("%s: %s is %q, longer than 34 characters", c.code, key, label)
			}
		}
	}
}

// forms returns the plural forms that the language uses for whole numbers.
func (c *Catalogue) forms() []plural.Form {
	need := map[plural.Form]bool{plural.Other: true}
	for n := range 1000 {
		need[c.form(n)] = true
	}
	return slices.Sorted(maps.Keys(need))
}

func placeholders(parts []Part) map[string]bool {
	names := map[string]bool{}
	for _, p := range parts {
		if p.Arg != "" {
			names[p.Arg] = true
		}
	}
	return names
}

const sample = `
hello: "Hello, {name}: {what}"
cards:
  one: "{n} karta"
  few: "{n} karty"
  other: "{n} karet"
`

func TestTextPutsArgumentsIn(t *testing.T) {
	t.Parallel()
	all, _ := load(fstest.MapFS{"cs.yaml": {Data: []byte(sample)}})
	c := all[0]
	if got := c.Text("hello", "name", "Eva", "what", 7); got != "Hello, Eva: 7" {
		t.Errorf("got %q", got)
	}
	if got := c.Text("hello", "name", "{what}"); got != "Hello, {what}: {what}" {
		t.Errorf("a missing argument gives %q", got)
	}
	want := []Part{{Text: "Hello, "}, {Arg: "name"}, {Text: ": "}, {Text: "x"}}
	if diff := cmp.Diff(want, c.Parts("hello", "what", "x")); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("Hello, {name}: {what}", c.Text("hello")); diff != "" {
		t.Errorf("putting arguments in changed the catalogue (-want +got):\n%s", diff)
	}
	for n, want := range map[int]string{0: "0 karet", 1: "1 karta", 2: "2 karty", 4: "4 karty", 5: "5 karet", 22: "22 karet", -1: "-1 karta", -3: "-3 karty"} {
		if got := c.Text("cards", "n", n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
	if got := c.Text("no.such.key"); got != "no.such.key" {
		t.Errorf("an unknown key gives %q", got)
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"a: 7", "a: {one: x}", "a: {other: x, dozen: y}", "a: '{'", "a: '{}'", "a: '{Name}'", "a: x\na: y", "a: {other: 7}", "- a", "a: [b]",
	} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	for name, c := range map[string]struct{ data, want string }{
		"en.yaml": {"a: 7", "lang: en.yaml: a: 7 is no text"},
		"%%.yaml": {"a: x", "language: tag is not well-formed"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("reading %s panics with %q, want %q", name, got, c.want)
				}
			}()
			all, _ := load(fstest.MapFS{name: {Data: []byte(c.data)}})
			all[0].Text("a")
		}()
	}
}
