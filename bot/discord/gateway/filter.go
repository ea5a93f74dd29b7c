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

// openFiltered connects to the gateway. It returns near, the library's end of a connection through
// the proxy, and disconnect, which closes it for good. If one side closes, so does the other.
// When Discord ends the session, openFiltered sets invalid if the session cannot be resumed. It
// calls handle for each message, see proxy.
func openFiltered(ctx context.Context, address string, invalid *atomic.Bool, handle handler) (near net.Conn, disconnect func(), err error) {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialTimeout}
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
		go pass(library, gateway, func(data []byte) ([]byte, error) { return data, nil })
		pass(gateway, library, filter(invalid, handle))
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

// pass forwards messages as text, as fit returns them, until the connection ends or fit
// returns an error. Then it forwards the close code. If fit returns nil, the message is dropped.
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
		if errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure {
			closeWith(to, closed.Code, closed.Text)
		}
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
)

// Opcodes of the gateway
// (https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes).
const (
	opEvent   = 0
	opInvalid = 9 // the session is invalid; the message's data reports whether it can be resumed
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
// calls handle for each of them. If the session is invalid, it ends the connection. The
// library would start a new session at once, but Discord requires five seconds between
// two sessions.
func filter(invalid *atomic.Bool, handle handler) func([]byte) ([]byte, error) {
	first := true
	return func(data []byte) ([]byte, error) {
		data = bytes.TrimLeft(data, " \t\r\n")
		if len(data) == 0 || data[0] != '{' {
			return nil, nil
		}
		if first {
			first = false
			var hello struct {
				Data struct {
					Pace int64 `json:"heartbeat_interval"` // ms
				} `json:"d"`
			}
			if err := json.Unmarshal(data, &hello); err != nil || hello.Data.Pace < 1 || hello.Data.Pace > maxHeartbeat.Milliseconds() {
				return nil, errHello
			}
		}
		if sequence, taken := handle(data); taken {
			return fmt.Appendf(nil, `{"op":0,"s":%d}`, sequence), nil
		}
		var end message[json.RawMessage]
		if json.Unmarshal(data, &end) == nil && end.Op == opInvalid {
			invalid.Store(string(end.Data) != "true")
			return nil, errInvalid
		}
		return data, nil
	}
}
