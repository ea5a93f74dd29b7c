package boards_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/boards"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// enterAll enters matches of random people into a home, and into the ledger of all homes.
func enterAll(t *testing.T, w *town.Town, home string, n int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		r := league.Result{At: time.Now(), Family: "sedma"}
		for s, name := range random.Perm(9)[:4] {
			seat := league.ResultSeat{Player: fmt.Sprint("test:", name), Name: fmt.Sprint("P", name), Side: s % 2, Rank: 1 + s%2, Won: s%2 == 0, Stakes: 6 - 12*(s%2)}
			if random.IntN(20) == 0 {
				seat.Gone, seat.Won, seat.Stakes = true, false, min(0, seat.Stakes)
			}
			if random.IntN(30) == 0 {
				seat.Player, seat.Name, seat.Gone, seat.Won = "", "", false, false
			}
			r.Seats = append(r.Seats, seat)
		}
		for _, h := range []string{home, league.Everywhere} {
			enter(t, w, h, fmt.Sprintf("%s-%d", home[len(home)-1:], i+1), r)
		}
		time.Sleep(time.Duration(random.IntN(48)) * time.Hour)
	}
}

// A result is entered only once, however often it is reported. If everything is
// recomputed from the ledger, it is the same to the last digit. Values that were
// changed by hand are found and corrected.
func TestTheLedgerMakesTheBoards(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		enterAll(t, w, "test:1", 40, 1)
		w.Pass(5 * time.Second)
		enterAll(t, w, "test:2", 25, 2)
		enterAll(t, w, "test:1", 40, 1) // the same again
		w.Pass(5 * time.Second)
		check := func() upkeep.Accounts {
			t.Helper()
			a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if a := check(); len(a.Wrong) > 0 || a.Homes != 3 || a.Matches != 2*65 || a.Rows == 0 {
			t.Fatalf("%+v", a)
		}

		name := doc.MemberName("test:1", "test:3")
		for what, change := range map[string]store.Change{
			"a rating":      {Writes: []store.Write{{Name: name, Expect: store.Any, Data: doc.Encode(league.Member{Name: "P3"})}}},
			"a member less": {Writes: []store.Write{{Name: name, Expect: store.Any}}},
			"a member more": {Writes: []store.Write{{Name: doc.MemberName("test:1", "test:99"), Expect: store.Any, Data: doc.Encode(league.Member{Name: "x"})}}},
			"a row":         {Rows: []store.Row{{Board: league.BoardName("test:1", "sedma", league.AllTime), Member: "test:3", Score: 5}}},
			"a row less":    {Rows: []store.Row{{Board: league.BoardName("test:1", "all", league.AllTime), Member: "test:4", Delete: true}}},
			"a row more":    {Rows: []store.Row{{Board: league.BoardName("test:1", "all", league.AllTime), Member: "test:99", Score: 1}}},
			"a result less": {Writes: []store.Write{{Name: league.ResultName("test:1", "1-7"), Expect: store.Any}}},
		} {
			change.Partition = store.Partition("test:1")
			if err := w.Docs.Store.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if a := check(); len(a.Wrong) == 0 || strings.Contains(fmt.Sprint(a.Wrong), "test:") {
				t.Errorf("%s: %v", what, a.Wrong)
			}
			if a, err := upkeep.RebuildBoards(t.Context(), w.Docs.Store, time.Now()); err != nil || len(a.Wrong) == 0 {
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
	town.In(t, func(t *testing.T, w *town.Town) {
		for i := range 6 {
			enter(t, w, "test:1", fmt.Sprint("a-", i+1), won(time.Now(), "test:ann", "test:ben", "test:cat", "test:dan"))
		}
		first := league.CalendarOf(doc.Home{}).Key(league.Seasonal, time.Now())
		board := func(key string) int {
			_, n, err := w.Docs.Store.Board(t.Context(), store.Partition("test:1"), league.BoardName("test:1", "sedma", key), 0, 10, "")
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if board(first) != 4 || board(league.AllTime) != 4 {
			t.Fatal(board(first), board(league.AllTime))
		}
		time.Sleep(town.Season)
		w.Pass(5 * time.Second)
		if board(first) != 0 || board(league.AllTime) != 4 {
			t.Error(board(first), board(league.AllTime))
		}
		var h doc.Home
		var hall league.Hall
		if w.Get(doc.HomeKey("test:1"), &h); len(h.Periods) > 0 || h.Played != 6 {
			t.Errorf("%+v", h)
		}
		if w.Get(doc.InHome("test:1", league.HallName("test:1")), &hall); len(hall.Seasons) != 1 || hall.Seasons[0].Key != first {
			t.Fatalf("%+v", hall)
		}
		// Ben and Dan have the next best ratings, but won no match.
		if got := hall.Medals("sedma"); len(got) != 2 || got["test:ann"] != 1 || got["test:cat"] != 1 {
			t.Errorf("medals %v", got)
		}
		w.Has(w.Command("test:eve", "test:1", "leaderboard", "period", "all", "game", "sedma"), "ann 🥇")
		if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// counted is a store that counts round trips.
type counted struct {
	*storetest.Memory
	gets, commits int
}

func (s *counted) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	s.gets++
	return s.Memory.Get(ctx, keys...)
}

func (s *counted) Commit(ctx context.Context, c store.Change) error {
	s.commits++
	return s.Memory.Commit(ctx, c)
}

// Entering a result takes two round trips: one for all of its documents, and the commit.
func TestAResultIsOneCommit(t *testing.T) {
	t.Parallel()
	s := &counted{Memory: storetest.NewMemory()}
	defer s.Close()
	docs := &doc.Docs{Store: doc.NewWitness(s, nil), Now: time.Now}
	room := boards.New(docs, work.New(docs), nil)
	if err := room.EnterElsewhere(t.Context(), "test:1", "a-1", won(time.Now(), "test:ann", "test:ben")); err != nil {
		t.Fatal(err)
	}
	if s.gets != 1 || s.commits != 1 {
		t.Errorf("%d gets, %d commits", s.gets, s.commits)
	}
}

// A home that can't be written to doesn't keep other homes from counting a match.
func TestABrokenLedgerDelaysNoOther(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		put := func(home, name string, data []byte, due ...store.Mark) {
			t.Helper()
			err := w.Docs.Store.Commit(t.Context(), store.Change{
				Partition: store.Partition(home), Now: time.Now(), Due: due,
				Writes: []store.Write{{Name: name, Expect: store.Any, Data: data}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		entered := func(home string) bool {
			t.Helper()
			return w.Get(doc.InHome(home, league.ResultName(home, "m-1")), &league.Result{}) != 0
		}
		r := won(time.Now(), "test:1", "test:ben")
		r.Homes = []string{"test:broken", "test:well"}
		broken := doc.HomeKey("test:broken").Name
		put("test:broken", broken, []byte("?"))
		job := league.ResultName("test:home", "m-1")
		put("test:home", job, doc.Encode(r), store.Mark{ID: job, At: time.Now()})
		w.Pass(3 * time.Second)
		if !entered("test:well") || entered("test:broken") {
			t.Error("the other home waits")
		}
		put("test:broken", broken, nil)
		w.Pass(2 * work.NewerFor)
		if !entered("test:broken") {
			t.Error("the home that was mended has not got it")
		}
	})
}

// older turns a home's documents into those of an earlier version, which changed seasons of three months to six in the
// middle of one: results of the old season, then some that count in a season that began before it, and ratings gone wrong.
func older(t *testing.T, w *town.Town, home string) {
	t.Helper()
	var h doc.Home
	partition := store.Partition(home)
	w.Get(doc.HomeKey(home), &h)
	running, wrong := h.Lengths[0], "2000-07+6"
	h.Season, h.Lengths, h.Rated, h.Periods = 6, nil, 0, append(h.Periods, wrong)
	put := map[string]any{doc.HomeName(home): h}
	for name := range w.Stored() {
		switch kind, _ := doc.KindAndRest(name); {
		case kind == "result" && strings.HasPrefix(name, league.ResultName(home, "")):
			var r league.Result
			w.Get(store.Key{Partition: partition, Name: name}, &r)
			if r.Season != running {
				t.Fatalf("%s counts in %s, not in %s", name, r.Season, running)
			}
			if r.No > 5 {
				r.Season = wrong
			}
			put[name] = r
		case kind == "member" && strings.HasPrefix(name, doc.MemberName(home, "")):
			var m league.Member
			w.Get(store.Key{Partition: partition, Name: name}, &m)
			for family, r := range m.Ratings {
				r.Mu -= 9
				m.Ratings[family] = r
			}
			put[name] = m
		}
	}
	w.Put(partition, put)
	for _, player := range []string{"test:1", "test:2"} {
		c := store.Change{Partition: partition, Now: time.Now(), Rows: []store.Row{{Board: league.BoardName(home, "sedma", wrong), Member: player, Score: 3, Data: []byte(`{"name":"P"}`)}}}
		if err := w.Docs.Store.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

// The next process repairs ratings and boards that an earlier version spoiled, once, also if it is killed at any commit of that,
// and if the earlier version runs again in between.
func TestRatingsOfAnEarlierVersionAreRepaired(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for dies := range 3 {
		town.InDying(t, func(t *testing.T, w *town.Town, s *town.Dying) {
			time.Sleep(310 * 24 * time.Hour)
			enterAll(t, w, "test:1", 8, 3)
			w.Pass(time.Second)
			var before []string
			for _, home := range []string{"test:1", league.Everywhere} {
				before = append(before, w.Stored()[doc.MemberName(home, "test:2")])
			}
			for range 2 {
				older(t, w, "test:1")
				older(t, w, league.Everywhere)
				if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) == 0 {
					t.Fatalf("nothing is wrong: %v", err)
				}
				w.Pass(5 * time.Second) // until the process has found them
				s.Dies(dies, dies%2 == 0)
				w.Pass(league.RateLater)
				s.Lives()
				w.Pass(league.RateLater)
				if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 {
					t.Errorf("killed after %d commits: %v, %v", dies, err, a.Wrong)
				}
				for i, home := range []string{"test:1", league.Everywhere} {
					if diff := cmp.Diff(before[i], w.Stored()[doc.MemberName(home, "test:2")]); diff != "" {
						t.Errorf("killed after %d commits: %s", dies, diff)
					}
					var h doc.Home
					if w.Get(doc.HomeKey(home), &h); h.Rated != league.Rule {
						t.Errorf("home %s: %+v", home, h)
					}
				}
			}
			commits := s.Commits()
			if w.Pass(time.Minute); s.Commits() != commits {
				t.Errorf("%d more commits", s.Commits()-commits)
			}
		})
	}
}

// While a process of an earlier version enters matches, too, a home keeps that version's rule. Its matches are rated by this
// version's once the other has been gone for a while.
func TestAnEarlierVersionsRuleHoldsInARoll(t *testing.T) {
	t.Parallel()
	for _, earlier := range []int{0, 2} {
		rollsFrom(t, earlier)
	}
}

func rollsFrom(t *testing.T, earlier int) {
	t.Helper()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:roll"
		rated := func() int {
			var m league.Member
			w.Get(doc.InHome(home, doc.MemberName(home, "test:ann")), &m)
			return len(m.Ratings)
		}
		shown := func() int { // on the board
			t.Helper()
			rows, _, err := w.Docs.Store.Board(t.Context(), store.Partition(home), league.BoardName(home, league.AllGames, league.AllTime), 0, 2, "")
			if err != nil {
				t.Fatal(err)
			}
			var row league.BoardRow
			ann := slices.IndexFunc(rows, func(s store.Standing) bool { return s.Member == "test:ann" })
			if err := json.Unmarshal(rows[ann].Data, &row); err != nil {
				t.Fatal(err)
			}
			return row.Rating
		}
		for i := range 8 {
			r := won(time.Now(), "test:ann", "test:ben", "", "")
			r.Seats[2].AI, r.Seats[3].AI = "medium", "medium"
			enter(t, w, home, fmt.Sprint("a-", i+1), r)
			// At first it has members by no earlier rule. One showed the first ratings, and the one before rated only people.
			if later := i > 0; rated() > 0 == (later && earlier == 0) || shown() > 0 != (later && earlier == 2) {
				t.Errorf("rule %d, match %d: %d ratings, %d shown", earlier, i+1, rated(), shown())
			}
			var h doc.Home
			w.Get(doc.HomeKey(home), &h)
			h.Rated, h.Rater = earlier, 0 // the earlier version drops what it doesn't know
			docs := map[string]any{doc.HomeName(home): h}
			if earlier == 0 {
				docs[doc.MemberName(home, "test:ann")] = league.Member{}
			}
			w.Put(store.Partition(home), docs)
			w.Pass(league.RateLater / 2)
		}
		w.Pass(2 * league.RateLater)
		if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || rated() != 2 || shown() > 0 || len(a.Wrong) > 0 {
			t.Errorf("rule %d: %d ratings, %d shown, %v, %v", earlier, rated(), shown(), err, a.Wrong)
		}
	})
}

// A match in a chat where the bot isn't counts nowhere, also if the boards are computed again.
func TestAMatchWhereTheBotIsntIsNotRebuilt(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home, message = "test:home", "test:message"
		w.Match(home, "2", "test:ann", "test:ben")
		in := w.Input("test:ann", message)
		in.Chat.Single, in.Command, in.Args = true, "new", map[string]string{"rules": "2"}
		w.Handle(t.Context(), in)
		w.Presses("test:ben", message, view.Press{Action: view.ActJoin, Table: w.At(message).ID})
		w.Presses("test:ann", message, view.Press{Action: view.ActStart, Table: w.At(message).ID})
		w.Presses("test:ann", message, view.Press{Action: view.ActLast, Table: w.At(message).ID})
		tab := w.PlayOn(w.At(message).ID, 1000)
		if tab.Phase != table.Over || !tab.Guest() {
			t.Fatalf("%+v", tab)
		}
		w.Pass(time.Minute)
		before := w.Stored()
		for range 2 {
			a, err := upkeep.RebuildBoards(t.Context(), w.Docs.Store, time.Now())
			if err != nil || len(a.Wrong) > 0 || a.Replayed != 1 || a.Matches != 2 {
				t.Errorf("%+v, %v", a, err)
			}
			w.Pass(time.Minute)
		}
		if diff := cmp.Diff(before, w.Stored()); diff != "" {
			t.Error(diff)
		}
		match := tab.ID + "-1"
		for _, home := range []string{message, league.Everywhere} { // as an earlier version did
			enter(t, w, home, match, won(time.Now(), "test:ann", "test:ben"))
		}
		for _, home := range []string{"telegram:iAbc", league.Everywhere} { // its document has no mark, or has expired
			enter(t, w, home, "0abcdefghijkl-1", won(time.Now(), "test:ann", "test:ben"))
		}
		if a, err := upkeep.RebuildBoards(t.Context(), w.Docs.Store, time.Now()); err != nil || len(a.Wrong) == 0 {
			t.Errorf("%+v, %v", a, err)
		}
		if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 || a.Matches != 2 {
			t.Errorf("%+v, %v", a, err)
		}
		after := w.Stored()
		for name := range after {
			if _, there := before[name]; !there && !slices.Contains([]string{"home", "skill"}, doc.KindOf(name)) {
				t.Errorf("there is %s", name)
			}
		}
		if diff := cmp.Diff(before[doc.MemberName(league.Everywhere, "test:ann")], after[doc.MemberName(league.Everywhere, "test:ann")]); diff != "" {
			t.Error(diff)
		}
	})
}

// If the result of a shared table is lost, in one of its homes or in all, it is rebuilt in all of them.
func TestALostResultIsRebuiltInEveryHomeThatCountsIt(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	const home, guest = "test:home", "test:guest"
	for _, lost := range [][]string{{home, guest}, {guest, league.Everywhere}} {
		town.In(t, func(t *testing.T, w *town.Town) {
			w.Match(home, "2", "test:ann", "test:ben")
			w.Match(guest, "2", "test:ann", "test:ben")
			tab := w.Sit(home, "2", "test:ann", "test:ben")
			code := w.Command("test:ann", home, "share").Screen.String()
			at := strings.Index(code, "share-en ") + len("share-en ")
			asked := w.Command("test:eve", guest, "share", "code", code[at:at+8])
			w.Presses("test:eve", guest, town.Press(asked.Screen.Rows[0][0].Press))
			w.Presses("test:ann", home, view.Press{Action: view.ActStart, Table: tab.ID})
			w.Presses("test:ann", home, view.Press{Action: view.ActLast, Table: tab.ID})
			w.PlayOn(tab.ID, 1000)
			w.Pass(time.Minute)
			w.Accounts("before")
			before := w.Stored()
			for _, home := range lost {
				c := store.Change{Partition: store.Partition(home), Now: time.Now(), Writes: []store.Write{{Name: league.ResultName(home, tab.ID+"-1"), Expect: store.Any}}}
				if err := w.Docs.Store.Commit(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}
			if a, err := upkeep.RebuildBoards(t.Context(), w.Docs.Store, time.Now()); err != nil || len(a.Wrong) == 0 {
				t.Fatalf("%+v, %v", a, err)
			}
			w.Pass(time.Minute)
			w.Accounts("afterwards")
			after := w.Stored()
			for _, home := range []string{home, guest, league.Everywhere} {
				for _, name := range []string{league.ResultName(home, tab.ID+"-1"), doc.MemberName(home, "test:ann")} {
					var is, was struct{ D map[string]any }
					if err := errors.Join(json.Unmarshal([]byte(before[name]), &was), json.Unmarshal([]byte(after[name]), &is)); err != nil {
						t.Fatalf("lost in %v: %s: %v", lost, name, err)
					}
					delete(was.D, "took") // records have no times
					delete(is.D, "took")
					if diff := cmp.Diff(was, is); diff != "" {
						t.Errorf("lost in %v: %s: %s", lost, name, diff)
					}
				}
			}
		})
	}
}

// Over random matches in two chats and in the ledger of all, with people who delete their data and come back, and chats that
// the bot is removed from, totals and boards are those of a plain count, and the same if they are computed again.
func TestBoardsAfterDeletions(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			town.In(t, func(t *testing.T, w *town.Town) {
				random := rand.New(rand.NewPCG(seed, 3))
				homes, people := []string{"test:1", "test:2", league.Everywhere}, []string{"test:a", "test:b", "test:c", "test:d", "test:e", "test:f"}
				played := map[string][][]league.ResultSeat{} // by home
				for no := range 40 {
					home, guest, person := homes[no%2], homes[1-no%2], people[random.IntN(len(people))]
					_, known := totalsOf(home, played[home])[person]
					switch random.IntN(10) {
					case 0:
						if !known {
							continue
						}
						w.Presses(person, person, w.Button(w.Command(person, person, "mydata", "what", "delete"), "Yes, delete all of it"))
						w.Pass(time.Hour)
						for _, all := range played {
							for _, seats := range all {
								for i := range seats {
									if seats[i].Player == person {
										seats[i].Player = table.Gone
									}
								}
							}
						}
					case 1:
						if len(played[home]) == 0 {
							continue
						}
						w.Presence(home, chat.Removed)
						w.Pass(upkeep.PurgeAfter + time.Hour)
						delete(played, home)
					default:
						r := league.Result{At: time.Now(), Family: "sedma"}
						for i, p := range random.Perm(len(people))[:2+2*random.IntN(2)] {
							s := league.ResultSeat{Player: people[p], Name: people[p], Side: i % 2, Rank: 1 + i%2, Won: i%2 == 0, Stakes: 3 - 6*(i%2)}
							switch random.IntN(12) {
							case 0:
								s.Gone, s.Won, s.Stakes = true, false, min(0, s.Stakes)
							case 1:
								if i > 0 { // somebody plays in each match
									s.Player, s.Name = "", ""
								}
							}
							r.Seats = append(r.Seats, s)
						}
						where := []string{home, league.Everywhere}
						if random.IntN(3) == 0 {
							where = append(where, guest)
						}
						for _, home := range where {
							enter(t, w, home, fmt.Sprintf("m-%d", no+1), r)
							played[home] = append(played[home], slices.Clone(r.Seats))
						}
						w.Pass(time.Duration(random.IntN(24*9)) * time.Hour)
					}
					agrees(t, w, homes, played)
				}
				if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 || a.Matches == 0 {
					t.Errorf("%+v, %v", a, err)
				}
			})
		})
	}
}

// totalsOf returns the totals of those who played in a home, by id: of people, and of people together against the AI.
func totalsOf(home string, played [][]league.ResultSeat) map[string]league.Totals {
	all := map[string]league.Totals{}
	for _, seats := range played {
		sides, ids, gone := map[int]bool{}, []string(nil), false
		together := league.Totals{Matches: 1, Wins: 1}
		for _, s := range seats {
			if s.Player != "" {
				sides[s.Side], ids, gone = true, append(ids, s.Player), gone || league.IsGone(s.Player)
				together.Lost = s.Rank - 1
				if !s.Won {
					together.Wins = 0
				}
			}
		}
		pair := ""
		if len(sides) == 1 && len(ids) > 1 && home != league.Everywhere {
			slices.Sort(ids)
			pair = "pair:medium:" + strings.Join(ids, "+")
		}
		if pair != "" && !gone {
			n := all[pair]
			n.Matches, n.Wins, n.Lost = n.Matches+1, n.Wins+together.Wins, n.Lost+together.Lost
			all[pair] = n
		}
		for _, s := range seats {
			if s.Player == "" || league.IsGone(s.Player) {
				continue
			}
			n, win, left := all[s.Player], map[bool]int{true: 1}[s.Won], map[bool]int{true: 1}[s.Gone]
			switch {
			case pair != "": // it is their match together
			case len(sides) == 1:
				n.AIMatches, n.AIWins, n.AIStakes = n.AIMatches+1, n.AIWins+win, n.AIStakes+s.Stakes
			default:
				n.Matches, n.Wins, n.Stakes, n.Left = n.Matches+1, n.Wins+win, n.Stakes+s.Stakes, n.Left+left
			}
			all[s.Player] = n
		}
	}
	return all
}

// agrees compares the members and the boards of all time with what was played.
func agrees(t *testing.T, w *town.Town, homes []string, played map[string][][]league.ResultSeat) {
	t.Helper()
	stored := w.Stored()
	for _, home := range homes {
		is := map[string]league.Totals{}
		for name := range stored {
			if at, player := doc.PairOf(name); doc.KindOf(name) == "member" && at == home {
				var m league.Member
				w.Get(doc.InHome(home, name), &m)
				is[player] = m.Games[league.AllGames]
			}
		}
		want := totalsOf(home, played[home])
		if diff := cmp.Diff(want, is); diff != "" {
			t.Fatalf("%s: %s", home, diff)
		}
		rows, _, err := w.Docs.Store.Board(t.Context(), store.Partition(home), league.BoardName(home, league.AllGames, league.AllTime), 0, 100, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			var shown league.BoardRow
			if err := json.Unmarshal(row.Data, &shown); err != nil || shown.Totals != want[row.Member] {
				t.Fatalf("%s: %s has the row %s, want %+v", home, row.Member, row.Data, want[row.Member])
			}
		}
		maps.DeleteFunc(want, func(_ string, n league.Totals) bool { return n == league.Totals{} }) // they only played together
		if len(rows) != len(want) {
			t.Fatalf("%s: %d rows, want %d", home, len(rows), len(want))
		}
	}
}
