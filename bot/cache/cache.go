// Package cache keeps in memory what was used lately. It holds no more entries than
// its owner allows, and drops the one that was used longest ago. It knows nothing of
// the bot: the shell, the adapters and the pictures all use it.
package cache

import (
	"container/list"
	"sync"
)

// Cache is a map of limited size. If it is full, it evicts the least recently used
// entry: the one that was not read or written for the longest time. The zero value is
// an empty cache. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	of    map[K]*list.Element
	order list.List // of entries, the newest first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// entryOf returns what an element of the list holds.
func (*Cache[K, V]) entryOf(e *list.Element) *entry[K, V] { return e.Value.(*entry[K, V]) }

// Get returns the key's value, or the zero value and false.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.of[key]
	if e == nil {
		return *new(V), false
	}
	c.order.MoveToFront(e)
	return c.entryOf(e).value, true
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
	return c.entryOf(e).value, true
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
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if limit -= size(c.entryOf(e).value); limit < 0 {
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
		all[key] = c.entryOf(e).value
	}
	return all
}

func (c *Cache[K, V]) add(key K, value V, limit int) {
	if c.of == nil {
		c.of = map[K]*list.Element{}
	}
	for len(c.of) >= max(limit, 1) {
		c.drop(c.order.Back())
	}
	c.of[key] = c.order.PushFront(&entry[K, V]{key, value})
}

func (c *Cache[K, V]) drop(e *list.Element) {
	delete(c.of, c.entryOf(e).key)
	c.order.Remove(e)
}
