package redisstore

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	lanes = 2  // round trips that a wire has on their way at once, at most
	crowd = 64 // commits that share one of them, at most
)

// wire carries commits to Redis. While a lane is free a commit sets out at once, alone; those that come later wait until
// one of the round trips is back, and then set out together as one pipeline. Redis runs each of them by itself and answers
// each by itself, so nothing but the way there and back is shared, which costs both ends more than a commit does.
type wire struct {
	client  redis.UniversalClient
	limit   time.Duration // how long a round trip may take
	mu      sync.Mutex
	busy    int // lanes
	waiting []*parcel
}

// parcel is a command that waits for a lane or is on its way with others.
type parcel struct {
	ctx  context.Context
	cmd  redis.Cmder
	back chan struct{} // closed when cmd has its answer
}

// process sends cmd and waits for its answer or for the end of ctx. After the latter it is open whether Redis had it, and
// cmd belongs to the wire.
func (w *wire) process(ctx context.Context, cmd redis.Cmder) error {
	w.mu.Lock()
	if w.busy < lanes {
		w.busy++
		w.mu.Unlock()
		err := w.client.Process(ctx, cmd)
		if load := w.next(); load != nil {
			go w.carry(load)
		}
		return err
	}
	p := &parcel{ctx, cmd, make(chan struct{})}
	w.waiting = append(w.waiting, p)
	w.mu.Unlock()
	select {
	case <-p.back:
		return cmd.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next returns what goes next on a lane where a round trip is back. If it is nothing the lane is free.
func (w *wire) next() []*parcel {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), crowd)
	if n == 0 {
		w.busy--
		w.waiting = nil
		return nil
	}
	load := w.waiting[:n:n]
	w.waiting = w.waiting[n:]
	return load
}

// carry makes one round trip after another on a lane until nothing waits.
func (w *wire) carry(load []*parcel) {
	for ; load != nil; load = w.next() {
		ctx, cancel := context.WithTimeout(context.Background(), w.limit) // one caller's end is not the others'
		pipe := w.client.Pipeline()
		for _, p := range load {
			if err := p.ctx.Err(); err != nil {
				p.cmd.SetErr(err) // nobody waits for it, so it stays here
				continue
			}
			_ = pipe.Process(ctx, p.cmd) // joins the pipeline, no more
		}
		_, _ = pipe.Exec(ctx) // each command keeps its error
		cancel()
		for _, p := range load {
			close(p.back)
		}
		runtime.Gosched() // who is back and comes again at once goes with the others, not first and alone
	}
}
