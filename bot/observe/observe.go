// Package observe measures and traces what the bot does. An [Observer] is called where an input is handled, a message is
// delivered, the store is called, a job is done, and the AI thinks. It passes each to two sinks: Prometheus metrics
// (metrics.go) and OpenTelemetry spans (spans.go). It is a package of its own because everything from package doc up to
// package bot calls it.
//
// No metric and no span names a person, a chat, a table or a card. The values of all labels and attributes are fixed in
// the program.
package observe

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Observer observes one process. Its methods are safe for concurrent use. A nil Observer does nothing.
type Observer struct {
	*metrics
	spans
}

// New returns an Observer that registers its metrics, for those platforms, with r. It begins spans with t; nil: it makes none.
func New(r prometheus.Registerer, t trace.Tracer, platforms ...string) *Observer {
	return &Observer{newMetrics(r, platforms), newSpans(t)}
}

// Input observes the handling of a press or a command. action is the command's name, or the press's first word; "" if the
// bot knows neither. It ignores what a platform reports, because no person acted.
func (o *Observer) Input(ctx context.Context, in chat.Input, action string) (context.Context, func(chat.Reply)) {
	platform, _, _ := strings.Cut(in.Player.ID, ":")
	if o == nil || in.Former != "" || in.Presence != 0 || !o.knows(platform) {
		return ctx, func(chat.Reply) {}
	}
	begin := time.Now()
	ctx, end := o.input(ctx, platform, in.Command != "", cmp.Or(action, "unknown"))
	return ctx, func(r chat.Reply) {
		o.replied(platform, in.Command != "", r.Outcome, begin)
		end(outcomes[r.Outcome], r.Outcome == chat.Failed)
	}
}

// The kinds of deliveries.
const (
	Send   = "send"
	Edit   = "edit"
	Delete = "delete"
)

// Delivery observes a call of a platform's Send, Edit or Delete.
func (o *Observer) Delivery(ctx context.Context, p chat.Platform, kind string) (context.Context, func(error)) {
	if o == nil || !o.knows(p.Name()) {
		return ctx, func(error) {}
	}
	begin := time.Now()
	ctx, end := o.begin(ctx, kind, attribute.String(platformLabel, p.Name()))
	return ctx, func(err error) {
		outcome := deliveryOutcome(err)
		o.delivered(p.Name(), kind, outcome, begin)
		end(deliveries[outcome], err != nil)
	}
}

// deliveryOutcome returns the index in deliveries.
func deliveryOutcome(err error) int {
	var d *chat.DeliveryError
	switch {
	case err == nil:
		return done
	case !errors.As(err, &d):
		return int(chat.Retry)
	case d.Held:
		return held
	case d.Fault == chat.Retry && d.After > 0:
		return limited
	}
	return int(d.Fault)
}

// Call observes a call of the store. name is one of calls.
func (o *Observer) Call(ctx context.Context, name string) (context.Context, func(error)) {
	if o == nil {
		return ctx, func(error) {}
	}
	begin := time.Now()
	ctx, end := o.call(ctx, name)
	return ctx, func(err error) {
		trouble := troubleOf(err)
		o.called(name, trouble, begin)
		end(trouble)
	}
}

// troubleOf returns why a call of the store did nothing, or "".
func troubleOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, store.ErrConflict):
		return conflict
	case errors.Is(err, store.ErrFenced):
		return fenced
	}
	return failed
}

// Commit observes a call of the store's Commit, the job that it completes and the one that it claims.
func (o *Observer) Commit(ctx context.Context, c store.Change) (context.Context, func(error)) {
	if o == nil {
		return ctx, func(error) {}
	}
	begin := time.Now()
	o.link(ctx, c) // before the commit: the job may begin before it returns
	ctx, end := o.Call(ctx, "commit")
	return ctx, func(err error) {
		end(err)
		if c.Done != nil {
			o.ended(*c.Done)
		}
		if c.Claim != nil && c.Claim.Claimed {
			o.claimed(begin, 0, store.Job{Partition: c.Partition, ID: c.Claim.ID, Token: c.Claim.Token})
		}
	}
}

// Claim observes a call of the store's Claim.
func (o *Observer) Claim(ctx context.Context, now time.Time, lease time.Duration) (context.Context, func([]store.Job, error)) {
	if o == nil {
		return ctx, func([]store.Job, error) {}
	}
	begin := time.Now()
	ctx, end := o.Call(ctx, "claim")
	return ctx, func(jobs []store.Job, err error) {
		end(err)
		o.expire(begin.Add(-2 * lease))
		for _, j := range jobs {
			o.claimed(begin, max(0, now.Sub(j.Due)), j)
		}
	}
}

// Release observes a call of the store's Release, and the job's end.
func (o *Observer) Release(ctx context.Context, j store.Job) (context.Context, func(error)) {
	if o == nil {
		return ctx, func(error) {}
	}
	ctx, end := o.Call(ctx, "release")
	return ctx, func(err error) {
		end(err)
		o.ended(j)
	}
}

// Thought observes that the AI has chosen a move, for which it has thought since begin.
func (o *Observer) Thought(begin time.Time) {
	if o != nil {
		since(o.ai, begin)
	}
}

// Job observes the work on a due job.
func (o *Observer) Job(ctx context.Context, job store.Job) (context.Context, func(error)) {
	if o == nil {
		return ctx, func(error) {}
	}
	return o.job(ctx, job)
}
