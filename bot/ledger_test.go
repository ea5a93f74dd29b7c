package bot

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// enterAll enters matches of random people into a home, and into the other homes that count them.
func enterAll(t *testing.T, b *Bot, home string, n int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		names := random.Perm(9)
		r := seated(func(seats []table.Seat) {
			for s := range seats {
				seats[s].Player.ID, seats[s].Player.Name = fmt.Sprint("test:", names[s]), fmt.Sprint("P", names[s])
				seats[s].Left = random.IntN(20) == 0
				if random.IntN(30) == 0 {
					seats[s] = table.Seat{AI: "easy"}
				}
			}
		})
		r.At = b.docs.Now()
		for _, h := range []string{home, league.Everywhere} {
			if err := b.boards.EnterElsewhere(t.Context(), h, fmt.Sprintf("%s-%d", home[len(home)-1:], i+1), r); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Duration(random.IntN(48)) * time.Hour)
	}
}

// A result is entered only once, however often it is reported. If everything is
// recomputed from the ledger, it is the same to the last digit. Values that were
// changed by hand are found and corrected.
func TestTheLedgerMakesTheBoards(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		enterAll(t, b, "test:1", 40, 1)
		running(t, b, func() { time.Sleep(5 * time.Second) })
		enterAll(t, b, "test:2", 25, 2)
		enterAll(t, b, "test:1", 40, 1) // the same again
		running(t, b, func() { time.Sleep(5 * time.Second) })
		check := func() upkeep.Accounts {
			t.Helper()
			a, err := upkeep.CheckBoards(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if a := check(); len(a.Wrong) > 0 || a.Homes != 3 || a.Matches != 2*65 || a.Rows == 0 {
			t.Fatalf("%+v", a)
		}

		p := store.Partition("test:1")
		name := doc.MemberName("test:1", "test:3")
		for what, change := range map[string]store.Change{
			"a rating":      {Writes: []store.Write{{Name: name, Expect: store.Any, Data: doc.Encode(league.Member{Name: "P3"})}}},
			"a member less": {Writes: []store.Write{{Name: name, Expect: store.Any}}},
			"a member more": {Writes: []store.Write{{Name: doc.MemberName("test:1", "test:99"), Expect: store.Any, Data: doc.Encode(league.Member{Name: "x"})}}},
			"a row":         {Rows: []store.Row{{Board: league.BoardName("test:1", "sedma", chat.AllTime), Member: "test:3", Score: 5}}},
			"a row less":    {Rows: []store.Row{{Board: league.BoardName("test:1", "all", chat.AllTime), Member: "test:4", Delete: true}}},
			"a row more":    {Rows: []store.Row{{Board: league.BoardName("test:1", "all", chat.AllTime), Member: "test:99", Score: 1}}},
			"a result less": {Writes: []store.Write{{Name: league.ResultName("test:1", "1-7"), Expect: store.Any}}},
		} {
			change.Partition = p
			if err := s.Store.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if a := check(); len(a.Wrong) == 0 {
				t.Errorf("%s: nobody noticed", what)
			}
			if a, err := upkeep.RebuildBoards(t.Context(), s, b.docs.Now()); err != nil || len(a.Wrong) == 0 {
				t.Errorf("%s: %v, %+v", what, err, a)
			}
			if a := check(); len(a.Wrong) > 0 {
				t.Errorf("%s: after the rebuilding: %+v", what, a)
			}
		}
	})
}

// A finished season is entered into the hall of fame. Its boards and those of past weeks
// and months are deleted, and the board of all time stays.
func TestClosingASeason(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		for i := range 6 {
			r := seated(nil)
			r.At = b.docs.Now()
			if err := b.boards.EnterElsewhere(t.Context(), "test:1", fmt.Sprint("a-", i+1), r); err != nil {
				t.Fatal(err)
			}
		}
		first := league.CalendarOf(doc.Home{}).Key(chat.Seasonal, b.docs.Now())
		board := func(key string) int {
			_, n, err := s.Board(t.Context(), store.Partition("test:1"), league.BoardName("test:1", "sedma", key), 0, 10, "")
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if board(first) != 4 || board(chat.AllTime) != 4 {
			t.Fatal(board(first), board(chat.AllTime))
		}
		time.Sleep(100 * 24 * time.Hour)
		running(t, b, func() { time.Sleep(5 * time.Second) })
		if board(first) != 0 || board(chat.AllTime) != 4 {
			t.Error(board(first), board(chat.AllTime))
		}
		docs, err := s.Get(t.Context(), doc.HomeKey("test:1"), store.Key{Partition: store.Partition("test:1"), Name: league.HallName("test:1")})
		if err != nil {
			t.Fatal(err)
		}
		var h doc.Home
		var hall league.Hall
		if err := doc.Decode(docs[0], &h); err != nil || len(h.Periods) > 0 || h.Played != 6 {
			t.Errorf("%v %+v", err, h)
		}
		if err := doc.Decode(docs[1], &hall); err != nil || len(hall.Seasons) != 1 || hall.Seasons[0].Key != first {
			t.Fatalf("%v %+v", err, hall)
		}
		// Ben and Dan have the next best ratings, but won no match.
		if got := hall.Medals("sedma"); len(got) != 2 || got["test:ann"] != 1 || got["test:cat"] != 1 {
			t.Errorf("medals %v", got)
		}
		reply := b.Handle(t.Context(), chat.Input{Player: chat.Player{ID: "test:ann"}, Chat: chat.Chat{ID: "c", Home: "test:1"}, Command: "leaderboard", Args: map[string]string{"period": "all", "game": "sedma"}})
		if !strings.Contains(reply.Screen.String(), "Ann 🥇") {
			t.Errorf("%s", reply.Screen)
		}
		if a, err := upkeep.CheckBoards(t.Context(), s); err != nil || len(a.Wrong) > 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// The commit of a result is one round trip. Loading its documents is one round trip more
// than for any other move.
func TestAResultIsOneCommit(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		r := seated(nil)
		s.take()
		if err := b.boards.EnterElsewhere(t.Context(), "test:1", "a-1", r); err != nil {
			t.Fatal(err)
		}
		if got := s.take(); got != "1 gets, 1 commits" {
			t.Error(got)
		}
	})
}

// A home that can't be written to doesn't keep other homes from counting a match.
func TestABrokenLedgerDelaysNoOther(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		put := func(home, name string, data []byte, due ...store.Mark) {
			t.Helper()
			err := s.Commit(t.Context(), store.Change{
				Partition: store.Partition(home), Now: b.docs.Now(), Due: due,
				Writes: []store.Write{{Name: name, Expect: store.Any, Data: data}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		entered := func(home string) bool {
			t.Helper()
			docs, err := s.Get(t.Context(), store.Key{Partition: store.Partition(home), Name: league.ResultName(home, "m-1")})
			if err != nil {
				t.Fatal(err)
			}
			return docs[0].Version != 0
		}
		r := seated(func(seats []table.Seat) { seats[0].Player.ID = "test:1" })
		r.At, r.Homes = b.docs.Now(), []string{"test:broken", "test:well"}
		broken := doc.HomeKey("test:broken")
		put("test:broken", broken.Name, []byte("?"))
		job := league.ResultName("test:home", "m-1")
		put("test:home", job, doc.Encode(r), store.Mark{ID: job, At: b.docs.Now()})
		running(t, b, func() {
			time.Sleep(3 * time.Second)
			if !entered("test:well") || entered("test:broken") {
				t.Error("the other home waits")
			}
			put("test:broken", broken.Name, nil)
			time.Sleep(2 * work.NewerFor)
			if !entered("test:broken") {
				t.Error("the home that was mended has not got it")
			}
		})
	})
}
