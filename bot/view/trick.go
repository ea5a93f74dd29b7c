package view

import (
	"slices"
	"strconv"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// OpenTrick says who is winning the open trick, what takes it over, and what it is worth. The reader is the player on
// seat me; Nobody means everyone.
func OpenTrick(w *Writer, p table.Public, v game.View, me int) []screen.Span {
	return trickLine(w, p, v, me, false)
}

// trickLine returns the line of OpenTrick. marks says that its screen has buttons with screen.TakesMark: the line explains it.
func trickLine(w *Writer, p table.Public, v game.View, me int, marks bool) []screen.Span {
	card := screen.Span{Kind: screen.SpanCard, Card: v.Trick[winningPlay(v)].Card, Strong: true}
	winning := "line.winning"
	switch {
	case v.Winner == me:
		winning = "line.winning.you"
	case me != game.Nobody && !p.Policy.Coached && together(v, me, v.Winner): // a lesson's remark says it
		winning = "line.winning.side"
	}
	return screen.Dots(w.Spans(winning, "player", SeatName(w, p, v.Winner), "card", card), takersLine(w, v, marks), ends(w, v),
		screen.Text(openWorth(w, v)))
}

// takersLine says what takes the open trick over; marks is that of trickLine.
func takersLine(w *Writer, v game.View, marks bool) []screen.Span {
	takes := takers(w, v)
	if marks {
		takes = append(screen.Text(screen.TakesMark+" "), takes...)
	}
	return takes
}

// briefLine says of the open trick which card wins, what takes it, and how many points it has. The felt shows the winner.
func briefLine(w *Writer, v game.View) []screen.Span {
	card := screen.Span{Kind: screen.SpanCard, Card: v.Trick[winningPlay(v)].Card, Strong: true}
	return screen.Dots(w.Spans("line.wins", "card", card), takers(w, v), ends(w, v), screen.Text(w.Text("points", "n", OpenWorth(v))))
}

// ends says which card would end the deal at once, or returns nil.
func ends(w *Writer, v game.View) []screen.Span {
	switch {
	case v.Taking.Burn != 0:
		return w.Spans("line.burn")
	case v.Taking.Fatal:
		return w.Spans("line.fatal")
	}
	return nil
}

// takes reports whether a card, played now, takes the open trick.
func takes(v game.View, c game.Card) bool {
	if v.Phase != game.Follow || c == 0 {
		return false
	}
	if c == v.Rules.SpecialSeven {
		return v.Taking.Special
	}
	return v.Taking.Ranks.Has(c.Rank())
}

// marked reports whether the buttons of a hand mark a card that takes the open trick: it is its player's turn, and they hold one.
func marked(p table.Private) bool {
	return p.Turn == p.Seat && slices.ContainsFunc(p.View.Hand, func(c game.Card) bool { return takes(p.View, c) })
}

// takers says which ranks take the open trick over, the led one first.
func takers(w *Writer, v game.View) []screen.Span {
	if v.Phase != game.Follow || v.Taking.Ranks == 0 && !v.Taking.Special {
		return nil
	}
	ranks := v.Taking.Ranks.List()
	led := v.Trick[0].Card.Rank()
	slices.SortStableFunc(ranks, func(a, b game.Rank) int {
		switch led {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	var words []string
	for _, r := range ranks {
		words = append(words, w.Ranks(r))
	}
	if v.Taking.Special {
		words = append(words, face.Text(w.Screen.Face, v.Rules.SpecialSeven))
	}
	return w.Spans("line.takes", "ranks", screen.ListOf(w.Catalogue, words))
}

// together reports whether two seats play on one side, as far as everyone knows.
func together(v game.View, a, b int) bool {
	if v.Rules.Teams == game.SoloKing {
		return a == b || v.Solo >= 0 && a != v.Solo && b != v.Solo
	}
	return v.Rules.Side(a) == v.Rules.Side(b)
}

// openWorth says what the open trick is worth so far. In the deal's last trick, that includes the reward for it.
func openWorth(w *Writer, v game.View) string {
	if v.Taking.Last && v.Rules.LastTrick != 0 {
		return trickWorth(w, v.Rules, openTrick(v), true)
	}
	return w.Text("line.worth", "points", w.Text("points", "n", OpenWorth(v)))
}

// OpenWorth returns the points of the open trick so far. In the deal's last trick, they include the reward for it.
func OpenWorth(v game.View) int {
	points := table.TrickPoints(v.Rules, openTrick(v))
	if v.Taking.Last {
		points += v.Rules.LastTrick
	}
	return points
}

func openTrick(v game.View) game.Trick { return game.Trick{Plays: v.Trick, Rounds: v.Rounds} }

// previousTrick says which player took the latest finished trick, and who played what.
func (at dealScreen) previousTrick(w *Writer) []screen.Span {
	n := len(at.View.Tricks)
	if n == 0 {
		return nil
	}
	t := at.View.Tricks[n-1]
	return w.Spans("line.previous", "player", SeatName(w, at.Public, t.Winner), "cards", ByPlayer(w, at.Public, t.Plays), "points", trickWorth(w, at.Rules, t, false))
}

// tookLine returns the line of the trick that ended a deal, player by player. last says that it counts as the last trick.
func tookLine(w *Writer, p table.Public, t game.Trick, last bool) []screen.Span {
	return w.Spans("line.took", "player", SeatName(w, p, t.Winner), "cards", ByPlayer(w, p, t.Plays), "points", trickWorth(w, p.Rules, t, last))
}

// pointsTaken returns the points of a finished trick. last says that the trick ended the deal.
func pointsTaken(p table.Public, t game.Trick, last bool) int {
	points := table.TrickPoints(p.Rules, t)
	if last {
		points += p.Rules.LastTrick
	}
	return points
}

// ByPlayer returns the cards of a trick, player by player.
func ByPlayer(w *Writer, p table.Public, plays []game.Play) []screen.Span {
	line := make([]screen.Span, 0, 4*len(plays))
	for i, first := range plays {
		if slices.ContainsFunc(plays[:i], func(q game.Play) bool { return q.Seat == first.Seat }) {
			continue
		}
		if i > 0 {
			line = append(line, screen.Span{Text: ", "})
		}
		line = append(line, SeatName(w, p, first.Seat)...)
		for _, play := range plays[i:] {
			if play.Seat == first.Seat {
				line = append(line, screen.Span{Text: " "}, screen.CardSpan(play.Card))
			}
		}
	}
	return line
}

// trick returns the open trick: a line for each seat in the order of play.
func (at dealScreen) trick(w *Writer) [][]screen.Span {
	v := at.View
	var lines [][]screen.Span
	seat := v.Leader
	for range at.Rules.Players {
		var line []screen.Span
		if seat == at.Turn {
			line = screen.Text("▸ ")
		}
		line = append(line, faced(w, at.Public, seat)...)
		var marks [][]screen.Span
		for _, m := range []struct {
			is  bool
			key string
		}{
			{seat == v.Leader, "mark.leads"},
			{seat == at.Dealer, "mark.dealer"},
			{at.Rules.NextDeal == game.SoccerHome && seat == at.AtHome, "mark.home"},
			{at.Seats[seat].Left, "mark.left"},
			{at.Seats[seat].Away && !at.Seats[seat].Left, "mark.away"},
		} {
			if m.is {
				marks = append(marks, w.Spans(m.key))
			}
		}
		if Pictured(w, at.Public, seat) == strconv.Itoa(seat+1) {
			marks = append(marks, w.Spans("mark.seat", "no", seat+1))
		}
		if level := at.AILevel(seat); level != "" {
			marks = append(marks, screen.Text(levelMark(w, level)))
		}
		if len(marks) > 0 {
			line = append(line, screen.Span{Text: " ("})
			line = append(line, screen.Join(screen.Span{Text: ", "}, marks)...)
			line = append(line, screen.Span{Text: ")"})
		}
		cards := at.cardsOf(w, seat)
		if passed(at.View, seat) {
			cards = screen.Join(screen.Span{Text: " "}, [][]screen.Span{cards, w.Spans("play.pass")})
		}
		if len(cards) > 0 {
			line = append(append(line, screen.Span{Text: ": "}), cards...)
		}
		lines = append(lines, line)
		seat = at.Rules.Next(seat)
	}
	return lines
}

// cardsOf returns the seat's cards in the open trick. The winning card is strong.
func (at dealScreen) cardsOf(w *Writer, seat int) []screen.Span {
	best := winningPlay(at.View)
	var cards [][]screen.Span
	for i, play := range at.View.Trick {
		if play.Seat == seat {
			cards = append(cards, PlaySpans(w, play, i == best))
		}
	}
	return screen.Join(screen.Span{Text: " "}, cards)
}

// passer returns the seat that has passed in the deal, or game.Nobody.
func passer(v game.View) int {
	for _, e := range v.Log {
		if e.Move == game.Pass {
			return e.Seat
		}
	}
	return game.Nobody
}

// passLine says who has used the only pass of the deal, or returns nil.
func (at dealScreen) passLine(w *Writer) []screen.Span {
	seat := passer(at.View)
	if seat < 0 {
		return nil
	}
	return w.Spans("table.passed", "player", SeatName(w, at.Public, seat))
}

// passed reports whether the seat has passed in the open trick.
func passed(v game.View, seat int) bool {
	cards := 0
	for _, e := range slices.Backward(v.Log) {
		if cards == len(v.Trick) {
			return false
		}
		if e.Move == game.Pass && e.Seat == seat {
			return true
		}
		if e.Card != 0 {
			cards++
		}
	}
	return false
}

// PlaySpans returns a card as it was played.
func PlaySpans(w *Writer, play game.Play, strong bool) []screen.Span {
	c := screen.Span{Kind: screen.SpanCard, Card: play.Card, Strong: strong}
	if play.Dark {
		return w.Spans("play.dark", "card", c)
	}
	return []screen.Span{c}
}

// winningPlay returns the index of the card that is winning the open trick, or -1
// without a trick.
func winningPlay(v game.View) int { return table.BestPlay(v.Rules, v.Trick, v.Winner) }

// trickWorth returns the points of a trick in words. last says that the trick ended the deal.
func trickWorth(w *Writer, r game.Rules, t game.Trick, last bool) string {
	_, words := Worth(w, r, t, last)
	return words
}

// Worth returns the points of a trick, as a number and in words. last says that the
// trick ended the deal.
func Worth(w *Writer, r game.Rules, t game.Trick, last bool) (points int, words string) {
	points = table.TrickPoints(r, t)
	if !last || r.LastTrick == 0 {
		return points, w.Text("points", "n", points)
	}
	points += r.LastTrick
	return points, w.Text("trick.last", "points", w.Text("points", "n", points), "n", r.LastTrick)
}
