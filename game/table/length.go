package table

import (
	"fmt"
	"maps"
	"time"

	"sedmabot/game"
)

// DealTimes are how long deals have taken, by [TimeKey].
type DealTimes map[string]DealTime

// DealTime is how many deals took how many seconds together.
type DealTime struct {
	Deals   int `json:"n"`
	Seconds int `json:"s"`
}

// TimeKey names the deals that take about the same time: those of one family of games,
// with so many players, people among them.
func TimeKey(family string, players, people int) string {
	return fmt.Sprintf("%s %d %d", family, players, people)
}

// Add returns the times with some more. The times that it was given stay as they were.
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

// Else returns the times, and those of others where there are none.
func (d DealTimes) Else(others DealTimes) DealTimes {
	all := maps.Clone(others)
	if all == nil {
		all = DealTimes{}
	}
	maps.Copy(all, d)
	return all
}

// What a deal is taken to last where none was timed yet. Nobody has measured people:
// six seconds for each of a person's moves is what the authors took in a chat.
const (
	moveTime  = 6 * time.Second
	stopShare = 1.06 // moves for each card played: self-play has 0.06 stops for a card
)

// MatchTime estimates how long a match of these rules takes the people who sit at the
// table, with the AI on the other seats. It goes by the deals that were played in the
// table's home or else elsewhere, and where there are none by the number of moves.
func (p Public) MatchTime(r game.Rules) time.Duration {
	people := 0
	for _, s := range p.Seats {
		if s.person() {
			people++
		}
	}
	people = min(people, r.Players)
	deal := p.dealTime(r, people)
	if known := p.Times[TimeKey(game.Family(r.Preset), r.Players, people)]; known.Deals > 0 {
		deal = time.Duration(known.Seconds) * time.Second / time.Duration(known.Deals)
	}
	return time.Duration(game.ExpectedDeals(r) * float64(deal))
}

// dealTime returns how long a deal lasts by the number of its moves.
func (p Public) dealTime(r game.Rules, people int) time.Duration {
	moves := stopShare * float64(len(r.Pack())) / float64(r.Players) // of one seat
	each := time.Duration(people)*moveTime + time.Duration(r.Players-people)*p.Pace
	return time.Duration(moves*float64(each)) + pausePaces*p.Pace
}

// setLength changes how long the match is to be.
func (s *step) setLength(length string) error {
	rules, err := game.WithLength(s.Rules, length)
	if err != nil {
		return ErrNoChoice
	}
	s.Rules = rules
	return nil
}

// longTurn is the longest time that a turn adds to the time of a deal: whoever takes
// longer does something else meanwhile.
const longTurn = DefaultLimit

// spend adds the present turn or pause to the time that the deal took.
func (s *step) spend() {
	s.Took += min(max(0, s.env.Now.Sub(s.Since)), longTurn)
}

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
