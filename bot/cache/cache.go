// Package cache keeps in memory what was used lately. It holds no more entries than
// its owner allows, and drops the one that was used longest ago. It knows nothing of
// the bot: the shell, the adapters and the pictures all use it.
package cache

import "sync"

// Cache is a map of limited size. If it is full, it evicts the least recently used
// entry: the one that was not read or written for the longest time. The zero value is
// an empty cache. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu   sync.Mutex
	of   map[K]*entry[K, V]
	root entry[K, V] // sentinel of a circular list: next is the newest entry, prev the oldest
}

type entry[K comparable, V any] struct {
	key        K
	value      V
	prev, next *entry[K, V]
}

// Get returns the key's value, or the zero value and false.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.of[key]
	if e == nil {
		return *new(V), false
	}
	c.unlink(e)
	c.link(e)
	return e.value, true
}

// Take removes the key, and returns its value as Get does.
func (c *Cache[K, V]) Take(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.of[key]
	if e == nil {
		return *new(V), false
	}
	c.drop(e)
	return e.value, true
}

// Put sets the key's value. It evicts old entries so that at most limit remain.
func (c *Cache[K, V]) Put(key K, value V, limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.of[key]; e != nil {
		c.drop(e)
	}
	c.add(key, value, limit)
}

// Add sets the key's value if it has none, as Put does. If the key has a value, Add
// changes nothing and returns false.
func (c *Cache[K, V]) Add(key K, value V, limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[key] != nil {
		return false
	}
	c.add(key, value, limit)
	return true
}

// Shrink evicts old entries so that the sizes of those that remain add up to at most limit.
func (c *Cache[K, V]) Shrink(limit int, size func(V) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.of) == 0 {
		return
	}
	for e := c.root.next; e != &c.root; {
		next := e.next
		if limit -= size(e.value); limit < 0 {
			c.drop(e)
		}
		e = next
	}
}

// All returns a copy of all entries. It doesn't count as a use of them.
func (c *Cache[K, V]) All() map[K]V {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[K]V, len(c.of))
	for key, e := range c.of {
		all[key] = e.value
	}
	return all
}

func (c *Cache[K, V]) add(key K, value V, limit int) {
	if c.of == nil {
		c.of = map[K]*entry[K, V]{}
		c.root.prev, c.root.next = &c.root, &c.root
	}
	for len(c.of) >= max(limit, 1) {
		c.drop(c.root.prev)
	}
	e := &entry[K, V]{key: key, value: value}
	c.of[key] = e
	c.link(e)
}

func (c *Cache[K, V]) drop(e *entry[K, V]) {
	delete(c.of, e.key)
	c.unlink(e)
}

func (c *Cache[K, V]) link(e *entry[K, V]) {
	e.prev, e.next = &c.root, c.root.next
	e.prev.next, e.next.prev = e, e
}

func (c *Cache[K, V]) unlink(e *entry[K, V]) {
	e.prev.next, e.next.prev = e.next, e.prev
}
