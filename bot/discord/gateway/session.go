// Package gateway connects to Discord's gateway, through which interactions arrive. A [Session] reads the events that the
// bot uses, answers for the connection, and can be resumed on another one. Its caller has to reconnect.
// https://discord.com/developers/docs/events/gateway
package gateway

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// openTimeout is the timeout for connecting, from the dial to Discord's READY.
	openTimeout = 30 * time.Second
	// dialTimeout is the timeout for the dial alone. It is short, so that a dial from
	// during an outage doesn't wait long after the outage has ended.
	dialTimeout = 5 * time.Second
	// maxHeartbeat is the longest heartbeat interval that is accepted.
	maxHeartbeat = 10 * time.Minute
	// maxPace is the longest time between two heartbeats. It is shorter than what Discord asks for, so that a dead
	// connection is given up after half a minute.
	maxPace = 15 * time.Second
	// keepsSession is a close code after which the session can be resumed. Discord ends the session
	// after 1000 and 1001, as it was closed on purpose.
	// https://discord.com/developers/docs/events/gateway#initiating-a-disconnect
	keepsSession = 4000
	// version is that of the gateway.
	version = "10"
	// guildsIntent asks for the events of servers joined and left. Interactions need no intent.
	guildsIntent = 1 << 0
)

var (
	// ErrReach reports that the gateway could not be reached.
	ErrReach = errors.New("reach discord")

	errHello     = errors.New("the gateway does not say hello") // the first message is not a valid Hello
	errInvalid   = errors.New("the session is invalid")
	errReconnect = errors.New("the gateway asks for another connection")
)

// Notify is called when the bot was removed from a server, or is in it, and when a session has begun.
type Notify func(Membership)

// Dial opens a network connection. nil: as the net package does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Session is a session on the gateway. It can be resumed over several connections.
type Session struct {
	Lost chan struct{} // closed when the connection that Open has made has ended

	token       string
	dial        Dial
	servers     *servers
	interaction func(data []byte) (head, bool)
	conn        *connection
	id          string // "": Discord has not begun the session, or doesn't let it be resumed
	resume      string // the address where it can be resumed; "": unknown
}

// New returns a session for a shard. It calls take for each interaction, decoded as an I, and notify when the
// bot is in a server or was removed from one, and when the session begins.
func New[I any](token string, dial Dial, shard, shards int, take func(I, error), notify Notify) *Session {
	return &Session{
		token: "Bot " + token, dial: dial, servers: &servers{notify: notify, shard: shard, shards: shards},
		interaction: func(data []byte) (head, bool) {
			var m message[I]
			err := json.Unmarshal(data, &m)
			is := m.Op == opEvent && m.Kind == "INTERACTION_CREATE"
			if is {
				take(m.Data, err)
			}
			return m.head, is
		},
	}
}

// Operations of messages.
const (
	opEvent     = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9 // the session is invalid; the message's data reports whether it can be resumed
	opHello     = 10
	opAck       = 11 // acknowledges a heartbeat
)

// head is what every message has.
type head struct {
	Op       int    `json:"op"`
	Sequence int64  `json:"s,omitempty"`
	Kind     string `json:"t,omitempty"` // type of the event
}

// message is a message to or from the gateway.
type message[D any] struct {
	head

	Data D `json:"d"`
}

// connection is one connection of a session.
type connection struct {
	*websocket.Conn

	sequence atomic.Int64  // number of the last event; 0: none
	heard    atomic.Bool   // the last heartbeat was acknowledged
	asked    chan struct{} // holds a value if Discord asks for a heartbeat
	ended    chan struct{} // closed when nothing is read any more
}

// Resumable reports whether the session can be resumed, once Open has failed or its connection has ended.
func (s *Session) Resumable() bool { return s.id != "" }

// Open connects, and begins or resumes the session. It returns once Discord has confirmed that, or when ctx ends.
//
// A session is resumed at the address that Discord named when it began. If that fails, the next
// attempt is made at the address that gateway returns, like the first one.
func (s *Session) Open(ctx context.Context, gateway func(context.Context) (string, error)) (err error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	address := s.resume
	if s.resume = ""; address == "" {
		if address, err = gateway(ctx); err != nil {
			return err
		}
	}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, NetDialContext: s.dial, HandshakeTimeout: dialTimeout}
	conn, resp, err := dialer.DialContext(ctx, strings.TrimSuffix(address, "/")+"/?v="+version+"&encoding=json", nil)
	switch {
	case err != nil && (resp == nil || resp.StatusCode >= 500):
		return fmt.Errorf("%w: %w", ErrReach, err)
	case err != nil:
		return err
	}
	c := &connection{Conn: conn, asked: make(chan struct{}, 1), ended: make(chan struct{})}
	if s.conn != nil {
		c.sequence.Store(s.conn.sequence.Load())
	}
	s.conn = c
	keep := context.AfterFunc(ctx, func() { c.Close() })
	pace, err := c.hello()
	if err == nil {
		err = c.WriteJSON(s.greeting())
	}
	for begun := false; err == nil && !begun; {
		begun, err = s.next(c)
	}
	if !keep() && err == nil {
		err = ctx.Err() // the connection was closed just now
	}
	if err != nil {
		c.leave(keepsSession)
		return err
	}
	if s.resume == "" {
		s.resume = address
	}
	s.Lost = c.ended
	c.heard.Store(true)
	go c.beat(pace)
	go s.listen(c)
	return nil
}

// listen reads messages until the connection ends.
func (s *Session) listen(c *connection) {
	defer close(c.ended)
	for {
		if _, err := s.next(c); err != nil {
			c.leave(keepsSession)
			return
		}
	}
}

// Disconnect ends the session and its connection.
func (s *Session) Disconnect() { s.conn.leave(websocket.CloseNormalClosure) }

// leave closes the connection.
func (c *connection) leave(code int) {
	_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	c.Close()
}

// hello reads the first message, and returns the time between two heartbeats.
func (c *connection) hello() (pace time.Duration, err error) {
	data, err := c.read()
	if err != nil {
		return 0, err
	}
	var m message[struct {
		Pace int64 `json:"heartbeat_interval"` // ms
	}]
	if err := json.Unmarshal(data, &m); err != nil || m.Op != opHello || m.Data.Pace < 1 || m.Data.Pace > maxHeartbeat.Milliseconds() {
		return 0, errHello
	}
	return min(time.Duration(m.Data.Pace)*time.Millisecond, maxPace), nil
}

// greeting returns the message that begins the session, or resumes it.
func (s *Session) greeting() message[map[string]any] {
	if s.Resumable() {
		return message[map[string]any]{head{Op: opResume}, map[string]any{"token": s.token, "session_id": s.id, "seq": s.conn.sequence.Load()}}
	}
	data := map[string]any{
		"token": s.token, "intents": guildsIntent, "compress": true,
		"properties": map[string]string{"os": runtime.GOOS, "browser": "sedmabot", "device": "sedmabot"},
	}
	if s.servers.shards > 1 {
		data["shard"] = []int{s.servers.shard, s.servers.shards}
	}
	return message[map[string]any]{head{Op: opIdentify}, data}
}

// next reads a message and does what it asks for. It reports whether Discord has begun or resumed the session.
func (s *Session) next(c *connection) (begun bool, err error) {
	data, err := c.read()
	if err != nil {
		return false, err
	}
	return s.handle(c, data)
}

// handle does what a message asks for, as next. It ignores a message that isn't JSON.
func (s *Session) handle(c *connection, data []byte) (begun bool, err error) {
	var m message[json.RawMessage]
	taken := false
	if bytes.Contains(data, []byte(`"INTERACTION_CREATE"`)) {
		m.head, taken = s.interaction(data)
	}
	if !taken && json.Unmarshal(data, &m) != nil {
		return false, nil
	}
	switch m.Op {
	case opEvent:
		if m.Sequence > 0 {
			c.sequence.Store(m.Sequence)
		}
		s.event(m.Kind, m.Data)
	case opHeartbeat:
		select {
		case c.asked <- struct{}{}:
		default:
		}
	case opReconnect:
		return false, errReconnect
	case opInvalid:
		if string(m.Data) != "true" {
			s.id = ""
		}
		return false, errInvalid
	case opAck:
		c.heard.Store(true)
	}
	return m.Kind == "READY" || m.Kind == "RESUMED", nil
}

// event handles an event that is no interaction.
func (s *Session) event(kind string, data []byte) {
	switch kind {
	case "READY":
		var r ready
		if json.Unmarshal(data, &r) == nil {
			s.id, s.resume = r.ID, r.Resume
			s.servers.begin(r)
		}
	case "GUILD_CREATE", "GUILD_DELETE":
		s.servers.report(kind, data)
	}
}

// read returns the next message. Discord compresses long ones.
func (c *connection) read() (data []byte, err error) {
	kind, data, err := c.ReadMessage()
	if err != nil || kind != websocket.BinaryMessage {
		return data, err
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil
	}
	data, _ = io.ReadAll(z)
	return data, nil
}

// beat sends heartbeats until the connection ends. It ends it if Discord has acknowledged nothing since the last one.
func (c *connection) beat(pace time.Duration) {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for due := true; ; {
		if due && !c.heard.Swap(false) || c.WriteJSON(message[int64]{head{Op: opHeartbeat}, c.sequence.Load()}) != nil {
			c.leave(keepsSession)
			return
		}
		select {
		case <-tick.C:
			due = true
		case <-c.asked:
			due = false
		case <-c.ended:
			return
		}
	}
}
