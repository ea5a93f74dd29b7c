// Package gateway connects to Discord's gateway, through which interactions arrive. The
// library discordgo implements the protocol. A [Session] wraps it: it passes on the raw
// interactions, and reports when a connection ended and whether the session can be
// resumed. It also drops the messages that would crash the library, and so the process.
package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

const (
	// openTimeout is the timeout for connecting, from the dial to Discord's READY.
	openTimeout = 30 * time.Second
	// dialTimeout is the timeout for the dial alone. It is short, so that a dial from
	// during an outage doesn't wait long after the outage has ended.
	dialTimeout = 5 * time.Second
)

// ErrReach reports that the gateway could not be reached.
var ErrReach = errors.New("reach discord")

// Notify is called when the bot was removed from a server, or is in it, and when a session has begun.
type Notify func(Membership)

// Dial opens a network connection. nil: as the net package does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Session is a session on the gateway. It can be resumed over several connections.
type Session struct {
	dg         *discordgo.Session
	dial       Dial
	Lost       chan struct{} // receives a value when a connection has ended
	Ready      atomic.Bool   // Discord sent READY or RESUMED on this connection
	Invalid    atomic.Bool   // Discord ended the session, and it cannot be resumed
	servers    *servers
	handle     handler
	Disconnect func() // closes the connection for good, without the library's wait of a second
}

// New returns a session for a shard. It doesn't log or cache anything, and the caller has
// to reconnect. It calls take for each interaction, decoded as an I, and notify when the
// bot is in a server or was removed from one, and when the session begins.
func New[I any](token string, dial Dial, shard, shards int, take func(I, error), notify Notify) (*Session, error) {
	dg, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	dg.LogLevel = -1 // the library would log to standard error, and when debugging even the token
	dg.StateEnabled = false
	dg.ShouldReconnectOnError = false
	dg.ShouldReconnectVoiceOnSessionError = false
	dg.ShouldRetryOnRateLimit = false
	dg.MaxRestRetries = 0
	dg.SyncEvents = true
	dg.Client = &http.Client{Transport: proxy{}}
	dg.ShardID, dg.ShardCount = shard, shards
	dg.Identify.Intents = discordgo.IntentsGuilds // for the events of servers joined and left; interactions need no intent
	s := &Session{dg: dg, dial: dial, Lost: make(chan struct{}, 1), servers: &servers{notify: notify, shard: shard, shards: shards}}
	s.handle = newHandler(take, s.servers)
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "READY" || e.Type == "RESUMED" {
			s.Ready.Store(true)
		}
	})
	dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case s.Lost <- struct{}{}:
		default:
		}
	})
	return s, nil
}

// newHandler returns the handler that calls take, and tells all of the servers' events. It
// decodes a message once, because an interaction holds the whole message with the button.
func newHandler[I any](take func(I, error), all *servers) handler {
	return func(data []byte) (sequence int64, taken bool) {
		if bytes.Contains(data, []byte(`"INTERACTION_CREATE"`)) {
			var m message[I]
			err := json.Unmarshal(data, &m)
			if taken = m.Op == opEvent && m.Kind == "INTERACTION_CREATE"; taken {
				take(m.Data, err)
			}
			return m.Sequence, taken
		}
		if bytes.Contains(data, []byte(`"READY"`)) {
			var m message[ready]
			if json.Unmarshal(data, &m) == nil && m.Op == opEvent && m.Kind == "READY" {
				all.begin(m.Data)
				return 0, false // the library needs it too
			}
		}
		if bytes.Contains(data, []byte(`"GUILD_`)) {
			var m message[guild]
			if json.Unmarshal(data, &m) != nil || m.Op != opEvent {
				return 0, false
			}
			return m.Sequence, all.report(m.Kind, m.Data, data)
		}
		return 0, false
	}
}

// Begun reports whether Discord has begun the session. Otherwise there is nothing to resume.
func (s *Session) Begun() bool {
	s.servers.mu.Lock()
	defer s.servers.mu.Unlock()
	return s.servers.known != nil
}

// Open connects through a proxy, and returns when ctx ends. The library takes no context.
// So Open itself answers the library's only request, for the gateway's address. If ctx
// ends while the connection is being opened, Open closes the connection.
//
// A session is resumed at the address that Discord named when it began. If that fails, the next
// attempt is made at the address that gateway returns, like the first one.
func (s *Session) Open(ctx context.Context, gateway func(context.Context) (string, error)) (err error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s.servers.mu.Lock()
	address := s.servers.resume
	s.servers.mu.Unlock()
	if address == "" {
		if address, err = gateway(ctx); err != nil {
			return err
		}
	}
	address = strings.TrimSuffix(address, "/") + "/?v=" + discordgo.APIVersion + "&encoding=json"
	keep := func() bool { return true }
	s.dg.Dialer = &websocket.Dialer{
		HandshakeTimeout: openTimeout,
		NetDialContext: func(context.Context, string, string) (net.Conn, error) {
			c, disconnect, err := openFiltered(ctx, address, s.dial, &s.Invalid, s.handle)
			if err == nil {
				s.Disconnect = disconnect
				keep = context.AfterFunc(ctx, func() { c.Close() })
			}
			return c, err
		},
	}
	select {
	case <-s.Lost: // a value left over from the previous connection
	default:
	}
	err = s.dg.Open()
	if err != nil {
		s.servers.mu.Lock()
		s.servers.resume = ""
		s.servers.mu.Unlock()
	}
	if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
		return nil
	}
	if !keep() && err == nil {
		return ctx.Err() // the connection was closed just now: try again, unless ctx of the caller ended too
	}
	return err
}

// proxy answers the library's request for the gateway's address.
type proxy struct{}

func (proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		Status:     "200 OK",
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(`{"url":"ws://proxy"}`)),
		Request:    r,
	}, nil
}
