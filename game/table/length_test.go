package table_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// TestEveryLengthEndsAsPromised plays a match of each length that a lobby of each preset
// offers: it ends after so many deals, or with the first deal after which one side
// alone has the target. Presets that score and count alike for as many players are tried once.
func TestEveryLengthEndsAsPromised(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	tried := map[string]bool{}
	for _, name := range game.Presets() {
		rules := gametest.Preset(t, name)
		for _, length := range game.Lengths(rules) {
			kind := fmt.Sprint(length, rules.Scoring, rules.Players, rules.Teams)
			if tried[kind] && !long {
				continue
			}
			tried[kind] = true
			w := open(t, rules, 0, table.DefaultLimit)
			w.light = true
			w.do(0, table.Choose{What: "length", Value: length})
			if w.Page != table.SeatsPage || game.Length(w.Rules) != length {
				t.Fatalf("%s as %s: %s on page %q", name, length, game.Length(w.Rules), w.Page)
			}
			w.do(0, table.Start{})
			w.untilPhase(table.Over)
			checkEnd(w, name, length)
		}
	}
}

// checkEnd checks that the match ended where its length says.
func checkEnd(w *world, name, length string) {
	w.Helper()
	var kind rune
	var n int
	if _, err := fmt.Sscanf(length, "%c%d", &kind, &n); err != nil {
		w.Fatalf("%v", err)
	}
	ended := func(deals int, scores []int) bool {
		top := slices.Max(scores)
		alone := 0
		for _, score := range scores {
			if score == top {
				alone++
			}
		}
		return kind == 'h' && deals == n || kind == 't' && top >= n && alone == 1
	}
	for i, past := range w.Past {
		if last := i == len(w.Past)-1; ended(i+1, past.Totals) != last {
			w.Fatalf("%s, %s: after %d of %d deals the score is %v", name, length, i+1, len(w.Past), past.Totals)
		}
	}
}

func TestALengthIsTheHostsChoiceInTheLobby(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-4p"), 0, table.DefaultLimit)
	w.do(1, table.Join{Seat: -1})
	for _, value := range []string{"", "t4", "h2", "x", "10"} {
		if err := w.apply(0, table.Choose{What: "length", Value: value}); !errors.Is(err, table.ErrNoChoice) {
			t.Errorf("length %q: %v", value, err)
		}
	}
	w.refused(1, table.Choose{What: "length", Value: "t3"}, table.ErrNotHost)
	w.do(0, table.Choose{What: "length", Value: "t3"})

	// Another game keeps the length, if it has it.
	for _, next := range []struct{ variant, length string }{{"zsirozas-4p", "t3"}, {"ristikontra", "t3"}, {"hola-4p", "t300"}, {"sedma-4p", "t10"}} {
		w.do(0, table.Choose{What: "game", Value: game.Family(next.variant)})
		if got := game.Length(w.Rules); w.Rules.Preset != next.variant || got != next.length {
			t.Errorf("%s is %s, not %s", w.Rules.Preset, got, next.length)
		}
	}
	w.do(0, table.Start{})
	w.refused(0, table.Choose{What: "length", Value: "t3"}, table.ErrNotLobby)
}

// TestDealsAreTimed checks that a deal's time is that of its turns and of the pause
// before it. A long turn counts as two minutes, and a halt doesn't count.
func TestDealsAreTimed(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, 0, 0)
	turns := 0
	play := func(wait time.Duration) {
		t.Helper()
		if w.Deal.Forced() {
			w.untilDue()
			return
		}
		w.now = w.now.Add(wait)
		who := w.who(w.turn())
		w.do(who, w.press(who))
		turns++
	}
	play(3 * time.Hour) // counts as 120 s
	w.do(0, table.Rest{})
	w.do(1, table.Rest{})
	w.now = w.now.Add(time.Hour)
	w.do(0, table.Resume{})
	for w.Phase == table.Playing {
		play(4 * time.Second)
	}
	if got, want := w.Past[0].Took, 120+4*(turns-1); got != want {
		t.Errorf("the first deal took %d s, not %d", got, want)
	}
	w.after(30 * time.Second) // the pause
	turns = 0
	for w.Phase == table.Playing {
		play(2 * time.Second)
	}
	if got, want := w.Past[1].Took, 30+2*turns; got != want {
		t.Errorf("the second deal took %d s, not %d", got, want)
	}
	if got, want := table.Timed(w.Past), (table.DealTime{Deals: 2, Seconds: w.Past[0].Took + w.Past[1].Took}); got != want {
		t.Errorf("timed are %v, not %v", got, want)
	}
	if got := table.Timed([]table.Past{{}, {Took: 7}}); got != (table.DealTime{Deals: 1, Seconds: 7}) {
		t.Errorf("a deal without a time counts: %v", got)
	}
}

// TestMatchTime checks that longer matches take longer, that the times of the home come first, and that the estimate stays
// the same while people join.
func TestMatchTime(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	w := open(t, rules, pace, table.DefaultLimit)
	times := func() []time.Duration {
		var all []time.Duration
		for _, length := range game.Lengths(rules) {
			r, err := game.WithLength(rules, length)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, w.Public().MatchTime(r))
		}
		return all
	}
	alone := times()
	if !slices.IsSorted(alone) || alone[0] < 30*time.Second || alone[3] > time.Hour {
		t.Errorf("a match takes %v", alone)
	}
	w.do(1, table.Join{Seat: -1})
	if two := times(); !slices.Equal(two, alone) {
		t.Errorf("with a second person a match takes %v, not %v", two, alone)
	}
	w.Times = table.DealTimes{}.Add(table.TimeKey("sedma", 4, 2), table.DealTime{Deals: 2, Seconds: 200}).
		Add(table.TimeKey("sedma", 4, 3), table.DealTime{Deals: 2, Seconds: 400}).Add(table.TimeKey("sedma", 2, 2), table.DealTime{Deals: 9, Seconds: 9})
	if got := times()[0]; got != 150*time.Second {
		t.Errorf("one deal takes %v, not the 150 s that it took so far", got)
	}
	w.do(0, table.Start{})
	if w.Times != nil {
		t.Error("the times stay with the table after the lobby")
	}
}

func TestDealTimes(t *testing.T) {
	t.Parallel()
	one := table.DealTimes(nil).Add("a", table.DealTime{Deals: 1, Seconds: 10})
	two := one.Add("a", table.DealTime{Deals: 2, Seconds: 50}).Add("b", table.DealTime{})
	if one["a"].Deals != 1 || len(two) != 1 || two["a"] != (table.DealTime{Deals: 3, Seconds: 60}) {
		t.Errorf("%v, then %v", one, two)
	}
	own := table.DealTimes{"sedma 4 2": {Deals: 1, Seconds: 10}}
	all := own.Else(table.DealTimes{"sedma 4 1": {Deals: 9, Seconds: 9}, "hola 2 2": {Deals: 1, Seconds: 1}})
	if len(own) != 1 || len(all) != 2 || all["sedma 4 2"].Deals != 1 || all["hola 2 2"].Deals != 1 {
		t.Errorf("with those of others: %v", all)
	}
}
