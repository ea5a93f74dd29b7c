// Package playground is a chat platform in memory: a channel, a few people with
// their direct messages, and a local web page that shows them. The bot runs on it
// without a token, and so do the tests. It isn't a mock: its screens, buttons,
// answers and delivery errors are the same as on the other platforms.
//
// # Places and people
//
// There is one home with one [Channel], and the people [Ann] to [Fin]. Each of
// them has direct messages, whose chat id is the person's id. A restart discards
// everything: an address of another run is [chat.Gone], so the bot posts its
// messages again.
//
// An answer in the channel can be visible to one person only. It can be edited for
// [Config.Answers] through [chat.Input.Answer]. A press on such an answer has
// OnAnswer set, and its reply may replace the answer. The new Answer then leads to
// the same message.
//
// # The page
//
// [Playground.Page] serves these requests, only to this machine unless
// [Config.Listen] has another address:
//
//	GET  /             the page, with its style, scripts and icon
//	GET  /setup?lang=  people, commands and the page's own words
//	GET  /file?message=ID  the file that came with a message
//	GET  /picture?message=ID&name=NAME  its picture; without a message, one of an opened replay
//	GET  /look?message=ID&as=NAME  what another platform would be sent
//	GET  /replay?match=ID&person=&lang=  all steps of a finished match
//	     /table/...    the page of a table; see package web
//	GET  /events       server-sent events: "all" with all current messages,
//	                   then "more" with the messages changed and removed,
//	                   and "alive" in between
//	POST /press        {"person","message","press","lang"}: a press
//	POST /command      {"person","chat","line","lang"}: a command as typed
//	POST /hello        {"person","lang"}: a person opened the page, or now uses another language
//	POST /fault        {"closed","on"}, {"slow"} or {"crash"}: simulates a fault
//
// The first three posts answer {"toast","alert"}; all other results come as events.
// A reader who opens the page on this machine may act as any of its people. A link
// with a person's token (/?join=TOKEN, and join= or the X-Join header with each
// request) makes its reader that one person. They can't see or do anything that is
// another person's. If other machines can reach the page, every reader needs a token.
// Requests are refused with 403 if Host isn't an address that the page listens on, or
// if Origin is another site. So no site in the same browser can press a button.
//
// With #replay=ID the page opens a match, and shows it step by step.
//
// Browser scripts can use these selectors. body has data-ready once the page is live.
// A message is [data-message] with data-chat (and data-only on an answer), in
// #channel or in a person's [data-panel=ID]. A button on it is [data-press], with
// data-card if it plays a card. People are input[name=you][value=ID]. Commands are
// [data-command=NAME] in the menu that #menu opens, the big button is #new, and the
// input line is #line.
package playground

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// The places and people of every playground.
const (
	Home    = "playground:home"
	Channel = "playground:channel"

	Ann = "playground:ann" // may manage the channel
	Ben = "playground:ben"
	Cat = "playground:cat"
	Dan = "playground:dan"
	Eve = "playground:eve"
	Fin = "playground:fin"
)

// people lists the ids of all people, in order.
var people = []string{Ann, Ben, Cat, Dan, Eve, Fin}

// keep is the most messages in one place; older ones are removed.
const keep = 300

// Config holds the settings of a playground. The zero value has no page.
type Config struct {
	Commands []chat.Command // the commands that people type, in the order of lists
	// Listen is the page's host:port, or "" for no listener.
	Listen string
	// Next lets the page take one of the next ports if that of Listen can't be opened.
	Next bool
	// Lang is the language of the channel, and of people unless the page sets
	// another one; "" means unknown.
	Lang string
	// Answers is how long an answer can be edited; 0 is 15 minutes, as on Discord.
	Answers time.Duration
	// Gap is how long the bot waits after a delivery before the next one to the same place.
	Gap time.Duration
	// Steps returns all steps of a finished match, for its viewer; nil: there is no viewer.
	Steps func(ctx context.Context, in chat.Input, match string) ([]chat.Step, error)
	// Looks lists the platforms whose look the page can preview.
	Looks []Look
	// Tables serves the pages of tables, under /table/; nil: there are none.
	Tables http.Handler
	// Crash stops the bot in the middle of its work, and starts it again on its
	// store; nil: the page has no button for it.
	Crash func()
	// Check returns an error for a toast or a screen that some platform would refuse; nil: all are shown. It is for tests.
	Check func(toast string, s *screen.Screen) error
	// Log gets the errors of replies; nil discards them.
	Log *slog.Logger
}

// Look previews screens as another platform would show them.
type Look struct {
	Name    string // "discord" or "telegram", whose requests the page can draw
	Preview func(screen.Screen) (chat.Preview, error)
}

// Playground is the platform. Its methods are safe for concurrent use.
type Playground struct {
	tagged

	config   Config
	run      string // distinguishes this run's addresses from another run's
	listener net.Listener
	ready    chan struct{} // closed when handler is set
	handler  chat.Handler

	mu       sync.Mutex
	last     int        // number of the newest message or address
	standing []*message // current messages, in the order in which they were sent
	at       map[chat.Address]*place
	nonces   map[string]*message
	changed  chan struct{} // closed and replaced at every change
	faults   faults
	links    links
	easel    *face.Easel
	replayed cache.Cache[string, face.Picture] // by name: the pictures of replays that the page has opened
}

// maxReplayed is the maximum number of pictures of replays that are kept.
const maxReplayed = 4096

// errPublicFile reports a file in a public message; only private messages may have one.
var errPublicFile = errors.New("a file for everybody")

// place is the target of an address.
type place struct {
	m     *message // nil while an answer is being made
	until time.Time
}

// message is a current message of a chat.
type message struct {
	Message
	revision int // grows with every change
	nonce    string
}

// Message is a snapshot of a message. Its screen must not be changed.
type Message struct {
	Address chat.Address
	Chat    string // the channel, or the person whose direct message it is
	Only    string // the one person who sees this message in the channel, or ""
	Answer  bool   // the message is the answer to a command or a press
	By      string // on an answer to a command: the person who gave it
	Line    string // on an answer to a command: the line typed
	Sent    time.Time
	Edits   int
	Called  []screen.Person // people mentioned when the message was new
	Screen  screen.Screen
}

// New returns an empty playground and opens its listener, which Run closes.
func New(c Config) (*Playground, error) {
	if c.Answers == 0 {
		c.Answers = 15 * time.Minute
	}
	if c.Check == nil {
		c.Check = func(string, *screen.Screen) error { return nil }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &Playground{
		config:  c,
		run:     rand.Text()[:8],
		ready:   make(chan struct{}),
		at:      map[chat.Address]*place{},
		nonces:  map[string]*message{},
		changed: make(chan struct{}),
		links:   newLinks(),
		easel:   face.NewEasel(),
	}
	if c.Listen != "" {
		l, err := c.listen()
		if err != nil {
			return nil, fmt.Errorf("open the playground's page (playground.listen chooses another address): %w", err)
		}
		p.listener = l
	}
	return p, nil
}

// nextPorts is how many ports after that of Listen are tried.
const nextPorts = 20

// listen opens the page's listener. Its error is that of Listen's own port.
func (c Config) listen() (net.Listener, error) {
	l, err := net.Listen("tcp", c.Listen)
	host, port, _ := net.SplitHostPort(c.Listen)
	first, _ := strconv.Atoi(port)
	for n := 1; c.Next && err != nil && n <= nextPorts; n++ {
		if next, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(first+n))); err == nil {
			return next, nil
		}
	}
	return l, err
}

// Name returns "playground".
func (p *Playground) Name() string { return "playground" }

// Run passes people's inputs to h, and serves the page if there is a listener. It may
// be called only once.
func (p *Playground) Run(ctx context.Context, h chat.Handler) error {
	p.handler = h
	close(p.ready)
	if p.listener == nil {
		<-ctx.Done()
		return nil
	}
	return p.serve(ctx)
}

// Send posts s. If a current message has the same nonce, Send edits that message to
// show s instead, and returns its address.
func (p *Playground) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := ctx.Err(); err != nil {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	if err := p.config.Check("", &s); err != nil {
		return "", &chat.DeliveryError{Fault: chat.Invalid, Err: err}
	}
	chatID := to.Chat
	switch {
	case to.Chat == Channel && s.File != nil:
		return "", &chat.DeliveryError{Fault: chat.Invalid, Err: errPublicFile}
	case to == chat.Target{}:
		return "", &chat.DeliveryError{Fault: chat.Invalid, Err: errors.New("a target is a chat or a player")}
	case to.Player != "" && !slices.Contains(people, to.Player):
		return "", &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("no such person")}
	case to.Chat == "":
		chatID = to.Player
	case to.Chat != Channel && !slices.Contains(people, to.Chat):
		return "", &chat.DeliveryError{Fault: chat.Gone, Err: errors.New("no such chat")}
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	only := ""
	if chatID == Channel {
		only = to.Player
	}
	lost, err := p.faults.send(chatID, only)
	if err != nil {
		return "", err
	}
	m := p.nonces[nonce]
	if m == nil {
		m = &message{Message: Message{Chat: chatID, Only: only, Screen: s, Called: s.Notify}, nonce: nonce}
		p.post(m, p.address())
	} else {
		p.edit(m, s)
	}
	if lost {
		return "", errLost
	}
	return m.Address, nil
}

// Edit makes the message at a show s. An answer can be edited for [Config.Answers];
// after that the error is Gone.
func (p *Playground) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	if err := ctx.Err(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	if err := p.config.Check("", &s); err != nil {
		return &chat.DeliveryError{Fault: chat.Invalid, Err: err}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.at[a]
	if !ok || !at.until.IsZero() && !time.Now().Before(at.until) {
		return &chat.DeliveryError{Fault: chat.Gone, Err: errors.New("no such message")}
	}
	if at.m == nil {
		return &chat.DeliveryError{Fault: chat.Retry, After: 50 * time.Millisecond, Err: errors.New("the answer is not out yet")}
	}
	lost, err := p.faults.edit(at.m.Chat)
	if err != nil {
		return err
	}
	if was := at.m.Screen.Picture; s.Picture != nil && s.Picture.Kept {
		kept := *s.Picture
		if kept.Kept = false; was != nil {
			kept.Draw = was.Draw // keep the old picture, as on other platforms
		}
		s.Picture = &kept
	}
	p.edit(at.m, s)
	if lost {
		return errLost
	}
	return nil
}

// Delete removes the message at a.
func (p *Playground) Delete(ctx context.Context, a chat.Address) error {
	if err := ctx.Err(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.at[a]; ok && at.m != nil {
		p.drop(at.m)
		p.wake()
	}
	return nil
}

// Reach returns an error if a direct message to the person, or an aside, would fail.
func (p *Playground) Reach(_ context.Context, to chat.Target) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if to.Chat != "" {
		return p.faults.reach(to.Chat, to.Player)
	}
	return p.faults.reach(to.Player, "")
}

// PrivateChat returns "", since a direct chat has the same id as its person.
func (p *Playground) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

// Link returns "", since the page has no URLs for single messages.
func (p *Playground) Link(string, chat.Address) string { return "" }

// Spelling returns the command with a slash.
func (p *Playground) Spelling(c chat.Command, _ string) string { return "/" + c.Name }

// Ready returns nil.
func (p *Playground) Ready() error { return nil }

// Abilities returns the tags beside names.
func (p *Playground) Abilities() chat.Abilities { return chat.Abilities{Marker: p} }

// Gap returns [Config.Gap] for every target.
func (p *Playground) Gap(chat.Target) time.Duration { return p.config.Gap }

// Lasts returns 0, for no expiry.
func (*Playground) Lasts() time.Duration { return 0 }

// Channel returns the messages that everybody sees in the channel, oldest first.
func (p *Playground) Channel() []Message {
	return p.find(func(m *message) bool { return m.Chat == Channel && m.Only == "" })
}

// Direct returns the person's direct messages, oldest first.
func (p *Playground) Direct(person string) []Message {
	return p.find(func(m *message) bool { return m.Chat == person })
}

// Answers returns the messages that only this person sees in the channel, oldest first.
func (p *Playground) Answers(person string) []Message {
	return p.find(func(m *message) bool { return m.Only == person })
}

// Wait waits until cond is true. It checks cond at once and after every change of a
// message. It returns an error if ctx ends first.
func (p *Playground) Wait(ctx context.Context, cond func() bool) error {
	for {
		p.mu.Lock()
		changed := p.changed
		p.mu.Unlock()
		if cond() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *Playground) find(want func(*message) bool) []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []Message
	for _, m := range p.standing {
		if want(m) {
			found = append(found, m.Message)
		}
	}
	return found
}

// sees reports whether the person can see the message.
func (m *Message) sees(person string) bool {
	if m.Chat == Channel {
		return m.Only == "" || m.Only == person
	}
	return m.Chat == person
}

// The caller of the functions below holds p.mu.

// address returns a new address of this run.
func (p *Playground) address() chat.Address {
	p.last++
	return chat.Address("playground:" + p.run + "/" + strconv.Itoa(p.last))
}

// post adds m at the address a.
func (p *Playground) post(m *message, a chat.Address) {
	m.Address, m.Sent = a, time.Now()
	p.last++
	m.revision = p.last
	p.at[a] = &place{m: m}
	if m.nonce != "" {
		p.nonces[m.nonce] = m
	}
	p.standing = append(p.standing, m)

	var oldest *message
	n := 0
	for _, other := range p.standing {
		if other.Chat == m.Chat && other.Only == m.Only {
			if n++; oldest == nil {
				oldest = other
			}
		}
	}
	if n > keep {
		p.drop(oldest)
	}
	p.wake()
}

// edit makes m show s.
func (p *Playground) edit(m *message, s screen.Screen) {
	if reflect.DeepEqual(m.Screen, s) {
		return
	}
	p.last++
	m.revision = p.last
	m.Screen = s
	m.Edits++
	p.wake()
}

// drop removes m, and every address that leads to it.
func (p *Playground) drop(m *message) {
	p.standing = slices.DeleteFunc(p.standing, func(other *message) bool { return other == m })
	for a, at := range p.at {
		if at.m == m {
			delete(p.at, a)
		}
	}
	delete(p.nonces, m.nonce)
}

func (p *Playground) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}
