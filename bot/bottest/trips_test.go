package bottest

import (
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// counting counts the round trips between a client and its server. A new one begins when the client sends something
// after a silence, or after the server has sent something.
type counting struct {
	net.Listener
	mu    sync.Mutex
	trips int
}

func newCounting(t *testing.T, target string) *counting {
	t.Helper()
	c := &counting{Listener: redistest.Listen(t)}
	go redistest.Relay(c, target, func() redistest.Ears {
		answered := true
		hear := func(answer bool) func(int) bool {
			return func(int) bool {
				c.mu.Lock()
				defer c.mu.Unlock()
				if answered && !answer {
					c.trips++
				}
				answered = answer
				return true
			}
		}
		return redistest.Ears{Asked: hear(false), Answered: hear(true)}
	})
	return c
}

// during returns how many round trips f takes.
func (c *counting) during(f func()) int {
	c.mu.Lock()
	before := c.trips
	c.mu.Unlock()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trips - before
}

// Any change must take one round trip to Redis, however large it is, and a press two.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	wire := newCounting(t, redistest.Start(t).Addr)
	s, err := redisstore.Open(t.Context(), "redis://"+wire.Addr().String(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := bot.New(bot.Config{Store: s, Think: easy, Log: slog.New(slog.DiscardHandler)})
	do := func(player string, in chat.Input) chat.Reply {
		in.Player = chat.Player{ID: "playground:" + player, Name: player, Lang: "en"}
		in.Chat = chat.Chat{ID: "playground:c", Home: "playground:c"}
		return b.Handle(t.Context(), in)
	}
	do("1", chat.Input{Command: "new", Args: map[string]string{"players": "2"}})
	do("2", chat.Input{Command: "join"})
	do("1", chat.Input{Command: "start"}) // the bot doesn't run, so only the press causes traffic
	docs, _, err := s.Scan(t.Context(), store.Partition("playground:c"), "table:", "")
	if err != nil || len(docs) != 1 {
		t.Fatal(len(docs), err)
	}
	id := strings.TrimPrefix(docs[0].Key.Name, "table:")
	for i := range 12 {
		player, data := turn(t, s, "playground", "playground:c", id)
		if data == "" {
			t.Fatal("nobody is on turn")
		}
		var reply chat.Reply
		trips := wire.during(func() { reply = do(player, chat.Input{Press: data}) })
		if reply.Outcome != chat.Done || trips != 2 {
			t.Errorf("press %d, %s: outcome %v in %d round trips", i, data, reply.Outcome, trips)
		}
	}
	many := store.Change{Due: []store.Mark{{ID: "job", At: time.Now()}}}
	for _, name := range []string{"a", "b", "c"} {
		many.Writes = append(many.Writes, store.Write{Name: name, Data: make([]byte, 100_000)})
		many.Rows = append(many.Rows, store.Row{Board: "board", Member: name, Score: 1})
	}
	if trips := wire.during(func() { err = s.Commit(t.Context(), many) }); err != nil || trips != 1 {
		t.Errorf("a commit takes %d round trips: %v", trips, err)
	}
	stale := store.Change{Writes: []store.Write{{Name: "a", Expect: 99, Data: []byte("x")}}}
	if trips := wire.during(func() { err = s.Commit(t.Context(), stale) }); !errors.Is(err, store.ErrConflict) || trips != 1 {
		t.Errorf("a refused commit takes %d round trips: %v", trips, err)
	}
	if trips := wire.during(func() { _, err = s.Get(t.Context(), store.Key{Name: "a"}, store.Key{Partition: 7, Name: "b"}) }); err != nil || trips != 1 {
		t.Errorf("reading in two partitions takes %d round trips: %v", trips, err)
	}
}
