package table_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// inTrick reports whether a card lies on the table.
func (w *world) inTrick() bool { return len(w.Deal.View(game.Nobody).Trick) > 0 }

// untilAI plays until it is an AI's turn, within a trick or not.
func (w *world) untilAI(within bool) (seat int) {
	w.Helper()
	for range 1000 {
		if seat = w.turn(); seat >= 0 && w.Seats[seat].AI != "" && !w.Deal.Forced() && w.inTrick() == within {
			return seat
		}
		w.step()
	}
	w.Fatalf("the AI never has the turn")
	return -1
}

// A person takes an AI's seat in the middle of a match, with its hand, side and score, and plays on to the end.
func TestWhoeverComesLatePlays(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, 0)
	w.untilPhase(table.Pause)
	w.untilPhase(table.Playing)
	w.untilAI(true)
	w.step() // the AI plays a card
	scores, hand := slices.Clone(w.Match.Scores), w.Deal.Hand(3)
	if p := w.Public(); !p.Joins {
		t.Fatal("the table doesn't say that a seat can be taken")
	}
	deal := w.DealNo
	w.do(3, table.Join{Seat: -1})
	w.sit("Anna", "Béla", "Cyril", "Dana")
	if got := w.view(3).Hand; !slices.Equal(got, hand) || !slices.Equal(w.Match.Scores, scores) {
		t.Fatalf("the hand is %v and the score %v, want %v and %v", got, w.Match.Scores, hand, scores)
	}
	log := w.Deal.View(game.Nobody).Log
	for i, e := range log {
		if slices.Contains(w.Auto, i) != (e.Seat == 3) {
			t.Fatalf("the AI's moves are %v of %v", w.Auto, log)
		}
	}
	p := w.Public()
	if level, _ := p.AsBefore(3).Opponent(3); p.Joins || level == "" {
		t.Fatalf("Dana took the seat of %q, and another one can be taken: %v", level, p.Joins)
	}
	w.refused(3, table.Join{Seat: 1}, table.ErrSeated)
	w.do(3, table.Leave{})
	w.do(4, table.Join{Seat: -1}) // it is still Dana's
	w.do(3, table.Back{})
	w.untilPhase(table.Over)
	for seat, s := range last[table.MatchOver](w).Seats {
		if want := map[int]int{3: deal}[seat]; s.Late != want {
			t.Fatalf("seat %d came in deal %d, want %d", seat, s.Late, want)
		}
	}
}

// Within a trick, the AI whose turn it is plays on until the trick is over.
func TestASeatOnTurnIsTakenAfterTheTrick(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, 0)
	w.untilAI(true)
	w.do(3, table.Join{Seat: 3})
	if w.SeatOf(people[3].ID) >= 0 || w.Waits(people[3].ID) != table.NextTrick {
		t.Fatal("the seat whose turn it is was taken within a trick")
	}
	w.refused(3, table.Join{Seat: -1}, table.ErrWanted)
	w.do(4, table.Join{Seat: -1})
	if w.Waits(people[4].ID) != table.NextMatch {
		t.Fatalf("Emil waits for %q", w.Waits(people[4].ID))
	}
	for w.inTrick() {
		if w.SeatOf(people[3].ID) >= 0 {
			t.Fatal("the seat was taken within the trick")
		}
		w.step()
	}
	w.sit("Anna", "Béla", "Cyril", "Dana")
	w.untilTurn(3)
	w.do(4, table.Leave{})
	w.refused(4, table.Leave{}, table.ErrStranger)
}

// Whoever may have seen a hand of the deal gets the seat with the next one.
func TestWhoeverHasSeenAHandComesWithTheNextDeal(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, 0)
	w.do(2, table.Join{Seat: -1, Seen: true})
	w.do(3, table.Join{Seat: 3}) // the other one is Cyril's
	w.sit("Anna", "Béla", "AI", "Dana")
	if w.Waits(people[2].ID) != table.NextDeal || w.Public().Joins {
		t.Fatalf("Cyril waits for %q", w.Waits(people[2].ID))
	}
	next, _ := table.Forget(w.Table, people[3].ID, "gone:1", w.env())
	w.Table = next
	w.do(3, table.Join{Seat: -1}) // nobody knows that they held a hand of this deal
	w.sit("Anna", "Béla", "AI", "AI")
	w.untilPhase(table.Pause)
	w.sit("Anna", "Béla", "Cyril", "Dana")
	if w.Seats[2].Late != w.DealNo+1 {
		t.Fatalf("Cyril came in deal %d after deal %d", w.Seats[2].Late, w.DealNo)
	}
}

// Whoever has left in a deal has seen the hand of their own seat, and gets no other one: they come back to it. A spectator
// sees no hand.
func TestWhoeverHasLeftComesBackToTheirHand(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, 0)
	hand := w.Deal.View(2).Hand
	w.do(2, table.Leave{})
	if _, sees := w.Private(people[3].ID); sees {
		t.Error("a spectator sees a hand")
	}
	w.do(2, table.Join{Seat: 3}) // the AI's
	w.sit("Anna", "Béla", "Cyril", "AI")
	own, sits := w.Private(people[2].ID)
	if !sits || own.Seat != 2 || !cmp.Equal(own.View.Hand, hand) || len(w.Coming) > 0 {
		t.Errorf("Cyril has seat %d with %v, not %v", own.Seat, own.View.Hand, hand)
	}
}

// Without an AI's seat, people wait for the next match, in order.
func TestPeopleWaitForTheNextMatch(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-3p")
	rules.Target, rules.Deals = 0, 1
	w := started(t, rules, 3, pace, 0)
	for _, who := range []int{4, 3} {
		w.do(who, table.Join{Seat: -1})
	}
	if w.Waits(people[4].ID) != table.NextMatch || len(w.Public().Coming) != 2 {
		t.Fatalf("Emil waits for %q", w.Waits(people[4].ID))
	}
	w.do(2, table.Leave{})
	w.untilPhase(table.Over)
	w.do(0, table.Rematch{})
	w.sit("Anna", "", "Emil")
	w.after(table.RematchWait)
	w.sit("Anna", "Dana", "Emil")
	if w.Phase != table.Playing || len(w.Coming) > 0 || w.Seats[1].Late+w.Seats[2].Late > 0 {
		t.Fatalf("phase %s, seats %+v", w.Phase, w.Seats)
	}
	for i := range 10 {
		w.Coming = append(w.Coming, table.Newcomer{Player: table.Player{ID: string(rune('a' + i))}, Seat: -1})
	}
	w.refused(5, table.Join{Seat: -1}, table.ErrFull)
}

// Some tables let nobody in.
func TestTablesWithoutLatecomers(t *testing.T) {
	t.Parallel()
	alone := func(t *testing.T) *world {
		w := &world{fataler: t, now: noon, think: firstLegal}
		w.Table = table.New("t1", people[0].ID, table.Chat{ID: people[0].ID}, people[0], gametest.Preset(t, "sedma-4p"), pace, 0, noon)
		return w
	}
	for name, begin := range map[string]func(t *testing.T) *world{
		"private": func(t *testing.T) *world {
			w := alone(t)
			w.do(0, table.Start{})
			return w
		},
		"daily": func(t *testing.T) *world {
			w := alone(t)
			w.Table, _, _ = table.StartDaily(w.Table, table.Daily{Ends: noon.Add(time.Hour)}, w.env())
			return w
		},
		"shut": func(t *testing.T) *world {
			w := open(t, gametest.Preset(t, "sedma-4p"), pace, 0)
			w.refused(0, table.Choose{What: "late", Value: "perhaps"}, table.ErrNoChoice)
			w.do(0, table.Choose{What: "late", Value: "off"})
			w.do(0, table.Start{})
			return w
		},
		"tournament": func(t *testing.T) *world {
			w := alone(t)
			rules, err := table.TournamentRules(gametest.Preset(t, "sedma-4p"), 2)
			if err != nil {
				t.Fatal(err)
			}
			seats := []table.Seat{{Player: people[0]}, {AI: "medium"}, {AI: "medium"}, {AI: "medium"}}
			if w.Table, _, err = table.NewTournamentTable("t1", "discord:99", table.Tournament{ID: "c"}, seats, rules, pace, table.DefaultLimit, noon); err != nil {
				t.Fatal(err)
			}
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := begin(t)
			if w.Public().Joins {
				t.Error("it says that somebody can come")
			}
			w.refused(1, table.Join{Seat: -1}, table.ErrNotLobby)
		})
	}
}

// People come at any time of a match. Nobody who comes holds two hands of one deal, and all who wait get a seat as long as
// the AI has one (see world.check).
func TestPeopleComeAtAnyTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	came := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"sedma-2p", "sedma-3p", "sedma-4p", "hola-6p"}).Draw(t, "game")
		rules := gametest.Preset(t, name)
		rules.Target, rules.Deals, rules.HalfTime = 0, 3, 0
		w := started(t, rules, 1, pace, 0)
		w.light = true
		w.seeds = rapid.IntRange(0, 1e6).Draw(t, "seed")
		for who := 1; who < len(people); who++ {
			for range rapid.IntRange(0, 40).Draw(t, "moves") {
				if w.Phase != table.Over {
					w.step()
				}
			}
			if w.Phase == table.Over {
				return
			}
			before, pause, within, turn := w.Table, w.Phase == table.Pause, w.inTrick(), w.turn()
			seat := rapid.IntRange(-1, len(w.Seats)-1).Draw(t, "seat")
			seen := rapid.IntRange(0, 3).Draw(t, "seen") == 0
			if err := w.apply(who, table.Join{Seat: seat, Seen: seen}); err != nil {
				if seat < 0 || before.Seats[seat].AI != "" {
					t.Fatal(err)
				}
				continue
			}
			got := w.SeatOf(people[who].ID)
			switch free := before.Public().Joins; {
			case got < 0 && free && (pause || !seen && !within):
				t.Fatalf("%s has to wait for %q", people[who].Name, w.Waits(people[who].ID))
			case got >= 0 && (seen && !pause || within && got == turn || before.Seats[got].AI == ""):
				t.Fatalf("%s got seat %d", people[who].Name, got)
			case got >= 0:
				came++
			}
		}
		for w.Phase != table.Over {
			w.step()
			for i, s := range w.Seats {
				if w.Phase == table.Pause && s.AI != "" && len(w.Coming) > 0 {
					t.Fatalf("the AI has seat %d, and %s waits", i, w.Coming[0].Player.Name)
				}
			}
		}
	})
	if came < 20 {
		t.Errorf("%d people came", came)
	}
}

// An older process drops what it doesn't know. The seat stays, and so do the AI's moves.
func TestAnOlderVersionKeepsTheSeat(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, 0)
	w.untilAI(true)
	w.step()
	w.do(2, table.Join{Seat: -1})
	w.do(3, table.Join{Seat: -1, Seen: true})
	var old map[string]any
	if err := json.Unmarshal([]byte(marshal(t, w.Table)), &old); err != nil {
		t.Fatal(err)
	}
	delete(old, "coming")
	for _, s := range old["seats"].([]any) {
		delete(s.(map[string]any), "late")
	}
	w.Table = table.Table{}
	if err := json.Unmarshal([]byte(marshal(t, old)), &w.Table); err != nil {
		t.Fatal(err)
	}
	w.sit("Anna", "Béla", "Cyril", "AI")
	w.do(3, table.Join{Seat: -1})
	w.untilPhase(table.Over)
}
