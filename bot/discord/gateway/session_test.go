package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/chat"
)

// hears returns what handles the messages of a session with these servers.
func hears(all *servers) func(data []byte) {
	s := New("token", nil, 0, 1, func(struct{}, error) {}, nil)
	s.servers = all
	return func(data []byte) { _, _ = s.handle(new(connection), data) }
}

// TestAnInvalidSessionEnds checks that an invalid session ends the connection, and
// that the session isn't resumed. Discord may also invalidate a session that can be
// resumed: then the connection ends, and the session remains.
func TestAnInvalidSessionEnds(t *testing.T) {
	t.Parallel()
	for message, c := range map[string]struct {
		ends    error
		invalid bool
	}{
		`{"op":9,"d":false}`:                     {errInvalid, true},
		`{"op":9,"d":null}`:                      {errInvalid, true},
		`{"op":9,"d":true}`:                      {errInvalid, false},
		`{"op":7,"d":null}`:                      {errReconnect, false},
		`{"op":0,"t":"READY","s":9,"d":{"x":9}}`: {nil, true},
		`null`:                                   {nil, false},
		`{`:                                      {nil, false},
	} {
		s := New("token", nil, 0, 1, func(struct{}, error) {}, func(Membership) {})
		s.id = "x"
		if _, err := s.handle(new(connection), []byte(message)); !errors.Is(err, c.ends) || s.Resumable() == c.invalid {
			t.Errorf("%s: %v, the session can be resumed: %v", message, err, s.Resumable())
		}
	}
}

// TestWhatTheBotReads checks which events reach the bot, and that all of them count for a resumption.
func TestWhatTheBotReads(t *testing.T) {
	t.Parallel()
	var got []string
	take := func(it struct{ ID string }, err error) { got = append(got, fmt.Sprint(it.ID, " ", err)) }
	s := New("token", nil, 0, 1, take, func(n Membership) { got = append(got, fmt.Sprint(n.Guild, " ", n.What)) })
	c := new(connection)
	for i, m := range []struct {
		message  string
		sequence int64
		begun    bool
	}{
		{`{"op":0,"t":"READY","s":1,"d":{"session_id":"x"}}`, 1, true},
		{`{"t":"INTERACTION_CREATE","s":7,"op":0,"d":{"id":"1"}}`, 7, false},
		{`{"op":0,"d":{"id":"2"},"s":8,"t":"GUILD_CREATE"}`, 8, false},
		{`{"op":0,"d":{"id":"2","unavailable":true},"s":9,"t":"GUILD_DELETE"}`, 9, false},
		{`{"op":0,"d":{"id":"2"},"s":10,"t":"GUILD_DELETE"}`, 10, false},
		{`{"op":0,"d":{"id":"2"},"s":11,"t":"GUILD_UPDATE"}`, 11, false},
		{`{"op":11,"d":"INTERACTION_CREATE"}`, 11, false},
		{`{"op":0,"s":12,"t":"RESUMED","d":{}}`, 12, true},
	} {
		begun, err := s.handle(c, []byte(m.message))
		if n := c.sequence.Load(); err != nil || begun != m.begun || n != m.sequence {
			t.Errorf("message %d: begun %v, sequence %d, %v", i, begun, n, err)
		}
	}
	if want := []string{"1 <nil>", fmt.Sprint("2 ", chat.Added), fmt.Sprint("2 ", chat.Removed)}; !slices.Equal(got, want) || s.id != "x" {
		t.Errorf("the bot got %q, the session is %q", got, s.id)
	}
}

// TestMissedHeartbeats checks that a connection is closed, so that the session remains, after a heartbeat that Discord doesn't
// acknowledge. When Discord asks for a heartbeat, it gets one at once.
func TestMissedHeartbeats(t *testing.T) {
	t.Parallel()
	for acked, want := range map[int]string{0: "[0s 0s]", 3: "[0s 0s 15s 30s]"} {
		synctest.Test(t, func(t *testing.T) {
			air := cable.NewAir(time.Millisecond)
			var beats []time.Duration
			closed := make(chan error, 1)
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				var m message[any]
				err = errors.Join(c.WriteJSON(message[map[string]int]{head{Op: opHello}, map[string]int{"heartbeat_interval": 41250}}), c.ReadJSON(&m))
				err = errors.Join(err, c.WriteJSON(message[map[string]string]{head{Kind: "READY", Sequence: 7}, map[string]string{"session_id": "x"}}))
				began := time.Now()
				for err == nil {
					var m message[int64]
					if err = c.ReadJSON(&m); err == nil {
						beats = append(beats, time.Since(began).Round(time.Second))
					}
					if err == nil && m.Data != 7 {
						t.Errorf("a heartbeat with %d", m.Data)
					}
					if len(beats) == 1 {
						err = errors.Join(err, c.WriteJSON(message[any]{head{Op: opHeartbeat}, nil}))
					}
					if len(beats) <= acked {
						err = errors.Join(err, c.WriteJSON(message[any]{head{Op: opAck}, nil}))
					}
				}
				closed <- err
			})}
			go func() { _ = server.Serve(air.Listen("discord.test:80")) }()
			defer server.Close()
			s := New("token", air.Dial("bot"), 0, 1, func(struct{}, error) {}, func(Membership) {})
			if err := s.Open(t.Context(), func(context.Context) (string, error) { return "ws://discord.test", nil }); err != nil {
				t.Fatal(err)
			}
			<-s.Lost
			if err := <-closed; !websocket.IsCloseError(err, keepsSession) || fmt.Sprint(beats) != want || !s.Resumable() {
				t.Errorf("%d acknowledged heartbeats: closed by %v after %v", acked, err, beats)
			}
		})
	}
}
