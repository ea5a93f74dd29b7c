package ai

import (
	"cmp"
	"context"
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

var (
	reasons     = flag.Int("reasons", 0, "try the reasons of so many choices without their facts")
	reasonGames = flag.String("reason-games", "sedma-4p,sedma-2p,sedma-3p,sedma-4p", "the games that these choices come from")
	reasonShow  = flag.Int("reason-show", 0, "print so many of the choices with their reasons")
)

// A reasonCase is a choice from self-play, and the reason why one move is better than another.
type reasonCase struct {
	s    game.State
	v    game.View
	gap  float64 // by how much the better move's score is above the other's
	why  Reason
	name string
}

// reasonCases plays deals and explains choices. The worse move is the one that an easy player makes, or else the second
// best. The two differ by at least a tenth of a stake.
func reasonCases(t *testing.T, games []string, n, worlds int, from uint64, use func(c reasonCase)) {
	t.Helper()
	for deal := uint64(0); n > 0; deal++ {
		name := games[deal%uint64(len(games))]
		r := gametest.Preset(t, name)
		random := rand.New(rand.NewPCG(from, deal))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(r.Players))
		for err == nil && !s.Over() && n > 0 {
			v := s.View(s.Turn())
			easy := Beginner.Try(context.Background(), v, 0, 0)
			if len(v.Legal) > 1 && random.IntN(3) == 0 {
				choices, best, why, err := Explain(t.Context(), v, game.Match{}, worlds, easy)
				if err != nil {
					t.Fatal(err)
				}
				c := reasonCase{s: s, v: v, why: why, name: name}
				if why.Other != 0 {
					c.gap = choices[best].Score - scoreOf(choices, why.Other)
				}
				if c.gap >= 0.1 {
					n--
					use(c)
				}
			}
			if random.IntN(3) > 0 {
				easy = Think("medium", v)
			}
			s, err = game.Apply(s, s.Turn(), easy)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func scoreOf(choices []Choice, m game.Move) float64 {
	return choices[slices.IndexFunc(choices, func(c Choice) bool { return c.Move == m })].Score
}

// effective returns the rank that the card plays as.
func effective(v game.View, c game.Card) game.Rank {
	if c == v.Rules.SpecialSeven {
		return '7'
	}
	return c.Rank()
}

// pot returns the points of the cards in the open trick.
func pot(v game.View) (n int) {
	for _, p := range v.Trick {
		n += v.Rules.CardPoints.Of(p.Card.Rank())
	}
	return n
}

// ours reports whether the seat's side is winning the open trick.
func ours(v game.View) bool {
	return len(v.Trick) > 0 && (v.Winner == v.Seat || v.Rules.Side(v.Winner) == v.Rules.Side(v.Seat) && v.Rules.Teams != game.SoloKing ||
		v.Rules.Teams == game.SoloKing && v.Solo >= 0 && v.Solo != v.Seat && v.Solo != v.Winner)
}

// unseen returns the cards that the seat hasn't seen.
func unseen(v game.View) []game.Card {
	seen := map[game.Card]int{}
	for _, c := range v.Hand {
		seen[c]++
	}
	for _, e := range v.Log {
		seen[e.Card]++
	}
	var out []game.Card
	for _, c := range v.Rules.Pack() {
		if seen[c] > 0 {
			seen[c]--
		} else {
			out = append(out, c)
		}
	}
	return out
}

// past returns the cards of finished tricks.
func past(v game.View) (cards []game.Card) {
	for _, t := range v.Tricks {
		for _, p := range t.Plays {
			cards = append(cards, p.Card)
		}
	}
	return cards
}

// winning asks the engine whether the move is a card that takes the trick over.
func winning(s game.State, m game.Move) bool {
	c, isCard := m.Card()
	next, err := game.Apply(s, s.Turn(), m)
	if !isCard || err != nil {
		return false
	}
	if at := s.View(s.Turn()); len(at.Trick) > 0 && at.Winner == at.Seat && len(overtakers(at, []game.Card{c})) == 0 {
		return false
	}
	v := next.View(s.Turn())
	if len(v.Trick) > 0 {
		return v.Winner == v.Seat
	}
	last := v.Tricks[len(v.Tricks)-1]
	return last.Winner == v.Seat && slices.ContainsFunc(last.Plays, func(p game.Play) bool { return p.Card == c })
}

// beaters returns those of the cards that would take over from the move's card.
func beaters(v game.View, m game.Move, cards []game.Card) (found []game.Card) {
	c, _ := m.Card()
	led := effective(v, c)
	if len(v.Trick) > 0 {
		led = effective(v, v.Trick[0].Card)
	}
	for _, o := range cards {
		if takes(v.Rules, led, effective(v, c), effective(v, o)) {
			found = append(found, o)
		}
	}
	slices.Sort(found)
	return found
}

// ledBeaters returns those of the cards that beat a card that was led.
func ledBeaters(v game.View, c game.Card, cards []game.Card) (found []game.Card) {
	for _, o := range cards {
		if takes(v.Rules, effective(v, c), effective(v, c), effective(v, o)) {
			found = append(found, o)
		}
	}
	return found
}

// back returns the cards left in the hand that take a trick back from whatever beats the move's card.
func back(v game.View, m game.Move) []game.Card {
	return beaters(v, m, slices.DeleteFunc(slices.Clone(v.Hand), func(c game.Card) bool { return c == 0 || game.Move(c) == m }))
}

// worlds returns the state with the hidden cards in every order, if the stock is empty: those in which the same was played.
func worlds(s game.State) (all []game.State) {
	v := s.View(s.Turn())
	out := unseen(v)
	deck := s.Deck()
	places := []int{}
	for i, c := range deck {
		if slices.Contains(out, c) {
			places = append(places, i)
		}
	}
	var order func(left []game.Card)
	order = func(left []game.Card) {
		if len(left) == 0 {
			if next, err := game.Replay(v.Rules, deck, v.Dealer, s.Moves()); err == nil {
				all = append(all, next)
			}
			return
		}
		for i, c := range left {
			deck[places[len(places)-len(left)]] = c
			order(slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	if v.Rules.Players == 2 {
		return []game.State{s}
	}
	order(out)
	return all
}

// certain returns how many points of the deal the seat gets after the move, whatever the others have and play. It tries
// everything. The states look alike to the seat.
func certain(states []game.State, seat int, m game.Move) int {
	var next []game.State
	for _, s := range states {
		if slices.Contains(s.Legal(), m) {
			if s, err := game.Apply(s, s.Turn(), m); err == nil {
				next = append(next, s)
			}
		}
	}
	best := -1
	if _, over := next[0].Result(); over {
		for _, s := range next {
			res, _ := s.Result()
			r := s.View(seat).Rules
			side := r.Side(seat)
			n := res.CardPoints[side] + res.RoundsWon[side]*r.TrickPoints
			if res.LastTrick == side {
				n += r.LastTrick
			}
			if best < 0 || n < best {
				best = n
			}
		}
		return best
	}
	var moves []game.Move
	for _, s := range next {
		moves = append(moves, s.Legal()...)
	}
	slices.Sort(moves)
	mine := next[0].Turn() == seat
	for _, m := range slices.Compact(moves) {
		n := certain(next, seat, m)
		if best < 0 || mine && n > best || !mine && n < best {
			best = n
		}
	}
	return best
}

// takers returns those of the cards that can take over the open trick, now or after another card.
func takers(v game.View, cards []game.Card) (found []game.Card) {
	led := effective(v, v.Trick[0].Card)
	for _, o := range cards {
		if slices.ContainsFunc(v.Rules.Pack(), func(best game.Card) bool { return takes(v.Rules, led, effective(v, best), effective(v, o)) }) {
			found = append(found, o)
		}
	}
	slices.Sort(found)
	return found
}

// rightly reports whether the reason is right about who can still take the open trick: nobody if it is sure, and else the cards
// that it names, if it names any.
func rightly(s game.State, r Reason) bool {
	v := s.View(s.Turn())
	if r.Sure {
		return takesIt(s, v.Seat, r.Better)
	}
	return len(r.Cards) == 0 || slices.Equal(slices.Sorted(slices.Values(r.Cards)), takers(v, unseen(v)))
}

// takesIt reports whether the seat's side wins the trick after the move, if the seat then takes the trick back whenever it can and stops when
// its side is winning. The others have any of the cards that the seat hasn't seen, and play all that take the trick over as late as they can, or as early.
func takesIt(s game.State, seat int, m game.Move) bool {
	before := len(s.View(seat).Tricks)
	random := rand.New(rand.NewPCG(1, uint64(m)))
	v := s.View(seat)
	out := unseen(v)
	deck := s.Deck()
	for try := range 60 {
		mixed := slices.Clone(out)
		random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if try%2 == 0 { // the others have the cards that take it over, if they can
			good := rivals(v, m, out)
			slices.SortStableFunc(mixed, func(a, b game.Card) int {
				return cmp.Compare(min(1, slices.Index(good, b)), min(1, slices.Index(good, a)))
			})
		}
		next := 0
		for i, c := range deck {
			if slices.Contains(out, c) {
				deck[i] = mixed[next]
				next++
			}
		}
		at, err := game.Replay(v.Rules, deck, v.Dealer, s.Moves())
		if err != nil {
			continue
		}
		if at, err = game.Apply(at, seat, m); err != nil {
			return false
		}
		for !at.Over() && len(at.View(seat).Tricks) == before {
			w := at.View(at.Turn())
			at, err = game.Apply(at, at.Turn(), fighting(w, seat, random))
			if err != nil {
				return false
			}
		}
		if end := at.View(seat); len(end.Tricks) > before && end.Rules.Side(end.Tricks[before].Winner) != end.Rules.Side(seat) {
			return false
		}
	}
	return true
}

// rivals returns those of the cards that can beat the move's card, or take over the open trick.
func rivals(v game.View, m game.Move, out []game.Card) []game.Card {
	if len(v.Trick) == 0 {
		return beaters(v, m, out)
	}
	return takers(v, out)
}

// fighting returns a move of a player in a trick that the seat wants. The seat takes it back as long as it can, the players of its side play
// anything, and the others take it from the seat in most cases.
func fighting(w game.View, seat int, random *rand.Rand) game.Move {
	var over, rest []game.Move
	for _, m := range w.Legal {
		c, ok := m.Card()
		if ok && len(w.Trick) > 0 && len(overtakers(w, []game.Card{c})) > 0 {
			over = append(over, m)
		} else {
			rest = append(rest, m)
		}
	}
	mine, winning := w.Seat == seat, len(w.Trick) > 0 && w.Rules.Side(w.Winner) == w.Rules.Side(seat)
	switch {
	case mine && winning && w.Phase == game.Decide:
		return game.Stop
	case mine && !winning && len(over) > 0:
		return over[0]
	case mine && len(rest) > 0:
		return rest[0]
	case !mine && len(over) > 0 && random.IntN(4) > 0:
		return over[random.IntN(len(over))]
	}
	return w.Legal[random.IntN(len(w.Legal))]
}

// overtakers returns those of the cards that would take over the open trick.
func overtakers(v game.View, cards []game.Card) (found []game.Card) {
	led := effective(v, v.Trick[0].Card)
	best := led
	for _, p := range v.Trick[1:] {
		if takes(v.Rules, led, best, effective(v, p.Card)) {
			best = effective(v, p.Card)
		}
	}
	for _, o := range cards {
		if takes(v.Rules, led, best, effective(v, o)) {
			found = append(found, o)
		}
	}
	slices.Sort(found)
	return found
}

// holds reports whether a reason is true of the seat's position, as the rules engine and the cards in the open show it.
func holds(s game.State, r Reason) bool {
	v := s.View(s.Turn())
	value := func(m game.Move) int { c, _ := m.Card(); return v.Rules.CardPoints.Of(c.Rank()) }
	rank := func(m game.Move) game.Rank { c, _ := m.Card(); return c.Rank() }
	tb, to := winning(s, r.Better), winning(s, r.Other)
	lead := len(v.Trick) == 0
	theirs := !lead && !ours(v) && (v.Rules.Teams != game.SoloKing || v.Solo >= 0)
	out := unseen(v)
	sorted := slices.Sorted(slices.Values(r.Cards))
	kin := func(m game.Move, cards []game.Card) []game.Card {
		return slices.DeleteFunc(slices.Clone(cards), func(c game.Card) bool { return c == 0 || c.Rank() != rank(m) || c == v.Rules.SpecialSeven })
	}
	isCard := func(m game.Move) bool { _, ok := m.Card(); return ok }
	if r.Better == r.Other || !slices.Contains(v.Legal, r.Better) || !slices.Contains(v.Legal, r.Other) {
		return false
	}
	if slices.Contains([]Cause{Feed, Leave, Low, Gift, Unsafe}, r.Cause) && r.Than != makes(v, r) {
		return false
	}
	switch r.Cause {
	case Burns:
		next, err := game.Apply(s, v.Seat, r.Better)
		return err == nil && next.View(v.Seat).End == game.EndBurn
	case Over:
		unbeaten := slices.DeleteFunc(slices.Clone(v.Hand), func(c game.Card) bool { return c == 0 || game.Move(c) == r.Better || len(ledBeaters(v, c, out)) > 0 })
		return theirs && tb && !to && pot(v) == r.Points && rightly(s, r) && (r.Points > 0 && len(r.Then) == 0 || r.Points == 0 && slices.Equal(slices.Sorted(slices.Values(unbeaten)), r.Then))
	case Gift:
		return theirs && tb && !to && isCard(r.Other) && value(r.Other) == r.Points && r.Points > 0 && rightly(s, r)
	case Empty:
		return theirs && to && !tb && (!isCard(r.Better) || value(r.Better) == 0) && pot(v) == 0 && v.Rules.TrickPoints == 0
	case Risky:
		return theirs && to && !tb && len(sorted) > 0 && slices.Equal(sorted, beaters(v, r.Other, out)) && r.Points == max(pot(v), v.Rules.TrickPoints, value(r.Better))
	case Bank:
		return ours(v) && r.Better == game.Stop && pot(v) == r.Points && (to && slices.Equal(sorted, beaters(v, r.Other, out)) || !to && len(sorted) > 0 && rightly(s, r))
	case Leave:
		return ours(v) && v.Winner != v.Seat && to && !tb && (len(sorted) == 0 || slices.Equal(sorted, takers(v, out)) &&
			!slices.ContainsFunc(sorted, func(c game.Card) bool { return !slices.Contains(beaters(v, r.Other, out), c) }))
	case Feed:
		if r.Lead {
			return lead && value(r.Better)-value(r.Other) == r.Points && r.Points > 0 && len(sorted) > 0 && len(sorted) <= 4 && slices.Equal(sorted, beaters(v, r.Better, out))
		}
		return ours(v) && !tb && !to && isCard(r.Better) && isCard(r.Other) && value(r.Better)-value(r.Other) == r.Points && r.Points > 0 &&
			r.Own == (v.Winner == v.Seat) && rightly(s, r) && len(sorted) <= 4
	case Low:
		return theirs && !to && isCard(r.Other) && value(r.Other)-value(r.Better) == r.Points && r.Points > 0
	case Unsafe:
		return ours(v) && !tb && !to && value(r.Other)-value(r.Better) == r.Points && r.Points > 0 && len(sorted) > 0 && slices.Equal(sorted, overtakers(v, out))
	case Unbeatable:
		return tb && len(beaters(v, r.Better, out)) == 0 && (!to || len(beaters(v, r.Other, out)) > 0) &&
			slices.Equal(sorted, slices.DeleteFunc(beaters(v, r.Better, v.Rules.Pack()), func(c game.Card) bool { return game.Move(c) == r.Better })) &&
			(r.Points > r.Than || r.Points == 0 && r.Than == 0)
	case Exposed:
		return tb && to && len(sorted) > 0 && slices.Equal(sorted, beaters(v, r.Other, out)) && value(r.Other)-value(r.Better) == r.Points && r.Points > 0 &&
			(v.Phase == game.Follow || v.Rules.Continue == game.NoContinue || len(back(v, r.Other)) == 0)
	case Fewer:
		return tb && to && len(sorted) > 0 && slices.Equal(sorted, beaters(v, r.Better, out)) && len(sorted) == r.Points &&
			len(beaters(v, r.Other, out)) == r.Than && r.Than > r.Points
	case Pair:
		return lead && len(beaters(v, r.Better, out)) > 0 && len(kin(r.Better, v.Hand)) > 1 && len(kin(r.Other, v.Hand)) == 1 && slices.Equal(sorted, slices.Sorted(slices.Values(kin(r.Better, v.Hand)))) &&
			(!r.Sure || takesIt(s, v.Seat, r.Better)) && (r.Points == 0 && r.Than == 0 || 0 < r.Points && r.Points < r.Than && r.Points == len(beaters(v, r.Better, out)) && r.Than == len(beaters(v, r.Other, out)))
	case Split:
		return len(kin(r.Other, v.Hand)) > 1 && len(kin(r.Better, v.Hand)) == 1 && slices.Equal(sorted, slices.Sorted(slices.Values(kin(r.Other, v.Hand))))
	case Dead:
		return !lead && !tb && !to && dying(v, r)
	case Spare:
		b, _ := r.Better.Card()
		o, _ := r.Other.Card()
		return isCard(r.Better) && to && v.Rules.Wild.Has(effective(v, o)) && !v.Rules.Wild.Has(effective(v, b)) && r.Own == (lead || !tb)
	case Rest:
		rest := slices.DeleteFunc(slices.Clone(v.Hand), func(c game.Card) bool { return c == 0 || game.Move(c) == r.Better })
		slices.Sort(rest)
		return v.Stock == 0 && tb && len(rest) > 0 && slices.Equal(sorted, rest) && len(beaters(v, r.Better, out)) == 0 &&
			!slices.ContainsFunc(rest, func(c game.Card) bool { return len(ledBeaters(v, c, out)) > 0 })
	case Back:
		return lead && len(sorted) > 0 && slices.Equal(sorted, back(v, r.Better)) && len(back(v, r.Other)) == 0 &&
			len(beaters(v, r.Better, out)) > 0 && len(beaters(v, r.Other, out)) > 0
	case Last:
		wild := func(c game.Card) bool { return v.Rules.Wild.Has(effective(v, c)) }
		b, _ := r.Better.Card()
		o, _ := r.Other.Card()
		return isCard(r.Other) && wild(o) && !(isCard(r.Better) && wild(b)) && !slices.ContainsFunc(out, wild)
	case Final:
		return finally(v, r)
	case Later:
		b, _ := r.Better.Card()
		o, _ := r.Other.Card()
		return !lead && isCard(r.Better) && isCard(r.Other) && !to && len(ledBeaters(v, o, out)) == 0 && len(ledBeaters(v, b, out)) > 0 &&
			!slices.ContainsFunc(sorted, func(c game.Card) bool { return slices.Contains(out, c) })
	case Open:
		return openly(s, r)
	case Shut, Ends:
		return deciding(s, r)
	case Expect, Odds, Wins:
		return r.Points > r.Than
	case Equal:
		return len(r.Cards) == 0 && r.Points == 0 && (r.Advice == NoAdvice || cheap(v, r.Better) && (r.Advice == LeadLow) == lead &&
			(lead || !tb && (r.Advice == ThrowLow && theirs || r.Advice == LeaveIt && ours(v) && v.Winner != v.Seat)))
	case NoCause:
		return len(r.Cards) == 0 && r.Points == 0
	}
	return false
}

// cheap reports whether a move plays a card without points that isn't wild.
func cheap(v game.View, m game.Move) bool {
	c, ok := m.Card()
	return ok && v.Rules.CardPoints.Of(c.Rank()) == 0 && !v.Rules.Wild.Has(effective(v, c))
}

// dying reports whether the better card's like are all gone, and some of the other's are out.
func dying(v game.View, r Reason) bool {
	out := unseen(v)
	b, _ := r.Better.Card()
	o, _ := r.Other.Card()
	hidden := func(of game.Card) bool {
		return slices.ContainsFunc(out, func(c game.Card) bool { return c.Rank() == of.Rank() })
	}
	two := v.Stock == 0 && v.Counts[v.Seat] == 2
	return !hidden(b) && hidden(o) && (two && v.Winner != v.Seat || len(ledBeaters(v, b, out)) > 0) && (r.Points == 0 || two) &&
		!slices.ContainsFunc(r.Cards, func(c game.Card) bool {
			return slices.Contains(v.Hand, c) || slices.Contains(out, c) || c.Rank() != b.Rank() && !v.Rules.Wild.Has(effective(v, c))
		})
}

// makes returns how many points a side would have with the trick to which one of the moves adds points, if it wins the deal only then.
func makes(v game.View, r Reason) int {
	if v.Rules.Scoring != game.ByStakes || len(v.CardPoints) != 2 || v.Rules.TrickPoints > 0 || v.Rules.FinalSeven != game.SevenNormal || newForm(&v.Rules).burn ||
		v.Rules.BurnedGame > 0 || v.Rules.Tie != game.TieNone && v.Rules.CanTie() {
		return 0
	}
	total := v.Rules.LastTrick
	for _, c := range v.Rules.Pack() {
		total += v.Rules.CardPoints.Of(c.Rank())
	}
	side, more, less := v.Rules.Side(v.Seat), r.Better, r.Other
	if r.Cause != Feed && r.Cause != Leave {
		side, more, less = 1-side, r.Other, r.Better
	}
	with := func(m game.Move) int {
		c, _ := m.Card()
		return v.CardPoints[side] + pot(v) + v.Rules.CardPoints.Of(c.Rank())
	}
	wins := func(points int) bool { return points > total-points }
	if wins(v.CardPoints[0]) || wins(v.CardPoints[1]) || !wins(with(more)) || wins(with(less)) {
		return 0
	}
	return with(more)
}

// deciding reports whether a reason about what decides the deal is true.
func deciding(s game.State, r Reason) bool {
	v := s.View(s.Turn())
	mine := v.Rules.Side(v.Seat)
	own, others, total := v.CardPoints[mine], v.CardPoints[1-mine], v.Rules.LastTrick
	for _, c := range v.Rules.Pack() {
		total += v.Rules.CardPoints.Of(c.Rank())
	}
	brings := func(m game.Move) int { c, _ := m.Card(); return pot(v) + v.Rules.CardPoints.Of(c.Rank()) }
	wins := func(points int) bool { return points > total-points }
	if v.Rules.Scoring != game.ByStakes || len(v.CardPoints) != 2 {
		return false
	}
	switch r.Cause {
	case Shut:
		return v.TricksWon[1-mine] == 0 && v.TricksWon[mine] > 1 && r.Points == v.Rules.Stakes[2] && takesIt(s, v.Seat, r.Better)
	case Ends:
		if ahead := func(m game.Move) bool { return ours(v) || winning(s, m) }; r.Own {
			less := !ahead(r.Other) || !wins(own+brings(r.Other)) || r.Sure
			return !wins(own) && !wins(others) && wins(own+r.Points) && !wins(own+r.Points-10) && ahead(r.Better) && wins(own+brings(r.Better)) && less &&
				(!r.Sure || takesIt(s, v.Seat, r.Better))
		}
		if wins(own) || wins(others) || ours(v) || len(v.Trick) == 0 || r.Points != others || winning(s, r.Other) || !wins(others+brings(r.Other)) {
			return false
		}
		if !wins(others+r.Than) || wins(others+r.Than-10) {
			return false
		}
		if r.Sure {
			return takesIt(s, v.Seat, r.Better)
		}
		return winning(s, r.Better) || !wins(others+brings(r.Better))
	default:
		return false
	}
}

// finally reports whether a reason about the last trick is true.
func finally(v game.View, r Reason) bool {
	out := unseen(v)
	isCard := func(m game.Move) bool { _, ok := m.Card(); return ok }
	b, _ := r.Better.Card()
	o, _ := r.Other.Card()
	left := v.Counts[v.Seat]
	if isCard(r.Better) {
		left--
	}
	wilds := func(cards []game.Card) (n int) {
		for _, c := range cards {
			if c != 0 && v.Rules.Wild.Has(effective(v, c)) {
				n++
			}
		}
		return n
	}
	if r.Sure && (v.Rules.Players != 2 || wilds(out) > 0 || wilds(v.Hand) != 1) {
		return false
	}
	return (r.Sure || v.Stock == 0 && left == 1) && v.Rules.Wild.Has(effective(v, o)) && isCard(r.Other) && !(isCard(r.Better) && v.Rules.Wild.Has(effective(v, b))) &&
		r.Points == v.Rules.LastTrick && r.Points > 0
}

// openly reports whether a reason about known cards is true.
func openly(s game.State, r Reason) bool {
	v := s.View(s.Turn())
	out := unseen(v)
	all := worlds(s)
	return r.Several == (v.Rules.Players > 2) && v.Stock == 0 && slices.Equal(slices.Sorted(slices.Values(r.Cards)), slices.Sorted(slices.Values(out))) &&
		certain(all, v.Seat, r.Better) == r.Points && certain(all, v.Seat, r.Other) == r.Than && r.Points > r.Than
}

// Each reason is true, in all games: as the rules engine and the open cards show it. It is about the card that was
// pressed. In most positions where the two moves
// differ, it is a fact about the cards, and each kind of fact occurs.
func TestReasonsAreTrue(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	positions, size := 600, 60
	if Long {
		positions, size = 5000, 500
	}
	names := game.Presets()
	count := map[Cause]int{}
	done := 0
	for deal := uint64(0); done < positions; deal++ {
		name := names[deal%uint64(len(names))]
		r := gametest.Preset(t, name)
		random := rand.New(rand.NewPCG(3, deal))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(r.Players))
		for err == nil && !s.Over() && done < positions {
			v := s.View(s.Turn())
			if len(v.Legal) > 1 && random.IntN(9) == 0 {
				done++
				pressed := v.Legal[random.IntN(len(v.Legal))]
				choices, best, why, err := Explain(t.Context(), v, game.Match{}, size, pressed)
				if err != nil {
					t.Fatal(err)
				}
				f := newForm(&r)
				least := Even
				if !byStakes(&r) {
					least = EvenPoints
				}
				even := why.Other != 0 && lead(choices, why.Better, why.Other) < least
				if even != (why.Cause == Equal) && why.Cause != Burns && why.Cause != Open { // known cards tell apart what is nearly equal
					t.Errorf("%s: %v: %+v", name, choices, why)
				}
				if f.move(pressed) != f.move(choices[best].Move) && why.Other != pressed || why.Other != 0 && why.Better != choices[best].Move {
					t.Errorf("%s: %v was pressed, the best is %v: %+v", name, pressed, choices[best].Move, why)
				}
				if why.Other != 0 && !holds(s, why) {
					t.Errorf("%s: %+v isn't true: hand %v, trick %v, winner %d, seat %d", name, why, v.Hand, v.Trick, v.Winner, v.Seat)
				}
				count[why.Cause]++
			}
			m := Greedy(v)
			if random.IntN(3) == 0 {
				m = v.Legal[random.IntN(len(v.Legal))]
			}
			s, err = game.Apply(s, s.Turn(), m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range Causes {
		rare := c == Burns || c == Wins || c == Rest || c == Final || c == Later || c == Shut || c == Ends // TestBurningIsTheReason and TestReasonsOfTheEnd have such positions
		if t.Logf("%4d %s", count[c], c); count[c] == 0 && !rare {
			t.Errorf("no position has the reason %q", c)
		}
	}
	apart := positions - count[Equal]
	if known := apart - count[NoCause] - count[Expect] - count[Odds] - count[Wins]; 2*known < apart {
		t.Errorf("only %d of %d reasons are facts about the cards", known, apart)
	}
}

// TestBurningIsTheReason explains positions in which a card is the fourth of its rank.
func TestBurningIsTheReason(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p-kase4")
	found := 0
	for deal := 0; found < 5; deal++ {
		random := rand.New(rand.NewPCG(uint64(deal), 0))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), 0)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			for _, m := range v.Legal {
				next, err := game.Apply(s, s.Turn(), m)
				if err != nil || next.View(v.Seat).End != game.EndBurn || len(v.Legal) == 1 {
					continue
				}
				found++
				choices, best, why, err := Explain(t.Context(), v, game.Match{}, 50, 0)
				if err != nil {
					t.Fatal(err)
				}
				if choices[best].Move != m && choices[best].Score < 4 || choices[best].Move == m && why.Cause != Burns {
					t.Errorf("%v burns the trick %v: %v because of %+v", m, v.Trick, choices[best], why)
				}
			}
			s, err = game.Apply(s, s.Turn(), v.Legal[random.IntN(len(v.Legal))])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The same view gives the same reason, and Compare gives the reason of Explain.
func TestSameViewSameReason(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{7}), 1)
	for err == nil && !s.Over() {
		v := s.View(s.Turn())
		choices, best, first, err1 := Explain(t.Context(), v, game.Match{}, 60, 0)
		again, err2 := Compare(t.Context(), v, game.Match{}, 60, choices[best].Move, first.Other)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(first, again) {
			t.Errorf("%+v, then %+v (%v, %v)", first, again, err1, err2)
		}
		s, err = game.Apply(s, s.Turn(), v.Legal[best])
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Near the end of deals there are reasons about the last tricks: all others are the seat's, a card is kept for the last one or
// can't be beaten later, the opponent's cards are known, and the trick decides the deal. Each is true.
func TestReasonsOfTheEnd(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	count := map[Cause]int{}
	several := 0
	missing := func() bool {
		return several == 0 || slices.ContainsFunc([]Cause{Rest, Final, Later, Open, Shut, Ends}, func(c Cause) bool { return count[c] == 0 })
	}
	for deal := uint64(0); missing() && deal < 2000; deal++ {
		r := gametest.Preset(t, []string{"sedma-4p", "sedma-2p", "sedma-3p"}[deal%3])
		random := rand.New(rand.NewPCG(9, deal))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(r.Players))
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			if v.Stock == 0 && len(v.Legal) > 1 && v.Counts[v.Seat] <= 3 {
				_, _, why, err := Explain(t.Context(), v, game.Match{}, 40, v.Legal[random.IntN(len(v.Legal))])
				if err != nil {
					t.Fatal(err)
				}
				if why.Other != 0 && !holds(s, why) {
					t.Errorf("%s: %+v isn't true: hand %v, trick %v, winner %d, seat %d", r.Preset, why, v.Hand, v.Trick, v.Winner, v.Seat)
				}
				count[why.Cause]++
				if why.Several {
					several++
				}
			}
			s, err = game.Apply(s, s.Turn(), Greedy(v))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if missing() {
		t.Errorf("there were %v, and %d about several players' cards", count, several)
	}
}

// In the last trick but one, an ace or ten is given away whose like are all gone, and a card is kept that can still take the last trick:
// that is the reason, although no other card of that worth is left to exchange.
func TestTheLastCardIsKeptForItsRank(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	dead, all := 0, 0
	for _, deal := range []uint64{1910, 3190} { // the first such ones
		random := rand.New(rand.NewPCG(12, deal))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(4))
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			if v.Phase == game.Follow && v.Stock == 0 && v.Counts[v.Seat] == 2 && len(v.Legal) == 2 {
				high, low, out := v.Hand[0], v.Hand[1], unseen(v)
				if r.CardPoints.Of(high.Rank()) == 0 {
					high, low = low, high
				}
				gone := !slices.ContainsFunc(out, func(c game.Card) bool { return c.Rank() == '7' || c.Rank() == high.Rank() })
				same := slices.ContainsFunc(out, func(c game.Card) bool { return c.Rank() == low.Rank() })
				led := v.Trick[0].Card.Rank()
				if gone && same && r.CardPoints.Of(high.Rank()) > 0 && r.CardPoints.Of(low.Rank()) == 0 && low.Rank() != '7' && led != high.Rank() && led != low.Rank() {
					why, err := Compare(t.Context(), v, game.Match{}, 100, game.PlayCard(high), game.PlayCard(low))
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Contains([]Cause{Equal, Open, Feed}, why.Cause) {
						all++
						if why.Cause == Dead && why.Points == r.LastTrick && len(why.Cards) >= 3 {
							dead++
						} else {
							t.Logf("%+v: hand %v, trick %v", why, v.Hand, v.Trick)
						}
					}
				}
			}
			m := Greedy(v)
			if random.IntN(3) == 0 {
				m = v.Legal[random.IntN(len(v.Legal))]
			}
			s, err = game.Apply(s, s.Turn(), m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if all != 2 || dead < all {
		t.Errorf("%d of %d", dead, all)
	}
}

// Of moves that are about equally good, a hint names one whose card is worth least to keep.
func TestEqualMovesAreNamedByTheirPrice(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	found := 0
	for deal := range 6 {
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal), 8}), 0)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			choices, named, why, err := Explain(t.Context(), v, game.Match{}, 40, 0)
			if err != nil {
				t.Fatal(err)
			}
			best := slices.MaxFunc(choices, func(a, b Choice) int { return cmp.Compare(a.Score, b.Score) })
			switch {
			case why.Cause != Equal:
				if choices[named].Score != best.Score {
					t.Errorf("%v: %v because of %+v", choices, choices[named], why)
				}
			case choices[named].Move != best.Move:
				found++
				fallthrough
			default:
				for _, c := range choices {
					if best.Score-c.Score < Even && Price(&r, c.Move) < Price(&r, choices[named].Move) {
						t.Errorf("%v: %v is named, and not %v", choices, choices[named], c)
					}
				}
				if why.Better != choices[named].Move {
					t.Errorf("%v is named because of %+v", choices[named], why)
				}
			}
			if s, err = game.Apply(s, v.Seat, choices[named].Move); err != nil {
				t.Fatal(err)
			}
		}
	}
	if found == 0 {
		t.Error("no hint names another move than the best")
	}
}

// Where all cards play alike, the reason says so.
func TestCardsThatPlayAlikeAreEqual(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	f, found := newForm(&r), 0
	for deal := range 20 {
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal), 5}), 0)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			alike := func(m game.Move) bool { return f.move(m) == f.move(v.Legal[0]) }
			if len(v.Legal) > 1 && !slices.ContainsFunc(v.Legal, func(m game.Move) bool { return !alike(m) }) {
				found++
				if _, _, why, err := Explain(t.Context(), v, game.Match{}, 10, 0); err != nil || why.Cause != Equal || why.Better == why.Other {
					t.Errorf("%v: %+v, %v", v.Legal, why, err)
				}
			}
			s, err = game.Apply(s, v.Seat, Greedy(v))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no such choice was found")
	}
}
