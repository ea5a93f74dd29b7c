package table

import (
	"slices"

	"sedmabot/game"
)

// StoryKind names a fact about a finished match. Catalogues word each one under
// "story.<kind>".
type StoryKind string

// These are the kinds of stories, the most interesting first.
const (
	StoryComeback  StoryKind = "comeback"   // the winner was far behind: Low
	StoryShutout   StoryKind = "shutout"    // nobody else ever scored, in at least three deals
	StoryBurn      StoryKind = "burn"       // the winner burned the last deal with four cards of one rank
	StorySweep     StoryKind = "sweep"      // the winner took every trick of the last deal
	StoryLastTrick StoryKind = "last_trick" // without the very last trick, the match would not be won
	StoryLevel     StoryKind = "level"      // the winner and another side were level before the last deal: Low
	StoryChanges   StoryKind = "changes"    // the lead changed sides N times
	StorySixty     StoryKind = "sixty"      // the winner won N deals with exactly 60 points each
	StoryAhead     StoryKind = "ahead"      // the winner alone led after each of at least three deals
	StoryPlain     StoryKind = "plain"      // none of the above
	StoryDraw      StoryKind = "draw"       // nobody won
)

// Stories lists all kinds in their order.
var Stories = []StoryKind{
	StoryComeback, StoryShutout, StoryBurn, StorySweep, StoryLastTrick, StoryLevel,
	StoryChanges, StorySixty, StoryAhead, StoryPlain, StoryDraw,
}

// Story is the most interesting fact about a finished match.
type Story struct {
	Kind StoryKind `json:"kind"`
	Low  []int     `json:"low,omitempty"` // a score during the match: the winner's, and the best of the others
	N    int       `json:"n,omitempty"`
}

// Decisive is the trick that decided a match.
type Decisive struct {
	Deal  int        `json:"deal"` // number of its deal in the match, from 1
	No    int        `json:"no"`   // number of the trick in the deal, from 1
	Of    int        `json:"of"`   // number of tricks in the deal
	Trick game.Trick `json:"trick"`
}

// These are the bounds of stories.
const (
	fewDeals    = 3 // the shortest match in which leading throughout is worth telling
	manyChanges = 3 // the fewest changes of the lead that are worth telling
)

// storyOf returns the story of a match that is over. The deals are all of the match,
// and last says that it was ended early with the last of them.
func storyOf(m game.Match, deals []Past, last bool) Story {
	switch {
	case len(deals) == 0:
		return Story{}
	case m.Winner < 0:
		return Story{Kind: StoryDraw}
	}
	w, final := m.Winner, deals[len(deals)-1]
	lead := leadOf(w, deals)
	score, res := final.Score, final.Result
	side := sideOf(m.Rules, w, score.Sides)
	switch {
	case lead.behind >= 2 && 2*lead.behind >= m.Scores[w]:
		return Story{Kind: StoryComeback, Low: lead.low}
	case len(deals) >= fewDeals && lead.others == 0:
		return Story{Kind: StoryShutout}
	case res.End == game.EndBurn && res.Burner == side:
		return Story{Kind: StoryBurn}
	case res.End == game.EndPlayed && side >= 0 && slices.Contains(score.Winners, side) && tookAll(res.TricksWon, side):
		return Story{Kind: StorySweep}
	case lastTrickDecided(m, deals, last):
		return Story{Kind: StoryLastTrick}
	}
	if n := len(deals); n > 1 {
		before := deals[n-2].Totals
		if own, other := before[w], best(before, w); own == other && own > 0 {
			return Story{Kind: StoryLevel, Low: []int{own, other}}
		}
	}
	sixties := 0
	for _, p := range deals {
		if i := sideOf(m.Rules, w, p.Score.Sides); i >= 0 && slices.Contains(p.Score.Winners, i) && p.Score.Points[i] == 60 {
			sixties++
		}
	}
	switch {
	case lead.changes >= manyChanges:
		return Story{Kind: StoryChanges, N: lead.changes}
	case sixties >= 2:
		return Story{Kind: StorySixty, N: sixties}
	case len(deals) >= fewDeals && lead.always:
		return Story{Kind: StoryAhead}
	}
	return Story{Kind: StoryPlain}
}

// lead is how the lead went during a match, from the winner's point of view.
type lead struct {
	behind  int   // the most that the winner was behind the best other side
	low     []int // the score at that time, as Story.Low
	changes int   // how often another side than before led alone
	others  int   // the highest score that another side ever had; at least 0
	always  bool  // the winner alone led after every deal
}

// leadOf returns how the lead went in a match that side w won.
func leadOf(w int, deals []Past) lead {
	l, leader := lead{always: true}, -1
	for _, p := range deals {
		own, other := p.Totals[w], best(p.Totals, w)
		if other-own > l.behind {
			l.behind, l.low = other-own, []int{own, other}
		}
		l.others = max(l.others, other)
		l.always = l.always && own > other
		top := slices.Max(p.Totals)
		if i := slices.Index(p.Totals, top); !slices.Contains(p.Totals[i+1:], top) {
			if leader >= 0 && leader != i {
				l.changes++
			}
			leader = i
		}
	}
	return l
}

// best returns the highest score apart from that of one side.
func best(scores []int, but int) int {
	others := slices.Delete(slices.Clone(scores), but, but+1)
	return slices.Max(others)
}

// sideOf returns the side of a deal that has exactly the seats of a side of the match,
// or -1. The two differ when one plays alone against all others.
func sideOf(r game.Rules, side int, sides [][]int) int {
	return slices.IndexFunc(sides, func(seats []int) bool {
		for seat := range r.Players {
			if slices.Contains(seats, seat) != (r.Side(seat) == side) {
				return false
			}
		}
		return true
	})
}

// tookAll reports whether only that side won tricks.
func tookAll(tricks []int, side int) bool {
	for i, n := range tricks {
		if (n > 0) != (i == side) {
			return false
		}
	}
	return true
}

// beforeLast returns the match as it was before its last deal.
func beforeLast(m game.Match, deals []Past, last bool) game.Match {
	b := game.NewMatch(m.Rules, deals[len(deals)-1].Result.Dealer)
	b.Home, b.Deals = m.Home, len(deals)-1
	if n := len(deals); n > 1 {
		b.Scores, b.Pool, b.Abeyance = deals[n-2].Totals, deals[n-2].Pool, deals[n-2].Held
	}
	if last {
		b = LastOf(b)
	}
	return b
}

// lastTrickDecided reports whether the winner of a match took its very last trick, and
// would have won neither the match nor its last deal if any other side had taken that trick.
func lastTrickDecided(m game.Match, deals []Past, last bool) bool {
	final := deals[len(deals)-1]
	side, n := sideOf(m.Rules, m.Winner, final.Score.Sides), len(final.Tricks)
	if side < 0 || n == 0 || final.Result.LastTrick != side {
		return false
	}
	before := beforeLast(m, deals, last)
	for to := range final.Score.Sides {
		if to == side {
			continue
		}
		after, score := before.Settle(given(m.Rules, final.Result, final.Tricks[n-1], to))
		if after.Over && after.Winner == m.Winner || slices.Contains(score.Winners, side) {
			return false
		}
	}
	return true
}

// given returns the result of a deal as if another side had taken its last trick.
func given(r game.Rules, res game.Result, t game.Trick, to int) game.Result {
	from, points := res.LastTrick, 0
	for _, p := range t.Plays {
		points += r.CardPoints.Of(p.Card.Rank())
	}
	move := func(by []int, n int) []int {
		by = slices.Clone(by)
		by[from], by[to] = by[from]-n, by[to]+n
		return by
	}
	res.CardPoints, res.TricksWon, res.RoundsWon = move(res.CardPoints, points), move(res.TricksWon, 1), move(res.RoundsWon, t.Rounds)
	res.LastTrick = to
	return res
}

// decisiveOf returns the trick that decided a match: the one after which the winner of
// its last deal could no longer be caught in that deal, or else the last one, if that
// decided. It returns nil if no trick did, or nobody won.
func decisiveOf(m game.Match, deals []Past, last bool) *Decisive {
	if m.Winner < 0 || len(deals) == 0 {
		return nil
	}
	final := deals[len(deals)-1]
	n, before := len(final.Tricks), beforeLast(m, deals, last)
	side := sideOf(m.Rules, m.Winner, final.Score.Sides)
	if n == 0 || side < 0 || final.Result.End != game.EndPlayed || !slices.Equal(final.Score.Winners, []int{side}) ||
		before.Finish().Winner == m.Winner && m.Rules.Target == 0 {
		return nil
	}
	at, least := n, before.Scores[m.Winner]+m.Rules.Stakes[0]
	if m.Rules.Scoring == game.ByStakes && m.Rules.FinalSeven != game.SevenLoses && m.Rules.Sides() == 2 &&
		least >= before.Rules.Target && least > best(before.Scores, m.Winner) {
		at = safeAfter(m.Rules, final, side)
	}
	if at == n && !lastTrickDecided(m, deals, last) || at < n && canBurn(m.Rules, final.Tricks[at:]) {
		return nil
	}
	return &Decisive{Deal: len(deals), No: at, Of: n, Trick: final.Tricks[at-1]}
}

// canBurn reports whether four equal cards among those of these tricks could have ended the deal.
func canBurn(r game.Rules, tricks []game.Trick) bool {
	equal := map[game.Rank]int{}
	for _, t := range tricks {
		for _, p := range t.Plays {
			rank := p.Card.Rank()
			if equal[rank]++; equal[rank] == 4 && (r.BurnedGame > 0 || r.Burn.Of(rank) > 0) {
				return true
			}
		}
	}
	return false
}

// safeAfter returns the number of the first trick of a deal after which a side had more
// points than any other could still get; if there is none, that of the last trick.
func safeAfter(r game.Rules, deal Past, side int) int {
	points, rest := slices.Clone(deal.Score.Points), 0 // after the first i tricks; rest is in the later ones
	n := len(deal.Tricks)
	at := n
	for i := n; i > 0 && points[side] > best(points, side)+rest; i-- {
		worth := TrickPoints(r, deal.Tricks[i-1])
		if i == n {
			worth += r.LastTrick
		}
		taker := slices.IndexFunc(deal.Score.Sides, func(seats []int) bool { return slices.Contains(seats, deal.Tricks[i-1].Winner) })
		points[taker] -= worth
		at, rest = i, rest+worth
	}
	return at
}

// TrickPoints returns the points of a trick, without the bonus for the last one.
func TrickPoints(r game.Rules, t game.Trick) int {
	points := r.TrickPoints
	if r.TrickUnit == game.ByRound {
		points *= t.Rounds
	}
	for _, p := range t.Plays {
		points += r.CardPoints.Of(p.Card.Rank())
	}
	return points
}

// curveOf returns the match score after each deal, by side.
func curveOf(sides int, deals []Past) [][]int {
	curve := make([][]int, sides)
	for _, p := range deals {
		for side, n := range p.Totals {
			curve[side] = append(curve[side], n)
		}
	}
	return curve
}
