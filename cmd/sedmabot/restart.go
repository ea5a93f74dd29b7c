package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/store"
)

// restartable is a bot that can be interrupted in the middle of its work and
// created again on the same store, as if its process was killed and restarted.
// As a [chat.Handler] it forwards to the current bot.
type restartable struct {
	store store.Store
	make  func(store.Store) *bot.Bot

	mu   sync.Mutex
	bot  *bot.Bot
	life *life
	stop context.CancelFunc // stops the current run; nil before the first one
}

// renew replaces the bot with a new one. The caller must hold r.mu.
func (r *restartable) renew() {
	r.life = &life{Store: r.store}
	r.bot = r.make(r.life)
}

// crash interrupts the current bot at once; run then starts another. The tables
// that it was working on wait until their leases expire.
func (r *restartable) crash() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.life.over.Store(true)
	if r.stop != nil {
		r.stop()
	}
}

// life is the store of one bot. After that bot's end, its calls fail and don't
// reach the store.
type life struct {
	store.Store
	over atomic.Bool
}

var errOver = errors.New("this bot was cut off")

func (l *life) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	if l.over.Load() {
		return nil, errOver
	}
	return l.Store.Get(ctx, keys...)
}

func (l *life) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	if l.over.Load() {
		return nil, time.Time{}, errOver
	}
	return l.Store.Claim(ctx, now, lease, limit)
}

func (l *life) Commit(ctx context.Context, c store.Change) error {
	if l.over.Load() {
		return errOver
	}
	return l.Store.Commit(ctx, c)
}

func (l *life) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	if l.over.Load() {
		return errOver
	}
	return l.Store.Release(ctx, job, now, next)
}

// run runs one bot after another until ctx ends or one fails permanently.
func (r *restartable) run(ctx context.Context) error {
	for {
		r.mu.Lock()
		if r.life.over.Load() {
			r.renew()
		}
		running, stop := context.WithCancel(ctx)
		r.stop = stop
		b := r.bot
		r.mu.Unlock()
		err := b.Run(running)
		stop()
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
}

func (r *restartable) current() *bot.Bot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bot
}

func (r *restartable) Handle(ctx context.Context, in chat.Input) chat.Reply {
	return r.current().Handle(ctx, in)
}

func (r *restartable) Complete(ctx context.Context, in chat.Input) []chat.Suggestion {
	return r.current().Complete(ctx, in)
}

func (r *restartable) steps(ctx context.Context, in chat.Input, match string) ([]chat.Step, error) {
	return r.current().Steps(ctx, in, match)
}
