// Package gametest tests any set of rules with random deals. At every state of a deal it checks what package game
// promises: legal moves, cards, storage, and that no view leaks a hidden card. Call [Deal] with rules from [Rules].
package gametest

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"sedmabot/game"
)

// T is the part of *testing.T and *rapid.T that the suite uses.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// A Chooser picks a number from 0 to n-1; n is at least 1.
type Chooser func(n int) int

// Preset returns the rules of a preset.
func Preset(t T, name string) game.Rules {
	t.Helper()
	r, err := game.Preset(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return r
}

// Shuffled returns the pack of the rules, shuffled by the chooser.
func Shuffled(r game.Rules, choose Chooser) []game.Card {
	deck := r.Pack()
	permute(deck, choose)
	return deck
}

func permute[E any](list []E, choose Chooser) {
	for i := len(list) - 1; i > 0; i-- {
		j := choose(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// Deal plays one deal with the chooser's moves and checks every state. It returns the last state, and how many pairs of
// states it compared for leaks.
func Deal(t T, r game.Rules, choose Chooser) (game.State, int) {
	t.Helper()
	deck, dealer := Shuffled(r, choose), choose(r.Players)
	s, err := game.Deal(r, deck, dealer)
	if err != nil {
		t.Fatalf("deal: %v", err)
	}
	compared := 0
	for n := 0; ; n++ {
		legal := s.Legal()
		checkLegal(t, s, legal)
		checkCards(t, s, deck)
		if n%5 == 0 || s.Over() {
			checkStored(t, s, deck)
			compared += checkLeaks(t, s, deck, choose, game.State.View)
		}
		if s.Over() {
			break
		}
		next, err := game.Apply(s, s.Turn(), legal[choose(len(legal))])
		if err != nil {
			t.Fatalf("a legal move: %v", err)
		}
		checkStep(t, s, next)
		s = next
	}
	checkCount(t, s)
	return s, compared
}

// checkLegal tries every move from every seat. Only the legal moves of the seat whose turn it is may be accepted. All
// others must be refused and leave the state unchanged.
func checkLegal(t T, s game.State, legal []game.Move) {
	t.Helper()
	before := s
	if s.Over() != (len(legal) == 0) || s.Over() != (s.Turn() == game.Nobody) || s.Over() != (s.Phase() == game.Over) {
		t.Fatalf("over %v, turn %d, phase %v, legal %v", s.Over(), s.Turn(), s.Phase(), legal)
	}
	if s.Forced() != (s.Phase() == game.Decide && slices.Equal(legal, []game.Move{game.Stop})) {
		t.Errorf("forced %v, but legal %v in phase %v", s.Forced(), legal, s.Phase())
	}
	for i, m := range legal {
		if slices.Contains(legal[:i], m) {
			t.Errorf("%v is listed twice in %v", m, legal)
		}
	}
	for seat := -1; seat <= s.Rules().Players; seat++ {
		for m := range 256 {
			m := game.Move(m)
			next, err := game.Apply(s, seat, m)
			ok := seat >= 0 && seat == s.Turn() && slices.Contains(legal, m)
			var rule game.Rule
			switch {
			case ok && err != nil:
				t.Errorf("seat %d, %v is legal, and refused: %v", seat, m, err)
			case !ok && err == nil:
				t.Errorf("seat %d, %v is not legal (%v), and accepted", seat, m, legal)
			case !ok && !errors.As(err, &rule):
				t.Errorf("seat %d, %v: %v is no rule", seat, m, err)
			case !ok && !next.Equal(before):
				t.Errorf("seat %d, %v is refused, and the state changed", seat, m)
			}
		}
	}
	if s != before {
		t.Fatalf("trying moves changed the state")
	}
}

// checkCards checks that every card of the deck is in exactly one place.
func checkCards(t T, s game.State, deck []game.Card) {
	t.Helper()
	v := s.View(game.Nobody)
	rest := deck[len(deck)-v.Stock:]
	found := slices.Clone(rest)
	for seat, n := range v.Counts {
		held := cards(s.Hand(seat))
		if len(held) != n {
			t.Errorf("seat %d holds %d cards, and %d are counted", seat, len(held), n)
		}
		found = append(found, held...)
	}
	for _, trick := range v.Tricks {
		for _, p := range trick.Plays {
			found = append(found, p.Card)
		}
	}
	for _, p := range v.Trick {
		found = append(found, p.Card)
	}
	all := slices.Clone(deck)
	slices.Sort(all)
	slices.Sort(found)
	if !slices.Equal(all, found) {
		t.Fatalf("cards are lost or made:\n%v\n%v", all, found)
	}
}

// cards returns the cards without the free places.
func cards(places []game.Card) []game.Card {
	return slices.DeleteFunc(slices.Clone(places), func(c game.Card) bool { return c == 0 })
}

// checkStored checks that the state stays the same when written and read, and when replayed from its moves.
func checkStored(t T, s game.State, deck []game.Card) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatalf("write the state: %v", err)
	}
	var back game.State
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("read the state: %v", err)
	}
	if !back.Equal(s) {
		t.Errorf("the state does not come back from its JSON: %s", text)
	}
	again, err := game.Replay(s.Rules(), deck, s.Dealer(), s.Moves())
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if !again.Equal(s) {
		t.Errorf("the replay is another state")
	}

	type before game.Trick // stored as a JSON object, as older versions did
	tricks := s.View(game.Nobody).Tricks
	for _, trick := range tricks {
		for _, v := range []any{trick, before(trick)} {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatalf("write a trick: %v", err)
			}
			var back game.Trick
			if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, trick) {
				t.Errorf("the trick does not come back from %s: %v", text, err)
			}
		}
	}
}

// checkLeaks permutes the cards that a seat has not seen and replays the moves. The seat's view must stay the same. It
// returns how many comparisons were possible, because with other cards some moves are illegal.
func checkLeaks(t T, s game.State, deck []game.Card, choose Chooser, view func(game.State, int) game.View) int {
	t.Helper()
	compared := 0
	for seat := game.Nobody; seat < s.Rules().Players; seat++ {
		v := s.View(seat)
		seen := map[game.Card]bool{}
		for _, c := range v.Hand {
			seen[c] = true
		}
		for _, e := range v.Log {
			seen[e.Card] = true
		}
		var hidden []int
		var unseen []game.Card
		for i, c := range deck {
			if !seen[c] {
				hidden, unseen = append(hidden, i), append(unseen, c)
			}
		}
		permute(unseen, choose)
		other := slices.Clone(deck)
		for i, at := range hidden {
			other[at] = unseen[i]
		}
		twin, err := game.Replay(s.Rules(), other, s.Dealer(), s.Moves())
		if err != nil || twin.Over() != s.Over() {
			continue
		}
		compared++
		if v, w := view(s, seat), view(twin, seat); !reflect.DeepEqual(v, w) {
			t.Errorf("seat %d sees what is hidden:\n%+v\n%+v", seat, v, w)
		}
	}
	return compared
}

// checkStep compares a state with the next one. Cards keep their places, drawn cards take free ones, and one seat has
// made one more decision.
func checkStep(t T, s, next game.State) {
	t.Helper()
	for seat := range s.Rules().Players {
		if want := s.Decisions(seat) + b2i(seat == s.Turn()); next.Decisions(seat) != want {
			t.Errorf("seat %d has made %d decisions, not %d", seat, next.Decisions(seat), want)
		}
		before, after := s.Hand(seat), next.Hand(seat)
		for i, c := range before {
			if c != 0 && after[i] != c && seat != s.Turn() {
				t.Errorf("seat %d: %v in place %d became %v", seat, c, i, after[i])
			}
		}
	}
	log := next.View(game.Nobody).Log
	if e := log[len(log)-1]; e.Seat != s.Turn() {
		t.Errorf("seat %d moved, and %+v is in the log", s.Turn(), e)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkCount recomputes the totals of a finished deal from its cards, and settles it.
func checkCount(t T, s game.State) {
	t.Helper()
	r := s.Rules()
	res, ok := s.Result()
	if !ok {
		t.Fatalf("a finished deal has no result")
	}
	v := s.View(game.Nobody)
	points, rounds := 0, 0
	for _, trick := range v.Tricks {
		rounds += trick.Rounds
		for _, p := range trick.Plays {
			points += r.CardPoints.Of(p.Card.Rank())
		}
	}
	if sum(res.CardPoints) != points || sum(res.RoundsWon) != rounds || sum(res.TricksWon) != len(v.Tricks) {
		t.Errorf("%+v: the tricks hold %d points in %d rounds of %d tricks", res, points, rounds, len(v.Tricks))
	}
	m := game.NewMatch(r, s.Dealer())
	after, brought := m.Settle(res)
	want := points + r.TrickPoints*rounds
	if r.TrickUnit == game.ByTrick {
		want = points + r.TrickPoints*len(v.Tricks)
	}
	if res.End == game.EndPlayed {
		want += r.LastTrick
	}
	if sum(brought.Points) != want {
		t.Errorf("points %v, not %d in all", brought.Points, want)
	}
	if sum(brought.Payments) != 0 || len(brought.Payments) != r.Players {
		t.Errorf("payments %v", brought.Payments)
	}
	if brought.NextLeader != r.Next(brought.NextDealer) || after.Dealer != brought.NextDealer {
		t.Errorf("dealer %d, leader %d", brought.NextDealer, brought.NextLeader)
	}
	if sum(m.Scores) != 0 || m.Deals != 0 {
		t.Errorf("settling changed the match before it: %+v", m)
	}
	text, err := json.Marshal(after)
	if err != nil {
		t.Fatalf("write the match: %v", err)
	}
	var back game.Match
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(after, back) {
		t.Errorf("the match does not come back from its JSON: %v\n%s", err, text)
	}
}

func sum(numbers []int) (n int) {
	for _, x := range numbers {
		n += x
	}
	return n
}
