package chat

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// spared is how long repeats of a message are held back.
const spared = time.Minute

// Sparing returns a logger that limits the repeats of warnings and errors. It writes a
// message at once, and then at most once a minute: the latest repeat, with their number as
// "times" and its own time as "last". So the lines are in the order of their times. It is needed because an outage and people can cause most of them many times a
// second. Messages with different attributes of With are different messages.
//
// An error that says that something was cancelled becomes an INFO line: a stop cut it off, or nobody waits for it.
//
// Lines of other levels are never held back. Before an INFO line, such as a recovery, what
// is held is written. The second result writes what is held
// at the end.
func Sparing(log *slog.Logger) (*slog.Logger, func()) {
	h := &sparing{Handler: log.Handler(), lately: &lately{messages: map[logged]*repeated{}}}
	return slog.New(h), func() { h.release(time.Now()) }
}

type sparing struct {
	slog.Handler
	with string // the attributes and groups that With and WithGroup added
	*lately
}

// lately holds the messages of the last minute.
type lately struct {
	mu       sync.Mutex
	messages map[logged]*repeated
}

type logged struct {
	level      slog.Level
	text, with string
}

// repeated counts the repeats of a message since it was written, and holds the last one.
type repeated struct {
	to    slog.Handler
	times int
	last  slog.Record
}

// write writes the last repeat as a line of now, if there was one.
func (r repeated) write(now time.Time) {
	if r.times > 0 {
		r.last.AddAttrs(slog.Int("times", r.times), slog.String("last", r.last.Time.UTC().Format(time.TimeOnly)))
		r.last.Time = now
		_ = r.to.Handle(context.Background(), r.last) // a Logger ignores this error too
	}
}

func (h *sparing) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := h.with
	for _, a := range attrs {
		with += a.String() + "\n"
	}
	return &sparing{h.Handler.WithAttrs(attrs), with, h.lately}
}

func (h *sparing) WithGroup(name string) slog.Handler {
	return &sparing{h.Handler.WithGroup(name), h.with + name + "\n", h.lately}
}

func (h *sparing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError && cutOff(r) {
		if r.Level = slog.LevelInfo; !h.Enabled(ctx, r.Level) {
			return nil
		}
	}
	if r.Level < slog.LevelWarn {
		if r.Level >= slog.LevelInfo {
			h.release(r.Time)
		}
		return h.Handler.Handle(ctx, r)
	}
	m := logged{r.Level, r.Message, h.with}
	h.mu.Lock()
	again := h.messages[m]
	if again != nil {
		again.times++
		again.last = r.Clone()
	} else {
		h.begin(m)
	}
	h.mu.Unlock()
	if again != nil {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// cutOff reports whether an error in the line says that something was cancelled.
func cutOff(r slog.Record) (canceled bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ := a.Value.Any().(error)
		canceled = canceled || errors.Is(err, context.Canceled)
		return !canceled
	})
	return canceled
}

// begin starts the minute of a message that is being written. The caller must hold h.mu.
func (h *sparing) begin(m logged) {
	h.messages[m] = &repeated{to: h.Handler}
	time.AfterFunc(spared, func() { h.end(m) })
}

// end ends the minute of a message, and writes its last repeat if there was one.
func (h *sparing) end(m logged) {
	h.mu.Lock()
	again := *h.messages[m]
	if again.times > 0 {
		h.begin(m)
	} else {
		delete(h.messages, m)
	}
	h.mu.Unlock()
	again.write(time.Now())
}

// release writes all repeats that are held as lines of now, the oldest first. Their minutes continue.
func (l *lately) release(now time.Time) {
	var held []repeated
	l.mu.Lock()
	for _, again := range l.messages {
		if again.times > 0 {
			held = append(held, *again)
			again.times = 0
		}
	}
	l.mu.Unlock()
	slices.SortFunc(held, func(a, b repeated) int { return a.last.Time.Compare(b.last.Time) })
	for _, again := range held {
		again.write(now)
	}
}
