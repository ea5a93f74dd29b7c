package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Sides returns the seats of each side that has a score.
func Sides(r game.Rules) [][]int {
	out, all := make([][]int, r.Sides()), make([]int, 0, r.Players)
	for side := range out {
		from := len(all)
		for seat := range r.Players {
			if r.Side(seat) == side {
				all = append(all, seat)
			}
		}
		out[side] = all[from:len(all):len(all)]
	}
	return out
}

// SeatName returns the name of the player or AI on a seat.
func SeatName(w *Writer, p table.Public, seat int) []screen.Span {
	s, known := &p.Seats[seat], w.seated(p, seat)
	if known.of == s {
		return known.name[:]
	}
	var called screen.Person
	switch {
	case s.Player.ID != "":
		called = w.Called(Person(s.Player))
	case s.AI != "":
		called.Name = opponentName(w, p, seat)
	default:
		return w.Spans("seat.free")
	}
	*known = seated{of: s, name: [1]screen.Span{{Kind: screen.SpanPerson, Person: called}}}
	return known.name[:]
}

// Person returns a player as screens name them.
func Person(p table.Player) screen.Person { return screen.Person{ID: p.ID, Name: p.Name} }

// SideName returns the names of all players on a side.
func SideName(w *Writer, p table.Public, seats []int) []screen.Span {
	names := make([][]screen.Span, len(seats))
	for i, seat := range seats {
		names[i] = SeatName(w, p, seat)
	}
	return screen.Join(screen.Span{Text: " + "}, names)
}

// PerSide returns the text under key, with each side and its number.
func PerSide(w *Writer, p table.Public, key string, sides [][]int, numbers []int) []screen.Span {
	pieces := make([][]screen.Span, len(sides))
	for i, seats := range sides {
		pieces[i] = w.Spans("table.side", "side", SideName(w, p, seats), "n", screen.Bold(fmt.Sprint(numbers[i])))
	}
	return w.Spans(key, "sides", screen.Dots(pieces...))
}

// tableLetters is the maximum length of a table's message. People see it at a glance, on a phone.
const tableLetters = 350

// nameLengths are the maximum lengths of names that table tries, the longest first.
var nameLengths = [...]int{0, 24, 16, 11, 8, 5}

// dealScreen builds the screens of a deal: the table's message, and the pause after it.
type dealScreen struct {
	channel
	marks bool // the reader's buttons mark the cards that take the trick: see screen.TakesMark
}

// table returns the screen of the running deal: a picture of the table, a line that says
// what to do, the buttons, and the previous trick.
func (at dealScreen) table() screen.Screen {
	var s screen.Screen
	for _, letters := range nameLengths {
		if s = at.tableWith(letters); s.Letters() <= tableLetters {
			break
		}
	}
	return s
}

// tableWith returns the screen of table with names of at most that many letters. 0 means
// that names are not cut.
func (at dealScreen) tableWith(letters int) screen.Screen {
	w := at.writer()
	w.NameLetters = letters
	if at.Phase == table.Closed {
		key := "closed.unfinished"
		if at.Warm {
			key = "closed.warm"
		}
		w.Say(screen.Plain, key)
		w.Block(screen.Small, at.scoreLine(w))
		return w.Screen
	}
	w.Block(screen.Plain, at.firstLine(w, game.Nobody))
	pause := at.pause(w)
	if at.View.Solo >= 0 {
		w.Say(screen.Small, "table.solo", "player", SeatName(w, at.Public, at.View.Solo))
	}
	w.Block(screen.Small, at.previousTrick(w))
	w.Block(screen.Small, at.numbers(w))
	w.Block(screen.Small, at.handsByButton(w))
	at.show(w, game.Nobody)
	row := []screen.Button{w.Button(at.press(ActCards), screen.Primary), w.Button(at.press(ActMore), screen.Quiet)}
	if slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Away || s.Left }) {
		row = append(row, w.Button(at.press(ActBack), screen.Quiet))
	}
	w.Row(append(row, at.privateButton(w)...)...)
	w.Row(pause...)
	w.Screen.Places = at.places(w)
	return w.Screen
}

// numbers says which players the picture shows as numbers, because its font lacks letters
// of their names.
func (at channel) numbers(w *Writer) []screen.Span {
	var names [][]screen.Span
	for seat := range at.Seats {
		if no := strconv.Itoa(seat + 1); Pictured(w, at.Public, seat) == no {
			names = append(names, append(screen.Text(no+": "), SeatName(w, at.Public, seat)...))
		}
	}
	return screen.Dots(names...)
}

// firstLine says whose turn it is, what takes the trick, and what is at stake. The reader is the
// player on seat me; Nobody means everyone in a chat.
func (at dealScreen) firstLine(w *Writer, me int) []screen.Span {
	v := at.View
	if v.Turn < 0 {
		return nil
	}
	var line [][]screen.Span
	if at.Resting {
		line = append(line, screen.Bold(w.Text("pause.title")))
	}
	line = append(line, screen.Bold(at.turn(w, me)))
	if s := at.Seats[v.Turn]; (s.Away || s.Left) && v.Turn != me { // to their own player, the hand says it
		line = append(line, w.Spans("turn.away"))
	}
	if len(v.Trick) > 0 {
		if v.Rounds > 1 && !at.Lesson { // its remark says it
			line = append(line, at.round(w, me))
		}
		line = append(line, trickLine(w, at.Public, v, me, at.marks))
	} else if at.LastDeal && !at.Lesson && at.Daily == nil {
		line = append(line, w.Spans("line.last"))
	} else if me == game.Nobody {
		line = append(line, w.Spans("line.deal", "no", at.DealInMatch(at.DealNo)))
	}
	return screen.Dots(append(line, at.clock(w))...)
}

// round says in which round the open trick is, and while others follow, that its leader continued it.
func (at dealScreen) round(w *Writer, me int) []screen.Span {
	if v := at.View; v.Phase != game.Follow || v.Leader == me {
		return w.Spans("line.round", "no", v.Rounds)
	}
	return w.Spans("line.round.more", "no", at.View.Rounds, "player", SeatName(w, at.Public, at.View.Leader))
}

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
	case me != game.Nobody && !p.Lesson && together(v, me, v.Winner): // a lesson's remark says it
		winning = "line.winning.side"
	}
	takes := takers(w, v)
	if marks {
		takes = append(screen.Text(screen.TakesMark+" "), takes...)
	}
	return screen.Dots(w.Spans(winning, "player", SeatName(w, p, v.Winner), "card", card), takes, ends(w, v),
		screen.Text(openWorth(w, v)))
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

// turn says in a few words whose turn it is. The picture shows the same words.
func (at dealScreen) turn(w *Writer, me int) string {
	if at.View.Turn == me {
		return w.Text("your." + at.View.Phase.String())
	}
	return w.Text("turn."+at.View.Phase.String(), "player", screen.Isolated(screen.PlainText(w.Screen.Face, SeatName(w, at.Public, at.View.Turn))))
}

// clock says how long the player on turn may still think, once the table has warned them.
func (at dealScreen) clock(w *Writer) []screen.Span {
	if !at.Warned || at.Deadline.IsZero() {
		return nil
	}
	key := "line.clock"
	if s := at.Seats[at.View.Turn]; at.chat.ID == s.Player.ID && at.Alone() {
		key = "line.closes" // the player is alone, so the table closes instead of letting the AI play
	}
	left := w.Text("time.in", "time", screen.DurationText(w.Catalogue, at.Limit/4))
	return w.Spans(key, "time", screen.Span{Kind: screen.SpanTime, Text: left, At: at.Deadline.Unix()})
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
	points := TrickPoints(v.Rules, openTrick(v))
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
	points := TrickPoints(p.Rules, t)
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

// handsByButton says which players get their cards only by the button My cards.
func (at channel) handsByButton(w *Writer) []screen.Span {
	var who [][]screen.Span
	for i, s := range at.Seats {
		if s.Player.ID != "" && !s.Left && at.unreachable[s.Player.ID] == ByButton {
			who = append(who, SeatName(w, at.Public, i))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return w.Spans("reach.button", "players", screen.Join(screen.Span{Text: ", "}, who))
}

// privateButton returns the button that opens the private chat, if there is a player whom
// the bot cannot message there.
func (at channel) privateButton(w *Writer) []screen.Button {
	for _, s := range at.Seats {
		if s.Player.ID != "" && !s.Left && at.unreachable[s.Player.ID] != InPrivate {
			return []screen.Button{{Label: w.Text("button.private"), Private: SeatPayload + at.ID}}
		}
	}
	return nil
}

// elsewhere reports whether another chat of the table is on the player's platform and
// this one is not. The player is then called in the other chat.
func (at channel) elsewhere(player string) bool {
	platform, _, _ := strings.Cut(player, ":")
	there := func(id string) bool { return strings.HasPrefix(id, platform+":") }
	return !there(at.chat.ID) && slices.ContainsFunc(at.Chats, func(c table.Chat) bool { return there(c.ID) })
}

// pause says who wants a break, or that there is a break now. It returns the matching
// button, or nil.
func (at channel) pause(w *Writer) []screen.Button {
	if at.Resting {
		w.Say(screen.Small, "pause.now")
		return []screen.Button{w.Button(at.press(ActResume), screen.Success)}
	}
	var who [][]screen.Span
	for i, s := range at.Seats {
		if s.Player.ID != "" && slices.Contains(at.Break, s.Player.ID) {
			who = append(who, SeatName(w, at.Public, i))
		}
	}
	if len(who) == 0 {
		return nil
	}
	w.Say(screen.Small, "pause.wanted", "players", screen.Join(screen.Span{Text: ", "}, who))
	return []screen.Button{w.Button(at.press(ActRest), screen.Quiet)}
}

// tableEnd says when a table's match ends. The deal of the day is a match of one deal.
func tableEnd(c *lang.Catalogue, p table.Public) string {
	if p.Daily != nil {
		return c.Text("match.hands", "n", 1)
	}
	return rules.End(p.Rules, c)
}

// scoreLine returns the score of the match so far, with the stakesLine.
func (at channel) scoreLine(w *Writer) []screen.Span {
	return screen.Dots(PerSide(w, at.Public, "table.score", Sides(at.Rules), at.Scores), stakesLine(w, at.Public))
}

// stakesLine returns what this deal is played for besides its own stake, and when the match ends.
func stakesLine(w *Writer, p table.Public) []screen.Span {
	pieces := [][]screen.Span{held(w, p.Pool, p.Abeyance), screen.Text(tableEnd(w.Catalogue, p))}
	if p.Rules.HalfTime > 0 {
		pieces = append(pieces, w.Spans("table.half", "no", p.Rules.HalfTime))
	}
	return screen.Dots(pieces...)
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

// StockLine returns the number of cards in the stock.
func StockLine(w *Writer, v game.View) []screen.Span {
	if v.Stock == 0 {
		return w.Spans("table.stock.none")
	}
	return w.Spans("table.stock", "n", v.Stock)
}

// points returns the points of the sides in the running deal.
func (at dealScreen) points(w *Writer) []screen.Span {
	return PerSide(w, at.Public, "table.points", Sides(at.Rules), PointsSoFar(at.View))
}

// PointsSoFar returns the points of each side's tricks in a running deal.
func PointsSoFar(v game.View) []int {
	points := slices.Clone(v.CardPoints)
	tricks := v.RoundsWon
	if v.Rules.TrickUnit == game.ByTrick {
		tricks = v.TricksWon
	}
	for side := range points {
		points[side] += v.Rules.TrickPoints * tricks[side]
	}
	return points
}

// trickWorth returns the points of a trick in words. last says that the trick ended the deal.
func trickWorth(w *Writer, r game.Rules, t game.Trick, last bool) string {
	_, words := Worth(w, r, t, last)
	return words
}

// Worth returns the points of a trick, as a number and in words. last says that the
// trick ended the deal.
func Worth(w *Writer, r game.Rules, t game.Trick, last bool) (points int, words string) {
	points = TrickPoints(r, t)
	if !last || r.LastTrick == 0 {
		return points, w.Text("points", "n", points)
	}
	points += r.LastTrick
	return points, w.Text("trick.last", "points", w.Text("points", "n", points), "n", r.LastTrick)
}

// TrickPoints returns the points of a trick, without the bonus for the last one.
func TrickPoints(r game.Rules, t game.Trick) int {
	points := r.TrickPoints
	if r.TrickUnit == game.ByRound {
		points *= t.Rounds
	}
	for _, play := range t.Plays {
		points += r.CardPoints.Of(play.Card.Rank())
	}
	return points
}

// places returns the buttons that play the presser's own card by its number.
func (at dealScreen) places(w *Writer) [][]screen.Button {
	press := Press{Action: ActPlace, Table: at.ID, Deal: at.DealNo, Turn: len(at.View.Log)}
	var buttons []screen.Button
	for place := 1; place <= at.Rules.HandSize; place++ {
		press.Place = place
		buttons = append(buttons, screen.Button{Label: fmt.Sprint(place), Press: press.String()})
	}
	rows := screen.InRows(buttons)
	press.Place = 0
	var more []screen.Button
	for _, m := range []struct {
		is   bool
		move game.Move
	}{
		{at.View.Phase == game.Decide, game.Stop},
		{at.Rules.Dark && at.View.Stock > 0, game.Dark},
		{at.Rules.PassOnce && at.View.Stock > 0 && !at.View.PassUsed, game.Pass},
	} {
		if m.is {
			press.Move = m.move
			more = append(more, screen.Button{Label: w.Text("button." + m.move.String()), Press: press.String()})
		}
	}
	if len(more) > 0 {
		rows = append(rows, more)
	}
	return rows
}

// calls returns the posts that notify the player whose turn it is.
func (at channel) calls() []screen.Post {
	if at.Phase != table.Playing || at.Resting || at.Turn < 0 || !at.Called && !at.Warned {
		return nil
	}
	s := at.Seats[at.Turn]
	quiet := at.chat.Quiet || s.Player.Quiet
	if s.Player.ID == "" || s.Away || s.Left || quiet && !at.Warned || at.elsewhere(s.Player.ID) {
		return nil
	}
	w := at.writer()
	name := SeatName(w, at.Public, at.Turn)
	kind := "call"
	if at.Warned {
		kind = "warn"
		key := "call.warn"
		if at.chat.ID == s.Player.ID && at.Alone() {
			key = "call.close" // the player is alone, so the table closes instead of letting the AI play
		}
		w.Say(screen.Plain, key, "player", name, "time", screen.DurationText(w.Catalogue, at.Limit/4))
	} else {
		w.Say(screen.Plain, "call.turn", "player", name)
	}
	w.Row(w.Button(at.press(ActCards), screen.Primary))
	if !quiet {
		w.Screen.Notify = []screen.Person{Person(s.Player)}
	}
	return []screen.Post{{Key: fmt.Sprintf("%s:%d:%d", kind, at.DealNo, len(at.View.Log)), Passing: true, Screen: w.Screen}}
}
