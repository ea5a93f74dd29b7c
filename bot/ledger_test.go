package bot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/rating"
	"sedmabot/game/table"
	"sedmabot/store"
)

// seated is a match of four in which seats 0 and 2 won, with changes.
func seated(change func(seats []table.Seat)) resultDoc {
	r, err := game.Preset("sedma-4p")
	if err != nil {
		panic(err)
	}
	over := table.MatchOver{Outcome: table.Outcome{
		MatchNo: 1, Match: game.Match{Rules: r, Scores: []int{10, 4}, Over: true, Winner: 0},
		Payments: []int{6, -6, 6, -6}, Winners: []int{0, 2},
	}}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		over.Seats = append(over.Seats, table.Seat{Player: table.Player{ID: "test:" + strings.ToLower(name), Name: name}})
	}
	if change != nil {
		change(over.Seats)
	}
	doc := resultOf(table.Table{}, over, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	doc.Week, doc.Month, doc.Season = "2026-W47", "2026-11", "2026-10+3"
	return doc
}

// played is what a match has made of those who played it.
func played(r resultDoc) map[string]*memberDoc {
	members := map[string]*memberDoc{}
	for _, id := range r.people() {
		members[id] = &memberDoc{}
	}
	r.apply("test:home", members)
	return members
}

// A match with an AI on a seat stands apart: no rating, no stakes, no wins.
func TestAMatchWithAnAIRatesNobody(t *testing.T) {
	t.Parallel()
	members := played(seated(func(seats []table.Seat) { seats[3] = table.Seat{AI: "hard"} }))
	for id, m := range members {
		if len(m.Ratings) > 0 || len(m.Partners) > 0 || m.BestRun > 0 {
			t.Errorf("%s: %+v", id, m)
		}
		want := Totals{AIMatches: 1}
		if id != "test:ben" {
			want.AIWins = 1
		}
		for _, family := range []string{"all", "sedma"} {
			if m.Games[family] != want || m.Periods["week"].Games[family] != want {
				t.Errorf("%s: %+v", id, m)
			}
		}
		rows, err := m.rows("test:home", id)
		if err != nil || len(rows) != 8 || slices.ContainsFunc(rows, func(r store.Row) bool { return r.Score != unranked }) {
			t.Errorf("%v, %v", rows, err)
		}
	}
}

// A match that somebody did not finish rates him as having lost it, also if his
// side won, and leaves everybody else's rating alone.
func TestOnlyTheLeaverIsRated(t *testing.T) {
	t.Parallel()
	whole := played(seated(nil))
	for _, flag := range []func(*table.Seat){func(s *table.Seat) { s.Left = true }, func(s *table.Seat) { s.Away = true }} {
		for seat, id := range []string{"test:ann", "test:ben"} {
			members := played(seated(func(seats []table.Seat) { flag(&seats[seat]) }))
			for other, m := range members {
				if (len(m.Ratings) > 0) != (other == id) {
					t.Errorf("%s left, and the rating of %s is %v", id, other, m.Ratings)
				}
				if m.Games["all"].Matches != 1 {
					t.Errorf("%s: %+v", other, m.Games)
				}
			}
			m := members[id]
			if got := m.Ratings["sedma"]; got.Rating != whole["test:ben"].Ratings["sedma"].Rating || got.Mu >= rating.Mu {
				t.Errorf("%s left and has %v", id, got)
			}
			if m.Games["all"].Wins != 0 || m.Games["all"].Stakes > 0 {
				t.Errorf("%s left and has %+v", id, m.Games["all"])
			}
		}
	}
}

// Who leaves a match that both sides left loses it, whatever his side.
func TestBothSidesLeft(t *testing.T) {
	t.Parallel()
	members := played(seated(func(seats []table.Seat) { seats[0].Left, seats[1].Left = true, true }))
	for _, id := range []string{"test:ann", "test:ben"} {
		if members[id].Ratings["all"].Mu >= rating.Mu {
			t.Errorf("%s: %v", id, members[id].Ratings)
		}
	}
}

// Three players are three sides with places, ties as ties.
func TestPlacesOfAMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scores []int
		winner int
		want   []int
	}{
		{[]int{10, 4}, 0, []int{1, 2}}, {[]int{4, 4}, game.Nobody, []int{1, 1}}, {[]int{7, 10, 7}, 1, []int{2, 1, 2}},
		{[]int{1, 2, 3}, 2, []int{3, 2, 1}}, {[]int{3, 3, 1}, game.Nobody, []int{1, 1, 3}},
	} {
		if got := ranksOf(game.Match{Scores: test.scores, Winner: test.winner}); !slices.Equal(got, test.want) {
			t.Errorf("%v: places %v, want %v", test.scores, got, test.want)
		}
	}
}

// Weeks, months and seasons begin and end at midnight of the home.
func TestPeriods(t *testing.T) {
	t.Parallel()
	prague := calendarOf(homeDoc{Zone: "Europe/Prague"})
	for _, test := range []struct{ now, week, month, season string }{
		{"2026-11-22T22:59:59Z", "2026-W47", "2026-11", "2026-10+3"}, // Sunday, 23:59:59 in Prague
		{"2026-11-22T23:00:00Z", "2026-W48", "2026-11", "2026-10+3"},
		{"2026-12-31T22:59:59Z", "2026-W53", "2026-12", "2026-10+3"},
		{"2026-12-31T23:00:00Z", "2026-W53", "2027-01", "2027-01+3"},
		{"2026-06-30T22:00:00Z", "2026-W27", "2026-07", "2026-07+3"},
	} {
		now, err := time.Parse(time.RFC3339, test.now)
		if err != nil {
			t.Fatal(err)
		}
		for kind, want := range map[string]string{weekly: test.week, monthly: test.month, seasonal: test.season, allTime: allTime} {
			key := prague.key(kind, now)
			if key != want {
				t.Errorf("%s of %s: %s, want %s", kind, test.now, key, want)
			}
			end := prague.end(key)
			if kind == allTime {
				if !end.IsZero() {
					t.Error("all time ends")
				}
				continue
			}
			if !end.After(now) || prague.key(kind, end) == key || prague.key(kind, end.Add(-time.Second)) != key {
				t.Errorf("%s ends %v", key, end)
			}
		}
	}
	if c := calendarOf(homeDoc{Zone: "Nowhere/At all", Season: 5}); c.zone != time.UTC || c.months != defaultSeason {
		t.Errorf("%v", c)
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"2026-10+3", "2026-10+3", 0}, {"2026-10+3", "2027-01+3", 1}, {"2025-10+3", "2027-01+3", 5}, {"2026-10+3", "2026-11+1", 1}, {"", "2026-11+1", 0}} {
		if got := seasonsBetween(test.a, test.b); got != test.want {
			t.Errorf("%s to %s: %d seasons", test.a, test.b, got)
		}
	}
}

// A rating is less certain in a later season, and no weaker.
func TestASeasonWidensRatings(t *testing.T) {
	t.Parallel()
	m := memberDoc{Ratings: map[string]ratingDoc{"sedma": {Rating: rating.Rating{Mu: 30, Sigma: 2}, Season: "2026-07+3"}}}
	same, next, later := m.ratingFor("sedma", "2026-07+3"), m.ratingFor("sedma", "2026-10+3"), m.ratingFor("sedma", "2027-10+3")
	if same.Sigma != 2 || next.Sigma <= 2 || later.Sigma <= next.Sigma || next.Mu != 30 {
		t.Error(same, next, later)
	}
}

// enterAll enters matches of random people into a home, and tells the other homes.
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
		for _, h := range []string{home, everywhere} {
			if err := b.enterElsewhere(t.Context(), h, fmt.Sprintf("%s-%d", home[len(home)-1:], i+1), r); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Duration(random.IntN(48)) * time.Hour)
	}
}

// What was entered once is entered once, however often it is told; and computed
// anew from the ledger everything is the same to the last digit. What somebody
// has changed is found, and put right.
func TestTheLedgerMakesTheBoards(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		enterAll(t, b, "test:1", 40, 1)
		running(t, b, func() { time.Sleep(5 * time.Second) })
		enterAll(t, b, "test:2", 25, 2)
		enterAll(t, b, "test:1", 40, 1) // the same again
		running(t, b, func() { time.Sleep(5 * time.Second) })
		check := func() Accounts {
			t.Helper()
			a, err := CheckBoards(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if a := check(); len(a.Wrong) > 0 || a.Homes != 3 || a.Matches != 2*65 || a.Rows == 0 {
			t.Fatalf("%+v", a)
		}

		p := store.Partition("test:1")
		name := memberName("test:1", "test:3")
		for what, change := range map[string]store.Change{
			"a rating":      {Writes: []store.Write{{Name: name, Expect: store.Any, Data: encode(memberDoc{Name: "P3"})}}},
			"a member less": {Writes: []store.Write{{Name: name, Expect: store.Any}}},
			"a member more": {Writes: []store.Write{{Name: memberName("test:1", "test:99"), Expect: store.Any, Data: encode(memberDoc{Name: "x"})}}},
			"a row":         {Rows: []store.Row{{Board: boardName("test:1", "sedma", allTime), Member: "test:3", Score: 5}}},
			"a row less":    {Rows: []store.Row{{Board: boardName("test:1", "all", allTime), Member: "test:4", Delete: true}}},
			"a row more":    {Rows: []store.Row{{Board: boardName("test:1", "all", allTime), Member: "test:99", Score: 1}}},
			"a result less": {Writes: []store.Write{{Name: resultName("test:1", "1-7"), Expect: store.Any}}},
		} {
			change.Partition = p
			if err := s.Store.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if a := check(); len(a.Wrong) == 0 {
				t.Errorf("%s: nobody noticed", what)
			}
			if a, err := RebuildBoards(t.Context(), s, b.docs.Now()); err != nil || len(a.Wrong) == 0 {
				t.Errorf("%s: %v, %+v", what, err, a)
			}
			if a := check(); len(a.Wrong) > 0 {
				t.Errorf("%s: after the rebuilding: %+v", what, a)
			}
		}
	})
}

// A season that is over goes into the hall of fame, its boards and those of past
// weeks and months go away, and all time stays.
func TestClosingASeason(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		for i := range 6 {
			r := seated(nil)
			r.At = b.docs.Now()
			if err := b.enterElsewhere(t.Context(), "test:1", fmt.Sprint("a-", i+1), r); err != nil {
				t.Fatal(err)
			}
		}
		first := calendarOf(homeDoc{}).key(seasonal, b.docs.Now())
		board := func(key string) int {
			_, n, err := s.Board(t.Context(), store.Partition("test:1"), boardName("test:1", "sedma", key), 0, 10, "")
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if board(first) != 4 || board(allTime) != 4 {
			t.Fatal(board(first), board(allTime))
		}
		time.Sleep(100 * 24 * time.Hour)
		running(t, b, func() { time.Sleep(5 * time.Second) })
		if board(first) != 0 || board(allTime) != 4 {
			t.Error(board(first), board(allTime))
		}
		docs, err := s.Get(t.Context(), homeKey("test:1"), store.Key{Partition: store.Partition("test:1"), Name: hallName("test:1")})
		if err != nil {
			t.Fatal(err)
		}
		var h homeDoc
		var hall hallDoc
		if err := decode(docs[0], &h); err != nil || len(h.Periods) > 0 || h.Played != 6 {
			t.Errorf("%v %+v", err, h)
		}
		if err := decode(docs[1], &hall); err != nil || len(hall.Seasons) != 1 || hall.Seasons[0].Key != first {
			t.Fatalf("%v %+v", err, hall)
		}
		if got := hall.medals("sedma"); len(got) != 4 || got["test:ann"] != 1 || got["test:cat"] != 1 || got["test:ben"] != 3 {
			t.Errorf("medals %v", got)
		}
		reply := b.Handle(t.Context(), Input{Player: Player{ID: "test:ann"}, Chat: Chat{ID: "c", Home: "test:1"}, Command: "leaderboard", Args: map[string]string{"period": "all", "game": "sedma"}})
		if !strings.Contains(reply.Screen.String(), "Ann 🥇") {
			t.Errorf("%s", reply.Screen)
		}
		if a, err := CheckBoards(t.Context(), s); err != nil || len(a.Wrong) > 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// The commit of a result is one round trip; what it is computed from is one more
// than for any other move.
func TestAResultIsOneCommit(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		r := seated(nil)
		s.take()
		if err := b.enterElsewhere(t.Context(), "test:1", "a-1", r); err != nil {
			t.Fatal(err)
		}
		if got := s.take(); got != "1 gets, 1 commits" {
			t.Error(got)
		}
	})
}

// A home that cannot be written to keeps no other waiting for a match.
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
			docs, err := s.Get(t.Context(), store.Key{Partition: store.Partition(home), Name: resultName(home, "m-1")})
			if err != nil {
				t.Fatal(err)
			}
			return docs[0].Version != 0
		}
		r := seated(func(seats []table.Seat) { seats[0].Player.ID = "test:1" })
		r.At, r.Homes = b.docs.Now(), []string{"test:broken", "test:well"}
		broken := homeKey("test:broken")
		put("test:broken", broken.Name, []byte("?"))
		job := resultName("test:home", "m-1")
		put("test:home", job, encode(r), store.Mark{ID: job, At: b.docs.Now()})
		running(t, b, func() {
			time.Sleep(3 * time.Second)
			if !entered("test:well") || entered("test:broken") {
				t.Error("the other home waits")
			}
			put("test:broken", broken.Name, nil)
			time.Sleep(2 * newerFor)
			if !entered("test:broken") {
				t.Error("the home that was mended has not got it")
			}
		})
	})
}
