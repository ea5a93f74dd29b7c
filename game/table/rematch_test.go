package table_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// finished returns a match of one deal that is over, with that many people.
func finished(t fataler, name string, persons int) *world {
	t.Helper()
	rules := gametest.Preset(t, name)
	rules.Target, rules.Deals, rules.HalfTime = 0, 1, 0
	w := started(t, rules, persons, pace, time.Hour)
	w.light = true
	for w.Phase != table.Over {
		if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() {
			w.do(w.who(seat), w.press(w.who(seat)))
		} else {
			w.untilDue()
		}
	}
	return w
}

// Whoever presses Rematch sits on their seat. The match starts when everyone who was there at the end has pressed, and
// otherwise a while after the last press, with the AI on the other seats. Whoever presses later takes their seat back
// from the AI until the second deal begins, and what the AI played there does not count as theirs.
func TestARematchStartsWithWhoeverPresses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"sedma-2p", "sedma-3p", "sedma-4p", "hola-6p"}).Draw(t, "game")
		players := gametest.Preset(t, name).Players
		persons := rapid.IntRange(1, players).Draw(t, "persons")
		w := finished(t, name, persons)
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}[:persons]).Draw(t, "order")
		coming := rapid.IntRange(1, persons).Draw(t, "coming")
		length := rapid.SampledFrom([]int{1, 3}).Draw(t, "deals")
		before := slices.Clone(w.Seats)
		w.Rules.Deals = length // the rematch has this length
		var last time.Time
		for i, who := range order[:coming] {
			if i > 0 {
				w.after(time.Duration(rapid.Int64Range(0, int64(table.RematchWait-time.Second)).Draw(t, "pause")))
			}
			w.do(who, table.Rematch{})
			last = w.now
			if all := i+1 == persons; all != (w.Phase != table.Lobby) {
				t.Fatalf("phase %s after %d of %d have pressed", w.Phase, i+1, persons)
			}
			if w.Phase == table.Lobby {
				if !w.Due().Equal(last.Add(table.RematchWait)) || !w.Public().Open {
					t.Fatalf("it starts at %s, %s after the last press; open: %v", w.Due(), w.Due().Sub(last), w.Public().Open)
				}
				for seat, s := range w.Seats {
					if want := slices.Contains(order[:i+1], w.whoWas(before, seat)); s.Player.ID != "" != want {
						t.Fatalf("seat %d has %+v", seat, s)
					}
				}
				w.refused(who, table.Rematch{}, table.ErrSeated)
			}
		}
		if coming < persons {
			w.after(table.RematchWait - time.Millisecond)
			if w.Phase != table.Lobby {
				t.Fatalf("it started early")
			}
			w.after(time.Millisecond)
		}
		if w.Phase != table.Playing && w.Phase != table.Pause || len(w.Awaited) > 0 {
			t.Fatalf("phase %s, awaited %v", w.Phase, w.Awaited)
		}
		for seat, s := range w.Seats {
			if came := slices.Contains(order[:coming], w.whoWas(before, seat)); came != (s.Player.ID == before[seat].Player.ID && s.Player.ID != "") || !came && s.AI == "" {
				t.Fatalf("seat %d has %+v, before it was %+v", seat, s, before[seat])
			}
		}
		late := order[coming:]
		moves := rapid.IntRange(0, 80).Draw(t, "moves")
		for range moves {
			if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() {
				w.do(w.who(seat), w.press(w.who(seat)))
			} else if w.Phase == table.Playing || w.Phase == table.Pause {
				w.untilDue()
			}
		}
		for _, who := range late {
			first := w.Phase == table.Playing && len(w.Past) == 0 || w.Phase == table.Pause && len(w.Past) == 1
			if open := w.Public().Open; open != first {
				t.Fatalf("open %v in phase %s after %d deals", open, w.Phase, len(w.Past))
			}
			if !first {
				if err := w.apply(who, table.Rematch{}); err == nil {
					t.Fatalf("a late player got a seat in phase %s after %d deals", w.Phase, len(w.Past))
				}
				continue
			}
			log := w.Deal.View(game.Nobody).Log
			w.do(who, table.Rematch{})
			for w.SeatOf(people[who].ID) < 0 && w.Phase != table.Over { // the trick goes on
				w.step()
			}
			seat := w.SeatOf(people[who].ID)
			if seat < 0 {
				return
			}
			if before[seat].Player.ID != people[who].ID {
				t.Fatalf("%s sits at %d", people[who].Name, seat)
			}
			auto := w.Auto
			if w.Phase == table.Pause {
				auto = w.Past[0].Auto
			}
			for i, e := range log {
				if e.Seat == seat && !slices.Contains(auto, i) {
					t.Fatalf("move %d of seat %d counts as that of %s", i, seat, people[who].Name)
				}
			}
		}
		w.refusedAny(5, table.Rematch{}, persons < 6)
	})
}

// whoWas returns the number of the person who had a seat, or -1.
func (w *world) whoWas(seats []table.Seat, seat int) int {
	return slices.IndexFunc(people, func(p table.Player) bool { return p.ID == seats[seat].Player.ID })
}

// refusedAny gives a command that must be refused, for any reason, if it is given at all.
func (w *world) refusedAny(who int, c table.Command, given bool) {
	w.Helper()
	if given && w.apply(who, c) == nil {
		w.Fatalf("%T by %s isn't refused", c, people[who].Name)
	}
}

// A press in the settings gives people more time. Those who don't come can leave the lobby to others: an outsider gets a
// seat that nobody is expected on.
func TestTheLobbyOfARematch(t *testing.T) {
	t.Parallel()
	w := finished(t, "sedma-4p", 3)
	w.do(1, table.Rematch{})
	w.sit("", "Béla", "", "AI")
	w.after(15 * time.Second)
	w.do(1, table.Choose{What: "limit", Value: "30"})
	w.after(15 * time.Second)
	w.do(4, table.Join{Seat: -1})
	w.sit("", "Béla", "", "Emil")
	w.after(15 * time.Second)
	w.do(2, table.Join{Seat: -1}) // the same as Rematch
	w.sit("", "Béla", "Cyril", "Emil")
	w.do(1, table.Leave{})
	w.do(2, table.Leave{})
	w.do(4, table.Leave{})
	if w.Phase != table.Lobby {
		t.Fatalf("Anna may still press, but the phase is %s", w.Phase)
	}
	w.after(time.Minute)
	w.do(0, table.Rematch{})
	if w.Phase != table.Playing || w.Host != people[0].ID {
		t.Fatalf("nobody else is awaited, but the phase is %s", w.Phase)
	}
	w.refused(4, table.Rematch{}, table.ErrStranger)
}

// A player of an earlier match who didn't sit in the last one can't ask for a rematch of it.
func TestARematchIsForThoseWhoPlayed(t *testing.T) {
	t.Parallel()
	w := finished(t, "sedma-2p", 2)
	w.do(0, table.Rematch{})
	w.after(table.RematchWait)
	w.sit("Anna", "AI")
	for w.Phase != table.Over {
		if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() {
			w.do(w.who(seat), w.press(w.who(seat)))
		} else {
			w.untilDue()
		}
	}
	w.refused(1, table.Rematch{}, table.ErrStranger)
}

// In a series, the wins of each side add up, the finished match included, until one side has more than half. Nobody else's
// match counts in it.
func TestASeries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"sedma-2p", "sedma-3p", "sedma-4p", "kovac-2p"}).Draw(t, "game")
		players := gametest.Preset(t, name).Players
		persons := rapid.IntRange(1, players).Draw(t, "persons")
		w := finished(t, name, persons)
		w.seeds = rapid.IntRange(0, 1e6).Draw(t, "seed")
		best := rapid.SampledFrom(append(table.SeriesLengths, 4)).Draw(t, "best")
		sides := 0
		for side := range w.Rules.Sides() {
			for seat := range persons {
				if w.Rules.Side(seat) == side {
					sides++
					break
				}
			}
		}
		if ok := sides > 1; ok != w.Public().Result.CanSeries() {
			t.Fatalf("%d people on %d sides can have a series: %v", persons, sides, w.Public().Result.CanSeries())
		} else if !ok || best == 4 {
			w.refused(0, table.Rematch{Best: best}, table.ErrNoChoice)
			return
		}
		wins := make([]int, w.Rules.Sides())
		add := func() {
			if w.Match.Winner >= 0 {
				wins[w.Match.Winner]++
			}
		}
		add()
		for match := range 9 {
			w.do(0, table.Rematch{Best: map[bool]int{true: best}[match == 0]})
			absent := rapid.IntRange(0, 9).Draw(t, "absent") == 0
			for who := 1; who < persons && !absent; who++ {
				w.do(who, table.Rematch{})
			}
			w.after(table.RematchWait)
			for w.Phase != table.Over {
				if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() {
					w.do(w.who(seat), w.press(w.who(seat)))
				} else {
					w.untilDue()
				}
			}
			s := w.Public().Result.Series
			if absent {
				if s != nil {
					t.Fatalf("others played, but the series goes on: %+v", s)
				}
				return
			}
			add()
			if s == nil || !slices.Equal(s.Wins, wins) || s.Best != best {
				t.Fatalf("the series is %+v, want wins %v", s, wins)
			}
			top := slices.Max(wins)
			if over := s.Winner() >= 0; over != (2*top > best) || over != w.Public().Result.CanSeries() {
				t.Fatalf("wins %v of %d, and the winner is %d; another one can begin: %v", wins, best, s.Winner(), w.Public().Result.CanSeries())
			} else if over {
				w.do(0, table.Rematch{})
				if w.Series != nil {
					t.Fatalf("a series that is won goes on: %+v", w.Series)
				}
				return
			}
		}
	})
}

// The process of an older version keeps none of the new fields. The rematch then goes on without them.
func TestAnOlderVersionForgetsWhoIsAwaited(t *testing.T) {
	t.Parallel()
	w := finished(t, "sedma-4p", 4)
	w.do(0, table.Rematch{Best: 3})
	w.Awaited, w.Series, w.Hauls, w.Gains = nil, nil, nil, nil
	w.do(1, table.Rematch{})
	w.sit("Anna", "Béla", "", "")
	w.after(table.RematchWait)
	w.sit("Anna", "Béla", "AI", "AI")
	w.do(2, table.Rematch{})
	w.sit("Anna", "Béla", "Cyril", "AI")
	var old table.Table
	if err := json.Unmarshal([]byte(`{"id":"t1","match_no":2,"phase":"lobby","last":{"match_no":1,"match":{},"seats":[]}}`), &old); err != nil || old.Public().Open {
		t.Fatal(err)
	}
	if _, _, err := table.Apply(old, people[0], table.Rematch{}, w.env()); !errors.Is(err, table.ErrStranger) {
		t.Fatal(err)
	}
}
