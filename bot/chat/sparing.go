package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// spared is how long repeats of a message are held back.
const spared = time.Minute

// Sparing returns a logger that limits repeats. It writes a message at once, and
// then at most once a minute: the latest repeat, with their number as "times". It is
// needed because people can trigger most log lines as fast as they can press.
// Messages with different attributes of With are different messages. Debug lines are
// never held back. For nil it returns nil.
func Sparing(log *slog.Logger) *slog.Logger {
	if log == nil {
		return nil
	}
	return slog.New(&sparing{Handler: log.Handler(), lately: &lately{messages: map[logged]*repeated{}}})
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
	times int
	last  slog.Record
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
	if r.Level < slog.LevelInfo {
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

// begin starts the minute of a message that is being written. The caller must hold h.mu.
func (h *sparing) begin(m logged) {
	h.messages[m] = &repeated{}
	time.AfterFunc(spared, func() { h.end(m) })
}

// end ends the minute of a message, and writes its last repeat if there was one.
func (h *sparing) end(m logged) {
	h.mu.Lock()
	again := h.messages[m]
	if again.times > 0 {
		h.begin(m)
	} else {
		delete(h.messages, m)
	}
	h.mu.Unlock()
	if again.times > 0 {
		again.last.AddAttrs(slog.Int("times", again.times))
		_ = h.Handler.Handle(context.Background(), again.last) // a Logger ignores this error too
	}
}
