package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// settling is how long the program waits at its start for the platforms' first answers before it says that it is ready.
const settling = 5 * time.Second

// remaining are the platforms of the program. It runs until none is left: one that rejects the bot stops no other one.
type remaining struct {
	platforms []chat.Platform
	log       *slog.Logger

	mu       sync.Mutex
	rejected map[string]error // by the platform's name
}

func newRemaining(platforms []chat.Platform, log *slog.Logger) *remaining {
	return &remaining{platforms: platforms, log: log, rejected: map[string]error{}}
}

// run runs one platform. It returns an error only if the platform was the last one.
func (r *remaining) run(ctx context.Context, p chat.Platform, h chat.Handler) error {
	err := p.Run(ctx, h)
	if err == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rejected[p.Name()] = err
	if len(r.rejected) < len(r.platforms) {
		r.log.Error("a platform rejects the bot, which goes on without it until the next start", "platform", p.Name(), "err", err)
		return nil
	}
	var all []error
	for _, p := range r.platforms {
		all = append(all, r.rejected[p.Name()])
	}
	return rejectedError{errors.Join(all...)}
}

// rejectedError reports that no platform is left.
type rejectedError struct{ error }

// Unwrap returns the errors of the platforms.
func (e rejectedError) Unwrap() error { return e.error }

// settle waits until each platform has accepted the bot or rejected it, and no longer than for settling.
func (r *remaining) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	for _, p := range r.platforms {
		for p.Ready() != nil && !r.has(p) && chat.Pause(ctx, settlePoll) {
		}
	}
}

// settlePoll is how often settle looks.
const settlePoll = 20 * time.Millisecond

// has reports whether the platform has rejected the bot.
func (r *remaining) has(p chat.Platform) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rejected[p.Name()] != nil
}
