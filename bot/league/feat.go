package league

import (
	"slices"

	"sedmabot/game"
	"sedmabot/game/table"
)

// Feats are achievements in a match that are worth learning. Catalogues have their names
// under "feat.<name>", and how to do them under "feat.<name>.how". A match's result says
// who did which. A player's first time is announced with the result. Nothing counts
// by which its player lost: where a last seven loses, it is no feat, and neither is a
// deal with every trick that a last seven lost.
const (
	featBurn     = "burn"     // spálená kaše: the player's side burned the deal with four cards of one rank
	featSweep    = "sweep"    // the player's side took every trick of a deal
	featSixty    = "sixty"    // the side won a deal with exactly 60 points
	featSeven    = "seven"    // the side saved the deal with a seven as the last card
	featComeback = "comeback" // the side won a match after 0:9 or a similar score
	featShutout  = "shutout"  // the side won a match in which the others scored nothing
	featAlone    = "alone"    // the player won a deal alone against all others
)

// AllFeats lists all feats, the easiest first.
var AllFeats = []string{featSweep, featSeven, featSixty, featBurn, featShutout, featAlone, featComeback}

// shortest is the lowest target score of a match in which a comeback or a shutout counts as a feat.
const shortest = 5

// featsOf returns the feats of a seat in a finished match, each once.
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
		did[featSweep] = did[featSweep] || won && sweeper(past) == side
		did[featSixty] = did[featSixty] || won && score.Points[side] == 60
		did[featSeven] = did[featSeven] || rules.FinalSeven != game.SevenLoses && saved(past, side, won, rules.LastTrick)
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

// saved reports whether a side won the last trick of a deal, and its seven was the last card.
// The trick must also have decided the deal, or be the side's only one.
func saved(past table.Past, side int, won bool, lastTrick int) bool {
	res := past.Result
	if res.LastCardSide != side || res.LastTrick != side || res.LastCard.Rank() != '7' {
		return false
	}
	if res.TricksWon[side] == 1 {
		return true
	}
	next := 0 // best score of another side if it had won the last trick
	for other, points := range past.Score.Points {
		if other != side {
			next = max(next, points+lastTrick)
		}
	}
	return won && lastTrick > 0 && past.Score.Points[side]-lastTrick <= next
}

// firsts returns the feats of a match that its players did for the first time. The match
// must already be counted in members. A last seven that only saved a trick is not
// announced to a player who lost.
func (r Result) firsts(members map[string]*Member) []table.First {
	var all []table.First
	for seat, s := range r.Seats {
		for _, feat := range s.Feats {
			if m := members[s.Player]; m != nil && m.Feats[feat] == 1 && (s.Won || feat != featSeven) {
				all = append(all, table.First{Seat: seat, Feat: feat})
			}
		}
	}
	return all
}
