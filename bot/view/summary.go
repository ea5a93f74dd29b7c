package view

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// summary returns the screen of a finished deal.
func (at channel) summary(past table.Past) Screen {
	w := at.writer()
	w.say(Title, "over.title", "game", GameName(at.c, at.Rules), "no", past.No)
	w.block(Plain, verdict(w, at.Public, past)...)
	var lines [][]Span
	for i, seats := range past.Score.Sides {
		lines = append(lines, w.spans("over.side", "side", sideName(w, at.Public, seats),
			"points", w.Text("points", "n", past.Score.Points[i]), "tricks", w.Text("tricks", "n", past.Result.TricksWon[i])))
	}
	w.block(Plain, lines...)
	w.block(Plain,
		payments(w, at.Public, "over.pay", past.Score.Payments),
		account(w, at.Public, past),
		perSide(w, at.Public, "table.score", sides(at.Rules), past.Totals),
		held(w, past.Pool, past.Held))
	if past.Score.HalfTime {
		w.say(Plain, "over.half")
	}
	last := past.No == at.DealNo && at.Phase != table.Pause
	if !last {
		w.say(Plain, "over.next", "dealer", seatName(w, at.Public, past.Score.NextDealer), "leader", seatName(w, at.Public, past.Score.NextLeader))
	}
	w.picture(at.dealPicture(w, past), "")
	w.block(Quote, trickLines(w, at.Public, past.Tricks, past.Result.LastTrick >= 0)...)
	switch {
	case at.Daily != nil:
		w.block(Small, at.dailyHash(w))
	case !at.Lesson:
		w.block(Small, w.spans("over.seed", "seed", fmt.Sprintf("%x", past.Seed)), w.spans("over.hash", "hash", fmt.Sprintf("%x", sha256.Sum256(past.Seed[:]))))
	}
	if at.Phase == table.Closed && last && at.Result == nil {
		w.say(Plain, "closed.line")
	}
	return w.screen
}

// verdict says who won a deal, what they won, and why.
func verdict(w *writer, at table.Public, past table.Past) [][]Span {
	score, res := past.Score, past.Result
	var lines [][]Span
	if res.End == game.EndBurn || res.End == game.EndBurnedGame {
		lines = append(lines, w.spans("over."+res.End.String()))
	}
	won := func(what string) {
		lines = append(lines, w.spans("over.won", "side", sideName(w, at, score.Sides[score.Winners[0]]), "what", what))
	}
	switch at.Rules.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra, game.ByDifference:
		switch {
		case len(score.Winners) > 1 && score.Stake > 0:
			var names [][]Span
			for _, i := range score.Winners {
				names = append(names, sideName(w, at, score.Sides[i]))
			}
			lines = append(lines, w.spans("over.level", "sides", joinSpans(Span{Text: ", "}, names), "n", score.Stake))
		case len(score.Winners) != 1 || at.Rules.Scoring == game.ByKovac && score.Stake == 0:
			lines = append(lines, w.spans("over.none"))
		default:
			won(prize(w, at, past))
		}
	default:
		lines = append(lines, perSide(w, at, "over.gains", sides(at.Rules), score.ScoreDelta))
	}
	if line := sweep(w, past); len(line) > 0 {
		lines = append(lines, line)
	}
	return lines
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

// winner says who won a match, or returns nil after a draw.
func winner(w *writer, at table.Public, o table.Outcome) []Span {
	if len(o.Winners) == 0 {
		return nil
	}
	return w.spans("result.winner", "side", sideName(w, at, o.Winners))
}

// story tells the story of a match in a few words: "10 : 9, from 0 : 6 down".
func story(w *writer, o table.Outcome) string {
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
		for _, f := range slices.Backward(o.Firsts) { // each player's are in order, the rarest last
			if f.Seat == seat {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// Feats explains achievements, for somebody who presses them on a result.
func Feats(names []string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "button.feats")
	var lines [][]Span
	for _, name := range names {
		if c.Has("feat." + name) {
			lines = append(lines, append(bold(w.Text("feat."+name)), text(" – "+w.Text("feat."+name+".how"))...))
		}
	}
	w.block(Plain, lines...)
	return w.screen
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
	w.block(Title, text(story(w, o)))
	w.block(Plain, winner(w, at.Public, o),
		dots(perSide(w, at.Public, "table.score", sides(at.Rules), o.Match.Scores), w.spans("result.deals", "n", o.Match.Hands)),
		payments(w, at.Public, "over.account", o.Payments))
	w.picture(at.matchPicture(w, o), trickWords(w, at.Public, o))
	w.say(Small, "result.title", "game", GameName(at.c, at.Rules))
	var did [][]Span
	var names []string
	for _, f := range rarest(o) {
		did = append(did, w.spans("table.side", "side", seatName(w, at.Public, f.Seat), "n", bold(w.Text("feat."+f.Feat))))
		if !slices.Contains(names, f.Feat) {
			names = append(names, f.Feat)
		}
	}
	review := []Button{
		w.button(Press{Action: ActReplay, Table: at.ID, Match: o.MatchNo, Deal: 1}, Quiet),
		w.button(Press{Action: ActCoach, Table: at.ID, Match: o.MatchNo}, Quiet),
	}
	if len(did) > 0 {
		w.say(Small, "result.firsts", "feats", dots(did...))
		review = append(review, w.button(Press{Action: ActFeats, What: strings.Join(names, "-")}, Quiet))
	}
	switch {
	case at.Phase == table.Closed:
		w.say(Plain, "closed.line")
	case at.MatchNo != o.MatchNo: // another match has begun
	case at.Round > 0:
		w.say(Plain, "cup.done")
		review = append(review, w.button(at.press(ActBoard), Quiet))
	default:
		again := []Button{w.button(at.press(ActRematch), Success)}
		if _, shorter := game.Shorter(at.Rules); shorter {
			again = append(again, w.button(at.press(ActShorter), Success))
		}
		w.row(again...)
	}
	w.row(review...)
	return w.screen
}
