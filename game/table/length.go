package table

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"sedmabot/game"
)

// DealTimes are how long deals have taken, by [TimeKey].
type DealTimes map[string]DealTime

// DealTime is a number of deals, and the seconds that they took together.
type DealTime struct {
	Deals   int `json:"n"`
	Seconds int `json:"s"`
}

// TimeKey names the deals that take about the same time: those of one family of games,
// with so many players, people among them.
func TimeKey(family string, players, people int) string {
	return fmt.Sprintf("%s %d %d", family, players, people)
}

// Add returns the times with some more. It doesn't change the original.
func (d DealTimes) Add(key string, more DealTime) DealTimes {
	if more.Deals == 0 {
		return d
	}
	then := maps.Clone(d)
	if then == nil {
		then = DealTimes{}
	}
	then[key] = DealTime{d[key].Deals + more.Deals, d[key].Seconds + more.Seconds}
	return then
}

// Else returns the times. For games with a number of players of which there are none, it takes those of others.
func (d DealTimes) Else(others DealTimes) DealTimes {
	all := maps.Clone(d)
	if all == nil {
		all = DealTimes{}
	}
	game := func(key string) string { return key[:strings.LastIndexByte(key, ' ')+1] }
	own := map[string]bool{}
	for key := range d {
		own[game(key)] = true
	}
	for key, time := range others {
		if !own[game(key)] {
			all[key] = time
		}
	}
	return all
}

// Estimated length of a deal before any was timed. Nobody has measured people: the
// authors took six seconds for each of their own moves in a chat.
const (
	moveTime  = 6 * time.Second
	stopShare = 1.06 // moves for each card played: self-play has 0.06 stops for a card
)

// MatchTime estimates how long a match of these rules takes. It uses the times of deals in the table's home, or else
// elsewhere. If there are none, it uses the number of moves. It doesn't depend on who sits in the lobby, so that it stays
// the same there.
func (p Public) MatchTime(r game.Rules) time.Duration {
	deal := p.dealTime(r)
	var known DealTime
	for people := range r.Players {
		more := p.Times[TimeKey(game.Family(r.Preset), r.Players, people+1)]
		known.Deals, known.Seconds = known.Deals+more.Deals, known.Seconds+more.Seconds
	}
	if known.Deals > 0 {
		deal = time.Duration(known.Seconds) * time.Second / time.Duration(known.Deals)
	}
	return time.Duration(expectedDeals(r) * float64(deal))
}

// dealTime estimates the length of a deal from the number of its moves, if two people play.
func (p Public) dealTime(r game.Rules) time.Duration {
	const people = 2
	moves := stopShare * float64(len(r.Pack())) / float64(r.Players) // of one seat
	each := people*moveTime + time.Duration(r.Players-people)*p.Pace
	return time.Duration(moves*float64(each)) + pausePaces*p.Pace
}

// expectedDeals estimates how many deals a match takes. The formulas were fitted to
// 1,000 matches of each preset and target, drawn from 300 deals that the easy AI played
// against itself. The test has those figures.
func expectedDeals(r game.Rules) float64 {
	if r.Target == 0 {
		return float64(r.Deals)
	}
	deals := 0.0
	switch target := float64(r.Target); r.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
		deals = dealsAStake(r) * math.Pow(target, 1.125)
	case game.ByDifference:
		deals = target / (0.3 * float64(r.DealPoints()))
	default:
		share := 0.55 // the match winner's share of the points in a deal
		if r.Players == 3 {
			share = 0.42
		}
		deals = target / (share * float64(r.DealPoints()))
	}
	if r.Deals > 0 {
		deals = min(deals, float64(r.Deals))
	}
	return max(1, deals)
}

// dealsAStake is the factor of expectedDeals for games of stakes.
func dealsAStake(r game.Rules) float64 {
	two, three, more := 1.0, 1.5, 0.9 // by the number of players
	switch {
	case r.Scoring == game.ByKovac: // it takes all tricks, or 60 points against 20
		two, more = 3.9, 1.65
	case r.Teams == game.SoloKing:
		three = 0.9
	case r.LastTrick == 0 && r.Tie == game.TieNone: // deals are often level
		two, three, more = 1.2, 1.3, 1.05
	}
	switch r.Players {
	case 2:
		return two
	case 3:
		return three
	}
	return more
}

// longTurn is the longest time that a turn adds to the time of a deal. A player who
// takes longer is doing something else meanwhile.
const longTurn = DefaultLimit

// counted returns how much of a turn or pause counts.
func counted(turn time.Duration) time.Duration { return min(max(0, turn), longTurn) }

// Timed returns how many of the deals were timed, and their time.
func Timed(deals []Past) DealTime {
	var d DealTime
	for _, past := range deals {
		if past.Took > 0 {
			d.Deals++
			d.Seconds += past.Took
		}
	}
	return d
}
