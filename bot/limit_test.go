package bot

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// A player who presses too fast is told once, is answered again when they slow down,
// and delays nobody else.
func TestPressesOfOnePlayer(t *testing.T) {
	t.Parallel()
	const perSecond = 4
	th := throttle{perSecond: perSecond}
	at := time.Now()
	passed, warned := 0, 0
	for range 1000 {
		ok, warn := th.pass("a", false, false, at)
		if ok {
			passed++
		}
		if warn {
			warned++
		}
	}
	if passed != atOnce*perSecond || warned != 1 {
		t.Errorf("%d of 1000 presses at once passed, he was told %d times", passed, warned)
	}
	if ok, _ := th.pass("b", false, false, at); !ok {
		t.Error("another player is held up")
	}
	for i := range 10 * perSecond {
		if ok, _ := th.pass("a", false, false, at.Add(time.Duration(i+1)*time.Second/perSecond)); !ok {
			t.Fatalf("press %d at the rate that is allowed did not pass", i)
		}
	}
	at = at.Add(time.Hour)
	warned = 0
	for range 1000 {
		if _, warn := th.pass("a", false, false, at); warn {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("an hour later he was told %d times", warned)
	}
	open := throttle{}
	for range 1000 {
		if ok, _ := open.pass("a", false, false, at); !ok {
			t.Fatal("without a limit somebody was held up")
		}
	}
}

// A person has fewer commands than presses: however many they send, two a second are
// answered, after a burst. Their presses and other people aren't held up for long.
func TestCommandsOfOnePlayer(t *testing.T) {
	t.Parallel()
	const seconds = 20
	for _, perSecond := range []int{1, 2, 20, 1000} {
		th := throttle{perSecond: perSecond}
		at, passed := time.Now(), 0
		for i := range 19 * seconds {
			if ok, _ := th.pass("a", true, false, at.Add(time.Duration(i)*time.Second/19)); ok {
				passed++
			}
		}
		if most := min(2, perSecond) * (atOnce + seconds); passed > most || passed < most*9/10 {
			t.Errorf("%d presses a second: %d commands passed, want about %d", perSecond, passed, most)
		}
		if ok, _ := th.pass("a", false, false, at.Add((seconds+1)*time.Second)); !ok {
			t.Errorf("%d presses a second: a press after the commands was held up", perSecond)
		}
	}
}

// The number of players remembered is limited, however many press. A player who floods
// the bot meanwhile is not forgotten.
func TestPressesOfManyPlayers(t *testing.T) {
	t.Parallel()
	clocktest.Single(t)
	th := throttle{perSecond: 1}
	at := time.Now()
	passed := 0
	for i := range 10 * manyPlayers {
		th.pass(fmt.Sprint("player ", i), false, false, at)
		if ok, _ := th.pass("flood", false, false, at); ok {
			passed++
		}
		if i%(manyPlayers/10) != 0 {
			continue // to count them costs as much as thousands of presses
		}
		if n := len(th.pressers.All()); n > manyPlayers {
			t.Fatalf("%d players are remembered", n)
		}
	}
	if passed != atOnce {
		t.Errorf("%d presses of a flood passed, want %d", passed, atOnce)
	}
}

// guardedOn is a bot with limits on a store, which it closes, and a way to command it.
func guardedOn(t *testing.T, s store.Store, limits tables.Limits) func(player, chatID, command string) chat.Reply {
	b := New(Config{Store: s, Limits: limits, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return func(player, chatID, command string) chat.Reply {
		return b.Handle(t.Context(), chat.Input{
			Player: chat.Player{ID: "x:" + player, Name: player, Lang: "en"}, Chat: chat.Chat{ID: "x:" + chatID, Home: "x:home", Lang: "en"}, Admin: true, Command: command,
		})
	}
}

// A home and a player can have as many open tables as their limit. Closing one makes
// room for another.
func TestOpenTables(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		do := guardedOn(t, storetest.NewMemory(), tables.Limits{HomeTables: 3, PlayerTables: 2})
		expect := func(r chat.Reply, want string) {
			t.Helper()
			if (want == "") != (r.Outcome == chat.Done) || !strings.Contains(r.Toast, want) {
				t.Errorf("%q, outcome %d, want %q", r.Toast, r.Outcome, want)
			}
			time.Sleep(time.Second) // until the tables are indexed
			synctest.Wait()
		}
		expect(do("ann", "1", "new"), "")
		expect(do("ann", "2", "new"), "")
		expect(do("ann", "3", "new"), "You're at too many open tables (at most 2)")
		expect(do("ben", "3", "new"), "")
		expect(do("ann", "3", "join"), "You're at too many open tables (at most 2)")
		expect(do("ben", "4", "new"), "Too many tables are open here")
		expect(do("ben", "1", "join"), "")
		expect(do("ben", "2", "join"), "You're at too many open tables (at most 2)")
		expect(do("ann", "1", "close"), "")
		expect(do("ann", "3", "join"), "")
		expect(do("cat", "4", "new"), "")
		expect(do("dan", "5", "new"), "Too many tables are open here")
	})
}

// TestManyTablesAtOnce checks that a player who opens and joins many tables at the same moment keeps the limit.
func TestManyTablesAtOnce(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"new", "join"} {
		synctest.Test(t, func(t *testing.T) {
			const limit = 5
			do := guardedOn(t, storetest.NewMemory(), tables.Limits{PlayerTables: limit})
			settle := func() {
				time.Sleep(time.Second)
				synctest.Wait()
			}
			for n := range 20 {
				if command == "join" {
					do(fmt.Sprint("host", n), fmt.Sprint(n), "new")
				}
			}
			settle()
			var opened atomic.Int64
			try := func(n int) {
				// A table that stands in the chat already is shown in a screen.
				if r := do("ann", fmt.Sprint(n), command); r.Outcome == chat.Done && r.Screen == nil {
					opened.Add(1)
				}
			}
			var all sync.WaitGroup
			for n := range 20 {
				all.Go(func() { try(n) })
			}
			all.Wait()
			settle()
			if n := opened.Load(); n > limit || n == 0 {
				t.Errorf("%s: %d tables of %d", command, n, limit)
			}
			for n := range 20 {
				try(n)
				settle()
			}
			if n := opened.Load(); n != limit {
				t.Errorf("%s: later %d tables of %d", command, n, limit)
			}
		})
	}
}

// TestManyOpenTables seats a player at more than 32 tables, with a limit and without
// one, and checks how many of them their document lists.
func TestManyOpenTables(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ limit, opened, Listed int }{
		{limit: 40, opened: 40, Listed: 40},
		{limit: 0, opened: 40, Listed: 32},
	} {
		t.Run(fmt.Sprint(test.limit), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := storetest.NewMemory()
				do := guardedOn(t, s, tables.Limits{PlayerTables: test.limit})
				settle := func() {
					time.Sleep(time.Second)
					synctest.Wait()
				}
				for n := range test.opened {
					if r := do("ann", fmt.Sprint(n), "new"); r.Outcome != chat.Done {
						t.Fatalf("table %d: %q", n+1, r.Toast)
					}
					settle()
				}
				docs, err := s.Get(t.Context(), doc.PlayerKey("x:ann"))
				if err != nil {
					t.Fatal(err)
				}
				var person doc.Player
				if err := doc.Decode(docs[0], &person); err != nil || len(person.Tables) != test.Listed {
					t.Errorf("%d tables are listed, want %d: %v", len(person.Tables), test.Listed, err)
				}
				if test.limit == 0 {
					return
				}
				refused := fmt.Sprintf("(at most %d)", test.limit)
				do("ben", "other", "new")
				settle()
				for chatID, command := range map[string]string{"one more": "new", "other": "join"} {
					if r := do("ann", chatID, command); r.Outcome == chat.Done || !strings.Contains(r.Toast, refused) {
						t.Errorf("%s beyond the limit: outcome %d, %q", command, r.Outcome, r.Toast)
					}
				}
				do("ann", "0", "close")
				settle()
				if r := do("ann", "other", "join"); r.Outcome != chat.Done {
					t.Errorf("after one was closed: %q", r.Toast)
				}
			})
		})
	}
}

// A flood of presses gets one answer, and the rest are refused without a text.
func TestFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		do := guardedOn(t, storetest.NewMemory(), tables.Limits{Presses: 2})
		var toasts []string
		refused := 0
		for range 100 {
			r := do("ann", "1", "help")
			if r.Outcome == chat.Limited {
				refused++
				if r.Toast != "" {
					toasts = append(toasts, r.Toast)
				}
			}
		}
		if refused != 100-2*atOnce || len(toasts) != 1 || !strings.Contains(toasts[0], "Not so fast") {
			t.Errorf("%d refused, said %q", refused, toasts)
		}
		time.Sleep(time.Second)
		if r := do("ann", "1", "help"); r.Outcome != chat.Done {
			t.Errorf("a second later: %+v", r)
		}
	})
}

// A person posts a few tables a minute in chats where the bot isn't. Their other commands, and other people, aren't held up.
func TestPostedTablesOfOnePerson(t *testing.T) {
	t.Parallel()
	th := throttle{perSecond: 20}
	at, passed := time.Now(), 0
	for i := range 120 {
		if ok, _ := th.pass("a", true, true, at.Add(time.Duration(i)*500*time.Millisecond)); ok {
			passed++
		}
	}
	if passed != postsAtOnce+2 {
		t.Errorf("%d tables were posted in a minute", passed)
	}
	at = at.Add(time.Minute)
	if ok, _ := th.pass("a", true, false, at); !ok {
		t.Error("another command is held up")
	}
	if ok, _ := th.pass("b", true, true, at); !ok {
		t.Error("another person is held up")
	}
}
