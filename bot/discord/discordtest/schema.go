package discordtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed testdata/schemas.json
var schemaFile []byte

// schemas are the parts of Discord's own OpenAPI description that the bot uses, by name. The schema of a body has the method and
// the path as its name. Command schemas in .ci makes the file.
var schemas = sync.OnceValue(func() (all object) {
	if err := json.Unmarshal(schemaFile, &all); err != nil {
		panic(err)
	}
	return all
})

// schemaProblems returns what is wrong with a request according to Discord's description.
func schemaProblems(c Call) []string {
	if c.Body == nil {
		return nil
	}
	best := ""
	for name := range schemas() {
		method, path, _ := strings.Cut(name, " ")
		if method == c.Method && fits(path, c.Path) && (best == "" || strings.Count(name, "{") < strings.Count(best, "{")) {
			best = name
		}
	}
	if best == "" {
		return []string{"it takes no body"}
	}
	var body any
	if err := json.Unmarshal(c.Body, &body); err != nil {
		return []string{err.Error()}
	}
	return check(schemas()[best], body, "body")
}

// fits reports whether a path matches a template such as /channels/{id}.
func fits(template, path string) bool {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || strings.HasPrefix(x, "{") })
}

// check validates a value against a schema, with the part of JSON Schema that the bot's requests need. In one point it
// is stricter: an undescribed field is an error unless it is empty.
func check(schema, v any, path string) []string {
	sc := resolved(schema)
	var out []string
	wrong := func(format string, args ...any) { out = append(out, path+" "+fmt.Sprintf(format, args...)) }
	if !hasType(sc["type"], v) {
		wrong("is not of type %v", sc["type"])
		return out
	}
	if list, ok := sc["enum"].([]any); ok && !slices.Contains(list, v) {
		wrong("is %v, not one of %v", v, list)
	}
	if want, ok := sc["const"]; ok && want != v {
		wrong("is %v, not %v", v, want)
	}
	bound := func(n float64, least, most string) {
		if limit, ok := sc[least].(float64); ok && n < limit {
			wrong("is %v, less than %s %v", n, least, limit)
		}
		if limit, ok := sc[most].(float64); ok && n > limit {
			wrong("is %v, more than %s %v", n, most, limit)
		}
	}
	all, _ := sc["allOf"].([]any)
	for _, sub := range all {
		out = append(out, check(sub, v, path)...)
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		subs, _ := sc[key].([]any)
		out = append(out, checkAny(subs, v, path)...)
	}
	switch v := v.(type) {
	case string:
		bound(float64(utf8.RuneCountInString(v)), "minLength", "maxLength")
	case float64:
		bound(v, "minimum", "maximum")
	case []any:
		bound(float64(len(v)), "minItems", "maxItems")
		for i, item := range v {
			if sc["items"] != nil {
				out = append(out, check(sc["items"], item, fmt.Sprintf("%s.%d", path, i))...)
			}
		}
	case object:
		out = append(out, checkFields(sc, v, path)...)
	}
	return out
}

// resolved returns a schema, or the one that it refers to.
func resolved(schema any) object {
	sc, _ := schema.(object)
	if ref, ok := sc["$ref"].(string); ok {
		return resolved(schemas()[ref])
	}
	return sc
}

// suits reports whether a value may be meant by an alternative: another constant isn't, and no object with another type.
func suits(schema, v any) bool {
	sc := resolved(schema)
	if want, ok := sc["const"]; ok {
		return want == v
	}
	fields, _ := sc["properties"].(object)
	types, _ := resolved(fields["type"])["enum"].([]any)
	of, ok := v.(object)
	return !ok || len(types) == 0 || slices.Contains(types, of["type"])
}

// checkAny returns what is wrong with a value according to the closest of several alternatives. A value mostly suits one or two,
// and to compare it with the others takes long.
func checkAny(subs []any, v any, path string) (nearest []string) {
	suit := func(sub any) bool { return suits(sub, v) }
	if slices.ContainsFunc(subs, suit) {
		subs = slices.DeleteFunc(slices.Clone(subs), func(sub any) bool { return !suit(sub) })
	}
	for i, sub := range subs {
		problems := check(sub, v, path)
		if i == 0 || len(problems) == 0 || len(nearest) > 0 && rank(problems, path) < rank(nearest, path) {
			nearest = problems
		}
		if len(problems) == 0 {
			break
		}
	}
	return nearest
}

// checkFields returns what is wrong with the fields of an object.
func checkFields(schema, v object, path string) (out []string) {
	fields, _ := schema["properties"].(object)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			out = append(out, fmt.Sprintf("%s lacks %v", path, name))
		}
	}
	for name, value := range v {
		switch field := fields[name]; {
		case field != nil:
			out = append(out, check(field, value, path+"."+name)...)
		case fields != nil && value != nil && value != false:
			out = append(out, fmt.Sprintf("%s has %s, which is not described", path, name))
		}
	}
	return out
}

// rank returns how far a value is from an alternative. A different type is farthest.
func rank(problems []string, path string) int {
	n := len(problems)
	for _, p := range problems {
		if strings.HasPrefix(p, path+" is not of type") || strings.HasPrefix(p, path+".type ") {
			n += 1000
		}
	}
	return n
}

func hasType(want, v any) bool {
	switch want := want.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(want, func(one any) bool { return hasType(one, v) })
	}
	switch v := v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case float64:
		return want == "number" || want == "integer" && v == float64(int64(v))
	case []any:
		return want == "array"
	default:
		return want == "object"
	}
}
