package table_test

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

func TestTheFirstDealerComesFromTheSeed(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	dealt := map[int]bool{}
	for i := range 40 {
		w := open(t, rules, pace, table.DefaultLimit)
		w.seeds = i
		w.do(0, table.Start{})
		seed := seedOf(i + 1)
		sum := sha256.Sum256(append(seed[:], "dealer"...))
		want := int(binary.BigEndian.Uint64(sum[:]) % 4)
		p := w.Public()
		if p.Dealer != want || p.Hash != sha256.Sum256(seed[:]) || last[table.DealStarted](w).Hash != p.Hash {
			t.Fatalf("dealer %d, want %d; hash %x", p.Dealer, want, p.Hash)
		}
		dealt[want] = true
	}
	if len(dealt) != 4 {
		t.Fatalf("only %v deal", dealt)
	}
}

func TestTheSeedIsShownAfterTheDeal(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 1, pace, table.DefaultLimit)
	seed, hash := w.Seed, w.Public().Hash
	if len(w.Public().Past) != 0 {
		t.Fatal("a past deal before the first one ended")
	}
	w.untilPhase(table.Pause)
	p := w.Public()
	if p.Past[0].Seed != seed || p.Hash != hash || sha256.Sum256(p.Past[0].Seed[:]) != hash {
		t.Fatal("another seed than was promised")
	}
	if len(p.Past[0].Tricks) == 0 {
		t.Fatal("no tricks of the deal that has just ended")
	}
	w.untilPhase(table.Playing)
	w.untilPhase(table.Pause)
	if p = w.Public(); p.Past[0].Seed != seed || len(p.Past[0].Tricks) != 0 || len(p.Past[1].Tricks) == 0 {
		t.Fatal("the tricks kept are not those of the latest deal")
	}
}

func TestLeavingAMatch(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-3p"), 2, pace, table.DefaultLimit)
	w.do(0, table.Leave{})
	w.sit("Anna left", "Béla", "AI")
	w.refused(0, table.Leave{}, table.ErrStranger)
	if w.Host != people[1].ID {
		t.Fatalf("the host is %s", w.Host)
	}
	w.do(0, table.Join{Seat: -1})
	w.sit("Anna", "Béla", "AI")
	w.do(0, table.Leave{})
	w.do(0, table.Back{})
	w.sit("Anna", "Béla", "AI")
	w.untilTurn(0)
	w.do(0, table.Leave{})
	press := w.press(0)
	w.do(0, press)
	w.sit("Anna", "Béla", "AI")
	w.do(0, table.Leave{})
	w.do(1, table.Leave{})
	if w.Phase != table.Closed || count[table.TableClosed](w) != 1 {
		t.Fatalf("phase %s with nobody left", w.Phase)
	}
}

func TestTheAIPlaysOnForALeaver(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, table.DefaultLimit)
	w.untilTurn(0)
	w.after(10 * time.Second)
	w.do(0, table.Leave{})
	if wait := w.Due().Sub(w.now); wait < pace*6/10 || wait > pace*16/10 {
		t.Fatalf("the AI takes over after %s", wait)
	}
	w.untilPhase(table.Over)
	w.sit("Anna left", "Béla", "AI", "AI")
	if s := last[table.MatchOver](w).Seats[0]; s.Player != people[0] || !s.Left {
		t.Fatalf("the result has %+v", s)
	}
}

func TestNamesAreKeptUpToDate(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, table.DefaultLimit)
	anna := people[0]
	anna.Name, anna.Lang, anna.Face = "Anička", "sk", "german"
	next, _, err := table.Apply(w.Table, anna, table.Back{}, w.env())
	if err != nil || next.Seats[0].Player != anna || next.Host != anna.ID {
		t.Fatalf("seat %+v, %v", next.Seats[0], err)
	}
}

// Somebody who plays alone against the AI begins the next deal when they like. Among several people, it begins by itself.
func TestTheOnlyPersonBeginsTheNextDeal(t *testing.T) {
	t.Parallel()
	for persons, want := range map[int]table.Phase{1: table.Playing, 2: table.Pause} {
		w := started(t, gametest.Preset(t, "sedma-4p-cash"), persons, pace, table.DefaultLimit)
		w.refused(0, table.Resume{}, table.ErrNotResting)
		w.untilPhase(table.Pause)
		if persons > 1 {
			w.refused(0, table.Resume{}, table.ErrNotResting)
		} else {
			w.do(0, table.Resume{})
		}
		if w.Phase != want {
			t.Errorf("%d people: %s", persons, w.Phase)
		}
	}
}

func TestLastDeal(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p-cash"), 2, pace, table.DefaultLimit)
	w.refused(1, table.LastDeal{}, table.ErrNotHost)
	w.untilPhase(table.Pause)
	w.untilPhase(table.Playing)
	w.do(0, table.LastDeal{})
	if !w.Public().LastDeal {
		t.Fatal("nobody is told")
	}
	w.untilPhase(table.Over)
	checkLastDeal(w, 2)
	w.refused(0, table.LastDeal{}, table.ErrNotPlaying)

	w = started(t, gametest.Preset(t, "sedma-4p-cash"), 1, pace, table.DefaultLimit)
	w.untilPhase(table.Pause)
	w.do(0, table.LastDeal{})
	w.untilPhase(table.Over)
	checkLastDeal(w, 2)
	w.do(0, table.Rematch{})
	if w.Public().LastDeal {
		t.Fatal("the rematch ends with its first deal")
	}
}

// checkLastDeal checks the end of a match that the host ended early.
func checkLastDeal(w *world, hands int) {
	w.Helper()
	over := last[table.MatchOver](w)
	if over.Match.Deals != hands || !over.Match.Over || count[table.DealOver](w) != hands {
		w.Fatalf("over after %d hands", over.Match.Deals)
	}
	scores := over.Match.Scores
	switch winner := over.Match.Winner; {
	case scores[0] == scores[1] && (winner != game.Nobody || len(over.Winners) != 0),
		scores[0] != scores[1] && (winner < 0 || scores[winner] < scores[1-winner] || len(over.Winners) != 2):
		w.Fatalf("scores %v, winner %d, seats %v", scores, winner, over.Winners)
	}
}

func TestRematch(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, 0, table.DefaultLimit)
	w.refused(0, table.Rematch{}, table.ErrNotOver)
	w.untilPhase(table.Over)
	deals := w.DealNo
	old := w.oldPress()
	winner := w.Match.Winner
	w.refused(4, table.Rematch{}, table.ErrStranger)
	w.do(1, table.Leave{})
	w.do(2, table.Rematch{})
	w.sit("", "AI", "Cyril", "AI")
	p := w.Public()
	if p.Phase != table.Lobby || p.MatchNo != 2 || p.HasDeal || len(p.Past) != 0 || p.Scores != nil {
		t.Fatalf("after the rematch: %+v", p)
	}
	w.refused(2, old, table.ErrOldDeal)
	w.refused(1, table.Start{}, table.ErrStranger)
	w.refused(2, table.LastDeal{}, table.ErrNotPlaying)
	w.do(1, table.Join{Seat: -1})
	w.do(2, table.Leave{})
	w.do(1, table.Start{}) // though Cyril was the first to press
	w.sit("AI", "Béla", "AI", "AI")
	p = w.Public()
	if p.DealNo != deals+1 || len(p.Past) != 0 || p.Scores[0] != 0 || p.Scores[1] != 0 {
		t.Fatalf("the second match begins with %+v", p)
	}
	if w.Rules.Side(p.Dealer) == winner {
		t.Fatalf("seat %d deals, which won", p.Dealer)
	}
	w.refused(1, old, table.ErrOldDeal)
}

// oldPress returns a press on a button of a deal that has ended.
func (w *world) oldPress() table.Play { return table.Play{Deal: w.DealNo, Move: game.Stop} }

func TestALoserDealsTheRematch(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sedma-2p", "sedma-3p", "sedma-4p", "slovak-4p", "ristikontra", "soccer-home"} {
		rules := gametest.Preset(t, name)
		for i := range 3 {
			w := open(t, rules, 0, table.DefaultLimit)
			w.seeds, w.light = 1000*i, true
			w.do(0, table.Start{})
			w.untilPhase(table.Over)
			winner := w.Match.Winner
			w.do(0, table.Rematch{}) // nobody else is there, so the deal starts at once
			if w.Phase != table.Playing && w.Phase != table.Pause {
				t.Fatalf("%s: phase %s", name, w.Phase)
			}
			if dealer := w.Public().Dealer; winner >= 0 && rules.Side(dealer) == winner {
				t.Fatalf("%s: seat %d deals, which won", name, dealer)
			}
		}
	}
}

// TestAShorterRematch checks that a shorter rematch keeps the game and takes the next
// shorter length, down to one deal.
func TestAShorterRematch(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-2p")
	rules.Target = 5
	w := open(t, rules, 0, table.DefaultLimit)
	w.light = true
	w.do(0, table.Start{})
	w.refused(0, table.Rematch{Shorter: true}, table.ErrNotOver)
	for _, next := range []struct{ target, hands int }{{3, 0}, {0, 1}} {
		w.untilPhase(table.Over)
		w.do(0, table.Rematch{Shorter: true}) // alone, and so at once
		rules.Target, rules.Deals = next.target, next.hands
		if w.Rules != rules || w.Match.Rules != rules {
			t.Fatalf("to %d or %d deals: the rules are %+v, of the match %+v", next.target, next.hands, w.Rules, w.Match.Rules)
		}
	}
	w.untilPhase(table.Over)
	if w.Match.Deals != 1 {
		t.Fatalf("one deal took %d", w.Match.Deals)
	}
	w.refused(0, table.Rematch{Shorter: true}, table.ErrNoChoice)
	w.do(0, table.Rematch{})
	if w.Rules != rules {
		t.Fatalf("a rematch changed the rules to %+v", w.Rules)
	}
}

// TestAShorterRematchOfSeveral checks that the first press sets the length, and that
// later presses only sit down.
func TestAShorterRematchOfSeveral(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, 0, table.DefaultLimit)
	w.untilPhase(table.Over)
	w.do(1, table.Leave{})
	w.do(0, table.Rematch{Shorter: true})
	if w.Rules.Target != 5 || w.Phase != table.Playing && w.Phase != table.Lobby {
		t.Fatalf("%s, first to %d", w.Phase, w.Rules.Target)
	}

	w = started(t, gametest.Preset(t, "sedma-2p"), 2, 0, table.DefaultLimit)
	w.untilPhase(table.Over)
	w.do(0, table.Rematch{Shorter: true})
	w.do(1, table.Rematch{Shorter: true}) // everyone has pressed, so it starts
	if w.Rules.Target != 5 || w.Phase != table.Playing && w.Phase != table.Pause {
		t.Fatalf("%s, first to %d", w.Phase, w.Rules.Target)
	}
}

func TestALeaverMayAskForARematch(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, 0, table.DefaultLimit)
	w.do(0, table.Leave{})
	w.untilPhase(table.Over)
	w.do(0, table.Rematch{})
	w.sit("Anna", "")
	w.do(1, table.Rematch{})
	w.sit("Anna", "Béla")
}

// If the host is away, anyone who asks for a rematch must become the host. Then somebody is there to start it.
func TestARematchHasAHostWhoIsThere(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, pace, time.Minute)
	for w.Phase != table.Over {
		w.untilDue()
	}
	w.sit("Anna away", "Béla away")
	w.do(1, table.Rematch{}) // nobody else was there at the end
	w.sit("AI", "Béla")
}

func TestAFinishedTableWaitsForARematch(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 1, 0, table.DefaultLimit)
	w.untilPhase(table.Over)
	w.after(table.OverLife - time.Second)
	if w.Phase != table.Over {
		t.Fatalf("phase %s", w.Phase)
	}
	w.after(time.Second)
	if w.Phase != table.Closed || w.Public().Result == nil {
		t.Fatalf("phase %s, result %v", w.Phase, w.Public().Result)
	}
}

// A hand of four equal cards must end the deal before anybody moves.
func TestADealThatIsOverAtOnce(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-2p-spalena-hra")
	for i := range 5000 {
		deal, err := game.Deal(rules, game.Shuffle(rules.Pack(), seedOf(i+1)), 0)
		if err != nil || !deal.Over() {
			continue
		}
		w := open(t, rules, pace, table.DefaultLimit)
		w.seeds = i
		w.do(0, table.Start{})
		over := last[table.DealOver](w)
		if w.Phase != table.Pause || over.Result.End != game.EndBurnedGame || len(over.Log) != 0 {
			t.Fatalf("phase %s after %+v", w.Phase, over.Result)
		}
		w.untilDue()
		if w.DealNo != 2 {
			t.Fatalf("deal %d", w.DealNo)
		}

		// Without pace, the deal after it must get a seed of its own too.
		w = started(t, rules, 1, 0, 0)
		w.untilPhase(table.Pause)
		w.seeds = i
		no := w.DealNo
		w.after(0)
		if w.DealNo != no+1 || w.Phase == table.Playing {
			t.Fatalf("deal %d in phase %s after deal %d", w.DealNo, w.Phase, no)
		}
		return
	}
	t.Fatal("no such deal among 5000")
}
