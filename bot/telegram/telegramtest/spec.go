package telegramtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:embed testdata/api.json
var specFile []byte

// spec is the part of the Bot API that the bot uses, by the names of its methods and types. Command schemas in .ci makes
// the file.
type spec map[string]*object

// object is a method with its parameters, or a type with its fields.
type object struct {
	Fields   []field  `json:"fields"`
	Subtypes []string `json:"subtypes"`

	named map[string]field // Fields by name
}

type field struct {
	Name     string   `json:"name"`
	Types    []string `json:"types"`
	Required bool     `json:"required"`
}

// loadSpec returns the specification, which is read once.
var loadSpec = sync.OnceValue(func() (s spec) {
	if err := json.Unmarshal(specFile, &s); err != nil {
		panic(err)
	}
	for _, o := range s {
		o.named = map[string]field{}
		for _, f := range o.Fields {
			o.named[f.Name] = f
		}
	}
	return s
})

// check returns how a call disagrees with the specification.
func (s spec) check(method string, params map[string]string) []string {
	m := s[method]
	if m == nil {
		return []string{"no such method"}
	}
	given := map[string]any{}
	for k, v := range params {
		given[k] = v
	}
	out := s.fields("", m, given, true)
	sort.Strings(out)
	return out
}

// fields checks values against an object's fields.
func (s spec) fields(path string, o *object, given map[string]any, form bool) []string {
	var out []string
	for _, f := range o.Fields {
		if _, ok := given[f.Name]; f.Required && !ok {
			out = append(out, path+f.Name+" is missing")
		}
	}
	for name, v := range given {
		f, ok := o.named[name]
		if !ok {
			out = append(out, path+name+" is unknown")
			continue
		}
		var best []string
		for i, t := range f.Types {
			if p := s.value(path+name, t, v, form); i == 0 || len(p) < len(best) {
				best = p
			}
		}
		out = append(out, best...)
	}
	return out
}

// value checks one value against a type. In a form, all values are text.
func (s spec) value(path, kind string, v any, form bool) []string {
	text, isText := v.(string)
	wrong := func() []string { return []string{fmt.Sprintf("%s is no %s", path, kind)} }
	switch kind {
	case "String":
		if !isText {
			return wrong()
		}
		return nil
	case "Integer":
		_, err := strconv.ParseInt(text, 10, 64)
		if n, ok := v.(float64); ok && n == float64(int64(n)) || isText && form && err == nil {
			return nil
		}
		return wrong()
	case "Boolean":
		if _, ok := v.(bool); ok || form && (text == "true" || text == "false") {
			return nil
		}
		return wrong()
	}
	if form {
		v = nil
		if json.Unmarshal([]byte(text), &v) != nil {
			return wrong()
		}
	}
	if element, ok := strings.CutPrefix(kind, "Array of "); ok {
		list, ok := v.([]any)
		if !ok {
			return wrong()
		}
		var out []string
		for i, e := range list {
			out = append(out, s.value(path+"["+strconv.Itoa(i)+"]", element, e, false)...)
		}
		return out
	}
	t := s[kind]
	given, ok := v.(map[string]any)
	if t == nil || !ok {
		return wrong()
	}
	for _, sub := range t.Subtypes {
		if len(s.value(path, sub, v, false)) == 0 {
			return nil
		}
	}
	if len(t.Subtypes) > 0 {
		return wrong()
	}
	return s.fields(path+".", t, given, false)
}
