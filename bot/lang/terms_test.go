package lang

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"sedmabot/bot/clocktest"
)

// term is the word of one language for a concept: see terms.yaml.
type term struct {
	Say string   `yaml:"say"`
	Or  []string `yaml:"or"`
	Not []string `yaml:"not"`
}

// concept is the terms of a concept by language.
type concept struct {
	Required bool              `yaml:"required"` // a translation has the word where the English text has it
	Except   map[string]string `yaml:"except"`   // by key: why the text may use another word
	Terms    map[string]term   `yaml:",inline"`
}

// compounding are the languages that join words: a term may also begin a later part of a word.
var compounding = []string{"de", "fi", "hu"}

// has reports whether a word of a text begins with one of these letters. Capital letters count only if the beginning has
// one. In a language that joins words, a part of a word may begin with them, too, except with letters that are all capital.
func has(text, code string, beginnings ...string) bool {
	for _, beginning := range beginnings {
		small, at := strings.ToLower(beginning), text
		if small == beginning {
			at = strings.ToLower(text)
		}
		joined := slices.Contains(compounding, code) && strings.ToUpper(beginning) != beginning
		if begin(at, beginning, false) || joined && begin(text, small, true) {
			return true
		}
	}
	return false
}

// begin reports whether the letters are in a text, at the beginning of a word or inside one.
func begin(text, letters string, inside bool) bool {
	for i := 0; ; {
		j := strings.Index(text[i:], letters)
		if j < 0 {
			return false
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:i+j]); unicode.IsLetter(before) == inside {
			return true
		}
		i += j + len(letters)
	}
}

var slot = regexp.MustCompile(`\{[a-z_]+\}`)

// whole returns all forms of a text, a line each, with {name} for placeholders.
func whole(t text) string {
	var forms []string
	for _, form := range t {
		var b strings.Builder
		for _, p := range form.parts {
			if p.Arg != "" {
				b.WriteString("{" + p.Arg + "}")
			}
			b.WriteString(p.Text)
		}
		forms = append(forms, b.String())
	}
	return strings.Join(forms, "\n")
}

// faults returns what is wrong with the texts of a key in a language, for a concept.
func (c concept) faults(code, key, english, text string) (faults []string) {
	term := c.Terms[code]
	if _, excepted := c.Except[key]; excepted {
		return nil
	}
	for _, not := range term.Not {
		if has(text, code, not) {
			faults = append(faults, fmt.Sprintf("%q: say %q: %s", not, term.Say, text))
		}
	}
	if en := c.Terms["en"]; c.Required && has(english, "en", append(en.Or, en.Say)...) && !has(text, code, append(term.Or, term.Say)...) {
		faults = append(faults, fmt.Sprintf("the English text has %q, but this hasn't %q: %s", en.Say, term.Say, text))
	}
	return faults
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
			used := false
			for key, forms := range c.texts() {
				text := slot.ReplaceAllString(whole(forms), "…")
				used = used || has(text, c.code, append(term.Or, term.Say)...)
				for _, fault := range concept.faults(c.code, key, slot.ReplaceAllString(whole(catalogues[0].texts()[key]), "…"), text) {
					t.Errorf("%s: %s: %s: %s", c.code, key, name, fault)
				}
			}
			if !used {
				t.Errorf("%s: no text uses %q for %s", c.code, term.Say, name)
			}
		}
	}
}

// TestOtherWordsAreFound checks the test above.
func TestOtherWordsAreFound(t *testing.T) {
	t.Parallel()
	c := concept{Required: true, Except: map[string]string{"name": "a name"}, Terms: map[string]term{
		"en": {Say: "stake"}, "de": {Say: "Einsatz", Or: []string{"Einsätz"}, Not: []string{"Spieler", "KI"}}, "cs": {Say: "sázk", Not: []string{"hráč"}}, "fi": {Say: "panos", Not: []string{"huone"}},
	}}
	for _, tt := range []struct {
		code, key, english, text string
		faults                   int
	}{
		{"de", "a", "a player", "ein Spieler", 1},
		{"de", "a", "an opponent", "ein Gegenspieler", 1}, // in a part of a word
		{"de", "a", "games", "Spiele, Kino, Wikinger", 0},
		{"de", "name", "a player", "ein Spieler", 0},
		{"cs", "a", "a fellow player", "spoluhráč", 0}, // Czech doesn't join words
		{"fi", "a", "a card room", "korttihuone", 1},
		{"de", "a", "2 stakes", "2 Einsätze", 0},
		{"de", "a", "the highest stake", "der Höchsteinsatz", 0},
		{"de", "a", "2 stakes", "2 Punkte", 1},
		{"cs", "a", "mistakes", "chyby", 0},
		{"cs", "a", "Stakes", "body", 1},
	} {
		if got := c.faults(tt.code, tt.key, tt.english, tt.text); len(got) != tt.faults {
			t.Errorf("%s %q: %q", tt.code, tt.text, got)
		}
	}
}
