package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	at.newcomers(w)
	if at.View.Solo >= 0 {
		w.Say(screen.Small, "table.solo", "player", SeatName(w, at.Public, at.View.Solo))
	}
	w.Block(screen.Small, at.passLine(w))
	w.Block(screen.Small, at.previousTrick(w))
	w.Block(screen.Small, at.numbers(w))
	w.Block(screen.Small, at.handsByButton(w))
	at.show(w, game.Nobody)
	row := []screen.Button{w.Button(at.press(ActCards), screen.Primary), w.Button(at.press(ActMore), screen.Quiet)}
	row = append(row, at.joinButton(w)...)
	if slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Away || s.Left }) {
		row = append(row, w.Button(at.press(ActBack), screen.Quiet))
	}
	w.Row(append(row, at.privateButton(w)...)...)
	w.Row(pause...)
	w.Screen.Places = at.places(w)
	return w.Screen
}

// newcomers says who came in this deal or after it, and who waits for a seat.
func (at channel) newcomers(w *Writer) {
	for seat, s := range at.Seats {
		if s.Player.ID != "" && s.Late >= at.DealNo && s.Late > 0 {
			w.Say(screen.Small, "table.came", "player", SeatName(w, at.Public, seat), "other", at.replaced(w, seat))
		}
	}
	var waiting [][]screen.Span
	for _, p := range at.Coming {
		waiting = append(waiting, []screen.Span{{Kind: screen.SpanPerson, Person: w.Called(Person(p))}})
	}
	if len(waiting) > 0 {
		w.Say(screen.Small, "table.coming", "players", screen.Join(screen.Span{Text: ", "}, waiting))
	}
}

// replaced returns the name of the AI that had the seat before its player came late.
func (at channel) replaced(w *Writer, seat int) string {
	return opponentName(w, at.AsBefore(seat), seat)
}

// joinButton returns the button that takes an AI's seat of the running match, if somebody may.
func (at channel) joinButton(w *Writer) []screen.Button {
	if !at.Joins {
		return nil
	}
	return []screen.Button{w.Button(at.press(ActJoin), screen.Quiet)}
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
		if v.Rounds > 1 && !at.Policy.Coached { // its remark says it
			line = append(line, at.round(w, me))
		}
		line = append(line, trickLine(w, at.Public, v, me, at.marks))
	} else if at.LastDeal && !at.Policy.OneDeal {
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
		key := "pause.now"
		if at.Lapsed {
			key = "pause.away"
		}
		w.Say(screen.Small, key)
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

// tableEnd says when a table's match ends.
func tableEnd(c *lang.Catalogue, p table.Public) string {
	if p.Policy.OneDeal && p.Policy.Once {
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

// PointsSoFar returns the points of each side's tricks. In a deal that was played to its end, they include those for the last one.
func PointsSoFar(v game.View) []int {
	points := slices.Clone(v.CardPoints)
	tricks := v.RoundsWon
	if v.Rules.TrickUnit == game.ByTrick {
		tricks = v.TricksWon
	}
	for side := range points {
		points[side] += v.Rules.TrickPoints * tricks[side]
	}
	if v.End == game.EndPlayed && v.LastTrick >= 0 {
		points[v.Rules.Side(v.LastTrick)] += v.Rules.LastTrick
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
