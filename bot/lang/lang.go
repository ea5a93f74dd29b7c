// Package lang holds what the bot says, in every language that it speaks: one
// embedded file a language, named after its tag (en.yaml, cs.yaml).
//
// A file is a flat YAML mapping of keys to texts. A text is plain: no markup,
// and {name} for what the bot puts in. A text that depends on a number is a
// mapping of plural forms as the CLDR has them (one, few, many, other); the
// number is the argument n:
//
//	trick.points:
//	  one: "{n} point"
//	  other: "{n} points"
//
// English is complete by definition: the tests hold every other file to its
// keys, its placeholders and its own plural forms. At run time nothing fails: a
// missing text is the English one, and a missing key is shown as it is.
package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed *.yaml
var files embed.FS

// english is what the bot says where it doesn't know the reader's language.
const english = "en"

// catalogues are all languages, English first. They never change.
var catalogues, matcher = load(files)

// Catalogue is everything that the bot says in one language. It is read-only.
type Catalogue struct {
	code  string
	tag   language.Tag
	texts map[string]text
}

// text is one message: its only form under other, or a form for each plural.
type text map[plural.Form][]Part

// Part is a piece of a text: words, or the place of an argument.
type Part struct {
	Text string // the words, or
	Arg  string // the argument's name
}

// For is the catalogue of the first of the language tags that the bot speaks,
// English if there is none. Empty and malformed tags are passed over.
func For(tags ...string) *Catalogue {
	for _, s := range tags {
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

// plain is the catalogue of a tag that is one of the codes, or one with a region
// after it ("en-GB"), as most are; nil if that takes more thought.
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

// Languages are the codes of all languages, English first.
func Languages() []string {
	codes := make([]string, len(catalogues))
	for i, c := range catalogues {
		codes[i] = c.code
	}
	return codes
}

// Code is the language's tag, such as "cs".
func (c *Catalogue) Code() string { return c.code }

// Has reports whether the language has a text of its own under the key.
func (c *Catalogue) Has(key string) bool {
	_, ok := c.texts[key]
	return ok
}

// Text is the text under key with its arguments put in: pairs of a name and a
// value, as in Text("table.stock", "n", 12). The int named n chooses the plural
// form. A placeholder without an argument stays as it is.
func (c *Catalogue) Text(key string, args ...any) string {
	parts := c.Parts(key, args...)
	if len(parts) == 1 && parts[0].Arg == "" {
		return parts[0].Text
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Arg != "" {
			b.WriteString("{" + p.Arg + "}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Parts is Text for those who put in more than words: the placeholders that args
// do not name come back as parts of their own.
func (c *Catalogue) Parts(key string, args ...any) []Part {
	forms, ok := c.texts[key]
	if !ok && c.code != english {
		return catalogues[0].Parts(key, args...)
	}
	if !ok {
		return []Part{{Text: key}}
	}
	form := plural.Other
	if n, ok := lookUp(args, "n").(int); ok {
		form = c.form(n)
	}
	parts, ok := forms[form]
	if !ok {
		parts = forms[plural.Other]
	}
	out := slices.Clone(parts)
	for i, p := range out {
		if p.Arg == "" {
			continue
		}
		switch v := lookUp(args, p.Arg).(type) {
		case nil:
		case string:
			out[i] = Part{Text: v}
		case int:
			out[i] = Part{Text: strconv.Itoa(v)}
		default:
			out[i] = Part{Text: fmt.Sprint(v)}
		}
	}
	return out
}

// form is the plural form that the language gives to n things.
func (c *Catalogue) form(n int) plural.Form {
	return plural.Cardinal.MatchPlural(c.tag, max(n, -n), 0, 0, 0, 0)
}

// lookUp finds a name among pairs of names and values.
func lookUp(args []any, name string) any {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return args[i+1]
		}
	}
	return nil
}

// load reads all files. It panics at a broken one: they are part of the program.
func load(fsys fs.FS) ([]*Catalogue, language.Matcher) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		panic(err)
	}
	var all []*Catalogue
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			panic(err)
		}
		c, err := parse(strings.TrimSuffix(path.Base(name), ".yaml"), data)
		if err != nil {
			panic(fmt.Errorf("lang: %s: %w", name, err))
		}
		if c.code == english {
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

// parse reads one file.
func parse(code string, data []byte) (*Catalogue, error) {
	tag, err := language.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("read the language from the name: %w", err)
	}
	var raw map[string]any
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	c := &Catalogue{code: code, tag: tag, texts: make(map[string]text, len(raw))}
	for key, v := range raw {
		t, err := parseText(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		c.texts[key] = t
	}
	return c, nil
}

var formNames = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two,
	"few": plural.Few, "many": plural.Many, "other": plural.Other,
}

func parseText(v any) (text, error) {
	switch v := v.(type) {
	case string:
		parts, err := split(v)
		return text{plural.Other: parts}, err
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
			t[form] = parts
		}
		if t[plural.Other] == nil {
			return nil, fmt.Errorf("no plural form other")
		}
		return t, nil
	}
	return nil, fmt.Errorf("%v is no text", v)
}

// split cuts a text at its placeholders.
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
