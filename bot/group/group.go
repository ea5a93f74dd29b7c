// Package group runs functions in goroutines that are used again. It saves the cost of stacks that grow.
package group

import (
	"slices"
	"sync"
	"time"
)

// rest is how long an idle goroutine waits for another function before it ends.
const rest = time.Second

// Group is a sync.WaitGroup that can keep its goroutines for later functions. A new goroutine has a stack of a few
// kilobytes. Showing a table needs more, and each time a stack grows, it is copied. That took a tenth of the CPU of a
// press. The zero Group is ready to use, and keeps nothing.
type Group struct {
	all  sync.WaitGroup
	mu   sync.Mutex
	keep bool
	idle []chan func() // of the idle goroutines; the last one was busy most recently
}

// Keep makes the group keep its goroutines until Wait.
func (g *Group) Keep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep = true
}

// Go runs f in a goroutine of the group. As for sync.WaitGroup.Go, f must not panic.
func (g *Group) Go(f func()) {
	g.all.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.idle); n > 0 {
		g.idle[n-1] <- f
		g.idle = g.idle[:n-1]
		return
	}
	go g.work(f)
}

// Wait waits until all functions have returned, and ends the idle goroutines.
func (g *Group) Wait() {
	g.all.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, next := range g.idle {
		close(next)
	}
	g.keep, g.idle = false, nil
}

// work runs f, and then the functions that Go sends.
func (g *Group) work(f func()) {
	var next chan func()
	var timer *time.Timer
	for f != nil {
		f()
		g.all.Done()
		if next == nil {
			next, timer = make(chan func(), 1), time.NewTimer(rest)
			defer timer.Stop()
		}
		if !g.offer(next) {
			return
		}
		timer.Reset(rest)
		select {
		case f = <-next:
		case <-timer.C:
			f = g.withdraw(next)
		}
	}
}

// offer makes an idle goroutine known to Go. It returns false if the group keeps none.
func (g *Group) offer(next chan func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.keep {
		g.idle = append(g.idle, next)
	}
	return g.keep
}

// withdraw makes an idle goroutine unknown to Go. It returns the function that Go has sent to it meanwhile, or nil.
func (g *Group) withdraw(next chan func()) func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case f := <-next:
		return f
	default:
	}
	g.idle = slices.DeleteFunc(g.idle, func(c chan func()) bool { return c == next })
	return nil
}
