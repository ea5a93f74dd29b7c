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

// The library ends the process when the gateway sends a message that is null, or
// a Hello without a pace: it dies of them in goroutines of its own, where nobody
// else can recover. So it does not talk with the gateway itself but with a
// sieve in this process, which hands on what the library can take.

// slowestPace is the longest time between two signs of life that makes sense.
const slowestPace = 10 * time.Minute

// sift connects to the gateway, and returns what the library is to take for that
// connection, and what ends it for good. When one side ends, so does the other.
// It sets invalid when Discord ends the session.
func sift(ctx context.Context, address string, invalid *atomic.Bool) (near net.Conn, hangUp func(), err error) {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialTimeout}
	gateway, resp, err := dialer.DialContext(ctx, address, nil)
	switch {
	case err != nil && (resp == nil || resp.StatusCode >= 500):
		return nil, nil, fmt.Errorf("%w: %w", ErrReach, err)
	case err != nil:
		return nil, nil, err
	}
	near, own := net.Pipe()
	hangUp = func() {
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
		pass(gateway, library, sieve(invalid))
	}()
	return near, hangUp, nil
}

func closeWith(c *websocket.Conn, code int, text string) {
	_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, text), time.Now().Add(time.Second))
}

// accept lets the library open its side.
func accept(c net.Conn) (*websocket.Conn, error) {
	rw := bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c))
	r, err := http.ReadRequest(rw.Reader)
	if err != nil {
		return nil, err
	}
	return (&websocket.Upgrader{}).Upgrade(opening{c, rw}, r, nil)
}

// opening is a connection that is about to become a websocket.
type opening struct {
	net.Conn
	rw *bufio.ReadWriter
}

func (opening) Header() http.Header                            { return http.Header{} }
func (opening) WriteHeader(int)                                {}
func (o opening) Hijack() (net.Conn, *bufio.ReadWriter, error) { return o.Conn, o.rw, nil }

// pass hands on as text what comes, until an end or an error of fit, and then how it ended.
// Nothing of fit without an error is left out.
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

// unpack is what a packed message holds, as far as it can be read.
// https://discord.com/developers/docs/events/gateway#payload-compression
func unpack(data []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(z)
	return out
}

// What ends a connection on our side.
var (
	errHello   = errors.New("the gateway does not say hello") // its first message is of no use
	errInvalid = errors.New("the session is invalid")
)

// opInvalid is the gateway's message that a session cannot go on. Its data tells
// whether the session can be resumed.
// https://discord.com/developers/docs/events/gateway-events#invalid-session
const opInvalid = 9

// sieve returns what looks at each message of a gateway, and lets through what is an
// object. An invalid session ends the connection: the library would begin another
// at once, and Discord wants five seconds between two.
func sieve(invalid *atomic.Bool) func([]byte) ([]byte, error) {
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
			if err := json.Unmarshal(data, &hello); err != nil || hello.Data.Pace < 1 || hello.Data.Pace > slowestPace.Milliseconds() {
				return nil, errHello
			}
		}
		var end struct {
			Op        int             `json:"op"`
			Resumable json.RawMessage `json:"d"`
		}
		if json.Unmarshal(data, &end) == nil && end.Op == opInvalid {
			invalid.Store(string(end.Resumable) != "true")
			return nil, errInvalid
		}
		return data, nil
	}
}
