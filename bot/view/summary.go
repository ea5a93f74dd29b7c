package view

import (
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// dealEnd returns the table's screen in the pause after a deal: who won what, and the
// score. Its picture shows the last trick.
func (at dealScreen) dealEnd(past table.Past) screen.Screen {
	var s screen.Screen
	for _, letters := range nameLengths {
		if s = at.dealEndWith(past, letters); s.Letters() <= tableLetters {
			break
		}
	}
	return s
}

// dealEndWith returns the screen of dealEnd with names of at most that many letters. 0
// means that names are not cut.
func (at dealScreen) dealEndWith(past table.Past, letters int) screen.Screen {
	w := at.writer()
	w.NameLetters = letters
	headline := screen.Bold(screen.PlainText(w.Screen.Face, at.dealWon(w, past)))
	w.Block(screen.Plain, screen.Dots(headline, screen.Join(screen.Span{Text: " "}, verdict(w, past))))
	if at.Phase == table.Closed {
		w.Say(screen.Plain, "closed.line")
	}
	figures := [][]screen.Span{PerSide(w, at.Public, "table.score", Sides(at.Rules), past.Totals)}
	figures = append(figures, held(w, past.Pool, past.Held), payments(w, at.Public, "over.pay", past.Score.Payments), account(w, at.Public, past))
	if past.Score.HalfTime {
		figures = append(figures, w.Spans("over.half"))
	}
	w.Block(screen.Small, screen.Dots(figures...))
	if n := len(past.Tricks); n > 0 {
		w.Block(screen.Small, tookLine(w, at.Public, past.Tricks[n-1], past.Result.LastTrick >= 0))
	}
	if at.Phase == table.Pause {
		at.newcomers(w)
	}
	at.said(w)
	at.showEnd(w, past)
	if at.Phase != table.Closed {
		w.Row(append(at.joinButton(w), w.Button(at.press(ActMore), screen.Quiet))...)
	}
	return w.Screen
}

// dealWon says who won a deal, and what they won.
func (at channel) dealWon(w *Writer, past table.Past) []screen.Span {
	score, no := past.Score, at.DealInMatch(past.No)
	switch at.Rules.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra, game.ByDifference:
		switch {
		case len(score.Winners) > 1 && score.Stake > 0:
			var names [][]screen.Span
			for _, i := range score.Winners {
				names = append(names, SideName(w, at.Public, score.Sides[i]))
			}
			return w.Spans("over.level", "no", no, "sides", screen.Join(screen.Span{Text: ", "}, names), "n", score.Stake)
		case len(score.Winners) != 1 || at.Rules.Scoring == game.ByKovac && score.Stake == 0:
			return w.Spans("over.none", "no", no)
		}
		return w.Spans("over.won", "no", no, "side", SideName(w, at.Public, score.Sides[score.Winners[0]]), "what", prize(w, at.Public, past))
	default:
		var pieces [][]screen.Span
		for side, seats := range Sides(at.Rules) {
			pieces = append(pieces, w.Spans("table.side", "side", SideName(w, at.Public, seats), "n", score.ScoreDelta[side]))
		}
		return w.Spans("over.gains", "no", no, "sides", screen.Dots(pieces...))
	}
}

// DealEnd adds how a deal ended, and the score after it.
func DealEnd(w *Writer, p table.Public, past table.Past) {
	w.Block(screen.Plain, append([][]screen.Span{channel{Public: p}.dealWon(w, past)}, verdict(w, past)...)...)
	w.Block(screen.Plain, payments(w, p, "over.pay", past.Score.Payments), PerSide(w, p, "table.score", Sides(p.Rules), past.Totals))
}

// verdict says what was special about a deal: burnt, every trick, all the points, or a last card that lost it.
func verdict(w *Writer, past table.Past) [][]screen.Span {
	var lines [][]screen.Span
	if end := past.Result.End; end == game.EndBurn || end == game.EndBurnedGame {
		lines = append(lines, w.Spans("over."+end.String()))
	}
	return append(lines, sweep(w, past))
}

// prize returns what the single winning side of a deal gets.
func prize(w *Writer, at table.Public, past table.Past) string {
	winner := past.Score.Winners[0]
	switch at.Rules.Scoring {
	case game.ByRistikontra:
		return w.Text("stakes", "n", past.Score.ScoreDelta[winner]) // with what was in abeyance
	case game.ByStakes, game.ByKovac:
		return w.Text("stakes", "n", past.Score.Stake)
	default:
		return w.Text("points", "n", past.Score.ScoreDelta[winner])
	}
}

// sweep says that the winners took all tricks or all points, or that they won although the others had more points. It returns
// nil for other deals.
func sweep(w *Writer, past table.Past) []screen.Span {
	if past.Result.End != game.EndPlayed || len(past.Score.Winners) == 0 {
		return nil
	}
	won, tricks, points, behind := past.Score.Winners[0], 0, 0, false
	for i, n := range past.Score.Points {
		if past.Result.TricksWon[i] > 0 {
			tricks++
		}
		if n > 0 {
			points++
		}
		behind = behind || n > past.Score.Points[won]
	}
	switch {
	case behind:
		return w.Spans("over.last_card")
	case tricks == 1:
		return w.Spans("over.sweep")
	case points == 1:
		return w.Spans("over.all_points")
	}
	return nil
}

// held returns what is in the pool and in abeyance, or nil if both are empty.
func held(w *Writer, pool, abeyance int) []screen.Span {
	var pieces [][]screen.Span
	if pool > 0 {
		pieces = append(pieces, w.Spans("table.pool", "points", w.Text("points", "n", pool)))
	}
	if abeyance > 0 {
		pieces = append(pieces, w.Spans("table.abeyance", "n", abeyance))
	}
	return screen.Dots(pieces...)
}

// account returns each player's total payments in the match up to this deal. It
// returns nil for the first deal.
func account(w *Writer, at table.Public, past table.Past) []screen.Span {
	sums := make([]int, at.Rules.Players)
	deals := 0
	for _, p := range at.Past {
		if p.No <= past.No {
			deals++
			for seat, n := range p.Score.Payments {
				sums[seat] += n
			}
		}
	}
	if deals < 2 {
		return nil
	}
	return payments(w, at, "over.account", sums)
}

// payments returns what each player gets or pays, if the score does not show it: with
// three players, or in a game without a target.
func payments(w *Writer, at table.Public, key string, payments []int) []screen.Span {
	paid := false
	for _, n := range payments {
		paid = paid || n != 0
	}
	if !paid || at.Rules.Scoring != game.ByStakes || at.Rules.Target > 0 && at.Rules.Players != 3 {
		return nil
	}
	var pieces [][]screen.Span
	for seat, n := range payments {
		pieces = append(pieces, w.Spans("table.side", "side", SeatName(w, at, seat), "n", screen.Bold(screen.Signed(n))))
	}
	return w.Spans(key, "sides", screen.Dots(pieces...))
}
