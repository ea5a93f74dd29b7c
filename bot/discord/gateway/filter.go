package gateway

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// The library panics if the gateway sends the message null, or a Hello without a
// heartbeat interval. It panics in its own goroutines, where the caller cannot recover,
// so the process ends. That's why the library connects to a proxy in this process. The
// proxy connects to the gateway and passes on only the messages that are safe.
//
// The library would also decode each event three times, an interaction with its whole
// message. So the proxy reads the events that the bot uses. Of those, the library gets
// only the sequence number, which it needs for heartbeats and to resume the session.

// maxHeartbeat is the longest heartbeat interval that is accepted.
const maxHeartbeat = 10 * time.Minute

// maxPace is the longest time between two heartbeats that the library sends. It is shorter than
// what Discord asks for, and the library alone would wait for five missed ones, so that a dead
// connection is given up after half a minute.
const maxPace = 15 * time.Second

// keepsSession is a close code after which the session can be resumed. Discord ends the session
// after 1000 and 1001, as it was closed on purpose.
// https://discord.com/developers/docs/events/gateway#initiating-a-disconnect
const keepsSession = 4000

// openFiltered connects to the gateway. It returns near, the library's end of a connection through
// the proxy, and disconnect, which closes it for good. If one side closes, so does the other.
// When Discord ends the session, openFiltered sets invalid if the session cannot be resumed. It
// calls handle for each message, see proxy.
func openFiltered(ctx context.Context, address string, dial Dial, invalid *atomic.Bool, handle handler) (near net.Conn, disconnect func(), err error) {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, NetDialContext: dial, HandshakeTimeout: dialTimeout}
	gateway, resp, err := dialer.DialContext(ctx, address, nil)
	switch {
	case err != nil && (resp == nil || resp.StatusCode >= 500):
		return nil, nil, fmt.Errorf("%w: %w", ErrReach, err)
	case err != nil:
		return nil, nil, err
	}
	near, own := net.Pipe()
	disconnect = func() {
		closeWith(gateway, websocket.CloseNormalClosure, "")
		gateway.Close()
		own.Close()
	}
	go func() {
		library, err := accept(own)
		if err != nil {
			own.Close()
			gateway.Close()
			return
		}
		var p pulse
		go pass(library, gateway, p.beat)
		pass(gateway, library, filter(invalid, &p, handle))
	}()
	return near, disconnect, nil
}

func closeWith(c *websocket.Conn, code int, text string) {
	_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, text), time.Now().Add(time.Second))
}

// accept does the websocket handshake with the library.
func accept(c net.Conn) (*websocket.Conn, error) {
	rw := bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c))
	r, err := http.ReadRequest(rw.Reader)
	if err != nil {
		return nil, err
	}
	return (&websocket.Upgrader{}).Upgrade(opening{c, rw}, r, nil)
}

// opening is an http.ResponseWriter for the websocket handshake on a connection.
type opening struct {
	net.Conn
	rw *bufio.ReadWriter
}

func (opening) Header() http.Header                            { return http.Header{} }
func (opening) WriteHeader(int)                                {}
func (o opening) Hijack() (net.Conn, *bufio.ReadWriter, error) { return o.Conn, o.rw, nil }

// breath is how long the library has to end what it is doing before it learns that the connection has ended. Then it holds its lock
// while it sleeps for a second. In a synctest bubble, that second doesn't pass while a heartbeat waits for the lock.
const breath = time.Millisecond

// pass forwards messages as text, as fit returns them, until the connection ends or fit
// returns an error. Then it forwards the close code, but never one that ends the session. If fit
// returns nil, the message is dropped.
func pass(from, to *websocket.Conn, fit func([]byte) ([]byte, error)) {
	defer from.Close()
	defer to.Close()
	for {
		kind, data, err := from.ReadMessage()
		if err == nil && kind == websocket.BinaryMessage {
			data = unpack(data)
		}
		if err == nil {
			data, err = fit(data)
		}
		if err == nil && data != nil {
			err = to.WriteMessage(websocket.TextMessage, data)
		}
		if err == nil {
			continue
		}
		var closed *websocket.CloseError
		switch {
		case errors.Is(err, errSilent), errors.As(err, &closed) && closed.Code == websocket.CloseNormalClosure:
			closeWith(to, keepsSession, "")
		case closed != nil && closed.Code != websocket.CloseAbnormalClosure:
			closeWith(to, closed.Code, closed.Text)
		}
		time.Sleep(breath)
		return
	}
}

// unpack decompresses a message, as far as it can be read.
// https://discord.com/developers/docs/events/gateway#payload-compression
func unpack(data []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(z)
	return out
}

// Errors for which the proxy closes a connection.
var (
	errHello   = errors.New("the gateway does not say hello") // the first message is not a valid Hello
	errInvalid = errors.New("the session is invalid")
	errSilent  = errors.New("the gateway does not acknowledge heartbeats")
)

// pulse is what is known of a connection's heartbeats.
// https://discord.com/developers/docs/events/gateway#sending-heartbeats
type pulse struct {
	mu    sync.Mutex
	pace  time.Duration // time between two heartbeats
	since time.Time     // when the oldest heartbeat without an acknowledgement was sent; zero: none is missing
}

// begin takes the pace that the gateway asks for, and returns the one to keep.
func (p *pulse) begin(asked time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace = min(asked, maxPace)
	return p.pace
}

// beat is a filter for the library's messages. It ends the connection at a heartbeat if an
// earlier one wasn't acknowledged. A heartbeat that Discord has just asked for may come soon after another.
func (p *pulse) beat(data []byte) ([]byte, error) {
	var m message[json.RawMessage]
	if json.Unmarshal(data, &m) != nil || m.Op != opHeartbeat {
		return data, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.since.IsZero():
		p.since = time.Now()
	case time.Since(p.since) > p.pace/2:
		return nil, errSilent
	}
	return data, nil
}

// acknowledged notes that the gateway has acknowledged the heartbeats so far.
func (p *pulse) acknowledged() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Time{}
}

// Opcodes of the gateway
// (https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes).
const (
	opEvent     = 0
	opHeartbeat = 1
	opInvalid   = 9 // the session is invalid; the message's data reports whether it can be resumed
	opHello     = 10
	opAck       = 11 // acknowledges a heartbeat
)

// message is a message of the gateway
// (https://discord.com/developers/docs/events/gateway-events#payload-structure).
type message[D any] struct {
	Op       int    `json:"op"`
	Sequence int64  `json:"s"`
	Kind     string `json:"t"` // type of the event
	Data     D      `json:"d"`
}

// handler reads an event's message. It returns the event's sequence number, and whether
// the library can do without the event.
type handler func(data []byte) (sequence int64, taken bool)

// filter returns a filter for the gateway's messages, which passes only JSON objects. It
// calls handle for each of them, and notes acknowledgements in p. If the session is invalid, it
// ends the connection. The library would start a new session at once, but Discord requires five
// seconds between two sessions.
func filter(invalid *atomic.Bool, p *pulse, handle handler) func([]byte) ([]byte, error) {
	first := true
	return func(data []byte) ([]byte, error) {
		data = bytes.TrimLeft(data, " \t\r\n")
		if len(data) == 0 || data[0] != '{' {
			return nil, nil
		}
		if first {
			first = false
			var hello message[struct {
				Pace int64 `json:"heartbeat_interval"` // ms
			}]
			if err := json.Unmarshal(data, &hello); err != nil || hello.Op != opHello || hello.Data.Pace < 1 || hello.Data.Pace > maxHeartbeat.Milliseconds() {
				return nil, errHello
			}
			pace := p.begin(time.Duration(hello.Data.Pace) * time.Millisecond)
			return fmt.Appendf(nil, `{"op":%d,"d":{"heartbeat_interval":%d}}`, opHello, pace.Milliseconds()), nil
		}
		if sequence, taken := handle(data); taken {
			return fmt.Appendf(nil, `{"op":0,"s":%d}`, sequence), nil
		}
		var m message[json.RawMessage]
		switch err := json.Unmarshal(data, &m); {
		case err != nil:
		case m.Op == opAck:
			p.acknowledged()
		case m.Op == opInvalid:
			invalid.Store(string(m.Data) != "true")
			return nil, errInvalid
		}
		return data, nil
	}
}
