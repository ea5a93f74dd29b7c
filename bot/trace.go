package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// Tracer makes OpenTelemetry spans of what it wraps: presses and commands, calls of
// the store, due jobs, and calls of the platforms. A job that a press made due in this
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
// documents and outcomes. No span names a person, a chat, a table or a card.
//
// The zero Tracer is off. It returns what it is given, so that it costs nothing.
type Tracer struct {
	tracer trace.Tracer // nil: off
	links  *links
}

// NewTracer returns a Tracer whose spans t begins.
func NewTracer(t trace.Tracer) Tracer { return Tracer{t, &links{by: map[jobKey]link{}}} }

// begin begins a span. end takes the outcome, and the error if the span failed.
func (t Tracer) begin(ctx context.Context, name string, attributes ...attribute.KeyValue) (_ context.Context, end func(outcome string, failed bool)) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithAttributes(attributes...))
	return ctx, func(outcome string, failed bool) {
		span.SetAttributes(attribute.String("sedmabot.outcome", outcome))
		if failed {
			span.SetStatus(codes.Error, outcome)
		}
		span.End()
	}
}

// Platform returns p with spans for its inputs and deliveries.
func (t Tracer) Platform(p chat.Platform) chat.Platform {
	if t.tracer == nil {
		return p
	}
	return &tracedPlatform{p, t}
}

type tracedPlatform struct {
	chat.Platform
	t Tracer
}

// Run runs the platform with a Handler that is traced.
func (p *tracedPlatform) Run(ctx context.Context, h chat.Handler) error {
	return p.Platform.Run(ctx, tracedHandler{h, p.t, p.Name()})
}

// Send sends a new message in a span.
func (p *tracedPlatform) Send(ctx context.Context, to chat.Target, s view.Screen, nonce string) (chat.Address, error) {
	ctx, end := p.begin(ctx, "send")
	a, err := p.Platform.Send(ctx, to, s, nonce)
	end(err)
	return a, err
}

// Edit edits a message in a span.
func (p *tracedPlatform) Edit(ctx context.Context, a chat.Address, s view.Screen) error {
	ctx, end := p.begin(ctx, "edit")
	err := p.Platform.Edit(ctx, a, s)
	end(err)
	return err
}

// Delete deletes a message in a span.
func (p *tracedPlatform) Delete(ctx context.Context, a chat.Address) error {
	ctx, end := p.begin(ctx, "delete")
	err := p.Platform.Delete(ctx, a)
	end(err)
	return err
}

func (p *tracedPlatform) begin(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, end := p.t.begin(ctx, name, attribute.String("sedmabot.platform", p.Name()))
	return ctx, func(err error) {
		if err == nil {
			end(deliveries[delivered], false)
			return
		}
		fault, _ := deliver.FaultOf(err)
		end(deliveries[fault], true)
	}
}

type tracedHandler struct {
	chat.Handler
	t        Tracer
	platform string
}

// Handle handles a press or a command in a span.
func (h tracedHandler) Handle(ctx context.Context, in chat.Input) chat.Reply {
	name, what := "press", "unknown"
	if in.Command != "" {
		name = "command"
		if slices.ContainsFunc(chat.Commands, func(c chat.Command) bool { return c.Name == in.Command }) {
			what = in.Command
		}
	} else if press, err := view.ParsePress(in.Press); err == nil {
		what = string(press.Action)
	}
	ctx, end := h.t.begin(ctx, name, attribute.String("sedmabot.platform", h.platform), attribute.String("sedmabot.action", what))
	reply := h.Handler.Handle(context.WithValue(ctx, byPerson{}, true), in)
	end(outcomes[reply.Outcome], reply.Outcome == chat.Failed)
	return reply
}

// byPerson marks the context of a press or a command.
type byPerson struct{}

// Store returns s with a span for each call that is part of a press, a command or a job.
func (t Tracer) Store(s store.Store) store.Store {
	if t.tracer == nil {
		return s
	}
	return &tracedStore{s, t}
}

type tracedStore struct {
	store.Store
	t Tracer
}

// begin begins the span of a call. The queue looks for due jobs all the time; those calls are part of nothing.
func (s *tracedStore) begin(ctx context.Context, call string) (context.Context, func(error)) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, func(error) {}
	}
	ctx, end := s.t.begin(ctx, "store."+call)
	return ctx, func(err error) {
		switch {
		case err == nil:
			end("done", false)
		case errors.Is(err, store.ErrConflict):
			end(troubles[0], false)
		case errors.Is(err, store.ErrFenced):
			end(troubles[1], false)
		default:
			end(troubles[2], true)
		}
	}
}

// Get reads documents in a span.
func (s *tracedStore) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	ctx, end := s.begin(ctx, "get")
	docs, err := s.Store.Get(ctx, keys...)
	end(err)
	return docs, err
}

// Commit commits a change in a span. It remembers which jobs a person made due.
func (s *tracedStore) Commit(ctx context.Context, c store.Change) error {
	person := trace.SpanContextFromContext(ctx)
	ctx, end := s.begin(ctx, "commit")
	if ctx.Value(byPerson{}) != nil {
		for _, m := range c.Due { // before the commit: the job may begin before it returns
			s.t.links.put(jobKey{c.Partition, m.ID}, person)
		}
		if c.Hold != nil {
			s.t.links.put(jobKey{c.Partition, c.Hold.ID}, person)
		}
	}
	err := s.Store.Commit(ctx, c)
	end(err)
	return err
}

// Release releases a job in a span.
func (s *tracedStore) Release(ctx context.Context, j store.Job, now, next time.Time) error {
	ctx, end := s.begin(ctx, "release")
	err := s.Store.Release(ctx, j, now, next)
	end(err)
	return err
}

// Board reads a board in a span.
func (s *tracedStore) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	ctx, end := s.begin(ctx, "board")
	standings, all, err := s.Store.Board(ctx, partition, board, from, n, around)
	end(err)
	return standings, all, err
}

// Scan reads a page of documents in a span.
func (s *tracedStore) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	ctx, end := s.begin(ctx, "scan")
	docs, next, err := s.Store.Scan(ctx, partition, prefix, cursor)
	end(err)
	return docs, next, err
}

// Job begins the span of a due job. It returns ctx itself if t is off.
func (t Tracer) Job(ctx context.Context, job store.Job) (context.Context, func(error)) {
	if t.tracer == nil {
		return ctx, func(error) {}
	}
	if parent, ok := t.links.take(jobKey{job.Partition, job.ID}); ok {
		ctx = trace.ContextWithSpanContext(ctx, parent)
	}
	kind, _, _ := strings.Cut(job.ID, ":")
	ctx, end := t.begin(ctx, "job", attribute.String("sedmabot.kind", kind))
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
	mostLinks = 1024
	linkLasts = 10 * time.Second
)

func (l *links) put(job jobKey, span trace.SpanContext) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.by) >= mostLinks {
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
