package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// These are the limits of a socket.
const (
	maxIncoming = 1 << 10         // largest message of a page, in bytes
	maxBurst    = 50              // most messages of a page that are read in a second
	openCost    = 10              // a request to show a table counts for so many messages, because it writes to the store
	pingEvery   = 3 * time.Second // a page treats a socket as dead after 9 s of silence
	askEvery    = 5               // every how many pings one asks the page for an answer
	// silent is how long a page may go without an answer. A page of an earlier version never answers, which is fine.
	silent = 35 * time.Second
	// memberEvery is how often a spectator's membership is checked while their page is open.
	memberEvery = 2 * time.Minute

	spectatorDelay = 3 * time.Second // how late spectators see the table, if the chat wants that
	writeTimeout   = 5 * time.Second // timeout of a message to a page
	pressTimeout   = 8 * time.Second // timeout of a press, which a stopping program waits for
)

// socket is the WebSocket of one page.
type socket struct {
	site    *Site
	conn    *websocket.Conn
	visitor chat.Visitor
	session session
	seated  atomic.Bool // the visitor sits at the table
	ctx     context.Context
	end     context.CancelFunc // ends ctx

	pings int                       // number of pings so far
	alive atomic.Pointer[time.Time] // when the page last answered a ping; nil: never

	here chat.Chat // the chat from which the visitor came; ID "": none

	mu      sync.Mutex
	table   string            // the table that is shown; view.FrontDoor: the front door
	leave   func()            // stops what shows the front door again
	door    *view.Live        // the front door, until it is sent
	fronted view.Live         // the front door as it was sent last
	puzzled bool              // a puzzle is shown in place of the front door
	fronts  int64             // the version of what was shown in place of a table
	newest  int64             // the number of the newest state that was offered
	offered *state            // the newest state, until it is sent
	sent    [sha256.Size]byte // hash of the state that was sent last; zero: the page needs the next one
	replies []any
	denied  error // why the socket ends, once it has to

	unsent atomic.Int32 // calls of signal whose messages write hasn't sent; above 0, write runs, or the socket isn't open yet
}

// incoming is a message of the page.
type incoming struct {
	T     string `json:"t"`
	ID    int64  `json:"id"`
	Press string `json:"press"`
	At    string `json:"at"`    // "press": the table
	Table string `json:"table"` // "table": the table to show
	What  string `json:"what"`  // "say": the phrase or emote
	App   bool   `json:"app"`   // "share": the platform's app can show what the platform prepares
	Token string `json:"token"` // "share": an access token of the reader, where the platform needs one
	User  string `json:"user"`  // "who": a person's id on the reader's platform
}

// outgoing is a message to the page.
type outgoing struct {
	T        string           `json:"t"`
	Live     *view.Live       `json:"live,omitempty"`
	ID       int64            `json:"id,omitempty"`
	Toast    string           `json:"toast,omitempty"`
	Alert    bool             `json:"alert,omitempty"`
	About    string           `json:"about,omitempty"` // the press of a move that the toast is about
	Screen   *view.LiveScreen `json:"screen,omitempty"`
	File     *screen.File     `json:"file,omitempty"`
	Replay   []view.LiveStep  `json:"replay,omitempty"`
	Position *view.Live       `json:"position,omitempty"` // what the page shows in place of the table
	Ask      bool             `json:"ask,omitempty"`      // "ping": the page has to answer
	Text     string           `json:"text,omitempty"`
	Seat     int              `json:"seat,omitempty"` // "said": the seat that said What
	What     string           `json:"what,omitempty"`
	Invite   *invite          `json:"invite,omitempty"`
	Share    *result          `json:"share,omitempty"`
	User     string           `json:"user,omitempty"` // "who": the person whose mark is Who
	Who      string           `json:"who,omitempty"`
}

// live accepts the socket of a page. It returns before the socket ends, so that the request's
// memory is free.
func (s *Site) live(w http.ResponseWriter, r *http.Request) {
	leave := func() {}
	as := r.FormValue("as")
	v, show, denied := s.session(r, as)
	if errors.Is(denied, errSession) {
		s.drop(w, r, as)
	}
	var visitor chat.Visitor
	if denied == nil {
		visitor, denied = v.visitor(show.table)
	}
	if denied == nil {
		denied = s.connections.enter(v.Player.ID)
		if denied == nil {
			leave = func() { s.connections.leave(v.Player.ID) }
		}
	}
	if errors.Is(denied, errBusy) {
		s.refuse(w, r, denied) // another process may have room, so the page tries again
		return
	}
	conn, err := websocket.Accept(smallBuffers{w}, r, &websocket.AcceptOptions{OriginPatterns: s.own().hosts})
	if err != nil {
		leave() // Accept has answered
		return
	}
	conn.SetReadLimit(maxIncoming)
	ctx, end := context.WithCancel(context.Background())
	c := &socket{site: s, conn: conn, visitor: visitor, session: v, here: v.here(show), ctx: ctx, end: end}
	c.unsent.Store(1)
	go func() {
		defer leave()
		c.serve(show.table, denied)
	}()
}

// serve serves the socket until one side closes it. If denied isn't nil, it only tells the page
// why.
func (c *socket) serve(show string, denied error) {
	defer func() { _ = c.conn.CloseNow() }()
	defer c.end()
	defer c.site.contain(func() {})
	if denied == nil {
		onOwnStack(func() { denied = c.away(c.open(c.ctx, show)) })
	}
	if denied != nil {
		c.sendGone(denied) // a page can't read the status of a refused WebSocket
		return
	}
	defer c.close()
	defer context.AfterFunc(c.ctx, func() { _ = c.conn.Close(websocket.StatusGoingAway, "") })()
	c.ping() // at once: it may die before the second
	go c.write()
	c.read()
}

// errStopping reports that the site doesn't serve sockets now.
var errStopping = errors.New("the site is stopping")

// smallBuffers is a ResponseWriter whose hijacked connection has small buffers, because sockets are
// many and their messages are short or written at once.
type smallBuffers struct{ http.ResponseWriter }

// Hijack implements http.Hijacker.
func (w smallBuffers) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil || buffers.Reader.Buffered() > 0 {
		return conn, buffers, err
	}
	return conn, bufio.NewReadWriter(bufio.NewReaderSize(conn, 256), bufio.NewWriterSize(conn, 128)), nil
}

// open shows a table. If id is "", that is the visitor's only table, or else the front door.
func (c *socket) open(ctx context.Context, id string) error {
	if id == "" {
		ids, err := c.site.Pages().Tables(ctx, c.visitor.Player.ID)
		if err != nil {
			return err
		}
		if len(ids) != 1 {
			return c.front(ctx)
		}
		id = ids[0]
	}
	if id == view.FrontDoor {
		return c.front(ctx)
	}
	t, err := c.site.Pages().Table(ctx, id)
	if err != nil {
		return err
	}
	sits, ok := t.Admits(c.visitor)
	if !ok {
		return errSession
	}
	if !sits {
		if !c.site.entries.allow("member "+c.visitor.Player.ID, maxEntries) {
			return errBusy
		}
		if err := c.site.checkMember(ctx, c.session, &t); err != nil {
			return err
		}
	}
	c.close()
	c.seated.Store(sits)
	c.mu.Lock()
	c.table, c.newest, c.sent = id, 0, [sha256.Size]byte{}
	c.mu.Unlock()
	if sits {
		if err := c.site.Pages().Seen(ctx, id, []chat.Visitor{c.visitor}); err != nil {
			return err
		}
	}
	if !c.site.hub.join(c, id) {
		return errStopping
	}
	st, err := c.site.hub.state(ctx, id) // the table may have changed before the socket joined
	if err != nil {
		return err
	}
	st.watching = c.site.hub.watching(id)
	c.offer(st)
	return nil
}

// close leaves the table that is shown.
func (c *socket) close() {
	c.mu.Lock()
	id, leave := c.table, c.leave
	c.table, c.leave, c.offered, c.door = "", nil, nil, nil
	c.mu.Unlock()
	if leave != nil {
		leave()
	}
	if id != "" {
		c.site.hub.leave(c, id)
	}
}

// offer makes t the state to send next, unless a newer one was offered before. If the visitor
// sees the table late, that happens after the delay; offer itself never waits.
func (c *socket) offer(t *state) {
	if t.Late(c.visitor) {
		time.AfterFunc(spectatorDelay, func() { c.put(t) })
		return
	}
	c.put(t)
}

func (c *socket) put(t *state) {
	c.mu.Lock()
	if t.Public.ID == c.table && t.no >= c.newest {
		c.offered, c.newest = t, t.no
	}
	c.mu.Unlock()
	c.signal()
}

// answer queues a message.
func (c *socket) answer(m any) {
	c.mu.Lock()
	c.replies = append(c.replies, m)
	c.mu.Unlock()
	c.signal()
}

// signal lets write send what waits. Nothing runs for a page while there is nothing to send.
func (c *socket) signal() {
	if c.unsent.Add(1) == 1 {
		go c.write()
	}
}

// ping sends a ping now, and then from time to time until the socket ends. It ends the socket of a page that no longer
// answers: the connection may have died without an end.
func (c *socket) ping() {
	if c.ctx.Err() != nil {
		return
	}
	if here := c.alive.Load(); here != nil && time.Since(*here) > silent {
		c.end()
		return
	}
	c.answer(outgoing{T: "ping", Ask: c.pings%askEvery == 0})
	c.pings++
	time.AfterFunc(pingEvery, c.ping)
}

// write sends what waits, until nothing does.
func (c *socket) write() {
	defer c.site.contain(c.end)
	for n := c.unsent.Load(); n > 0; n = c.unsent.Add(-n) {
		if !c.flush() {
			c.end()
			return
		}
	}
}

// flush sends the newest state and the answers that wait. It reports false if the socket has ended, or has to.
func (c *socket) flush() bool {
	c.mu.Lock()
	t, door, answers, denied := c.offered, c.door, c.replies, c.denied
	c.offered, c.door, c.replies = nil, nil, nil
	c.mu.Unlock()
	if denied != nil {
		c.sendGone(denied)
	}
	if denied != nil || c.ctx.Err() != nil || t != nil && c.show(t) != nil || door != nil && c.send(outgoing{T: "live", Live: door}) != nil {
		return false
	}
	for _, m := range answers {
		if c.send(m) != nil {
			return false
		}
	}
	return true
}

// show sends the table as the page shows it, unless exactly that was sent last: a page that is
// recorded as open changes nothing on it.
func (c *socket) show(t *state) error {
	data, err := c.render(c.ctx, t)
	if err != nil {
		if err = c.away(err); err != nil {
			c.sendGone(err)
		}
		return err
	}
	sum := sha256.Sum256(data[:bytes.LastIndex(data, []byte(stamped))])
	c.mu.Lock()
	same := sum == c.sent
	c.sent = sum
	c.mu.Unlock()
	if same {
		return nil
	}
	return c.push(data)
}

// render returns the table as the page shows it: a frame. The error is a *chat.Refusal if the
// visitor may no longer see it.
func (c *socket) render(ctx context.Context, t *state) ([]byte, error) {
	sits, ok := t.Admits(c.visitor)
	if !ok { // t may be older than the visitor's session
		now, err := c.site.Pages().Table(ctx, t.Public.ID)
		if err != nil {
			return nil, err
		}
		t = &state{PageTable: now, watching: t.watching}
		if sits, ok = t.Admits(c.visitor); !ok {
			if _, seated := t.Private(c.visitor.Player.ID); c.seated.Load() && !seated {
				return nil, errLeft
			}
			return nil, errSession
		}
	}
	c.seated.Store(sits)
	home := c.visitor.Table == ""
	if !sits {
		return t.frame(lang.For(c.visitor.Player.Lang), home)
	}
	live := Live(t.PageTable, c.visitor)
	live.Home, live.Invites = home, c.site.linkTo(t.PageTable, c.visitor) != ""
	return stamp(outgoing{T: "live", Live: &live})
}

func (c *socket) send(m any) error {
	data, err := stamp(m)
	if err != nil {
		return err
	}
	return c.push(data)
}

// stamp returns a message as JSON, with the time, by which the page knows how long a move may still take.
func stamp(m any) ([]byte, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(data[:len(data)-1], `%s%d}`, stamped, time.Now().UnixMilli()), nil
}

// stamped comes before the time in a message.
const stamped = `,"now":`

// push writes a message to the page.
func (c *socket) push(data []byte) error {
	limited, cancel := context.WithTimeout(c.ctx, writeTimeout)
	defer cancel()
	return c.conn.Write(limited, websocket.MessageText, data)
}

// onOwnStack runs f in a goroutine of its own, and waits for it. There are many sockets, which mostly
// wait, and this keeps their stacks small. If f panics, onOwnStack panics with its stack.
func onOwnStack(f func()) {
	done := make(chan stackTrace, 1)
	go func() {
		defer close(done)
		defer func() {
			if recover() != nil {
				done <- stackTrace(debug.Stack())
			}
		}()
		f()
	}()
	if stack, ok := <-done; ok {
		panic(stack)
	}
}

// stackTrace is the stack of a panic.
type stackTrace string

// endWith ends the socket, and tells the page why.
func (c *socket) endWith(err error) {
	c.mu.Lock()
	c.denied = err
	c.mu.Unlock()
	c.signal()
}

// checkSession returns errSession if the socket's session has ended.
func (c *socket) checkSession(ctx context.Context) error {
	open, err := c.site.Pages().Open(ctx, c.visitor.Player.ID, c.session.ID)
	if err == nil && !open {
		err = errSession
	}
	return err
}

// away shows the front door if the visitor may not see a table, with the reason: err. It returns err if their session has no
// front door, or is over.
func (c *socket) away(err error) error {
	refusal := (*chat.Refusal)(nil)
	if !errors.As(err, &refusal) || refusal == errBusy || c.visitor.Table != "" || c.checkSession(c.ctx) != nil || c.front(c.ctx) != nil {
		return err
	}
	c.answer(outgoing{T: "answer", Toast: chat.Input{Player: c.visitor.Player, Page: true}.Refuse(refusal).Toast})
	return nil
}

// sendGone tells the page that its session is over. If the bot itself has failed, is busy or is
// stopping, it only closes the socket, and the page connects again.
func (c *socket) sendGone(err error) {
	if errors.Is(err, errStopping) || errors.Is(err, errBusy) {
		_ = c.conn.Close(websocket.StatusGoingAway, "")
		return
	}
	if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
		if c.ctx.Err() == nil {
			c.site.Log.Error("show a page", "err", err)
		}
		_ = c.conn.Close(websocket.StatusInternalError, "")
		return
	}
	in := chat.Input{Player: c.visitor.Player, Page: true}
	if c.send(outgoing{T: "gone", Text: in.Refuse(err).Toast}) == nil {
		_ = c.conn.Close(websocket.StatusNormalClosure, "")
	}
}

// read handles the page's messages until the socket ends, which closes the connection.
func (c *socket) read() {
	pace := rate.NewLimiter(maxBurst, maxBurst)
	for {
		kind, data, err := c.conn.Read(context.Background())
		if err != nil {
			return
		}
		if pace.Wait(c.ctx) != nil { // the page has to wait until its messages are read
			return
		}
		cost := 0
		if kind == websocket.MessageText {
			onOwnStack(func() { cost = c.take(c.ctx, data) })
		}
		if cost == 0 {
			_ = c.conn.Close(websocket.StatusPolicyViolation, "")
			return
		}
		pace.ReserveN(time.Now(), cost-1)
	}
}

// take handles a message of the page. It returns for how many messages it counts, or 0 if
// it is malformed.
func (c *socket) take(ctx context.Context, data []byte) int {
	var m incoming
	if json.Unmarshal(data, &m) != nil {
		return 0
	}
	switch m.T {
	case "press":
		if c.site.hub.begin() {
			defer c.site.hub.wg.Done()
			c.answer(c.press(ctx, m))
		}
	case "say":
		if c.site.hub.begin() {
			defer c.site.hub.wg.Done()
			c.say(ctx, m)
		}
	case "invite", "share":
		if c.site.hub.begin() {
			defer c.site.hub.wg.Done()
			ctx, cancel := context.WithTimeout(ctx, pressTimeout)
			defer cancel()
			if m.T == "invite" {
				c.answer(c.invite(ctx, m))
			} else {
				c.answer(c.share(ctx, m))
			}
		}
	case "here":
		now := time.Now()
		c.alive.Store(&now)
	case "who":
		c.who(ctx, m)
	case "table":
		err := c.checkSession(ctx)
		if errors.Is(err, errSession) {
			c.endWith(err)
			return openCost
		}
		if err == nil {
			err = c.open(ctx, m.Table)
		}
		if err != nil {
			c.answer(outgoing{T: "answer", Toast: chat.Input{Player: c.visitor.Player, Page: true}.Refuse(err).Toast})
		}
		return openCost
	}
	return 1
}

// press passes a press to the bot, and returns the answer for the page. The press
// counts even if the player closes the page meanwhile.
func (c *socket) press(ctx context.Context, m incoming) (out outgoing) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pressTimeout)
	defer cancel()
	out = outgoing{T: "answer", ID: m.ID}
	defer c.site.contain(func() { out.Toast = lang.For(c.visitor.Player.Lang).Text("reply.trouble") })
	t, in, err := c.input(ctx, m)
	if err != nil {
		if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
			c.site.Log.Error("answer a page", "err", err)
		}
		out.Toast = chat.Input{Player: c.visitor.Player, Page: true}.Refuse(err).Toast
		return out
	}
	r := c.site.Handler.Handle(ctx, in)
	out.Toast, out.Alert, out.About = r.Toast, r.Alert, r.About
	if c.follow(ctx, r.Table, m.At) {
		if r.Echo { // the table says the same
			out.Toast = ""
		}
		return out
	}
	if r.Position != nil {
		if c.puzzle(*r.Position, m.Press) {
			return out
		}
		out.Position = c.position(t, *r.Position, m.Press)
	}
	if out.Replay = c.replay(ctx, in, t, r); out.Replay != nil {
		return out
	}
	if r.Screen != nil {
		shown := c.screen(t, *r.Screen)
		out.Screen, out.File = &shown, r.Screen.File
	}
	return out
}

// follow shows the table to which the reply to a press leads. It reports false if there is none, or the visitor may not
// see it.
func (c *socket) follow(ctx context.Context, id, from string) bool {
	if id == "" || id == from || c.visitor.Table != "" {
		return false
	}
	return c.open(ctx, id) == nil
}

// input returns the table of a press, and the bot's input for it. The press must be for the table that the socket
// shows, or for the front door.
func (c *socket) input(ctx context.Context, m incoming) (t chat.PageTable, in chat.Input, err error) {
	c.mu.Lock()
	shown := c.table
	c.mu.Unlock()
	if shown != "" && m.At != shown {
		return t, in, chat.ErrForged
	}
	if m.At == view.FrontDoor {
		if c.visitor.Table != "" || !c.site.Pages().AtDoor(m.Press) {
			return t, in, chat.ErrForged
		}
		return t, chat.DoorInput(c.visitor, c.here, m.Press), nil
	}
	if t, err = c.site.Pages().Table(ctx, m.At); err != nil {
		return t, in, err
	}
	if _, ok := t.Admits(c.visitor); !ok {
		return t, in, errSession
	}
	in, err = t.Input(c.visitor, m.Press)
	return t, in, err
}
