package town

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// Chats is a platform that records its deliveries.
type Chats struct {
	mu     sync.Mutex
	log    []Delivery
	places map[chat.Address]string // by message: where it was sent
	texts  map[chat.Address]string // by message that wasn't deleted: what it shows
	fail   func(call string) error // nil: no delivery fails
}

// Delivery is a message that the bot sent, edited or deleted, or tried to.
type Delivery struct {
	Verb    string // "send", "edit" or "delete"
	To      string // the chat or the person
	Message chat.Address
	Text    string   // what it shows now
	Notify  []string // names of people whom a new message notifies
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

func (p *Chats) Delete(_ context.Context, a chat.Address) error {
	return p.note(Delivery{Verb: "delete", Message: a})
}

func (p *Chats) Edit(_ context.Context, a chat.Address, s screen.Screen) error {
	return p.note(Delivery{Verb: "edit", Message: a, Text: s.String()})
}

func (p *Chats) Send(_ context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	d := Delivery{Verb: "send", To: to.Chat + to.Player, Message: chat.Address("test:" + nonce), Text: s.String()}
	for _, who := range s.Notify {
		d.Notify = append(d.Notify, who.Name)
	}
	return d.Message, p.note(d)
}

func (p *Chats) note(d Delivery) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.places == nil {
		p.places, p.texts = map[chat.Address]string{}, map[chat.Address]string{}
	}
	if d.Verb == "send" {
		p.places[d.Message] = d.To
	}
	d.To = p.places[d.Message]
	p.log = append(p.log, d)
	if p.texts[d.Message] = d.Text; d.Verb == "delete" {
		delete(p.texts, d.Message)
	}
	if p.fail == nil {
		return nil
	}
	return p.fail(d.call())
}

// call names the delivery in a word and a place: for "send" where the message goes, otherwise its address.
func (d Delivery) call() string {
	if d.Verb == "send" {
		return d.Verb + " " + d.To
	}
	return d.Verb + " " + string(d.Message)
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

// Deliveries returns what was delivered since the record was cleared, and clears it.
func (p *Chats) Deliveries() []Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() { p.log = nil }()
	return p.log
}

// Count returns how many recorded calls begin with like, and clears the record.
func (p *Chats) Count(like string) (n int) {
	for _, d := range p.Deliveries() {
		if strings.HasPrefix(d.call(), like) {
			n++
		}
	}
	return n
}

// Sent returns where messages were sent, and clears the record.
func (p *Chats) Sent() (to []string) {
	for _, d := range p.Deliveries() {
		if d.Verb == "send" {
			to = append(to, d.To)
		}
	}
	return to
}

// Standing returns what the messages show that weren't deleted.
func (p *Chats) Standing() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Values(p.texts))
}

// Shows returns how many messages contain the words now.
func (p *Chats) Shows(words string) (n int) {
	for _, text := range p.Standing() {
		if strings.Contains(text, words) {
			n++
		}
	}
	return n
}

// Notified returns the names of people whom new messages notified since the record was cleared, and clears it.
func (p *Chats) Notified() (names []string) {
	for _, d := range p.Deliveries() {
		names = append(names, d.Notify...)
	}
	return names
}
