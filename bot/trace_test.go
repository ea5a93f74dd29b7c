package bot

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"

	"sedmabot/bot/playground"
	"sedmabot/store"
)

// nothing is a store that finds nothing.
type nothing struct{ store.Store }

func (nothing) Get(_ context.Context, keys ...store.Key) ([]store.Doc, error) { return nil, nil }
func (nothing) Commit(context.Context, store.Change) error                    { return nil }

// A Tracer that is off returns the very store and platform that it is given, and adds nothing to a job.
func TestTracerOff(t *testing.T) {
	t.Parallel()
	var off Tracer
	s := store.Store(nothing{})
	if off.Store(s) != s {
		t.Error("the store is wrapped")
	}
	p, err := playground.New(playground.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if off.Platform(p) != p {
		t.Error("the platform is wrapped")
	}
	ctx, end := off.Job(t.Context(), store.Job{ID: "table:1"})
	end(nil)
	if ctx != t.Context() {
		t.Error("a job has another context")
	}
}

// BenchmarkTracer does what a press and its job ask of the store: without a Tracer, with one that is off, and with one that
// records. The first two cost the same.
func BenchmarkTracer(b *testing.B) {
	provider := trace.NewTracerProvider()
	on := NewTracer(provider.Tracer("sedmabot"))
	for name, tracer := range map[string]*Tracer{"none": nil, "off": {}, "on": &on} {
		b.Run(name, func(b *testing.B) {
			s := store.Store(nothing{})
			if tracer != nil {
				s = tracer.Store(s)
			}
			job, key := store.Job{ID: "table:1"}, store.Key{Name: "table:1"}
			b.ReportAllocs()
			for b.Loop() {
				ctx, end := b.Context(), func(error) {}
				if tracer != nil {
					ctx, end = tracer.Job(ctx, job)
				}
				_, err := s.Get(ctx, key)
				if err == nil {
					err = s.Commit(ctx, store.Change{})
				}
				end(err)
			}
		})
	}
}
