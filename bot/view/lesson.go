package view

import (
	"slices"

	"sedmabot/game"
	"sedmabot/game/table"
)

// A lesson is a deal with remarks for a player who plays for the first time. Each
// remark depends only on what the player may know about the table at that moment. So
// every remark fits, whatever anyone plays, and nobody is forced to play anything.

// remark is one possible remark.
type remark struct {
	key  string                          // text key, without the prefix "lesson."
	when func(l lesson) bool             // condition; in each group, the first remark that meets its condition is shown
	args func(w *writer, l lesson) []any // returns the arguments of the text; nil: none
}

// remarks are all remarks, in the order in which the screen shows them: at most one of
// each group.
var remarks = [][]remark{
	{ // the beginning, and what has happened
		{"welcome", func(l lesson) bool { return len(l.v.Log) == 0 }, lessonSides},
		{"took.lead", func(l lesson) bool { return l.news() && l.took == 0 }, lessonTook},
		{"took.equal", func(l lesson) bool { return l.news() && l.equal }, lessonTook},
		{"took.seven", lesson.news, lessonTook},
	},
	{ // the side that gets the trick
		{"ours", func(l lesson) bool { return l.news() && l.worth() > 0 && l.mine(l.last.Winner) }, lessonWorth},
		{"theirs", func(l lesson) bool { return l.news() && l.worth() > 0 }, lessonWorth},
	},
	{ // what is new in this deal
		{"draw", func(l lesson) bool { return l.news() && len(l.v.Tricks) == 1 }, nil},
		{"last", func(l lesson) bool { return len(l.hand) == 1 && l.v.Stock == 0 && l.turn }, nil},
		{"stock", func(l lesson) bool { return l.v.Stock == 0 && len(l.hand) == l.v.Rules.HandSize }, nil},
	},
	{ // what the player may do
		{"wait", func(l lesson) bool { return !l.turn }, nil},
		{"decide.none", func(l lesson) bool { return l.v.Forced }, nil},
		{"decide.ours", func(l lesson) bool { return l.v.Phase == game.Decide && l.mine(l.v.Winner) }, lessonTakers},
		{"decide.theirs", func(l lesson) bool { return l.v.Phase == game.Decide }, lessonTakers},
		{"lead.pair", func(l lesson) bool { return l.v.Phase == game.Lead && len(l.pair) > 0 }, lessonPair},
		{"lead", func(l lesson) bool { return l.v.Phase == game.Lead }, nil},
		{"follow.give", func(l lesson) bool { return l.mine(l.v.Winner) && len(l.counting) > 0 }, lessonCounting},
		{"follow.ours", func(l lesson) bool { return l.mine(l.v.Winner) }, lessonWinner},
		{"follow.take", func(l lesson) bool { return len(l.takers) > 0 }, lessonTakers},
		{"follow.low", func(lesson) bool { return true }, lessonWinner},
	},
}

// lesson is the information that selects the remarks.
type lesson struct {
	p    table.Private
	v    game.View
	turn bool // it is the player's turn

	last  game.Trick // the latest finished trick
	took  int        // index of the card that took it
	equal bool       // that card has the led rank

	hand     []game.Card // the player's cards, without free places
	takers   []game.Card // cards of hand that can take over the open trick
	counting []game.Card // cards of hand that are worth points
	pair     []game.Card // two cards of equal rank worth no points, not sevens
}

func lessonOf(p table.Private) lesson {
	l := lesson{p: p, v: p.View, turn: p.Turn == p.Seat}
	takes := func(led, c game.Card) bool { return c.Rank() == led.Rank() || l.v.Rules.Wild.Has(c.Rank()) }
	if n := len(l.v.Tricks); n > 0 {
		l.last = l.v.Tricks[n-1]
		for i, play := range l.last.Plays {
			if takes(l.last.Plays[0].Card, play.Card) {
				l.took, l.equal = i, play.Card.Rank() == l.last.Plays[0].Card.Rank()
			}
		}
	}
	for _, c := range l.v.Hand {
		if c == 0 {
			continue
		}
		same := slices.IndexFunc(l.hand, func(o game.Card) bool { return o.Rank() == c.Rank() })
		l.hand = append(l.hand, c)
		if l.v.Rules.CardPoints.Of(c.Rank()) > 0 {
			l.counting = append(l.counting, c)
		} else if same >= 0 && l.pair == nil && !l.v.Rules.Wild.Has(c.Rank()) {
			l.pair = []game.Card{l.hand[same], c}
		}
		if len(l.v.Trick) > 0 && takes(l.v.Trick[0].Card, c) {
			l.takers = append(l.takers, c)
		}
	}
	return l
}

// mine reports whether a seat is on the player's side.
func (l lesson) mine(seat int) bool {
	return seat >= 0 && l.v.Rules.Side(seat) == l.v.Rules.Side(l.p.Seat)
}

// news reports whether a trick has ended since the player's latest card.
func (l lesson) news() bool {
	return len(l.v.Tricks) > 0 && !slices.ContainsFunc(l.v.Trick, func(p game.Play) bool { return p.Seat == l.p.Seat })
}

// worth returns the points of the latest trick.
func (l lesson) worth() int { return trickPoints(l.v.Rules, l.last) }

func lessonSides(w *writer, l lesson) []any {
	var ours, theirs [][]Span
	for seat := range l.p.Seats {
		switch {
		case seat == l.p.Seat:
		case l.mine(seat):
			ours = append(ours, seatName(w, l.p.Public, seat))
		default:
			theirs = append(theirs, seatName(w, l.p.Public, seat))
		}
	}
	return []any{"partner", joinSpans(Span{Text: " + "}, ours), "others", joinSpans(Span{Text: " + "}, theirs)}
}

func lessonTook(w *writer, l lesson) []any {
	return []any{"player", seatName(w, l.p.Public, l.last.Winner), "card", card(l.last.Plays[l.took].Card)}
}

func lessonWorth(w *writer, l lesson) []any { return []any{"points", w.Text("points", "n", l.worth())} }

func lessonWinner(w *writer, l lesson) []any {
	return []any{"player", seatName(w, l.p.Public, l.v.Winner)}
}

func lessonCounting(w *writer, l lesson) []any {
	return append(lessonWinner(w, l), "cards", cardSpans(l.counting))
}

func lessonTakers(w *writer, l lesson) []any {
	return append(lessonWinner(w, l), "cards", cardSpans(l.takers))
}

func lessonPair(_ *writer, l lesson) []any { return []any{"cards", cardSpans(l.pair)} }

func cardSpans(cards []game.Card) []Span {
	var out [][]Span
	for _, c := range cards {
		out = append(out, []Span{card(c)})
	}
	return joinSpans(Span{Text: " "}, out)
}

// remarks adds the remarks that fit the player's lesson at this moment.
func (w *writer) remarks(p table.Private) {
	l := lessonOf(p)
	var lines [][]Span
	for _, group := range remarks {
		for _, r := range group {
			if !r.when(l) {
				continue
			}
			var args []any
			if r.args != nil {
				args = r.args(w, l)
			}
			lines = append(lines, w.spans("lesson."+r.key, args...))
			break
		}
	}
	w.block(Quote, lines...)
}

// lessonOver returns the screen at the end of a lesson: the result, what a match is,
// and how to start one.
func (at channel) lessonOver() Screen {
	w := at.writer()
	w.say(Title, "lesson.over")
	r := at.Rules
	w.say(Plain, "rules.scoring.stakes", "a", r.Stakes[0], "b", r.Stakes[1], "c", r.Stakes[2])
	w.say(Plain, "lesson.match", "end", matchEnd(at.c, r))
	w.say(Plain, "lesson.next")
	again := w.button(Press{Action: ActLesson}, Quiet)
	again.Label = w.Text("button.again")
	row := []Button{again, w.button(at.press(ActRules), Quiet)}
	if at.Phase == table.Over && at.Lesson {
		on := w.button(at.press(ActRematch), Success)
		on.Label = w.Text("button.alone")
		row = append([]Button{on}, row...)
	}
	w.row(row...)
	return w.screen
}
