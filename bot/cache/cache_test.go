package cache

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCacheKeepsTheLatest compares a cache with a list of its keys in the order of use.
func TestCacheKeepsTheLatest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var c Cache[int, int]
		most := rapid.IntRange(1, 5).Draw(t, "most")
		var order []int // most recently used key last
		values := map[int]int{}
		forget := func(key int) {
			delete(values, key)
			order = slices.DeleteFunc(order, func(other int) bool { return other == key })
		}
		use := func(key, value int) {
			forget(key)
			if len(order) == most {
				forget(order[0])
			}
			order, values[key] = append(order, key), value
		}
		for i := range rapid.IntRange(0, 50).Draw(t, "steps") {
			key := rapid.IntRange(0, 8).Draw(t, "key")
			want, known := values[key]
			switch what := rapid.SampledFrom([]string{"get", "take", "put", "add"}).Draw(t, "what"); what {
			case "get", "take":
				ask := c.Get
				if what == "take" {
					ask = c.Take
				}
				if got, ok := ask(key); got != want || ok != known {
					t.Fatalf("%s %d: %d and %v, want %d and %v", what, key, got, ok, want, known)
				}
				if known {
					use(key, want)
				}
				if what == "take" {
					forget(key)
				}
			case "put":
				c.Put(key, i, most)
				use(key, i)
			case "add":
				if added := c.Add(key, i, most); added == known {
					t.Fatalf("add %d: %v", key, added)
				}
				if !known {
					use(key, i)
				}
			}
			if all := c.All(); !maps.Equal(all, values) {
				t.Fatalf("there is %v, want %v", all, values)
			}
		}
	})
}

func TestShrink(t *testing.T) {
	t.Parallel()
	var c Cache[string, int]
	size := func(n int) int { return n }
	c.Shrink(10, size)
	for key, n := range map[string]int{"a": 4, "b": 4} {
		c.Put(key, n, 10)
	}
	c.Put("c", 5, 10)
	if _, ok := c.Get("a"); !ok { // now "b" is the oldest
		t.Fatal("a is gone before")
	}
	c.Shrink(9, size)
	if got, want := c.All(), map[string]int{"a": 4, "c": 5}; !maps.Equal(got, want) {
		t.Errorf("%v remain, want %v", got, want)
	}
}
