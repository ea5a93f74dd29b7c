package chat

import "sync"

// Queues keep inputs in order: each waits until those before it in its queue are done. A person has a queue, for example.
// The zero value is ready to use.
type Queues[K comparable] struct {
	mu  sync.Mutex
	all map[K]*queue // those that aren't empty
}

type queue struct {
	length int
	last   <-chan struct{} // closed when the last input is done
}

// Place is an input's place in its queue.
type Place struct {
	Ready <-chan struct{} // closed when all inputs before it are done
	End   func() bool     // waits for Ready, lets the next input begin, and reports whether there is none; later calls do nothing else
}

// Join adds an input to the end of a queue. It reports false if there are already so many.
func (q *Queues[K]) Join(key K, most int) (Place, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := q.all[key]
	if own == nil {
		if q.all == nil {
			q.all = map[K]*queue{}
		}
		nobody := make(chan struct{})
		close(nobody)
		own = &queue{last: nobody}
		q.all[key] = own
	}
	if own.length == most {
		return Place{}, false
	}
	ready, done := own.last, make(chan struct{})
	own.last = done
	own.length++
	return Place{ready, sync.OnceValue(func() bool {
		<-ready
		q.mu.Lock()
		defer q.mu.Unlock()
		close(done)
		if own.length--; own.length == 0 {
			delete(q.all, key)
		}
		return own.length == 0
	})}, true
}
