package observe

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sedmabot/store"
)

// spans makes OpenTelemetry spans of what is observed. A job that a press made due in this
// process is part of the press's trace:
//
//	press
//	├── store.get
//	├── store.commit
//	└── job
//	    ├── store.get
//	    ├── edit
//	    └── store.commit
//
// Another process that works on the job begins a trace of its own. The values of all
// attributes are fixed in the program: platforms, actions, commands, kinds of
// documents and outcomes.
type spans struct {
	tracer trace.Tracer // nil: off
	links  *links
}

const platformLabel = "sedmabot.platform"

func newSpans(t trace.Tracer) spans { return spans{t, &links{by: map[jobKey]link{}}} }

// begin begins a span. end takes the outcome, and whether the span failed.
func (s spans) begin(ctx context.Context, name string, attributes ...attribute.KeyValue) (_ context.Context, end func(outcome string, failed bool)) {
	if s.tracer == nil {
		return ctx, func(string, bool) {}
	}
	ctx, span := s.tracer.Start(ctx, name, trace.WithAttributes(attributes...))
	return ctx, func(outcome string, failed bool) {
		span.SetAttributes(attribute.String("sedmabot.outcome", outcome))
		if failed {
			span.SetStatus(codes.Error, outcome)
		}
		span.End()
	}
}

// byPerson marks the context of a press or a command.
type byPerson struct{}

// input begins the span of a press or a command.
func (s spans) input(ctx context.Context, platform string, command bool, action string) (context.Context, func(string, bool)) {
	if s.tracer == nil {
		return ctx, func(string, bool) {}
	}
	name := "press"
	if command {
		name = "command"
	}
	return s.begin(context.WithValue(ctx, byPerson{}, true), name, attribute.String(platformLabel, platform), attribute.String("sedmabot.action", action))
}

// call begins the span of a call of the store that is part of a press, a command or a job. The queue looks for due jobs
// all the time; those calls are part of nothing.
func (s spans) call(ctx context.Context, name string) (context.Context, func(trouble string)) {
	if s.tracer == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, func(string) {}
	}
	ctx, end := s.begin(ctx, "store."+name)
	return ctx, func(trouble string) {
		if trouble == "" {
			trouble = delivered
		}
		end(trouble, trouble == failed)
	}
}

// link remembers which jobs the change of a person makes due.
func (s spans) link(ctx context.Context, c store.Change) {
	if s.tracer == nil || ctx.Value(byPerson{}) == nil {
		return
	}
	person := trace.SpanContextFromContext(ctx)
	for _, m := range c.Due {
		s.links.put(jobKey{c.Partition, m.ID}, person)
	}
	if c.Claim != nil {
		s.links.put(jobKey{c.Partition, c.Claim.ID}, person)
	}
}

// job begins the span of a due job.
func (s spans) job(ctx context.Context, job store.Job) (context.Context, func(error)) {
	if s.tracer == nil {
		return ctx, func(error) {}
	}
	if parent, ok := s.links.take(jobKey{job.Partition, job.ID}); ok {
		ctx = trace.ContextWithSpanContext(ctx, parent)
	}
	kind, _, _ := strings.Cut(job.ID, ":")
	ctx, end := s.begin(ctx, "job", attribute.String("sedmabot.kind", kind))
	return ctx, func(err error) {
		if err != nil && !errors.Is(err, store.ErrFenced) {
			end("failed", true)
			return
		}
		end("done", false)
	}
}

// links are the spans of the presses that made jobs due, until this process works on the jobs.
type links struct {
	mu sync.Mutex
	by map[jobKey]link
}

type jobKey struct {
	partition int
	id        string
}

type link struct {
	span trace.SpanContext
	at   time.Time
}

// Other processes work on some of the jobs, so links are forgotten after a while.
const (
	maxLinks  = 1024
	linkLasts = 10 * time.Second
)

func (l *links) put(job jobKey, span trace.SpanContext) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.by) >= maxLinks {
		clear(l.by)
	}
	l.by[job] = link{span, time.Now()}
}

func (l *links) take(job jobKey) (trace.SpanContext, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.by[job]
	delete(l.by, job)
	return found.span, ok && time.Since(found.at) < linkLasts
}
