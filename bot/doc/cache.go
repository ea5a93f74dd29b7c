package doc

import "sync"

// What a process worked out lately of the tables that are at play, so that it
// need not do it again for each press. They are no more than that: what they hold
// follows from what they are asked about, and the store stays the truth.

// mostKnown is how many tables are kept in mind. A table with its document and
// its posts has some 40 kB.
const mostKnown = 512

// Cache holds a value each for a few keys: when there are too many, any goes, for a
// busy one is soon back.
type Cache[V any] struct {
	mu sync.Mutex
	of map[string]V
}

// Get returns the key's value, or the zero value.
func (f *Cache[V]) Get(key string) V {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.of[key]
}

// Take returns the key's value and forgets it.
func (f *Cache[V]) Take(key string) V {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.of[key]
	delete(f.of, key)
	return v
}

// Put sets the key's value.
func (f *Cache[V]) Put(key string, v V) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[string]V{}
	}
	if _, known := f.of[key]; !known && len(f.of) >= mostKnown {
		for other := range f.of {
			delete(f.of, other)
			break
		}
	}
	f.of[key] = v
}
