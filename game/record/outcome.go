package record

import (
	"slices"
	"strconv"

	"sedmabot/game"
)

// MarshalJSON returns the JSON that `sedmabot replay` prints for a record.
func (o Outcome) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

func (o *Outcome) append(b []byte) []byte {
	b = append(b, `{"deals":[`...)
	for i := range o.Deals {
		if i > 0 {
			b = append(b, ',')
		}
		b = o.Deals[i].append(b)
	}
	b = append(b, ']')
	b = numbers(b, "scores", o.Match.Scores)
	b = numbers(b, "payments", o.Payments)
	b = appendNumber(b, "pool", o.Match.Pool)
	b = appendNumber(b, "abeyance", o.Match.Abeyance)
	b = appendNumber(b, "hands_played", o.Match.Deals)
	b = appendNumber(b, "dealer", o.Match.Dealer)
	b = strconv.AppendBool(key(b, "over"), o.Match.Over)
	b = seatOrNull(b, "winner", o.Match.Winner)
	return append(b, '}')
}

// MarshalJSON returns the deal's part of what `sedmabot replay` prints.
func (d DealOutcome) MarshalJSON() ([]byte, error) { return d.append(nil), nil }

func (d *DealOutcome) append(b []byte) []byte {
	v := &d.View
	finished := v.Phase == game.Over
	b = strconv.AppendBool(append(b, `{"finished":`...), finished)
	b = key(b, "end")
	if finished {
		b = append(append(append(b, '"'), v.End.String()...), '"')
	} else {
		b = append(b, "null"...)
	}
	b = appendNumber(b, "dealer", v.Dealer)
	b = appendNumber(b, "leader", d.firstLeader())
	b = appendArray(key(b, "tricks"), v.Tricks, appendTrick)
	b = d.appendCaptured(key(b, "captured"))
	b = appendArray(key(b, "hands"), d.hands(), appendCards)
	b = appendNumber(b, "stock", v.Stock)
	b = seatOrNull(b, "solo", d.solo())
	if finished {
		b = d.appendCount(b)
	} else {
		b = d.appendOpen(b)
	}
	if d.Trace != nil {
		b = appendArray(key(b, "legal_trace"), d.Trace, appendTraced)
	}
	return append(b, '}')
}

// appendOpen appends the state of an unfinished deal.
func (d *DealOutcome) appendOpen(b []byte) []byte {
	v := &d.View
	b = appendNumber(b, "turn", v.Turn)
	b = append(append(append(key(b, "phase"), '"'), v.Phase.String()...), '"')
	b = appendArray(key(b, "legal"), sorted(d.State.Legal()), appendMove)
	b = appendArray(key(b, "trick"), v.Trick, appendPlay)
	b = seatOrNull(b, "trick_winner", v.Winner)
	points, tricks, rounds := d.State.Won()
	b = numbers(b, "card_points", d.bySide(points))
	b = numbers(b, "tricks_won", d.bySide(tricks))
	return numbers(b, "rounds_won", d.bySide(rounds))
}

// appendCount appends the totals and the settlement of a finished deal.
func (d *DealOutcome) appendCount(b []byte) []byte {
	s := &d.Settlement
	res, _ := d.State.Result()
	b = appendArray(key(b, "sides"), s.Sides, appendInts)
	b = numbers(b, "card_points", res.CardPoints)
	b = numbers(b, "points", s.Points)
	b = numbers(b, "tricks_won", res.TricksWon)
	b = numbers(b, "rounds_won", res.RoundsWon)
	b = seatOrNull(b, "last_trick_side", res.LastTrick)
	b = numbers(b, "winners", s.Winners)
	b = appendNumber(b, "stake", s.Stake)
	b = numbers(b, "score_delta", s.ScoreDelta)
	b = numbers(b, "payments", s.Payments)
	b = appendNumber(b, "next_dealer", s.NextDealer)
	b = appendNumber(b, "next_leader", s.NextLeader)
	b = numbers(b, "scores", d.Match.Scores)
	b = appendNumber(b, "pool", d.Match.Pool)
	return appendNumber(b, "abeyance", d.Match.Abeyance)
}

// firstLeader returns the leader of the deal's first trick, even if it hasn't been led yet.
func (d *DealOutcome) firstLeader() int {
	switch v := &d.View; {
	case len(v.Tricks) > 0:
		return v.Tricks[0].Leader
	case len(v.Trick) > 0:
		return v.Trick[0].Seat
	default:
		return v.Leader
	}
}

// solo returns the solo player, or Nobody while the king is in the stock.
func (d *DealOutcome) solo() int {
	if d.View.Rules.Teams != game.SoloKing {
		return game.Nobody
	}
	return d.State.Solo()
}

// bySide adds up the numbers by side. While nobody has the solo king, it returns them by seat.
func (d *DealOutcome) bySide(seats []int) []int {
	solo := d.solo()
	if solo == game.Nobody {
		sums := make([]int, d.View.Rules.Sides())
		for p, n := range seats {
			sums[d.View.Rules.Side(p)] += n
		}
		return sums
	}
	sums := make([]int, 2)
	for p, n := range seats {
		if p == solo {
			sums[0] += n
		} else {
			sums[1] += n
		}
	}
	return sums
}

// appendCaptured appends the cards that each seat has won, in the order of play.
func (d *DealOutcome) appendCaptured(b []byte) []byte {
	b = append(b, '[')
	for seat := range d.View.Rules.Players {
		if seat > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		from := len(b)
		if d.View.Captured != nil {
			b = appendList(b, d.View.Captured[seat])
		}
		for _, t := range d.View.Tricks {
			if t.Winner != seat {
				continue
			}
			for _, p := range t.Plays {
				b = appendNext(b, len(b) > from, p.Card)
			}
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// hands returns each seat's cards in the order in which they were drawn.
func (d *DealOutcome) hands() [][]game.Card {
	out := make([][]game.Card, d.View.Rules.Players)
	left := 0
	for _, n := range d.View.Counts {
		left += n
	}
	if left == 0 {
		return out
	}
	var when [128]int
	deck := d.State.Deck()
	for i, c := range deck {
		when[c] = i + 1
	}
	for p := range out {
		for _, c := range d.State.Hand(p) {
			if c != 0 {
				out[p] = append(out[p], c)
			}
		}
		slices.SortStableFunc(out[p], func(a, b game.Card) int { return when[a] - when[b] })
	}
	return out
}

// appendArray appends a JSON array, each of whose elements one appends.
func appendArray[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

func appendTrick(b []byte, t game.Trick) []byte {
	b = strconv.AppendInt(append(b, `{"leader":`...), int64(t.Leader), 10)
	b = appendArray(key(b, "plays"), t.Plays, appendPlay)
	b = appendNumber(b, "rounds", t.Rounds)
	return append(appendNumber(b, "winner", t.Winner), '}')
}

func appendPlay(b []byte, p game.Play) []byte {
	return append(b, '[', '0'+byte(p.Seat), ',', '"', byte(p.Card.Rank()), byte(p.Card.Suit()), '"', ']')
}

func appendTraced(b []byte, t Traced) []byte {
	b = append(b, '[', '0'+byte(t.Seat), ',', '"')
	b = append(append(b, t.Phase.String()...), '"', ',')
	return append(appendArray(b, t.Legal, appendMove), ']')
}

func appendMove(b []byte, m game.Move) []byte {
	return append(append(append(b, '"'), m.String()...), '"')
}

func appendCards(b []byte, cards []game.Card) []byte {
	return append(appendList(append(b, '['), cards), ']')
}

// appendList appends the cards as JSON strings, without the brackets.
func appendList(b []byte, cards []game.Card) []byte {
	for i, c := range cards {
		b = appendNext(b, i > 0, c)
	}
	return b
}

// appendNext appends a card, after a comma if comma is set.
func appendNext(b []byte, comma bool, c game.Card) []byte {
	if comma {
		b = append(b, ',')
	}
	return append(b, '"', byte(c.Rank()), byte(c.Suit()), '"')
}

// key appends a comma, the key and a colon.
func key(b []byte, name string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

func appendNumber(b []byte, name string, n int) []byte {
	return strconv.AppendInt(key(b, name), int64(n), 10)
}

func numbers(b []byte, name string, list []int) []byte { return appendInts(key(b, name), list) }

func appendInts(b []byte, list []int) []byte {
	return appendArray(b, list, func(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) })
}

// seatOrNull appends a key with a seat or a side, or with null for Nobody.
func seatOrNull(b []byte, name string, n int) []byte {
	if n == game.Nobody {
		return append(key(b, name), "null"...)
	}
	return appendNumber(b, name, n)
}
