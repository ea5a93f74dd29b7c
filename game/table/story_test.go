package table_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// match is a finished match with its whole record.
type match struct {
	table.Outcome
	deals  []table.Past // each with its tricks
	before game.Match   // the match before its last deal, as that deal was played
}

// randomMatch plays a match with random moves. It may be ended early.
func randomMatch(t *testing.T, rules game.Rules, rng *rand.Rand) match {
	t.Helper()
	if rules.Target == 0 && rules.Deals == 0 {
		rules.Deals = table.DefaultDeals
	}
	last := 0 // the deal with which it is ended early
	if rng.IntN(4) == 0 {
		last = 1 + rng.IntN(4)
	}
	tab := table.Table{ID: "t1", Rules: rules, Phase: table.Over, MatchNo: 1, Seats: make([]table.Seat, rules.Players)}
	m, out := game.NewMatch(rules, rng.IntN(rules.Players)), match{}
	for no := 1; !m.Over; no++ {
		deal, err := game.Deal(rules, game.Shuffle(rules.Pack(), seedOf(rng.IntN(1<<30))), m.Dealer)
		for err == nil && !deal.Over() {
			legal := deal.Legal()
			deal, err = game.Apply(deal, deal.Turn(), legal[rng.IntN(len(legal))])
		}
		if err != nil {
			t.Fatal(err)
		}
		result, _ := deal.Result()
		if out.before = m; no == last {
			out.before = table.LastOf(m)
		}
		after, score := out.before.Settle(result)
		after.Rules = rules
		past := table.Past{
			No: no, Result: result, Score: score, Totals: slices.Clone(after.Scores), Pool: after.Pool, Held: after.Abeyance,
			Tricks: deal.View(game.Nobody).Tricks,
		}
		m, out.deals = after, append(out.deals, past)
		tab.Deal, tab.DealNo, tab.LastDeal = deal, no, no == last
	}
	tab.Match, tab.Past = m, slices.Clone(out.deals)
	for i := range len(tab.Past) - 1 {
		tab.Past[i].Tricks = nil // as a table keeps them
	}
	out.Outcome = *tab.Public().Result
	return out
}

// final returns the last deal.
func (m match) final() table.Past { return m.deals[len(m.deals)-1] }

// won reports whether the winner of the match won a deal, together with nobody else
// who did not win the match.
func (m match) won(p table.Past) (side int, won bool) {
	side = slices.IndexFunc(p.Score.Sides, func(seats []int) bool { return slices.Equal(slices.Sorted(slices.Values(seats)), m.Winners) })
	return side, side >= 0 && slices.Contains(p.Score.Winners, side)
}

// scores returns the winner's score after a deal, and the best of the others.
func (m match) scores(p table.Past) (own, other int) {
	other = -1 << 30
	for side, n := range p.Totals {
		if side == m.Match.Winner {
			own = n
		} else {
			other = max(other, n)
		}
	}
	return own, other
}

// facts say what each kind of story claims.
var facts = map[table.StoryKind]func(m match, s table.Story) bool{
	table.StoryComeback: func(m match, s table.Story) bool {
		most, low := 0, []int(nil)
		for _, p := range m.deals {
			if own, other := m.scores(p); other-own > most {
				most, low = other-own, []int{own, other}
			}
		}
		return most >= 2 && 2*most >= m.Match.Scores[m.Match.Winner] && (s.Kind != table.StoryComeback || slices.Equal(low, s.Low))
	},
	table.StoryShutout: func(m match, _ table.Story) bool {
		return len(m.deals) >= 3 && !slices.ContainsFunc(m.deals, func(p table.Past) bool {
			_, other := m.scores(p)
			return other > 0
		})
	},
	table.StoryBurn: func(m match, _ table.Story) bool {
		side, won := m.won(m.final())
		return m.final().Result.End == game.EndBurn && won && m.final().Result.Burner == side
	},
	table.StorySweep: func(m match, _ table.Story) bool {
		_, won := m.won(m.final())
		return m.final().Result.End == game.EndPlayed && won && !slices.ContainsFunc(m.final().Tricks, func(t game.Trick) bool { return !slices.Contains(m.Winners, t.Winner) })
	},
	table.StoryLastTrick: lastTrickDecides,
	table.StoryLevel: func(m match, s table.Story) bool {
		if len(m.deals) < 2 {
			return false
		}
		own, other := m.scores(m.deals[len(m.deals)-2])
		return own == other && own > 0 && (s.Kind != table.StoryLevel || slices.Equal(s.Low, []int{own, other}))
	},
	table.StoryChanges: func(m match, s table.Story) bool {
		leaders := []int{}
		for _, p := range m.deals {
			for side, n := range p.Totals {
				alone := !slices.ContainsFunc(p.Totals, func(other int) bool { return other > n }) && slices.Index(p.Totals, n) == side && !slices.Contains(p.Totals[side+1:], n)
				if alone {
					leaders = append(leaders, side)
				}
			}
		}
		n := len(slices.Compact(leaders)) - 1
		return n >= 3 && (s.Kind != table.StoryChanges || s.N == n)
	},
	table.StorySixty: func(m match, s table.Story) bool {
		n := 0
		for _, p := range m.deals {
			if side, won := m.won(p); won && p.Score.Points[side] == 60 {
				n++
			}
		}
		return n >= 2 && (s.Kind != table.StorySixty || s.N == n)
	},
	table.StoryAhead: func(m match, _ table.Story) bool {
		return len(m.deals) >= 3 && !slices.ContainsFunc(m.deals, func(p table.Past) bool {
			own, other := m.scores(p)
			return own <= other
		})
	},
	table.StoryPlain: func(match, table.Story) bool { return true },
}

// lastTrickDecides plays the last deal's count again with its last trick taken by each
// of the others.
func lastTrickDecides(m match, _ table.Story) bool {
	p, r := m.final(), m.Match.Rules
	side, _ := m.won(p)
	if side < 0 || p.Result.LastTrick != side {
		return false
	}
	for to, seats := range p.Score.Sides {
		if to == side {
			continue
		}
		res := p.Result
		res.CardPoints, res.TricksWon, res.RoundsWon = make([]int, len(p.Score.Sides)), make([]int, len(p.Score.Sides)), make([]int, len(p.Score.Sides))
		for i, t := range p.Tricks {
			if i == len(p.Tricks)-1 {
				t.Winner = seats[0]
			}
			taker := slices.IndexFunc(p.Score.Sides, func(seats []int) bool { return slices.Contains(seats, t.Winner) })
			res.TricksWon[taker]++
			res.RoundsWon[taker] += t.Rounds
			for _, play := range t.Plays {
				res.CardPoints[taker] += r.CardPoints.Of(play.Card.Rank())
			}
		}
		res.LastTrick = to
		if after, score := m.before.Settle(res); after.Over && after.Winner == m.Match.Winner || slices.Contains(score.Winners, side) {
			return false
		}
	}
	return true
}

// TestStoriesAreTrue checks thousands of matches of all games: what is told of a match
// is true of its record, nothing more interesting is, and every kind occurs.
func TestStoriesAreTrue(t *testing.T) {
	t.Parallel()
	each := 50
	if long {
		each = 200
	}
	rng := rand.New(rand.NewPCG(17, 4))
	stories := map[table.StoryKind]int{}
	for _, name := range game.Presets() {
		for i := range each {
			rules := gametest.Preset(t, name)
			if i%2 == 1 {
				rules = gametest.House(t, name, rng.IntN)
			}
			if i%3 == 0 && rules.Target > 3 && rules.Target <= 10 {
				rules.Target = 3
			}
			m := randomMatch(t, rules, rng)
			stories[m.Story.Kind]++
			m.check(t, name)
		}
	}
	for _, kind := range table.Stories {
		if stories[kind] == 0 {
			t.Errorf("%q is never told", kind)
		}
	}
}

func (m match) check(t *testing.T, name string) {
	t.Helper()
	for side, scores := range m.Curve {
		for i, n := range scores {
			if n != m.deals[i].Totals[side] {
				t.Fatalf("%s: the curve is %v", name, m.Curve)
			}
		}
	}
	if draw := len(m.Winners) == 0; draw || m.Story.Kind == table.StoryDraw {
		if !draw || m.Story.Kind != table.StoryDraw || m.Decisive != nil {
			t.Fatalf("%s: %+v, of %v", name, m.Story, m.Match.Scores)
		}
		return
	}
	for _, kind := range table.Stories {
		fact := facts[kind](m, m.Story)
		if kind == m.Story.Kind {
			if !fact {
				t.Fatalf("%s: %+v is not true of %v", name, m.Story, m.Curve)
			}
			break
		}
		if fact {
			t.Fatalf("%s: %+v is told of %v, and %s is more interesting", name, m.Story, m.Curve, kind)
		}
	}
	if d := m.Decisive; d != nil {
		m.checkDecisive(t, name, *d)
	}
}

// checkDecisive checks that a trick is one of the last deal, and that the winner's lead
// in points was safe after it and not before.
func (m match) checkDecisive(t *testing.T, name string, d table.Decisive) {
	t.Helper()
	p := m.final()
	side, won := m.won(p)
	if !won || d.Deal != len(m.deals) || d.Of != len(p.Tricks) || !cmp.Equal(d.Trick, p.Tricks[d.No-1]) {
		t.Fatalf("%s: %+v decided", name, d)
	}
	if d.No == d.Of {
		if !lastTrickDecides(m, m.Story) {
			t.Fatalf("%s: the last trick did not decide: %+v", name, d)
		}
		return
	}
	left := map[game.Rank]int{}
	for _, tr := range p.Tricks[d.No:] {
		for _, play := range tr.Plays {
			left[play.Card.Rank()]++
		}
	}
	for rank, n := range left {
		if n == 4 && (m.Match.Rules.Burn.Of(rank) > 0 || m.Match.Rules.BurnedGame > 0) {
			t.Fatalf("%s: %+v decided, but four %c could still have ended the deal", name, d, rank)
		}
	}
	lead := make([]int, len(p.Score.Sides)) // the points of each side from the trick on, and after it
	for i, tr := range p.Tricks {
		worth := 0
		for _, play := range tr.Plays {
			worth += m.Match.Rules.CardPoints.Of(play.Card.Rank())
		}
		if m.Match.Rules.TrickUnit == game.ByTrick {
			worth += m.Match.Rules.TrickPoints
		} else {
			worth += m.Match.Rules.TrickPoints * tr.Rounds
		}
		lead[slices.IndexFunc(p.Score.Sides, func(seats []int) bool { return slices.Contains(seats, tr.Winner) })] += worth
		total := 0
		for _, n := range p.Score.Points {
			total += n
		}
		rest := total
		for _, n := range lead {
			rest -= n
		}
		if safe := lead[side] > lead[1-side]+rest; safe != (i+1 >= d.No) {
			t.Fatalf("%s: %+v decided, but after trick %d the points are %v of %d", name, d, i+1, lead, total)
		}
		if i+1 == d.No {
			return
		}
	}
}

// A match that ended before there were stories has none, and the result of a match
// keeps its story after the rematch.
func TestAStoryStays(t *testing.T) {
	t.Parallel()
	var old table.Outcome
	if err := json.Unmarshal([]byte(`{"match_no":1,"match":{},"seats":[]}`), &old); err != nil || old.Story.Kind != "" || old.Curve != nil || old.Decisive != nil {
		t.Fatalf("%+v, %v", old.Story, err)
	}
	rules := gametest.Preset(t, "sedma-2p")
	rules.Target = 1
	w := started(t, rules, 2, 0, 0)
	for w.Phase != table.Over {
		if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 {
			w.do(w.who(seat), w.press(w.who(seat)))
		} else {
			w.untilDue()
		}
	}
	result := *w.Public().Result
	w.do(0, table.Rematch{})
	if result.Story.Kind == "" || len(result.Curve) != 2 {
		t.Fatalf("the match has the story %+v", result)
	}
	if diff := cmp.Diff(result, *w.Public().Last); diff != "" {
		t.Errorf("after the rematch (-before +after):\n%s", diff)
	}
}
