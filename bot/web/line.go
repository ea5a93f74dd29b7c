package web

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// These are the limits of a line.
const (
	maxUp     = 1 << 10         // largest message of a page, in bytes
	maxBurst  = 50              // most messages of a page that are read in a second
	opening   = 10              // a request to show a table counts for so many messages, because it writes to the store
	pingEvery = 3 * time.Second // a page treats a line as dead after 9 s of silence
	// memberEvery is how often a spectator's membership is checked while their page is open.
	memberEvery = 2 * time.Minute

	late     = 3 * time.Second // how late spectators see the table, if the chat wants that
	writing  = 5 * time.Second // timeout of a message to a page
	pressing = 8 * time.Second // timeout of a press, which a stopping program waits for
)

// line is the WebSocket of one page.
type line struct {
	site    *Site
	conn    *websocket.Conn
	visitor chat.Visitor
	session session
	sits    atomic.Bool // the visitor sits at the table
	end     context.CancelFunc

	mu      sync.Mutex
	table   string            // the table that is shown
	version int64             // the newest version of it that was offered
	offered *chat.PageTable   // the newest state, until it is sent
	shown   [sha256.Size]byte // hash of the state that was sent last; zero: the page needs the next one
	answers []any
	denied  error // why the line ends, once it has to
	wake    chan struct{}
}

// up is a message of the page.
type up struct {
	T     string `json:"t"`
	ID    int64  `json:"id"`
	Press string `json:"press"`
	At    string `json:"at"`    // "press": the table
	Table string `json:"table"` // "table": the table to show
}

// down is a message to the page.
type down struct {
	T      string           `json:"t"`
	Live   *view.Live       `json:"live,omitempty"`
	ID     int64            `json:"id,omitempty"`
	Toast  string           `json:"toast,omitempty"`
	Alert  bool             `json:"alert,omitempty"`
	Screen *view.LiveScreen `json:"screen,omitempty"`
	File   *screen.File     `json:"file,omitempty"`
	Now    int64            `json:"now,omitempty"`
	Text   string           `json:"text,omitempty"`
	Tables []listed         `json:"tables,omitempty"`
}

// listed is one of a visitor's tables.
type listed struct {
	Table string `json:"table"`
	Title string `json:"title"`
}

// live accepts the line of a page. It returns before the line ends, so that the request's
// memory is free.
func (s *Site) live(w http.ResponseWriter, r *http.Request) {
	if !s.trusted(r) {
		http.Error(w, "the request comes from another site", http.StatusForbidden)
		return
	}
	leave := func() {}
	as := r.FormValue("as")
	v, show, denied := s.session(r, as)
	if errors.Is(denied, errSession) {
		s.drop(w, r, as)
	}
	var visitor chat.Visitor
	if denied == nil {
		visitor, denied = v.visitor(show)
	}
	if denied == nil {
		denied = s.crowd.enter(v.Player.ID)
		if denied == nil {
			leave = func() { s.crowd.leave(v.Player.ID) }
		}
	}
	if errors.Is(denied, errBusy) {
		s.refuse(w, r, denied) // another process may have room, so the page tries again
		return
	}
	conn, err := websocket.Accept(slim{w}, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // trusted has checked the origin
	if err != nil {
		leave() // Accept has answered
		return
	}
	conn.SetReadLimit(maxUp)
	ctx, end := context.WithCancel(context.WithoutCancel(r.Context()))
	l := &line{site: s, conn: conn, visitor: visitor, session: v, end: end, wake: make(chan struct{}, 1)}
	go func() {
		defer leave()
		l.serve(ctx, show, denied)
	}()
}

// serve serves the line until one side closes it. If denied isn't nil, it only tells the page
// why.
func (l *line) serve(ctx context.Context, show string, denied error) {
	defer func() { _ = l.conn.CloseNow() }()
	defer l.end()
	defer l.site.contain(func() {})
	if denied == nil {
		aside(func() { denied = l.open(ctx, show) })
	}
	if denied != nil {
		l.gone(ctx, denied) // a page can't read the status of a refused WebSocket
		return
	}
	defer l.close()
	go func() {
		defer l.end()
		defer l.site.contain(func() {})
		l.read(ctx)
	}()
	l.write(ctx)
}

// errStopping reports that the site doesn't serve lines now.
var errStopping = errors.New("the site is stopping")

// slim is a ResponseWriter whose hijacked connection has small buffers, because lines are
// many and their messages are short or written at once.
type slim struct{ http.ResponseWriter }

// Hijack implements http.Hijacker.
func (w slim) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil || buffers.Reader.Buffered() > 0 {
		return conn, buffers, err
	}
	return conn, bufio.NewReadWriter(bufio.NewReaderSize(conn, 256), bufio.NewWriterSize(conn, 1024)), nil
}

// open shows a table, or the list of the visitor's tables if it is "".
func (l *line) open(ctx context.Context, id string) error {
	if id == "" {
		return l.list(ctx)
	}
	t, err := l.site.Pages().Table(ctx, id)
	if err != nil {
		return err
	}
	sits, ok := t.Admits(l.visitor)
	if !ok {
		return errSession
	}
	if !sits {
		if !l.site.entries.allow("member "+l.visitor.Player.ID, maxEntries) {
			return errBusy
		}
		if err := l.site.stays(ctx, l.session, &t); err != nil {
			return err
		}
	}
	l.close()
	l.sits.Store(sits)
	l.mu.Lock()
	l.table, l.version, l.shown = id, 0, [sha256.Size]byte{}
	l.mu.Unlock()
	if sits {
		if err := l.site.Pages().Seen(ctx, id, []chat.Visitor{l.visitor}); err != nil {
			return err
		}
	}
	if !l.site.hub.join(l, id) {
		return errStopping
	}
	if t, err = l.site.Pages().Table(ctx, id); err != nil { // the table may have changed before the line joined
		return err
	}
	l.offer(&t)
	return nil
}

// list sends the visitor's tables, or shows the only one.
func (l *line) list(ctx context.Context) error {
	ids, err := l.site.Pages().Tables(ctx, l.visitor.Player.ID)
	if err != nil {
		return err
	}
	if len(ids) == 1 {
		return l.open(ctx, ids[0])
	}
	out := down{T: "tables", Tables: []listed{}}
	for _, id := range ids {
		t, err := l.site.Pages().Table(ctx, id)
		if err != nil {
			continue // the table has ended meanwhile
		}
		out.Tables = append(out.Tables, listed{id, screen.GameName(lang.For(l.visitor.Player.Lang), t.Public.Rules)})
	}
	l.answer(out)
	return nil
}

// close leaves the table that is shown.
func (l *line) close() {
	l.mu.Lock()
	id := l.table
	l.table = ""
	l.mu.Unlock()
	if id != "" {
		l.site.hub.leave(l, id)
	}
}

// offer makes t the state to send next, unless a newer one was offered before. If the visitor
// sees the table late, that happens after the delay; offer itself never waits.
func (l *line) offer(t *chat.PageTable) {
	if t.Late(l.visitor) {
		time.AfterFunc(late, func() { l.put(t) })
		return
	}
	l.put(t)
}

func (l *line) put(t *chat.PageTable) {
	l.mu.Lock()
	if t.Public.ID == l.table && t.Version >= l.version {
		l.offered, l.version = t, t.Version
	}
	l.mu.Unlock()
	l.rouse()
}

// answer queues a message.
func (l *line) answer(m any) {
	l.mu.Lock()
	l.answers = append(l.answers, m)
	l.mu.Unlock()
	l.rouse()
}

func (l *line) rouse() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// write sends the newest state, answers and pings until ctx ends.
func (l *line) write(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.wake:
			l.mu.Lock()
			t, answers, denied := l.offered, l.answers, l.denied
			l.offered, l.answers = nil, nil
			l.mu.Unlock()
			if denied != nil {
				l.gone(ctx, denied)
				return
			}
			if t != nil && l.show(ctx, t) != nil {
				return
			}
			for _, m := range answers {
				if l.send(ctx, m) != nil {
					return
				}
			}
		case <-tick.C:
			if l.send(ctx, down{T: "ping", Now: time.Now().UnixMilli()}) != nil {
				return
			}
		case <-ctx.Done():
			_ = l.conn.Close(websocket.StatusGoingAway, "")
			return
		}
	}
}

// show sends the table as the page shows it, unless exactly that was sent last: a page that is
// recorded as open changes nothing on it.
func (l *line) show(ctx context.Context, t *chat.PageTable) error {
	var data []byte
	var err error
	aside(func() {
		var live view.Live
		if live, err = l.look(ctx, t); err == nil {
			data, err = json.Marshal(down{T: "live", Live: &live})
		}
	})
	if err != nil {
		l.gone(ctx, err)
		return err
	}
	sum := sha256.Sum256(data)
	l.mu.Lock()
	same := sum == l.shown
	l.shown = sum
	l.mu.Unlock()
	if same {
		return nil
	}
	return l.push(ctx, data)
}

// look returns the table as the page shows it. The error is a *chat.Refusal if the
// visitor may no longer see it.
func (l *line) look(ctx context.Context, t *chat.PageTable) (view.Live, error) {
	sits, ok := t.Admits(l.visitor)
	if !ok { // t may be older than the visitor's session
		now, err := l.site.Pages().Table(ctx, t.Public.ID)
		if err != nil {
			return view.Live{}, err
		}
		t = &now
		if sits, ok = t.Admits(l.visitor); !ok {
			if _, seated := t.Private(l.visitor.Player.ID); l.sits.Load() && !seated {
				return view.Live{}, errLeft
			}
			return view.Live{}, errSession
		}
	}
	l.sits.Store(sits)
	return Live(*t, l.visitor), nil
}

func (l *line) send(ctx context.Context, m any) error {
	var data []byte
	var err error
	aside(func() { data, err = json.Marshal(m) })
	if err != nil {
		return err
	}
	return l.push(ctx, data)
}

// push writes a message to the page.
func (l *line) push(ctx context.Context, data []byte) error {
	limited, cancel := context.WithTimeout(ctx, writing)
	defer cancel()
	return l.conn.Write(limited, websocket.MessageText, data)
}

// aside runs f in a goroutine of its own, and waits for it. There are many lines, which mostly
// wait, and this keeps their stacks small. If f panics, aside panics with its stack.
func aside(f func()) {
	done := make(chan fallen, 1)
	go func() {
		defer close(done)
		defer func() {
			if recover() != nil {
				done <- fallen(debug.Stack())
			}
		}()
		f()
	}()
	if stack, ok := <-done; ok {
		panic(stack)
	}
}

// fallen is the stack of a panic.
type fallen string

// deny ends the line, and tells the page why.
func (l *line) deny(err error) {
	l.mu.Lock()
	l.denied = err
	l.mu.Unlock()
	l.rouse()
}

// goes returns errSession if the line's session has ended.
func (l *line) goes(ctx context.Context) error {
	if l.session.ID == "" {
		return nil
	}
	open, err := l.site.Pages().Open(ctx, l.visitor.Player.ID, l.session.ID)
	if err == nil && !open {
		err = errSession
	}
	return err
}

// gone tells the page that its session is over. If the bot itself has failed, is busy or is
// stopping, it only closes the line, and the page connects again.
func (l *line) gone(ctx context.Context, err error) {
	if errors.Is(err, errStopping) || errors.Is(err, errBusy) {
		_ = l.conn.Close(websocket.StatusGoingAway, "")
		return
	}
	if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
		if ctx.Err() == nil {
			l.site.Log.Error("show a page", "err", err)
		}
		_ = l.conn.Close(websocket.StatusInternalError, "")
		return
	}
	in := chat.Input{Player: l.visitor.Player}
	if l.send(ctx, down{T: "gone", Text: in.Refuse(err).Toast}) == nil {
		_ = l.conn.Close(websocket.StatusNormalClosure, "")
	}
}

// read handles the page's messages until the line ends.
func (l *line) read(ctx context.Context) {
	second, n := time.Now(), 0
	for {
		kind, data, err := l.conn.Read(ctx)
		if err != nil {
			return
		}
		if n++; n > maxBurst { // the page has to wait until its messages are read
			select {
			case <-time.After(time.Until(second.Add(time.Second))):
			case <-ctx.Done():
				return
			}
		}
		if now := time.Now(); now.Sub(second) >= time.Second {
			second, n = now, 0
		}
		cost := 0
		if kind == websocket.MessageText {
			aside(func() { cost = l.take(ctx, data) })
		}
		if n += cost - 1; cost == 0 {
			_ = l.conn.Close(websocket.StatusPolicyViolation, "")
			return
		}
	}
}

// take handles a message of the page. It returns for how many messages it counts, or 0 if
// it is malformed.
func (l *line) take(ctx context.Context, data []byte) int {
	var m up
	if json.Unmarshal(data, &m) != nil {
		return 0
	}
	switch m.T {
	case "press":
		if l.site.hub.begin() {
			defer l.site.hub.wg.Done()
			l.answer(l.press(ctx, m))
		}
	case "table":
		err := l.goes(ctx)
		if errors.Is(err, errSession) {
			l.deny(err)
			return opening
		}
		if err == nil {
			err = l.open(ctx, m.Table)
		}
		if err != nil {
			l.answer(down{T: "answer", Toast: chat.Input{Player: l.visitor.Player}.Refuse(err).Toast})
		}
		return opening
	}
	return 1
}

// press passes a press to the bot, and returns the answer for the page. The press
// counts even if the player closes the page meanwhile.
func (l *line) press(ctx context.Context, m up) (out down) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pressing)
	defer cancel()
	out = down{T: "answer", ID: m.ID}
	defer l.site.contain(func() { out.Toast = lang.For(l.visitor.Player.Lang).Text("reply.trouble") })
	t, in, err := l.input(ctx, m)
	if err != nil {
		if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
			l.site.Log.Error("answer a page", "err", err)
		}
		out.Toast = chat.Input{Player: l.visitor.Player}.Refuse(err).Toast
		return out
	}
	r := l.site.Handler.Handle(ctx, in)
	out.Toast, out.Alert = r.Toast, r.Alert
	if r.Screen != nil {
		shown := screenOf(t, *r.Screen)
		out.Screen, out.File = &shown, r.Screen.File
	}
	return out
}

// input returns the table of a press, and the bot's input for it. The press must be for the table that the line
// shows. While the page lists the visitor's tables instead, it may be for any of them.
func (l *line) input(ctx context.Context, m up) (t chat.PageTable, in chat.Input, err error) {
	l.mu.Lock()
	shown := l.table
	l.mu.Unlock()
	if shown != "" && m.At != shown {
		return t, in, chat.ErrForged
	}
	if t, err = l.site.Pages().Table(ctx, m.At); err != nil {
		return t, in, err
	}
	if _, ok := t.Admits(l.visitor); !ok {
		return t, in, errSession
	}
	in, err = t.Input(l.visitor, m.Press)
	return t, in, err
}
