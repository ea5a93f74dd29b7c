package view

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// result returns the screen at the end of the match.
func (at channel) result(o table.Outcome) screen.Screen { return at.resultOf(o, game.Nobody) }

// resultOf returns the screen of result, which tells the match to the player on seat me; Nobody: to everyone.
func (at channel) resultOf(o table.Outcome, me int) screen.Screen {
	switch {
	case o.Lesson:
		return at.lessonOver()
	case at.Daily != nil:
		return at.dailyResult(o)
	}
	w := at.writer()
	at.resultWords(w, o, me)
	var first []screen.Button
	running := at.MatchNo != o.MatchNo && !at.Open // another match has begun
	switch {
	case at.Phase == table.Closed:
		w.Say(screen.Plain, "closed.line")
	case running:
	case at.Round > 0:
		w.Say(screen.Plain, "cup.done")
		first = append(first, w.Button(at.press(ActBoard), screen.Quiet))
	case at.Policy.Phrases:
		at.said(w)
		first = append(first, at.again(w))
	case at.Policy.Once:
	default:
		first = append(first, at.rematch(w, o))
	}
	if !at.Policy.Private {
		share := w.Button(sharePress(at.ID, o.MatchNo), screen.Quiet)
		share.Share = ShareQuery(at.ID, o.MatchNo)
		first = append(first, share)
	}
	review := []screen.Button{w.Button(ReplayPress(at.ID, o.MatchNo), screen.Quiet), w.Button(CoachPress(at.ID, o.MatchNo), screen.Quiet)}
	if !running {
		review = append(review, w.Button(at.press(ActMore), screen.Quiet))
	}
	if len(first) < 2 {
		first, review = nil, append(first, review...)
	}
	w.Row(first...)
	w.Row(review...)
	return w.Screen
}

// rematch returns the button of the next match. In a series it says which one that is.
func (at channel) rematch(w *Writer, o table.Outcome) screen.Button {
	b := w.Button(at.press(ActRematch), screen.Success)
	if s := o.Series; s != nil && s.Fits(at.Rules, o.Seats) && s.Winner() < 0 {
		next := 1
		for _, wins := range s.Wins {
			next += wins
		}
		if key := "button.match." + strconv.Itoa(next); next > 1 && at.c.Has(key) {
			b.Label = w.Text(key)
		}
	}
	return b
}

// afterwards adds what else a person who played can do after the match, and what its achievements are.
func (at channel) afterwards(w *Writer, who Presser) {
	o := at.Result
	if at.Phase != table.Over || o == nil || o.Lesson || at.Daily != nil {
		return
	}
	var row []screen.Button
	played := slices.ContainsFunc(o.Seats, func(s table.Seat) bool { return s.Player.ID == who.ID })
	if who.Page && played {
		row = append(row, w.Button(CoachPress(at.ID, o.MatchNo), screen.Quiet))
	}
	if at.Round == 0 && !at.Policy.Phrases && !at.Policy.Once {
		if played {
			if _, shorter := game.Shorter(at.Rules); shorter {
				row = append(row, w.Button(at.press(ActShorter), screen.Quiet))
			}
			row = append(row, at.seriesButtons(w, *o)...)
		}
		w.Row(row...)
		others := at.again(w)
		others.Tone = screen.Quiet
		row = []screen.Button{others}
	}
	if feats := featNames(*o); len(feats) > 0 {
		row = append(row, w.Button(screen.PressOf(ActFeats, strings.Join(feats, "-")), screen.Quiet))
	}
	w.Row(row...)
}

// CanShare reports whether people may show the result of the table's match elsewhere.
func CanShare(p table.Public, o table.Outcome) bool {
	return !o.Lesson && p.Policy.Sealed.IsZero() && !p.Policy.Private && len(p.Chats) > 0
}

// SharedResult returns the result of a match for people who show it elsewhere: the game, the day, who played, who won, and a
// square for each deal, or each trick of the only one. It has no buttons. tricks says who took the tricks of that deal: see
// table.Marks. It returns false if the table no longer has that result, or it is no match to show.
func SharedResult(p table.Public, match int, day time.Time, tricks func(seat int) string) (screen.Screen, bool) {
	o, ok := shareable(p, match)
	if !ok {
		return screen.Screen{}, false
	}
	at := channelOf(p, p.Chats[0])
	at.Rules, at.Seats = o.Match.Rules, o.Seats
	w := at.writer()
	at.resultWords(w, *o, game.Nobody)
	var sides [][]screen.Span
	for _, seats := range Sides(at.Rules) {
		sides = append(sides, SideName(w, at.Public, seats))
	}
	lines := [][]screen.Span{
		screen.Dots(screen.Text(screen.GameName(at.c, at.Rules)), screen.Text(screen.DayText(at.c, day))),
		screen.Join(screen.Span{Text: " – "}, sides),
		w.Screen.Blocks[0].Spans,
	}
	if marks := dealMarks(*o, tricks); marks != "" {
		lines = append(lines, screen.Text(squares(marks)))
	}
	w.Screen.Blocks, w.Screen.Picture.Words = nil, nil
	w.Block(screen.Plain, lines...)
	return w.Screen, true
}

// mostMarks is how many squares a shared result has at most.
const mostMarks = 32

// dealMarks says which deals of a match its winners won: x for each of them, - for another. Of a match of one deal, it has the
// tricks. It returns "" after a draw, and for more deals than people count.
func dealMarks(o table.Outcome, tricks func(seat int) string) string {
	if len(o.Winners) == 0 {
		return ""
	}
	if o.Single != nil {
		return tricks(o.Winners[0])
	}
	if len(o.Curve) == 0 || len(o.Curve[0]) > mostMarks {
		return ""
	}
	marks, won := make([]byte, len(o.Curve[0])), o.Match.Rules.Side(o.Winners[0])
	for deal := range marks {
		gain := func(side int) int {
			n := o.Curve[side][deal]
			if deal > 0 {
				n -= o.Curve[side][deal-1]
			}
			return n
		}
		marks[deal] = 'x'
		for side := range o.Curve {
			if side != won && gain(side) >= gain(won) {
				marks[deal] = '-'
			}
		}
	}
	return string(marks)
}

// Shareable reports whether people who played a match of the table may show its result elsewhere.
func Shareable(p table.Public, match int) bool {
	_, ok := shareable(p, match)
	return ok
}

func shareable(p table.Public, match int) (*table.Outcome, bool) {
	o := p.Result
	if o == nil || o.MatchNo != match {
		o = p.Last
	}
	return o, o != nil && o.MatchNo == match && CanShare(p, *o)
}

// resultWords adds what a result says to the player on seat me, or to everyone, and its picture.
func (at channel) resultWords(w *Writer, o table.Outcome, me int) {
	two := at.Rules.Sides() == 2
	var score, series, final []screen.Span
	won := headline(w, o)
	if !two { // a line of its own says whose score is whose
		won = ""
		if o.Single != nil {
			won = why(w, o.Match.Rules, *o.Single)
		}
	}
	switch {
	case len(o.Winners) == 0:
		w.Block(screen.Title, screen.Text(headline(w, o)))
	case me != game.Nobody:
		key := "result.you_lost"
		if slices.Contains(o.Winners, me) {
			key = "result.you_won"
		}
		w.Say(screen.Title, key, "score", against(ownFirst(o, me)))
		told := toldOf(w, o)
		if o.Single != nil {
			told = why(w, o.Match.Rules, *o.Single)
		}
		switch {
		case told == "":
		case slices.Contains(o.Winners, me):
			w.Block(screen.Plain, screen.Capital(screen.Text(told)))
		default: // it is the winners' story
			w.Block(screen.Plain, w.Spans("table.side", "side", facedSide(w, at.Public, o.Winners), "n", told))
		}
	case won == "":
		line := w.Spans("result.wins", "n", len(o.Winners), "side", facedSide(w, at.Public, o.Winners))
		if told := toldOf(w, o); told != "" && o.Single == nil {
			line = append(line, screen.Span{Text: ", " + told})
		}
		w.Block(screen.Title, line)
	default:
		w.Say(screen.Title, "result.won", "n", len(o.Winners), "side", facedSide(w, at.Public, o.Winners), "score", won)
	}
	switch {
	case two:
	case largeOf(o) != nil:
		score = at.singleLine(w, *o.Single)
	default:
		score = PerSide(w, at.Public, "table.score", Sides(at.Rules), o.Match.Scores)
	}
	if o.Series != nil && o.Series.Fits(at.Rules, o.Seats) {
		series = at.seriesLine(w, *o.Series)
	}
	if f := o.Final; f != nil && why(w, o.Match.Rules, *f) != "" {
		final = w.Spans("result.final", "points", against(pointsOf(*f)))
	}
	account := payments(w, at.Public, "result.account", o.Payments)
	if largeOf(o) != nil && two { // the first line says it
		account = nil
	}
	w.Block(screen.Plain, score, series, at.versus(w, o), final, account, at.standIns(w, o))
	more := at.resultDetails(w, o)
	w.AddPicture(at.resultPicture(w, o), strings.TrimSpace(screen.Screen{Blocks: more, Face: w.Screen.Face}.String()))
	w.Screen.Picture.Words = more
	if me == game.Nobody {
		w.Say(screen.Small, "result.title", "game", screen.GameName(at.c, at.Rules))
	}
	var did [][]screen.Span
	for _, f := range rarest(o) {
		did = append(did, w.Spans("table.side", "side", SeatName(w, at.Public, f.Seat), "n", screen.Bold(w.Text("feat."+f.Feat))))
	}
	if len(did) > 0 {
		w.Say(screen.Small, "result.firsts", "feats", screen.Dots(did...))
	}
}

// featNames returns the names of the achievements that a result tells.
func featNames(o table.Outcome) []string {
	var names []string
	for _, f := range rarest(o) {
		if !slices.Contains(names, f.Feat) {
			names = append(names, f.Feat)
		}
	}
	return names
}

// headline tells a match in a few words: "10 : 9, from 0 : 6 down", or the points of its only deal and why it counts
// what it counts: "90 : 0 – 2 stakes: all the points".
func headline(w *Writer, o table.Outcome) string {
	numbers := largeOf(o)
	if numbers == nil {
		return story(w, o)
	}
	if len(o.Single.Score.Winners) == 0 {
		return w.Text("story.draw", "score", against(numbers))
	}
	return strings.Join(slices.DeleteFunc([]string{against(numbers), why(w, o.Match.Rules, *o.Single)}, func(s string) bool { return s == "" }), " – ")
}

// ownFirst returns the points of a match's only deal by side, or else the match's score: those of the player on seat me first.
func ownFirst(o table.Outcome, me int) []int {
	r := o.Match.Rules
	numbers, own := slices.Clone(o.Match.Scores), r.Side(me)
	if o.Single != nil && o.Single.Result.End == game.EndPlayed {
		for i, seats := range o.Single.Score.Sides {
			numbers[r.Side(seats[0])] = o.Single.Score.Points[i]
		}
	}
	return slices.Concat(numbers[own:own+1], numbers[:own], numbers[own+1:])
}

// largeOf returns the numbers that matter in a match of one deal, the winner's first: the points of its sides, or their
// score if four equal cards ended the deal before its points counted. It returns nil for a match of several deals.
func largeOf(o table.Outcome) []int {
	if o.Single == nil {
		return nil
	}
	var numbers []int
	for _, side := range sidesOf(*o.Single) {
		if o.Single.Result.End == game.EndPlayed {
			numbers = append(numbers, o.Single.Score.Points[side])
		} else if seats := o.Single.Score.Sides[side]; len(seats) > 0 {
			numbers = append(numbers, o.Match.Scores[o.Match.Rules.Side(seats[0])])
		}
	}
	return numbers
}

// pointsOf returns the points of a deal's sides, the winners' first.
func pointsOf(past table.Past) []int {
	var points []int
	for _, side := range sidesOf(past) {
		points = append(points, past.Score.Points[side])
	}
	return points
}

// sidesOf returns the sides of a deal: the winners first, then by their points.
func sidesOf(past table.Past) []int {
	score := past.Score
	sides := make([]int, len(score.Sides))
	for i := range sides {
		sides[i] = i
	}
	slices.SortStableFunc(sides, func(a, b int) int {
		if won := slices.Contains(score.Winners, a); won != slices.Contains(score.Winners, b) {
			if won {
				return -1
			}
			return 1
		}
		return score.Points[b] - score.Points[a]
	})
	return sides
}

// singleLine returns the points and tricks of each side in the only deal.
func (at channel) singleLine(w *Writer, past table.Past) []screen.Span {
	var pieces [][]screen.Span
	for i, seats := range past.Score.Sides {
		pieces = append(pieces, w.Spans("over.side", "side", SideName(w, at.Public, seats),
			"points", screen.Bold(w.Text("points", "n", past.Score.Points[i])), "tricks", w.Text("tricks", "n", past.Result.TricksWon[i])))
	}
	return screen.Dots(pieces...)
}

// why says why a deal counts as many stakes as it does. It returns "" if nobody won it, and in games whose score is not
// counted in stakes.
func why(w *Writer, r game.Rules, past table.Past) string {
	score, res := past.Score, past.Result
	if len(score.Winners) == 0 {
		return ""
	}
	if r.Scoring != game.ByStakes && r.Scoring != game.ByKovac && r.Scoring != game.ByRistikontra {
		return ""
	}
	stakes, before := score.Stake, 0
	if r.Scoring == game.ByRistikontra {
		stakes = score.ScoreDelta[score.Winners[0]] // with what was in abeyance
		before = stakes - score.Stake
	}
	text := w.Text("why."+reason(r, score, res), "stakes", w.Text("stakes", "n", stakes))
	if before > 0 {
		text = w.Text("why.held", "why", text, "n", before)
	}
	return text
}

// reason names the rule by which a deal that somebody won counts what it counts (game/RULES.md, Scoring).
func reason(r game.Rules, score game.Settlement, res game.Result) string {
	if res.End != game.EndPlayed {
		return res.End.String()
	}
	won := score.Winners[0]
	nobodyElse := func(numbers []int) bool {
		for i, n := range numbers {
			if i != won && n > 0 {
				return false
			}
		}
		return true
	}
	ahead := true
	for i, n := range score.Points {
		ahead = ahead && (i == won || n < score.Points[won])
	}
	switch {
	case len(score.Winners) > 1:
		return "level"
	case nobodyElse(res.TricksWon) && r.Scoring != game.ByRistikontra:
		return "sweep"
	case r.Scoring == game.ByKovac:
		return "sixty"
	case nobodyElse(score.Points):
		return "all_points"
	case r.FinalSeven == game.SevenLoses && res.LastCardSide >= 0 && res.LastCardSide != won && (res.LastCard == r.SpecialSeven || res.LastCard.Rank() == '7'):
		return "last_card"
	case !ahead:
		return "last_trick"
	}
	return "more"
}

// lineLetters is about how many letters a line has.
const lineLetters = 70

// versus says how often the people have won against each other in this chat, or together against the AI. It has as many
// scores as a line holds.
func (at channel) versus(w *Writer, o table.Outcome) []screen.Span {
	var scores [][]screen.Span
	var line []screen.Span
	for _, g := range o.Gains {
		for _, s := range g.Scores {
			if len(s.Ours) > 1 {
				level, _ := at.Opponent(s.Theirs[0])
				return w.Spans("board.pair", "pair", SideName(w, at.Public, s.Ours), "ai", OpponentName(w, level), "score", Against(s.Won, s.Lost))
			}
			if s.Won+s.Lost == 0 { // a draw, or somebody was late or absent
				continue
			}
			scores = append(scores, Versus(SideName(w, at.Public, s.Ours), SideName(w, at.Public, s.Theirs), s.Won, s.Lost, false))
			longer := w.Spans("versus", "scores", screen.Dots(scores...))
			if line != nil && utf8.RuneCountInString(screen.PlainText(w.Screen.Face, longer)) > lineLetters {
				return line
			}
			line = longer
		}
	}
	return line
}

// Versus returns how matches between two people stand: "Ann – Ben 2 : 1". The leader comes first, but own leaves the order.
func Versus(a, b []screen.Span, won, lost int, own bool) []screen.Span {
	if won < lost && !own {
		a, b, won, lost = b, a, lost, won
	}
	return screen.Join(screen.Span{Text: " – "}, [][]screen.Span{a, append(slices.Clone(b), screen.Span{Text: " " + Against(won, lost)})})
}

// standIns names the people of the winning side who didn't win, because the AI played so much for them. It returns nil if there are none.
func (at channel) standIns(w *Writer, o table.Outcome) []screen.Span {
	var names [][]screen.Span
	for seat, s := range o.Seats {
		if slices.Contains(o.Winners, seat) && (s.Missed() || s.Was != "" || s.Player.ID != "" && seat < len(o.Choices) && o.Choices[seat].Missed()) {
			names = append(names, SeatName(w, at.Public, seat))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return w.Spans("result.stand_in", "players", screen.Join(screen.Span{Text: ", "}, names))
}

// Against returns scores as people write them: "10 : 9".
func Against(scores ...int) string { return against(scores) }

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

// decisiveTitle says which trick decided a match.
func decisiveTitle(w *Writer, d table.Decisive) string {
	if d.No == d.Of {
		return w.Text("picture.last_trick", "deal", d.Deal)
	}
	return w.Text("picture.trick", "deal", d.Deal, "no", d.No, "of", d.Of)
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

// toldOf returns a match's story without its score, or "" if there is only the score.
func toldOf(w *Writer, o table.Outcome) string {
	_, told, _ := strings.Cut(story(w, o), ", ")
	return told
}

// resultPicture returns a picture of a finished match.
func (at channel) resultPicture(w *Writer, o table.Outcome) face.Picture {
	rules := at.Rules
	r := &face.Result{
		Title:    screen.GameName(at.c, rules) + " · " + w.Text("result.deals", "n", o.Match.Deals),
		Headline: w.Text("result.draw"), Cards: sevens(rules.Deck), Label: w.Text("picture.score"),
		Art: o.MatchNo,
	}
	for _, letter := range at.ID {
		r.Art += int(letter)
	}
	if len(o.Winners) > 0 {
		r.Won, r.Headline = true, picturedSide(w, at.Public, o.Winners)
	}
	if numbers := largeOf(o); numbers != nil {
		if r.Large = numbers; why(w, o.Match.Rules, *o.Single) != "" {
			r.Detail = screen.PlainText(w.Screen.Face, screen.Capital(screen.Text(why(w, o.Match.Rules, *o.Single))))
		}
		for _, side := range sidesOf(*o.Single) {
			r.Sides = append(r.Sides, rules.Side(o.Single.Score.Sides[side][0]))
		}
		if o.Single.Result.End == game.EndPlayed {
			r.Label = w.Text("picture.points")
		}
	} else {
		// The rows have the score.
		if told := toldOf(w, o); told != "" {
			r.Detail = screen.PlainText(w.Screen.Face, screen.Capital(screen.Text(told)))
		}
		if o.Match.Deals > 1 {
			r.Progress = o.Curve
		}
	}
	if d := o.Decisive; d != nil {
		r.Decisive = &face.DecisiveTrick{
			Title: decisiveTitle(w, *d), Winning: table.BestPlay(rules, d.Trick.Plays, d.Trick.Winner), Dark: DarkPlays(d.Trick.Plays),
			Caption: took(w, Pictured(w, at.Public, d.Trick.Winner), rules, *d),
		}
		for _, play := range d.Trick.Plays {
			r.Decisive.Cards = append(r.Decisive.Cards, play.Card)
			r.Decisive.Names = append(r.Decisive.Names, Pictured(w, at.Public, play.Seat))
			r.Decisive.Seats = append(r.Decisive.Seats, play.Seat)
		}
	}
	for side, seats := range Sides(rules) {
		row := face.ResultRow{Side: side, Won: len(o.Winners) > 0 && slices.Contains(o.Winners, seats[0])}
		if r.Large == nil {
			row.Score = strings.Replace(strconv.Itoa(o.Match.Scores[side]), "-", "−", 1)
		}
		for _, seat := range seats {
			row.People = append(row.People, at.pictured(w, r, o, seat))
		}
		r.Rows = append(r.Rows, row)
	}
	return face.Picture{Result: r}
}

// pictured returns what a picture says of a player, and adds the labels of its columns to the picture.
func (at channel) pictured(w *Writer, r *face.Result, o table.Outcome, seat int) face.ResultPerson {
	p := face.ResultPerson{Name: Pictured(w, at.Public, seat)}
	if h, ok := haul(o, seat); ok {
		r.Columns[0], p.Card, p.Points = w.Text("picture.best"), h.Card, h.Points
	}
	g := gain(o, seat)
	if g.Rating != 0 {
		r.Columns[1], p.Rating, p.By = w.Text("picture.rating"), strconv.Itoa(g.Rating), screen.Signed(g.By)
	}
	if g.Run >= fewWins {
		r.Columns[2], p.Streak = w.Text("picture.run"), strconv.Itoa(g.Run)
	}
	return p
}

// fewWins is how many matches won in a row are worth telling.
const fewWins = 2

// haul returns a player's best trick in a match.
func haul(o table.Outcome, seat int) (table.Haul, bool) {
	i := slices.IndexFunc(o.Hauls, func(h table.Haul) bool { return h.Seat == seat && h.Card != 0 })
	if i < 0 {
		return table.Haul{}, false
	}
	return o.Hauls[i], true
}

// gain returns what a match changed for a player.
func gain(o table.Outcome, seat int) table.Gain {
	if i := slices.IndexFunc(o.Gains, func(g table.Gain) bool { return g.Seat == seat }); i >= 0 {
		return o.Gains[i]
	}
	return table.Gain{Seat: seat}
}

// took says who took the deciding trick, and how many points that was.
func took(w *Writer, player any, r game.Rules, d table.Decisive) string {
	return w.Text("picture.took", "player", player, "points", trickWorth(w, r, d.Trick, d.No == d.Of))
}

// resultDetails returns in words what a resultPicture shows but the result's main text does not say: the trick that
// decided the match, the score after each deal, and each player's best trick, rating and streak.
func (at channel) resultDetails(w *Writer, o table.Outcome) []screen.Block {
	var lines [][]screen.Span
	if d := o.Decisive; d != nil {
		var plays [][]screen.Span
		for _, play := range d.Trick.Plays {
			plays = append(plays, w.Spans("hand.play", "player", SeatName(w, at.Public, play.Seat), "card", PlaySpans(w, play, false)))
		}
		line := append(screen.Text(decisiveTitle(w, *d)+": "), screen.Join(screen.Span{Text: ", "}, plays)...)
		name := screen.PlainText(w.Screen.Face, SeatName(w, at.Public, d.Trick.Winner))
		lines = append(lines, append(line, screen.Span{Text: " – " + took(w, name, at.Rules, *d)}))
	}
	if len(o.Curve) > 0 && len(o.Curve[0]) > 1 {
		var scores []string
		for i := range o.Curve[0] {
			var each []int
			for _, side := range o.Curve {
				each = append(each, side[i])
			}
			scores = append(scores, against(each))
		}
		lines = append(lines, w.Spans("picture.curve", "scores", strings.Join(scores, ", ")))
	}
	for seat := range at.Seats {
		var facts [][]screen.Span
		if h, ok := haul(o, seat); ok {
			facts = append(facts, w.Spans("result.best", "points", w.Text("points", "n", h.Points), "card", []screen.Span{screen.CardSpan(h.Card)}))
		}
		g := gain(o, seat)
		if g.Rating != 0 {
			facts = append(facts, w.Spans("result.rating", "rating", g.Rating, "by", screen.Signed(g.By)))
		}
		if g.Run >= fewWins {
			facts = append(facts, w.Spans("result.run", "n", g.Run))
		}
		if len(facts) > 0 {
			lines = append(lines, w.Spans("table.side", "side", SeatName(w, at.Public, seat), "n", screen.Dots(facts...)))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []screen.Block{{Look: screen.Small, Spans: screen.Join(screen.Span{Kind: screen.SpanBreak}, lines)}}
}
