package view

import (
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
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
	why := verdict(w, past)
	w.Block(screen.Plain, screen.Dots(headline, screen.Join(screen.Span{Text: " "}, why)))
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
	at.said(w)
	at.showEnd(w, past)
	if at.Phase != table.Closed {
		w.Row(w.Button(at.press(ActMore), screen.Quiet))
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

// verdict says what was special about a deal: burnt, every trick, or all the points.
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
		return w.Text("stakes", "n", past.Score.ScoreDelta[winner])
	case game.ByStakes, game.ByKovac:
		return w.Text("stakes", "n", past.Score.Stake)
	default:
		return w.Text("points", "n", past.Score.ScoreDelta[winner])
	}
}

// sweep says that the winners took all tricks or all points, or returns nil.
func sweep(w *Writer, past table.Past) []screen.Span {
	if past.Result.End != game.EndPlayed || len(past.Score.Winners) == 0 {
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

// winner says who won a match, or returns nil after a draw.
func winner(w *Writer, at table.Public, o table.Outcome) []screen.Span {
	if len(o.Winners) == 0 {
		return nil
	}
	return w.Spans("result.winner", "side", SideName(w, at, o.Winners))
}

// story tells the story of a match in a few words: "10 : 9, from 0 : 6 down".
func story(w *Writer, o table.Outcome) string {
	s := o.Story
	if s.Kind == "" { // the match ended before there were stories
		if s.Kind = table.StoryPlain; len(o.Winners) == 0 {
			s.Kind = table.StoryDraw
		}
	}
	scores := slices.Clone(o.Match.Scores)
	if i := o.Match.Winner; i > 0 { // the winner's comes first
		scores = slices.Insert(slices.Delete(scores, i, i+1), 0, o.Match.Scores[i])
	}
	key := "story." + string(s.Kind)
	if s.Kind == table.StorySixty && s.N == 2 {
		key += "_twice"
	}
	return w.Text(key, "score", against(scores), "low", against(s.Low), "n", s.N)
}

// against returns scores as people write them: "10 : 9".
func against(scores []int) string {
	words := make([]string, len(scores))
	for i, n := range scores {
		words[i] = strings.Replace(strconv.Itoa(n), "-", "−", 1)
	}
	return strings.Join(words, "\u00a0:\u00a0")
}

// rarest returns at most one achievement of each player in a match, the rarest.
func rarest(o table.Outcome) []table.First {
	var out []table.First
	for seat := range o.Seats {
		for _, f := range slices.Backward(o.Firsts) { // a player's achievements are ordered, the rarest last
			if f.Seat == seat {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// Feats explains achievements, for somebody who presses them on a result.
func Feats(names []string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "button.feats")
	var lines [][]screen.Span
	for _, name := range names {
		if c.Has("feat." + name) {
			lines = append(lines, append(screen.Bold(w.Text("feat."+name)), screen.Text(" – "+w.Text("feat."+name+".how"))...))
		}
	}
	w.Block(screen.Plain, lines...)
	return w.Screen
}

// standIns names the people whose match the AI finished, and says how it counts for them. It returns nil if there are none.
func (at channel) standIns(w *Writer, o table.Outcome) []screen.Span {
	var names [][]screen.Span
	for seat, s := range o.Seats {
		if s.Player.ID != "" && (s.Left || s.Away) {
			names = append(names, SeatName(w, at.Public, seat))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return w.Spans("result.stand_in", "players", screen.Join(screen.Span{Text: ", "}, names))
}

// result returns the screen at the end of the match.
func (at channel) result(o table.Outcome) screen.Screen {
	switch {
	case o.Lesson:
		return at.lessonOver()
	case at.Daily != nil:
		return at.dailyResult(o)
	}
	w := at.writer()
	w.Block(screen.Title, screen.Text(story(w, o)))
	w.Block(screen.Plain, winner(w, at.Public, o),
		screen.Dots(PerSide(w, at.Public, "table.score", Sides(at.Rules), o.Match.Scores), w.Spans("result.deals", "n", o.Match.Hands)),
		payments(w, at.Public, "result.account", o.Payments), at.standIns(w, o))
	w.AddPicture(at.matchPicture(w, o), trickWords(w, at.Public, o))
	w.Say(screen.Small, "result.title", "game", screen.GameName(at.c, at.Rules))
	var did [][]screen.Span
	var names []string
	for _, f := range rarest(o) {
		did = append(did, w.Spans("table.side", "side", SeatName(w, at.Public, f.Seat), "n", screen.Bold(w.Text("feat."+f.Feat))))
		if !slices.Contains(names, f.Feat) {
			names = append(names, f.Feat)
		}
	}
	review := []screen.Button{
		w.Button(ReplayPress(at.ID, o.MatchNo), screen.Quiet),
		w.Button(coachPress(at.ID, o.MatchNo), screen.Quiet),
	}
	if len(did) > 0 {
		w.Say(screen.Small, "result.firsts", "feats", screen.Dots(did...))
		review = append(review, w.Button(screen.PressOf(ActFeats, strings.Join(names, "-")), screen.Quiet))
	}
	switch {
	case at.Phase == table.Closed:
		w.Say(screen.Plain, "closed.line")
	case at.MatchNo != o.MatchNo: // another match has begun
	case at.Round > 0:
		w.Say(screen.Plain, "cup.done")
		review = append(review, w.Button(at.press(ActBoard), screen.Quiet))
	case at.Strangers:
		at.said(w)
		w.Row(append([]screen.Button{at.again(w)}, at.apart(w, at.chat.ID)...)...)
		w.Row(at.phrases(w)...)
	default:
		again := []screen.Button{w.Button(at.press(ActRematch), screen.Success)}
		if _, shorter := game.Shorter(at.Rules); shorter {
			again = append(again, w.Button(at.press(ActShorter), screen.Success))
		}
		w.Row(append(again, at.again(w))...)
	}
	w.Row(review...)
	return w.Screen
}
