package boltstore

import (
	"context"
	"sync"

	"sedmabot/store"
)

// watches are the channels to wake when a document is written, by its key. Each has capacity 1.
type watches struct {
	mu sync.Mutex
	of map[store.Key]map[chan struct{}]bool
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	wake := make(chan struct{}, 1)
	s.watches.add(keys, wake)
	context.AfterFunc(ctx, func() { s.watches.remove(keys, wake) })
	return store.Follow(ctx, s.Get, keys, wake, s.closing)
}

func (w *watches) add(keys []store.Key, wake chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[store.Key]map[chan struct{}]bool{}
	}
	for _, key := range keys {
		if w.of[key] == nil {
			w.of[key] = map[chan struct{}]bool{}
		}
		w.of[key][wake] = true
	}
}

func (w *watches) remove(keys []store.Key, wake chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, key := range keys {
		if delete(w.of[key], wake); len(w.of[key]) == 0 {
			delete(w.of, key)
		}
	}
}

// wake wakes those who watch a document that a change writes.
func (w *watches) wake(c store.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.of) == 0 {
		return
	}
	for _, write := range c.Writes {
		for wake := range w.of[store.Key{Partition: c.Partition, Name: write.Name}] {
			select {
			case wake <- struct{}{}:
			default: // it has yet to read anyway
			}
		}
	}
}
