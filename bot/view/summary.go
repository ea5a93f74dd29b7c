package view

import (
	"sedmabot/game"
	"sedmabot/game/table"
)

// dealEnd returns the table's screen in the pause after a deal: who won what, and the
// score. Its picture shows the last trick.
func (at channel) dealEnd(past table.Past) Screen {
	var s Screen
	for _, letters := range nameLengths {
		if s = at.dealEndWith(past, letters); s.letters() <= tableLetters {
			break
		}
	}
	return s
}

// dealEndWith returns the screen of dealEnd with names of at most that many letters. 0
// means that names are not cut.
func (at channel) dealEndWith(past table.Past, letters int) Screen {
	w := at.writer()
	w.nameLetters = letters
	headline := bold(plainText(w.screen.Face, at.dealWon(w, past)))
	why := verdict(w, past)
	w.block(Plain, dots(headline, joinSpans(Span{Text: " "}, why)))
	if at.Phase == table.Closed {
		w.say(Plain, "closed.line")
	}
	figures := [][]Span{perSide(w, at.Public, "table.score", sides(at.Rules), past.Totals)}
	figures = append(figures, held(w, past.Pool, past.Held), payments(w, at.Public, "over.pay", past.Score.Payments), account(w, at.Public, past))
	if past.Score.HalfTime {
		figures = append(figures, w.spans("over.half"))
	}
	w.block(Small, dots(figures...))
	if n := len(past.Tricks); n > 0 {
		w.block(Small, tookLine(w, at.Public, past.Tricks[n-1], past.Result.LastTrick >= 0))
	}
	at.showEnd(w, past)
	if at.Phase != table.Closed {
		w.row(w.button(at.press(ActMore), Quiet))
	}
	return w.screen
}

// dealWon says who won a deal, and what they won.
func (at channel) dealWon(w *writer, past table.Past) []Span {
	score := past.Score
	switch at.Rules.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra, game.ByDifference:
		switch {
		case len(score.Winners) > 1 && score.Stake > 0:
			var names [][]Span
			for _, i := range score.Winners {
				names = append(names, sideName(w, at.Public, score.Sides[i]))
			}
			return w.spans("over.level", "no", past.No, "sides", joinSpans(Span{Text: ", "}, names), "n", score.Stake)
		case len(score.Winners) != 1 || at.Rules.Scoring == game.ByKovac && score.Stake == 0:
			return w.spans("over.none", "no", past.No)
		}
		return w.spans("over.won", "no", past.No, "side", sideName(w, at.Public, score.Sides[score.Winners[0]]), "what", prize(w, at.Public, past))
	default:
		var pieces [][]Span
		for side, seats := range sides(at.Rules) {
			pieces = append(pieces, w.spans("table.side", "side", sideName(w, at.Public, seats), "n", score.ScoreDelta[side]))
		}
		return w.spans("over.gains", "no", past.No, "sides", dots(pieces...))
	}
}

// verdict says what was special about a deal: burnt, every trick, or all the points.
func verdict(w *writer, past table.Past) [][]Span {
	var lines [][]Span
	if end := past.Result.End; end == game.EndBurn || end == game.EndBurnedGame {
		lines = append(lines, w.spans("over."+end.String()))
	}
	return append(lines, sweep(w, past))
}

// prize returns what the single winning side of a deal gets.
func prize(w *writer, at table.Public, past table.Past) string {
	winner := past.Score.Winners[0]
	switch at.Rules.Scoring {
	case game.ByRistikontra:
		return w.Text("stakes", "n", past.Score.ScoreDelta[winner])
	case game.ByStakes, game.ByKovac:
		return w.Text("stakes", "n", past.Score.Stake)
	default:
		return w.Text("points", "n", past.Score.ScoreDelta[winner])
	}
}

// sweep says that one side took all tricks or all points, or returns nil.
func sweep(w *writer, past table.Past) []Span {
	if past.Result.End != game.EndPlayed {
		return nil
	}
	tricks, points := 0, 0
	for i := range past.Score.Points {
		if past.Result.TricksWon[i] > 0 {
			tricks++
		}
		if past.Score.Points[i] > 0 {
			points++
		}
	}
	switch {
	case tricks == 1:
		return w.spans("over.sweep")
	case points == 1:
		return w.spans("over.all_points")
	}
	return nil
}

// held returns what is in the pool and in abeyance, or nil if both are empty.
func held(w *writer, pool, abeyance int) []Span {
	var pieces [][]Span
	if pool > 0 {
		pieces = append(pieces, w.spans("table.pool", "points", w.Text("points", "n", pool)))
	}
	if abeyance > 0 {
		pieces = append(pieces, w.spans("table.abeyance", "n", abeyance))
	}
	return dots(pieces...)
}

// account returns each player's total payments in the match up to this deal. It
// returns nil for the first deal.
func account(w *writer, at table.Public, past table.Past) []Span {
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
func payments(w *writer, at table.Public, key string, payments []int) []Span {
	paid := false
	for _, n := range payments {
		paid = paid || n != 0
	}
	if !paid || at.Rules.Scoring != game.ByStakes || at.Rules.Target > 0 && at.Rules.Players != 3 {
		return nil
	}
	var pieces [][]Span
	for seat, n := range payments {
		pieces = append(pieces, w.spans("table.side", "side", seatName(w, at, seat), "n", bold(signed(n))))
	}
	return w.spans(key, "sides", dots(pieces...))
}

// winner says who won a match.
func winner(w *writer, at table.Public, o table.Outcome) []Span {
	if len(o.Winners) == 0 {
		return w.spans("result.draw")
	}
	return w.spans("result.winner", "side", sideName(w, at, o.Winners))
}

// result returns the screen at the end of the match.
func (at channel) result(o table.Outcome) Screen {
	switch {
	case o.Lesson:
		return at.lessonOver()
	case at.Daily != nil:
		return at.dailyResult(o)
	}
	w := at.writer()
	w.say(Title, "result.title", "game", GameName(at.c, at.Rules))
	w.block(Plain, winner(w, at.Public, o))
	w.block(Plain, dots(perSide(w, at.Public, "table.score", sides(at.Rules), o.Match.Scores), w.spans("result.deals", "n", o.Match.Hands)),
		payments(w, at.Public, "over.account", o.Payments))
	for _, f := range o.Firsts {
		w.say(Small, "result.first", "player", seatName(w, at.Public, f.Seat), "feat", w.Text("feat."+f.Feat), "how", w.Text("feat."+f.Feat+".how"))
	}
	w.picture(at.matchPicture(w, o), "")
	replay := w.button(Press{Action: ActReplay, Table: at.ID, Match: o.MatchNo, Deal: 1}, Quiet)
	if at.Phase == table.Closed {
		w.say(Plain, "closed.line")
		w.row(replay)
		return w.screen
	}
	if at.MatchNo != o.MatchNo {
		w.row(replay) // another match has begun
		return w.screen
	}
	if at.Round > 0 {
		w.say(Plain, "cup.done")
		w.row(replay, w.button(at.press(ActBoard), Quiet))
		return w.screen
	}
	w.row(w.button(at.press(ActRematch), Success), replay, w.button(at.press(ActBoard), Quiet), w.button(at.press(ActRules), Quiet))
	return w.screen
}
