package deliver

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// A change to any field that a screen shows must change its hash.
func TestEveryFieldOfAScreenCounts(t *testing.T) {
	t.Parallel()
	full := func() *screen.Screen {
		return &screen.Screen{
			Blocks: []screen.Block{{Spans: []screen.Span{{Text: "a"}}}},
			Menus:  []screen.Menu{{Options: []screen.Button{{Label: "a"}}, Part: []screen.Button{{Label: "a"}}}},
			Rows:   [][]screen.Button{{{Label: "a"}}}, Places: [][]screen.Button{{{Label: "a"}}},
			Notify:  []screen.Person{{ID: "a"}},
			Picture: &screen.Picture{Draw: face.Picture{Hand: &face.Hand{Dim: []bool{false}}}},
			File:    &screen.File{Data: []byte("a")},
		}
	}
	// leaves calls f with each value in v that contains no other value.
	var leaves func(v reflect.Value, path string, f func(reflect.Value, string))
	leaves = func(v reflect.Value, path string, f func(reflect.Value, string)) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				leaves(v.Field(i), path+"."+v.Type().Field(i).Name, f)
			}
		case reflect.Slice:
			for i := range v.Len() {
				leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
			}
		case reflect.Pointer:
			if !v.IsNil() {
				leaves(v.Elem(), path, f)
			}
		default:
			f(v, path)
		}
	}
	n := 0
	leaves(reflect.ValueOf(full()).Elem(), "", func(reflect.Value, string) { n++ })
	hashes := map[string]string{screenHash(*full()): "nothing"}
	for i := range n {
		s, at, what := full(), 0, ""
		leaves(reflect.ValueOf(s).Elem(), "", func(v reflect.Value, path string) {
			if at++; at != i+1 {
				return
			}
			what = path
			switch v.Kind() {
			case reflect.String:
				v.SetString(v.String() + "x")
			case reflect.Bool:
				v.SetBool(!v.Bool())
			case reflect.Uint8:
				v.SetUint(v.Uint() + 1)
			case reflect.Int, reflect.Int64:
				v.SetInt(v.Int() + 1)
			default:
				t.Fatalf("%s is a %s", path, v.Kind())
			}
		})
		hash := screenHash(*s)
		other, same := hashes[hash]
		switch aside := strings.HasPrefix(what, ".Notify") || what == ".Won" || what == ".Picture.Kept"; { // these fields affect delivery only
		case aside && other != "nothing":
			t.Errorf("%s counts", what)
		case !aside && same:
			t.Errorf("%s changes no more than %s", what, other)
		case !aside:
			hashes[hash] = what
		}
	}
	if n < 30 {
		t.Errorf("a screen has %d fields", n)
	}
}

// If an item moves from one list to the next, the hash changes too.
func TestAScreensShapeCounts(t *testing.T) {
	t.Parallel()
	a := screen.Button{Label: "a"}
	hashes := map[string]bool{}
	for _, s := range []screen.Screen{
		{Rows: [][]screen.Button{{a, a}}}, {Rows: [][]screen.Button{{a}, {a}}}, {Rows: [][]screen.Button{{a}}, Places: [][]screen.Button{{a}}},
		{Places: [][]screen.Button{{a, a}}}, {Menus: []screen.Menu{{Options: []screen.Button{a, a}}}},
		{Blocks: []screen.Block{{Spans: []screen.Span{{Text: "a"}, {Text: "a"}}}}}, {Blocks: []screen.Block{{Spans: []screen.Span{{Text: "a"}}}, {Spans: []screen.Span{{Text: "a"}}}}},
		{Blocks: []screen.Block{{Spans: []screen.Span{{Text: "aa"}}}}},
	} {
		hashes[screenHash(s)] = true
	}
	if len(hashes) != 8 {
		t.Errorf("%d hashes of 8 screens", len(hashes))
	}
}
