package ai

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// fact is a reason in a position, seen with all cards on the table. Nothing in it uses
// the search's own state.
type fact struct {
	s      game.State
	v      game.View
	choice game.Move
	why    Reason
	hands  [][]game.Card // of a world; the seat's own hand is the true one
	solo   int           // seat of the special seven in the world, or Nobody
}

// rank returns the rank that the card plays as.
func (f *fact) rank(c game.Card) game.Rank {
	if c == f.v.Rules.SpecialSeven {
		return '7'
	}
	return c.Rank()
}

// led and best return the ranks that the trick's first and its winning card play as.
func (f *fact) led() game.Rank { return f.rank(f.v.Trick[0].Card) }

func (f *fact) best() game.Rank {
	best := f.led()
	for _, p := range f.v.Trick[1:] {
		if r := f.rank(p.Card); takes(f.v.Rules, f.led(), best, r) && !f.dead(p.Card) {
			best = r
		}
	}
	return best
}

// dead reports whether a card may be the dead final seven. Where that is possible the
// last trick is being played; the test leaves it to the engine.
func (f *fact) dead(c game.Card) bool {
	return f.v.Rules.FinalSeven == game.SevenDead && f.rank(c) == '7' && f.v.Stock == 0 && f.held() == 1
}

func (f *fact) held() (n int) {
	for _, c := range f.v.Hand {
		if c != 0 {
			n++
		}
	}
	return n
}

// takesOver asks the engine whether the card, played now, would be winning.
func (f *fact) takesOver(c game.Card) bool {
	next, err := game.Apply(f.s, f.v.Seat, game.Move(c))
	return err == nil && tookTrick(next.View(f.v.Seat), c)
}

// tookTrick reports whether the card, just played, is winning its trick.
func tookTrick(v game.View, c game.Card) bool {
	if len(v.Trick) > 0 {
		return v.Winner == v.Seat
	}
	last := v.Tricks[len(v.Tricks)-1]
	return last.Winner == v.Seat
}

// partners reports whether two seats are on one side in the world.
func (f *fact) partners(a, b int) bool {
	if f.v.Rules.Teams == game.SoloKing {
		return a == b || a != f.solo && b != f.solo
	}
	return f.v.Rules.Side(a) == f.v.Rules.Side(b)
}

// known reports whether the seat knows the sides.
func (f *fact) known() bool { return f.v.Rules.Teams != game.SoloKing || f.v.Solo >= 0 }

// opponents returns the cards of the opponents who may still play to the trick.
func (f *fact) opponents() (cards []game.Card) {
	var after []int
	for q := f.v.Rules.Next(f.v.Seat); q != f.v.Seat; q = f.v.Rules.Next(q) {
		if f.v.Phase == game.Follow && q == f.v.Leader && f.v.Rules.Continue == game.NoContinue {
			break
		}
		after = append(after, q)
	}
	for _, q := range after {
		if !f.partners(f.v.Seat, q) {
			cards = append(cards, f.hands[q]...)
		}
	}
	return cards
}

// beats reports whether an opponent has a card that beats the seat's card, or, if that
// does not take over, the card that is winning.
func (f *fact) beats(mine game.Card) bool {
	led, best := f.rank(mine), f.rank(mine)
	if len(f.v.Trick) > 0 {
		if led = f.led(); !f.takesOver(mine) {
			best = f.best()
		}
	}
	return slices.ContainsFunc(f.opponents(), func(c game.Card) bool { return takes(f.v.Rules, led, best, f.rank(c)) })
}

func (f *fact) has(r game.Rank) bool {
	return slices.ContainsFunc(f.opponents(), func(c game.Card) bool { return f.rank(c) == r })
}

func (f *fact) value(c game.Card) int { return f.v.Rules.CardPoints.Of(c.Rank()) }

func (f *fact) pot() (n int) {
	for _, p := range f.v.Trick {
		n += f.value(p.Card)
	}
	return n
}

// others returns the legal cards but those that play as the choice does.
func (f *fact) others() (cards []game.Card) {
	chosen, _ := f.choice.Card()
	for _, m := range f.v.Legal {
		if c, ok := m.Card(); ok && c.Rank() != chosen.Rank() {
			cards = append(cards, c)
		}
	}
	return cards
}

// true reports whether the reason is true in the position. Whether a likelihood is so is
// judged by guess.
func (f *fact) true() bool {
	c, isCard := f.choice.Card()
	legal := func(c game.Card) bool { return slices.Contains(f.v.Legal, game.Move(c)) }
	dearer := slices.ContainsFunc(f.others(), func(o game.Card) bool { return f.value(o) > f.value(c) })
	plainer := slices.ContainsFunc(f.others(), func(o game.Card) bool { return f.value(o) < f.value(c) })
	canTake := slices.ContainsFunc(f.others(), f.takesOver)
	open := len(f.v.Trick) > 0
	ours := open && f.partners(f.v.Winner, f.v.Seat) && (f.known() || f.v.Winner == f.v.Seat)
	theirs := open && !f.partners(f.v.Winner, f.v.Seat) && f.known()
	nothing := f.pot() == 0 && f.v.Rules.TrickPoints == 0
	switch f.why.Cause {
	case Burns:
		next, err := game.Apply(f.s, f.v.Seat, f.choice)
		return isCard && err == nil && next.Over() && next.View(f.v.Seat).End == game.EndBurn
	case LastTrick:
		return isCard && f.v.Stock == 0 && slices.Max(f.v.Counts) == 1 && f.why.Points == f.v.Rules.LastTrick && f.why.Points > 0
	case Partner:
		return isCard && ours && f.v.Winner != f.v.Seat && f.value(c) > 0 && plainer && !f.takesOver(c)
	case Own:
		return isCard && ours && f.v.Winner == f.v.Seat && f.value(c) > 0
	case Leave:
		return isCard && ours && f.v.Winner != f.v.Seat && !f.takesOver(c)
	case Bank:
		next, err := game.Apply(f.s, f.v.Seat, f.choice)
		return err == nil && f.choice == game.Stop && ours && len(next.View(f.v.Seat).Tricks) == len(f.v.Tricks)+1
	case Take:
		return isCard && theirs && f.takesOver(c) && f.why.Points == f.pot() && f.pot() > 0
	case Save:
		return open && nothing && legal(f.why.Card) && f.why.Card != c && f.takesOver(f.why.Card) && !(isCard && f.takesOver(c))
	case Low:
		return isCard && theirs && f.value(c) == 0 && dearer
	case Hopeless:
		return isCard && theirs && !canTake && !f.takesOver(c) && !plainer
	case Risky:
		return legal(f.why.Card) && f.why.Card != c && f.takesOver(f.why.Card)
	case Unbeatable:
		return isCard && !f.beaten()
	case Safe:
		return isCard
	case Unlikely:
		led := f.rank(c)
		if open {
			led = f.led()
		}
		return isCard && f.why.Rank == led
	case Wins:
		return isCard
	case Pair:
		n := 0
		for _, h := range f.v.Hand {
			if h != 0 && h.Rank() == c.Rank() {
				n++
			}
		}
		return isCard && !open && n > 1 && f.why.Rank == c.Rank() && f.v.Rules.Continue != game.NoContinue
	case Cheap:
		wild := slices.ContainsFunc(f.others(), func(o game.Card) bool { return f.v.Rules.Wild.Has(f.rank(o)) })
		return isCard && !open && f.value(c) == 0 && (dearer || wild && !f.v.Rules.Wild.Has(f.rank(c)))
	case NoCause:
	}
	return f.why == Reason{}
}

// beaten reports whether any card that the seat has not seen beats the choice.
func (f *fact) beaten() bool {
	hidden := f.v.Rules.Pack()
	drop := func(c game.Card) {
		if i := slices.Index(hidden, c); i >= 0 {
			hidden = slices.Delete(hidden, i, i+1)
		}
	}
	for _, c := range f.v.Hand {
		drop(c)
	}
	for _, e := range f.v.Log {
		drop(e.Card)
	}
	c, _ := f.choice.Card()
	led := f.rank(c)
	if len(f.v.Trick) > 0 {
		led = f.led()
	}
	return slices.ContainsFunc(hidden, func(o game.Card) bool { return takes(f.v.Rules, led, f.rank(c), f.rank(o)) })
}

// guess reports, for a cause that is a likelihood, whether it is so in the world.
func (f *fact) guess() (so, isGuess bool) {
	c, _ := f.choice.Card()
	switch f.why.Cause {
	case Safe:
		return !f.beats(c), true
	case Unlikely:
		return !f.has(f.why.Rank), true
	case Risky:
		return f.beats(f.why.Card), true
	default:
		return false, false
	}
}

// worlds lays the hidden cards as the choice did, in so many ways.
func worlds(v game.View, n int, use func(hands [][]game.Card, solo int)) {
	f := newForm(&v.Rules)
	t := hard
	t.worlds = n
	k := know(&v, f, -1)
	if k.f.players == 2 {
		t.doubt /= 4
	}
	if size := k.f.cards(); size > 32 {
		t.worlds = max(1, t.worlds*32/size)
	}
	show := func(w *world) {
		hands := make([][]game.Card, v.Rules.Players)
		for seat := range hands {
			for _, kind := range f.list(w.hand[seat]) {
				hands[seat] = append(hands[seat], cardOf(f, kind))
			}
		}
		use(hands, int(w.solo))
	}
	b := policyFor(f)
	if k.known() {
		w := k.solve(b, &match{}, k.options(), true)
		show(&w)
		return
	}
	random := seed(&v)
	var w world
	for _, from := range k.seeds(context.Background(), b, t, &random, time.Time{}) {
		k.imagine(&w, &from)
		show(&w)
	}
}

// cardOf returns a card of the pack that is of the kind.
func cardOf(f *form, kind uint8) game.Card {
	pack := f.rules.Pack()
	return pack[slices.IndexFunc(pack, func(c game.Card) bool { return f.kind(c) == kind })]
}

// TestReasonsAreTrue explains a thousand positions of all games. Each fact that a reason
// states is true in the position. A fact called likely is true in two of three of the worlds
// that decided the choice, and in more than half of the positions as the cards really lay.
func TestReasonsAreTrue(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes long under the race detector, and has one goroutine")
	}
	const positions = 1000
	size := 100
	if Long {
		size = 500
	}
	names := game.Presets()
	type tally struct{ n, right, ours int }
	count := map[Cause]*tally{}
	guesses := tally{}
	done := 0
	for deal := 0; done < positions; deal++ {
		name := names[deal%len(names)]
		r, err := game.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewChaCha8(sha256.Sum256([]byte{byte(deal), byte(deal >> 8)})))
		s, err := game.Deal(r, gametest.Shuffled(r, random.IntN), random.IntN(r.Players))
		for err == nil && !s.Over() && done < positions {
			v := s.View(s.Turn())
			if len(v.Legal) > 1 && random.IntN(9) == 0 {
				done++
				f, so := explained(t, s, v, size)
				if !f.true() {
					t.Fatalf("%s: seat %d with %v, legal %v, makes %v because of %+v: trick %v, winner %d", name, v.Seat, v.Hand, v.Legal, f.choice, f.why, v.Trick, v.Winner)
				}
				if count[f.why.Cause] == nil {
					count[f.why.Cause] = &tally{}
				}
				count[f.why.Cause].n++
				if really, isGuess := f.guess(); isGuess {
					if so < 2.0/3 {
						t.Errorf("%s: %v because of %+v, which is so in %.0f%% of the worlds", name, f.choice, f.why, 100*so)
					}
					guesses.n++
					if really {
						guesses.right++
						count[f.why.Cause].right++
					}
				}
				if ends(t, s, f.choice) {
					count[f.why.Cause].ours++
				}
			}
			m := greedy(v)
			if random.IntN(3) == 0 {
				m = v.Legal[random.IntN(len(v.Legal))]
			}
			s, err = game.Apply(s, s.Turn(), m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range append(slices.Clone(Causes), NoCause) {
		if c == Burns {
			continue // such positions are rare; TestBurningIsTheReason has one
		}
		if got := count[c]; got == nil {
			t.Errorf("no position has the reason %q", c)
		} else {
			t.Logf("%4d %-10s so when all cards are shown: %d; the side takes the trick: %d", got.n, c, got.right, got.ours)
		}
	}
	if none := count[NoCause].n; 10*none > 2*positions {
		t.Errorf("%d of %d positions have no reason", none, positions)
	}
	if 2*guesses.right < guesses.n {
		t.Errorf("of %d likelihoods only %d were so", guesses.n, guesses.right)
	}
	for _, c := range []Cause{Wins, Take, Partner, Own, LastTrick} {
		if got := count[c]; got != nil && got.n > 5 && 2*got.ours < got.n {
			t.Errorf("%q: the side takes only %d tricks of %d", c, got.ours, got.n)
		}
	}
	if got := count[Low]; got != nil && 2*got.ours > got.n {
		t.Errorf("%q: the side takes %d tricks of %d", Low, got.ours, got.n)
	}
}

// explained returns the reason in the position, and in how many of the choice's own
// worlds it is so if it is a likelihood.
func explained(t *testing.T, s game.State, v game.View, size int) (f fact, so float64) {
	choices, best, why, err := Explain(t.Context(), v, game.Match{}, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range choices {
		if c.Score > choices[best].Score {
			t.Fatalf("%v is not the best of %v", choices[best], choices)
		}
	}
	f = fact{s: s, v: v, choice: choices[best].Move, why: why, solo: s.Solo()}
	for seat := range v.Rules.Players {
		f.hands = append(f.hands, slices.DeleteFunc(s.Hand(seat), func(c game.Card) bool { return c == 0 }))
	}
	if _, isGuess := f.guess(); isGuess {
		n := 0
		worlds(v, size, func(hands [][]game.Card, solo int) {
			g := f
			g.hands, g.solo = hands, solo
			n++
			if is, _ := g.guess(); is {
				so++
			}
		})
		so /= float64(n)
	}
	return f, so
}

// ends makes the move, lets everybody play the trick to its end as the policy does, and
// reports whether the seat's side took it.
func ends(t *testing.T, s game.State, m game.Move) bool {
	seat, before := s.Turn(), len(s.View(s.Turn()).Tricks)
	side := fact{v: s.View(seat), solo: s.Solo()}
	s, err := game.Apply(s, seat, m)
	for err == nil && !s.Over() && len(s.View(seat).Tricks) == before {
		v := s.View(s.Turn())
		f := newForm(&v.Rules)
		s, err = game.Apply(s, s.Turn(), f.card(&v, policyFor(f).choose(f, &know(&v, f, -1).at)))
	}
	if err != nil {
		t.Fatal(err)
	}
	v := s.View(seat)
	if v.End == game.EndBurn {
		return v.Log[len(v.Log)-1].Seat == seat
	}
	return side.partners(v.Tricks[before].Winner, seat)
}

// TestBurningIsTheReason explains positions in which a card is the fourth of its rank.
func TestBurningIsTheReason(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p-kase4")
	if err != nil {
		t.Fatal(err)
	}
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
				choices, best, why, err := Explain(t.Context(), v, game.Match{}, 50)
				if err != nil {
					t.Fatal(err)
				}
				if choices[best].Move != m && choices[best].Score < 4 || choices[best].Move == m && why != (Reason{Cause: Burns}) {
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

// TestSameViewSameReason explains a position twice.
func TestSameViewSameReason(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{7}), 1)
	for err == nil && !s.Over() {
		v := s.View(s.Turn())
		_, one, first, err1 := Explain(t.Context(), v, game.Match{}, 60)
		_, two, second, err2 := Explain(t.Context(), v, game.Match{}, 60)
		if err1 != nil || err2 != nil || one != two || first != second {
			t.Errorf("%d because of %+v, then %d because of %+v (%v, %v)", one, first, two, second, err1, err2)
		}
		s, err = game.Apply(s, s.Turn(), v.Legal[one])
	}
	if err != nil {
		t.Fatal(err)
	}
}
