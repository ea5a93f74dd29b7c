package town

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// Chats is a platform that records its deliveries.
type Chats struct {
	mu    sync.Mutex
	calls []string
	fail  func(call string) error // nil: no delivery fails
}

// Name implements chat.Platform, as the following methods do.
func (*Chats) Name() string { return "test" }

func (*Chats) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }
func (*Chats) Ready() error                                  { return nil }
func (*Chats) Link(_ string, a chat.Address) string          { return "https://" + string(a) }
func (*Chats) Gap(chat.Target) time.Duration                 { return 0 }
func (*Chats) Lasts() time.Duration                          { return 0 }
func (*Chats) Abilities() chat.Abilities                     { return chat.Abilities{} }
func (*Chats) Reach(context.Context, chat.Target) error      { return nil }

func (*Chats) Spelling(c chat.Command, language string) string { return "!" + c.Name + "-" + language }

func (*Chats) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

func (p *Chats) Delete(_ context.Context, a chat.Address) error { return p.note("delete " + string(a)) }

func (p *Chats) Edit(_ context.Context, a chat.Address, _ screen.Screen) error {
	return p.note("edit " + string(a))
}

func (p *Chats) Send(_ context.Context, to chat.Target, _ screen.Screen, nonce string) (chat.Address, error) {
	return chat.Address("test:" + nonce), p.note("send " + to.Chat + to.Player)
}

func (p *Chats) note(call string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, call)
	if p.fail == nil {
		return nil
	}
	return p.fail(call)
}

// Failing makes deliveries fail from now on with the errors that fail returns. A call is "send", "edit" or "delete" with a
// place. nil: no delivery fails.
func (p *Chats) Failing(fail func(call string) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = fail
}

// Refusing makes the messages to some places fail with a fault.
func (p *Chats) Refusing(fault chat.Fault, places ...string) {
	p.Failing(func(call string) error {
		if slices.Contains(places, strings.TrimPrefix(call, "send ")) {
			return &chat.DeliveryError{Fault: fault, Err: errors.New("not here")}
		}
		return nil
	})
}

// Count returns how many recorded calls begin with like, and clears the record.
func (p *Chats) Count(like string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.calls {
		if strings.HasPrefix(call, like) {
			n++
		}
	}
	p.calls = nil
	return n
}

// Sent returns where messages were sent, and clears the record.
func (p *Chats) Sent() (to []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.calls {
		if where, ok := strings.CutPrefix(call, "send "); ok {
			to = append(to, where)
		}
	}
	p.calls = nil
	return to
}
