package league

import (
	"slices"

	"sedmabot/game"
	"sedmabot/game/table"
)

// feats are what somebody can do in a match that is worth learning, as catalogues
// name them ("feat.<name>", and how it is done "feat.<name>.how"). A match's
// result says who did which; the first time is told with the result.
const (
	featBurn     = "burn"     // spálená kaše: four of a rank burn the hand for his side
	featSweep    = "sweep"    // his side took every trick of a deal
	featSixty    = "sixty"    // it won a deal with exactly 60 points
	featSeven    = "seven"    // a seven as the last card saved the deal
	featComeback = "comeback" // it won a match that stood at 0:9, or the like
	featShutout  = "shutout"  // it won a match in which the others got nothing
	featAlone    = "alone"    // he won a deal alone against all others
)

// AllFeats are all of them, the easiest first.
var AllFeats = []string{featSweep, featSeven, featSixty, featBurn, featShutout, featAlone, featComeback}

// shortest is the target of the shortest match in which coming back is something.
const shortest = 5

// featsOf are the feats of a seat in a finished match, each once.
func featsOf(deals []table.Past, over table.MatchOver, seat int) []string {
	did := map[string]bool{}
	rules := over.Match.Rules
	for _, past := range deals {
		res, score := past.Result, past.Score
		side := slices.IndexFunc(score.Sides, func(seats []int) bool { return slices.Contains(seats, seat) })
		won := slices.Contains(score.Winners, side)
		did[featBurn] = did[featBurn] || res.End == game.EndBurn && res.Burner == side
		if res.End != game.EndPlayed || side < 0 {
			continue
		}
		did[featSweep] = did[featSweep] || sweeper(past) == side
		did[featSixty] = did[featSixty] || won && score.Points[side] == 60
		did[featSeven] = did[featSeven] || saved(past, side, won, rules.LastTrick)
		did[featAlone] = did[featAlone] || won && res.Solo == seat
	}
	if side := rules.Side(seat); slices.Contains(over.Winners, seat) && rules.Target >= shortest {
		behind := func(totals []int) bool {
			return totals[side] <= 0 && slices.Max(totals) == rules.Target-1
		}
		did[featComeback] = slices.ContainsFunc(deals, func(p table.Past) bool { return behind(p.Totals) })
		did[featShutout] = true
		for other, score := range over.Match.Scores {
			did[featShutout] = did[featShutout] && (other == side || score <= 0)
		}
	}
	return slices.DeleteFunc(slices.Clone(AllFeats), func(feat string) bool { return !did[feat] })
}

// saved tells whether the last card of a deal was a seven that won a side the last
// trick, and with it the deal, or the only trick that it got.
func saved(past table.Past, side int, won bool, lastTrick int) bool {
	res := past.Result
	if res.LastCardSide != side || res.LastTrick != side || res.LastCard.Rank() != '7' {
		return false
	}
	if res.TricksWon[side] == 1 {
		return true
	}
	next := 0 // what the best of the others would have had
	for other, points := range past.Score.Points {
		if other != side {
			next = max(next, points+lastTrick)
		}
	}
	return won && lastTrick > 0 && past.Score.Points[side]-lastTrick <= next
}

// firsts are the feats of a match that its players did for the first time, now
// that it is counted.
func (r Result) firsts(members map[string]*Member) []table.First {
	var all []table.First
	for seat, s := range r.Seats {
		for _, feat := range s.Feats {
			if m := members[s.Player]; m != nil && m.Feats[feat] == 1 {
				all = append(all, table.First{Seat: seat, Feat: feat})
			}
		}
	}
	return all
}
