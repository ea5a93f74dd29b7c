package ai

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// cardsOf reads cards like "7a 8l".
func cardsOf(t *testing.T, text string) (cards []game.Card) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		c, err := game.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, c)
	}
	return cards
}

// endOf returns a deal that continues from these hands, by seat, after these moves. Seat 1 has won all cards that are nowhere
// else.
func endOf(t *testing.T, preset string, leader int, stock, moves string, hands ...string) game.State {
	t.Helper()
	r := gametest.Preset(t, preset)
	p := game.Position{Leader: leader, Stock: cardsOf(t, stock), Captured: make([][]game.Card, r.Players), TricksWon: make([]int, r.Players), Solo: game.Nobody}
	used := slices.Clone(p.Stock)
	for _, hand := range hands {
		p.Hands = append(p.Hands, cardsOf(t, hand))
		used = append(used, cardsOf(t, hand)...)
	}
	p.Captured[1] = slices.DeleteFunc(slices.Clone(r.Pack()), func(c game.Card) bool { return slices.Contains(used, c) })
	p.TricksWon[1] = 1
	s, err := game.Start(r, p)
	for _, word := range strings.Fields(moves) {
		var m game.Move
		if m, err = game.ParseMove(word); err == nil {
			s, err = game.Apply(s, s.Turn(), m)
		}
		if err != nil {
			t.Fatalf("%s: %v", word, err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// explainerOf returns what looks for the reason why one move of the state is better than another.
func explainerOf(t *testing.T, s game.State, better, other string) *explainer {
	t.Helper()
	v := s.View(s.Turn())
	f := newForm(&v.Rules)
	b, err1 := game.ParseMove(better)
	o, err2 := game.ParseMove(other)
	if err1 != nil || err2 != nil || !slices.Contains(v.Legal, b) || !slices.Contains(v.Legal, o) {
		t.Fatalf("%s or %s isn't legal: %v (%v, %v)", better, other, v.Legal, err1, err2)
	}
	e := &explainer{knowledge: know(&v, f), v: &v, b: policyFor(f), m: newMatch(f, &game.Match{}), random: 1, better: b, other: o, x: f.move(b), y: f.move(o)}
	e.look()
	return e
}

// A trick is said to be certain only if nobody can take it away whatever they have: nobody can beat the card, nobody is left to
// do it, or the seat can take the trick back each time. Otherwise the cards are named that can still take it.
func TestTricksThatAreCertain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, preset    string
		leader          int
		moves           string
		hands           []string
		better, other   string
		sure            bool
		takers, missing string
	}{
		{name: "a seven backs the seven", preset: "sedma-2p", leader: 1, moves: "8b", hands: []string{"7h 7l Th 9l", "8b 7b Ka Oa"}, better: "7h", other: "Th", sure: true},
		{name: "two sevens are out", preset: "sedma-2p", leader: 1, moves: "8b", hands: []string{"7h 7l Th 9l", "8b 7b 7a Oa"}, better: "7h", other: "Th", takers: "7a 7b"},
		{name: "nothing backs it", preset: "sedma-2p", leader: 1, moves: "8b", hands: []string{"7h Kl Th 9l", "8b 7b Ka Oa"}, better: "7h", other: "Th", takers: "7b"},
		{name: "nobody can beat it", preset: "sedma-2p", leader: 1, moves: "8b", hands: []string{"7h Kl Th 9l", "8b 9b Ka Oa"}, better: "7h", other: "Th", sure: true},
		{name: "last in the round, with a second seven", preset: "sedma-4p", leader: 1, moves: "8b 9a 9l", hands: []string{"7h 7l", "8b Ka", "9a Oa", "9l 7b"}, better: "7h", other: "7l", sure: true},
		{name: "others play after it", preset: "sedma-4p", leader: 3, moves: "8b", hands: []string{"7h 7l", "9b Ka", "9a Oa", "8b 7b"}, better: "7h", other: "7l", takers: "7b"},
		{name: "eights that aren't in the pack", preset: "sedma-3p", leader: 2, moves: "8l", hands: []string{"8a 9l Kb Oa", "7b 7l Kh 9b", "8l Ka Tb Ob"}, better: "8a", other: "9l", takers: "7l 7b", missing: "8h 8b"},
		{name: "all nines are in the pack", preset: "sedma-3p", leader: 2, moves: "9l", hands: []string{"8a 9a Kb Oa", "7b 7l Kh 9b", "9l Ka Tb Ob"}, better: "9a", other: "8a", takers: "7l 7b 9b"},
		{name: "osmova: an eight beats the seven", preset: "osmova-2p", leader: 1, moves: "9b", hands: []string{"7h 7l Th Kl", "9b 8b Ka Oa"}, better: "7h", other: "Th", takers: "8b"},
		{name: "led: a pair against the last seven", preset: "sedma-4p", leader: 0, hands: []string{"Tl Th Uh 8b", "7h Ol", "8a Kb", "9a 9b"}, better: "Th", other: "Uh", sure: true},
		{name: "led: a pair against two sevens", preset: "sedma-4p", leader: 0, hands: []string{"Tl Th Uh 8b", "7h Ol", "8a 7b", "9a 9b"}, better: "Th", other: "Uh"},
	} {
		s := endOf(t, c.preset, c.leader, "", c.moves, c.hands...)
		e := explainerOf(t, s, c.better, c.other)
		takers := []game.Card(nil)
		if !e.takesFor(e.x) {
			takers = e.takers()
		}
		if sure := e.takesFor(e.x); sure != c.sure || !slices.Equal(slices.Sorted(slices.Values(takers)), slices.Sorted(slices.Values(cardsOf(t, c.takers)))) {
			t.Errorf("%s: %v, and %v can still take it", c.name, sure, takers)
		}
		if missing := e.missing(Reason{Cause: Over, Cards: takers}); !slices.Equal(missing, cardsOf(t, c.missing)) {
			t.Errorf("%s: %v aren't in the pack", c.name, missing)
		}
		if c.sure && !takesIt(s, s.Turn(), e.better) {
			t.Errorf("%s: the trick can be lost", c.name)
		}
	}
}

// With the cards of the others known, a reason says what is certain. It means all hands that they can have, and the seat doesn't
// see them.
func TestCertainPoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, preset  string
		leader        int
		stock, moves  string
		hands         []string
		better, other string
		points, than  int // 0, 0: nothing is said
	}{
		{name: "two players", preset: "sedma-2p", leader: 1, moves: "Tb 7h 7b", hands: []string{"7l Ka 9l 7h", "Tb 7b Tl Ah"}, better: "Ka", other: "7l", points: 30, than: 0},
		{name: "three players: a seven is out", preset: "sedma-3p", leader: 0, moves: "Ka Tl Tb", hands: []string{"Ka 7l", "Tl 7b", "Tb Al"}, better: "stop", other: "7l", points: 20},
		{name: "it is better only if the others' cards are known", preset: "sedma-3p", leader: 0, moves: "Ka Tl Tb", hands: []string{"Ka 7l", "Tl 9b", "Tb Al"}, better: "stop", other: "7l"},
		{name: "the stock isn't empty", preset: "sedma-3p", leader: 0, stock: "9b Ob 8l", moves: "Ka Tl Tb", hands: []string{"Ka 7l", "Tl 7b", "Tb Al"}, better: "stop", other: "7l"},
		{name: "the others have too many cards", preset: "sedma-4p", leader: 0, hands: []string{"Ka 7l", "Tl 7b", "Tb Al", "9b 9l"}, better: "Ka", other: "7l"},
	} {
		e := explainerOf(t, endOf(t, c.preset, c.leader, c.stock, c.moves, c.hands...), c.better, c.other)
		if r, ok := e.open(); ok != (c.points > 0) || ok && (r.Points != c.points || r.Than != c.than || r.Several != (len(c.hands) > 2)) {
			t.Errorf("%s: %+v, %v", c.name, r, ok)
		}
	}
}

// The last seven takes the last trick for certain, if two players have as many cards each, and the seat has no other.
func TestLastSevenTakesTheLastTrick(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset, stock string
		hands         []string
		sure          bool
	}{
		{"sedma-2p", "Ta Oa Ub 9l 9b Kl", []string{"7l 9h Th", "8h 8l Kb Ob"}, true},
		{"sedma-2p", "Ta Oa 7b 9l 9b Kl", []string{"7l 9h Th", "8h 8l Kb Ob"}, false},
		{"sedma-2p", "Ta Oa Ub 9l 9b Kl", []string{"7l 7b 9h", "8h 8l Kb Ob"}, false},
		{"sedma-4p", "", []string{"7l 9h Th", "8h 8l Kb Ob", "9b 9l Kl Ua", "Ta Tb Oa Uh"}, false},
		{"kovac-2p", "Ta Oa Ub 9l 9b Kl", []string{"7l 9h Th", "8h 8l Kb Ob"}, false},
		{"osmova-2p", "Ta Oa Ub 9l 9b Kl", []string{"7l 9h Th", "Oh Ol Kb Ob"}, false},
	} {
		moves := strings.Fields(c.hands[1])[0]
		for _, hand := range c.hands[2:] {
			moves += " " + strings.Fields(hand)[0]
		}
		c.hands[0] += " Ka"
		s := endOf(t, c.preset, 1, c.stock, moves, c.hands...)
		e := explainerOf(t, s, "9h", "7l")
		if sure := e.lastSeven(); sure != c.sure {
			t.Errorf("%s, %v: %v", c.preset, c.hands, sure)
		}
		for try := range 40 {
			if !c.sure {
				break
			}
			if winner := withoutSeven(t, s, uint64(try)); winner != 0 {
				t.Errorf("%v: seat %d takes the last trick", c.hands, winner)
			}
		}
	}
}

// withoutSeven plays a deal on, in which seat 0 keeps its seven as long as it can. It returns who wins the last trick.
func withoutSeven(t *testing.T, s game.State, from uint64) int {
	t.Helper()
	random := rand.New(rand.NewPCG(31, from))
	for !s.Over() {
		legal := s.Legal()
		if s.Turn() == 0 {
			if kept := slices.DeleteFunc(slices.Clone(legal), func(m game.Move) bool { c, ok := m.Card(); return ok && c.Rank() == '7' }); len(kept) > 0 {
				legal = kept
			}
		}
		var err error
		if s, err = game.Apply(s, s.Turn(), legal[random.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return s.View(0).LastTrick
}

// The points to expect are added to a card that nobody can beat, where it could be kept: nobody could beat it later either.
func TestUnbeatableCardsThatCouldBeKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, moves   string
		leader        int
		hands         []string
		better, other string
		keeps         bool
	}{
		{"a ten is led", "", 0, []string{"Oh 9l Ta", "Al Kb Kl", "Ol Kh Ua", "Ka Ub Ul"}, "Ta", "9l", true},
		{"one of two tens is led", "", 0, []string{"Tb 9l Ta", "Al Kb Kl", "Ol Kh Ua", "Ka Ub Ul"}, "Ta", "9l", false},
		{"a seven in an empty trick", "Kb Ol Ub", 1, []string{"7b 9l Ta", "Al Kb Kl", "Ol Kh Ua", "Ka Ub Ul"}, "7b", "9l", true},
		{"a seven in a trick with points", "Al Ol Ub", 1, []string{"7b 9l Ta", "Al Kb Kl", "Ol Kh Ua", "Ka Ub Ul"}, "7b", "9l", false},
	} {
		e := explainerOf(t, endOf(t, "sedma-4p", c.leader, "", c.moves, c.hands...), c.better, c.other)
		if keeps := e.keeps(); keeps != c.keeps {
			t.Errorf("%s: %v", c.name, keeps)
		}
	}
}

// A partner's trick: the cards that can still take it are named, both where points are added and where a seven wouldn't help.
func TestPartnersTrickCanStillBeLost(t *testing.T) {
	t.Parallel()
	s := endOf(t, "sedma-4p", 2, "", "8b 9a", "Ta 9h 7l", "7h Kb Ub", "8b Kh Ua", "9a Oh Ul")
	e := explainerOf(t, s, "Ta", "9h")
	var feed, leave Reason
	for _, f := range e.facts() {
		if f.Cause == Feed {
			feed = f.Reason
		}
	}
	e = explainerOf(t, s, "9h", "7l")
	for _, f := range e.facts() {
		if f.Cause == Leave {
			leave = f.Reason
		}
	}
	if want := cardsOf(t, "7h"); feed.Sure || feed.Own || !slices.Equal(feed.Cards, want) || !slices.Equal(leave.Cards, want) {
		t.Errorf("%+v, %+v", feed, leave)
	}
	_, _, why, err := Explain(context.Background(), s.View(0), game.Match{}, 200, game.Move(cardsOf(t, "7l")[0]))
	if err != nil || why.Cause == NoCause {
		t.Errorf("%+v, %v", why, err)
	}
}
