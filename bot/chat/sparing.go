package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// spared is how long a message is not written again.
const spared = time.Minute

// Sparing returns a logger that writes a message at once, and then once a minute at
// most: the latest that came meanwhile, with their number as "times". People can
// repeat nearly everything that is logged here as fast as they can press. A message
// with other attributes of With is another one. Debug lines are all written. For
// nil it returns nil.
func Sparing(log *slog.Logger) *slog.Logger {
	if log == nil {
		return nil
	}
	return slog.New(&sparing{Handler: log.Handler(), lately: &lately{messages: map[logged]*repeated{}}})
}

type sparing struct {
	slog.Handler
	with string // the attributes that With added
	*lately
}

// lately holds the messages that were written in the last minute.
type lately struct {
	mu       sync.Mutex
	messages map[logged]*repeated
}

type logged struct {
	level      slog.Level
	text, with string
}

// repeated is how often a message came since it was written, and the last time.
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

// begin begins a minute for a message that is being written. It wants h.mu to be held.
func (h *sparing) begin(m logged) {
	h.messages[m] = &repeated{}
	time.AfterFunc(spared, func() { h.end(m) })
}

// end writes the message again if it came in the minute that is over.
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
		_ = h.Handler.Handle(context.Background(), again.last) // as a Logger does with its errors
	}
}
