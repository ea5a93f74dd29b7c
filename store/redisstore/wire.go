package redisstore

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	lanes = 2  // maximum number of round trips that a wire makes at the same time
	crowd = 64 // maximum number of commands that share a round trip
)

// wire sends commands to Redis, in batches if there are many: commits, and reads of one partition. If a lane is free, a
// command is sent alone at once. Later commands wait until a round trip ends, and are then sent together as one
// pipeline. Redis runs and answers each of them separately. They share only the round trip, which costs both ends more
// than a command does.
type wire struct {
	client  redis.UniversalClient
	limit   time.Duration // how long a round trip may take
	mu      sync.Mutex
	busy    int // number of busy lanes
	waiting []*parcel
}

// parcel is a command that waits for a lane, or is part of a batch on its way.
type parcel struct {
	ctx  context.Context
	cmd  redis.Cmder
	back chan struct{} // closed when cmd has its answer or error
}

// process sends cmd and waits for its answer or for the end of ctx. If ctx ends first, it is unknown whether Redis
// received cmd, and the caller must not use cmd any more.
func (w *wire) process(ctx context.Context, cmd redis.Cmder) error {
	p := &parcel{ctx, cmd, make(chan struct{})}
	w.mu.Lock()
	if w.busy < lanes {
		w.busy++
		go func() { // the client reads the answer even after ctx was cancelled
			_ = w.client.Process(ctx, cmd) // cmd keeps its error
			close(p.back)
			w.carry(w.next())
		}()
	} else {
		w.waiting = append(w.waiting, p)
	}
	w.mu.Unlock()
	select {
	case <-p.back:
		return cmd.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next returns the next batch for a lane whose round trip has ended. If nothing waits, it returns nil and frees the lane.
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

// carry sends one batch after another on a lane until nothing waits.
func (w *wire) carry(load []*parcel) {
	for ; load != nil; load = w.next() {
		ctx, cancel := context.WithTimeout(context.Background(), w.limit) // independent of each caller's context
		pipe := w.client.Pipeline()
		for _, p := range load {
			if err := p.ctx.Err(); err != nil {
				p.cmd.SetErr(err) // nobody waits for this command, so it isn't sent
				continue
			}
			_ = pipe.Process(ctx, p.cmd) // only adds the command to the pipeline
		}
		_, _ = pipe.Exec(ctx) // each command keeps its error
		cancel()
		for _, p := range load {
			close(p.back)
		}
		runtime.Gosched() // yield, so that a caller that returns at once joins the next batch
	}
}
