// Package gateway is one connection to Discord's gateway, through which interactions
// arrive. The protocol is the library's, discordgo. A [Session] tames it: it passes on
// the raw interactions, says when a connection ended and whether the session can be
// resumed, and keeps from the library the messages that would end the process.
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

	"sedmabot/bot/chat"
)

const (
	// openTimeout is how long connecting may take, from the dial to Discord's READY.
	openTimeout = 30 * time.Second
	// dialTimeout is how long a connection to the gateway may take to stand. A dial
	// that began during an outage must not wait long after its end.
	dialTimeout = 5 * time.Second
)

// ErrReach reports that the gateway could not be reached.
var ErrReach = errors.New("reach discord")

// Teller hears that the bot was removed from a server, or is there.
type Teller func(guild string, what chat.Presence)

// Session is a session on the gateway, over one connection after the other.
type Session struct {
	dg      *discordgo.Session
	Lost    chan struct{} // gets a value when a connection ended
	Ready   atomic.Bool   // Discord said READY or RESUMED on this connection
	Invalid atomic.Bool   // Discord ended the session: it cannot be resumed
	address string        // of the gateway
	HangUp  func()        // ends the connection for good, without the second for which the library waits
}

// New returns a session of one of some shards, which logs nothing, keeps nothing and
// leaves reconnecting to the caller. It calls take with each interaction, as Discord
// sent it, and tell with what Discord says of the bot's servers.
func New(token string, shard, shards int, take func(data []byte), tell Teller) (*Session, error) {
	dg, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	dg.LogLevel = -1 // it would write to standard error, and with debugging the token
	dg.StateEnabled = false
	dg.ShouldReconnectOnError = false
	dg.ShouldReconnectVoiceOnSessionError = false
	dg.ShouldRetryOnRateLimit = false
	dg.MaxRestRetries = 0
	dg.SyncEvents = true
	dg.ShardID, dg.ShardCount = shard, shards
	dg.Identify.Intents = discordgo.IntentsGuilds // interactions come without any; this one tells of servers that come and go
	s := &Session{dg: dg, Lost: make(chan struct{}, 1)}
	// The raw event: what the library makes of an interaction has no data when
	// its message holds a component that the library does not know.
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		switch e.Type {
		case "READY", "RESUMED":
			s.Ready.Store(true)
		case "INTERACTION_CREATE":
			take(e.RawData)
		case "GUILD_CREATE":
			tellOf(e.RawData, chat.Back, tell)
		case "GUILD_DELETE":
			tellOf(e.RawData, chat.Removed, tell)
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

// tellOf passes on what Discord says of one of the bot's servers. One that is
// unavailable has an outage: that says nothing
// (https://discord.com/developers/docs/events/gateway-events#guild-delete).
func tellOf(data []byte, what chat.Presence, tell Teller) {
	var guild struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	if json.Unmarshal(data, &guild) == nil && guild.ID != "" && !guild.Unavailable {
		tell(guild.ID, what)
	}
}

// Open connects, through a sieve. It does not outlast ctx, which the library knows
// nothing of: the one request that it makes, for the gateway's address, is answered
// here, and the connection is cut when ctx ends while it is being opened.
func (s *Session) Open(ctx context.Context, gateway func(context.Context) (string, error)) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	keep := func() bool { return true }
	s.dg.Client = &http.Client{Transport: roundTrip(func() (string, error) {
		address, err := gateway(ctx)
		s.address = strings.TrimSuffix(address, "/") + "/?v=" + discordgo.APIVersion + "&encoding=json"
		return "ws://sieve", err
	})}
	s.dg.Dialer = &websocket.Dialer{
		HandshakeTimeout: openTimeout,
		NetDialContext: func(context.Context, string, string) (net.Conn, error) {
			c, hangUp, err := sift(ctx, s.address, &s.Invalid)
			if err == nil {
				s.HangUp = hangUp
				keep = context.AfterFunc(ctx, func() { c.Close() })
			}
			return c, err
		},
	}
	select {
	case <-s.Lost: // of the connection before
	default:
	}
	err := s.dg.Open()
	if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
		return nil
	}
	if !keep() && err == nil {
		return ctx.Err() // it was cut just now; the next attempt or the end of ctx sorts it out
	}
	return err
}

// roundTrip answers the library's request for the gateway's address.
type roundTrip func() (string, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	address, err := f()
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]string{"url": address})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:     "200 OK",
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    r,
	}, nil
}
