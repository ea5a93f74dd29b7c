// Package lang contains the bot's texts in every supported language. Each language
// has one embedded file, named after its tag (en.yaml, cs.yaml).
//
// A file is a flat YAML mapping of keys to texts. A text is plain, without markup.
// {name} is a placeholder for an argument. If a text depends on a number, it is a
// mapping of CLDR plural forms (one, few, many, other). The argument n is the number:
//
//	trick.points:
//	  one: "{n} point"
//	  other: "{n} points"
//
// English is complete by definition. The tests check that every other file has the
// same keys and placeholders, and all plural forms of its language. Lookups never fail
// at run time. If a language lacks a text, the English one is used. If English lacks
// it too, the key itself is shown.
package lang

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed ??.yaml
var files embed.FS

// english is the code of the default language, used when the reader's language isn't supported.
const english = "en"

// catalogues has one catalogue for each language, English first. They are immutable.
var catalogues, matcher = load(files)

// Catalogue has all texts of one language. It is read-only.
type Catalogue struct {
	code  string
	tag   language.Tag
	texts func() map[string]text // reads them at the first call
}

// text is one message, by plural form. The first form is other, which a text without plural forms has alone. It is no map, because
// a program that speaks all languages has some 15,000 texts.
type text []phrase

type phrase struct {
	form  plural.Form
	parts []Part
}

// Part is a piece of a text: either literal words or a placeholder.
type Part struct {
	Text string // literal words; empty for a placeholder
	Arg  string // name of the placeholder's argument; empty for words
}

// For returns the catalogue for the first of the language tags that the bot supports.
// It skips empty, undetermined and malformed tags. If no tag is supported, it returns English.
func For(tags ...string) *Catalogue {
	for _, s := range tags {
		if s == "" || s == "und" {
			continue
		}
		if c := plain(s); c != nil {
			return c
		}
		tag, err := language.Parse(s)
		if err != nil {
			continue
		}
		if _, i, confidence := matcher.Match(tag); confidence != language.No {
			return catalogues[i]
		}
	}
	return catalogues[0]
}

// plain is a fast path for the most common tags: a language code alone, or with a
// region ("en-GB"). It returns nil for all other tags, which need the matcher.
func plain(tag string) *Catalogue {
	code, region, cut := strings.Cut(tag, "-")
	if cut && (len(region) != 2 || region[0] < 'A' || region[0] > 'Z' || region[1] < 'A' || region[1] > 'Z') {
		return nil
	}
	for _, c := range catalogues {
		if c.code == code {
			return c
		}
	}
	return nil
}

// Languages returns the codes of all languages, English first.
func Languages() []string {
	codes := make([]string, len(catalogues))
	for i, c := range catalogues {
		codes[i] = c.code
	}
	return codes
}

// Code returns the language's tag, such as "cs".
func (c *Catalogue) Code() string { return c.code }

// Has reports whether this language itself has a text for the key, without falling back to English.
func (c *Catalogue) Has(key string) bool {
	_, ok := c.texts()[key]
	return ok
}

// Under returns all texts whose key begins with prefix, by the rest of the key. Their
// placeholders are not filled in, and of plural forms it has the one for many.
func (c *Catalogue) Under(prefix string) map[string]string {
	texts := map[string]string{}
	for key := range catalogues[0].texts() {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			texts[rest] = c.Text(key)
		}
	}
	return texts
}

// Text returns the text for the key with its placeholders filled in. args are pairs
// of a name and a value, as in Text("table.stock", "n", 12). A value is a string or an
// int. The int named n selects the plural form. A placeholder without an argument is left
// unchanged.
func (c *Catalogue) Text(key string, args ...any) string {
	parts := c.parts(key, args)
	if len(parts) == 1 && parts[0].Arg == "" {
		return parts[0].Text
	}
	var some [128]byte
	out := some[:0]
	for _, p := range parts {
		if p.Arg == "" {
			out = append(out, p.Text...)
			continue
		}
		switch v := lookUp(args, p.Arg).(type) {
		case string:
			out = append(out, v...)
		case int:
			out = strconv.AppendInt(out, int64(v), 10)
		default:
			out = append(append(append(out, '{'), p.Arg...), '}')
		}
	}
	return string(out)
}

// Parts is like Text, but returns the text in parts. Each placeholder without an
// argument is a separate part, so that callers can insert more than plain words. The
// caller must not change the parts.
func (c *Catalogue) Parts(key string, args ...any) []Part {
	parts := c.parts(key, args)
	out := parts
	for i, p := range parts {
		if p.Arg == "" {
			continue
		}
		var filled Part
		switch v := lookUp(args, p.Arg).(type) {
		case string:
			filled = Part{Text: v}
		case int:
			filled = Part{Text: strconv.Itoa(v)}
		default:
			continue
		}
		if &out[0] == &parts[0] {
			out = slices.Clone(parts)
		}
		out[i] = filled
	}
	return out
}

// parts returns the text for the key, with its placeholders empty.
func (c *Catalogue) parts(key string, args []any) []Part {
	forms, ok := c.texts()[key]
	if !ok && c.code != english {
		return catalogues[0].parts(key, args)
	}
	if !ok {
		return []Part{{Text: key}}
	}
	form := plural.Other
	if n, ok := lookUp(args, "n").(int); ok {
		form = c.form(n)
	}
	for _, p := range forms {
		if p.form == form {
			return p.parts
		}
	}
	return forms[0].parts
}

// form returns the language's plural form for n items.
func (c *Catalogue) form(n int) plural.Form {
	return plural.Cardinal.MatchPlural(c.tag, max(n, -n), 0, 0, 0, 0)
}

// lookUp returns the value of a name in pairs of names and values, or nil.
func lookUp(args []any, name string) any {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return args[i+1]
		}
	}
	return nil
}

// load finds all files. Each is read when somebody speaks its language: to read all nine takes longer than everything else that
// the program does at its start. It panics if a file is invalid, because they are part of the program.
func load(fsys fs.FS) ([]*Catalogue, language.Matcher) {
	names, err := fs.Glob(fsys, "??.yaml")
	if err != nil {
		panic(err)
	}
	var all []*Catalogue
	for _, name := range names {
		code := strings.TrimSuffix(path.Base(name), ".yaml")
		c := &Catalogue{code, language.MustParse(code), sync.OnceValue(func() map[string]text {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				panic(err)
			}
			texts, err := parse(data)
			if err != nil {
				panic(fmt.Errorf("lang: %s: %w", name, err))
			}
			return texts
		})}
		if code == english {
			all = slices.Insert(all, 0, c)
		} else {
			all = append(all, c)
		}
	}
	tags := make([]language.Tag, len(all))
	for i, c := range all {
		tags[i] = c.tag
	}
	return all, language.NewMatcher(tags)
}

// parse reads the file of one language.
func parse(data []byte) (map[string]text, error) {
	var raw map[string]any
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	texts := make(map[string]text, len(raw))
	for key, v := range raw {
		t, err := parseText(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		texts[key] = t
	}
	return texts, nil
}

var formNames = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two,
	"few": plural.Few, "many": plural.Many, "other": plural.Other,
}

func parseText(v any) (text, error) {
	switch v := v.(type) {
	case string:
		parts, err := split(v)
		return text{{plural.Other, parts}}, err
	case map[string]any:
		t := text{}
		for name, s := range v {
			form, ok := formNames[name]
			words, isText := s.(string)
			if !ok || !isText {
				return nil, fmt.Errorf("%q is no plural form with a text", name)
			}
			parts, err := split(words)
			if err != nil {
				return nil, err
			}
			t = append(t, phrase{form, parts})
		}
		slices.SortFunc(t, func(a, b phrase) int { return cmp.Compare(a.form, b.form) })
		if len(t) == 0 || t[0].form != plural.Other {
			return nil, fmt.Errorf("no plural form other")
		}
		return t, nil
	}
	return nil, fmt.Errorf("%v is no text", v)
}

// split splits a text into words and placeholders.
func split(s string) ([]Part, error) {
	parts := []Part{}
	for s != "" {
		words, rest, found := strings.Cut(s, "{")
		if words != "" {
			parts = append(parts, Part{Text: words})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return nil, fmt.Errorf("a brace without a name and its closing brace")
		}
		parts = append(parts, Part{Arg: name})
		s = after
	}
	return parts, nil
}
