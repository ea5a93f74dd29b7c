package view

import (
	"cmp"
	"slices"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// A lesson is a deal with remarks for a player who plays for the first time. Its cards are
// chosen so that every element of the game occurs. But nobody has to play a certain card:
// a remark depends only on what the player may know about the table at that moment, so it
// is true whatever anyone plays.
//
// A remark has at most two sentences, or three about a move that wasn't meant. On the player's turn, the first describes the
// situation and the second says what to do. While others play, the remark says what has
// just happened. If the player's latest move wasn't the one that the lesson meant, it says
// why, with the words of the hints and the coach: first while others play, as the whole
// remark, and on the player's next turn below the new advice, in place of the previous trick.

// sentences is the maximum number of sentences in a remark. Each text of a remark is one, but the
// welcome is three.
const sentences = 3

// event is something that a remark can report while the others play.
type event struct {
	key  string              // Text key, without the prefix "lesson."
	when func(l lesson) bool // reports whether the event has just happened
}

// events are all events, in the order in which a remark reports them: at most one of each
// group, and the first that has happened.
var events = [][]event{
	{
		{"right", func(l lesson) bool { return l.right && !(l.news() && len(l.v.Tricks) == 1) }},
	}, {
		{"took.lead.you", func(l lesson) bool { return l.won() && l.took == 0 }},
		{"took.lead", func(l lesson) bool { return l.news() && l.took == 0 }},
		{"took.equal.you", func(l lesson) bool { return l.won() && l.equal }},
		{"took.equal", func(l lesson) bool { return l.news() && l.equal }},
		{"took.seven.you", lesson.won},
		{"took.seven", lesson.news},
		{"wait", func(lesson) bool { return true }},
	}, {
		{"stock", func(l lesson) bool { return l.news() && l.emptied() }},
		{"draw", func(l lesson) bool { return l.news() && len(l.v.Tricks) == 1 }},
	},
}

// step is a decision that the player has to make. Its text keys are "lesson.<key>" for
// what is so, or what so returns instead, and "lesson.<key>.do" for what to do.
type step struct {
	key   string
	when  func(l lesson) bool // condition; the first step that meets its condition is the player's
	so    func(l lesson) string
	meant func(l lesson) []game.Card // the cards that the lesson means, none for a stop; nil: any move is right
	wrong string                     // why other moves were not meant: see reason
}

// steps are in order of precedence: the first whose condition holds applies. One always does.
var steps = []step{
	{key: "last", when: func(l lesson) bool { return len(l.hand) == 1 && l.v.Stock == 0 && l.v.Phase != game.Decide }},
	{key: "forced.you", when: func(l lesson) bool { return l.v.Forced && l.v.Winner == l.v.Seat }, so: func(lesson) string { return "forced" }},
	{key: "forced", when: func(l lesson) bool { return l.v.Forced }},

	{key: "decide.ours", when: func(l lesson) bool { return l.v.Phase == game.Decide && l.mine(l.v.Winner) }, meant: lesson.stop, wrong: "ours"},
	{key: "decide.back", when: func(l lesson) bool { return l.v.Phase == game.Decide && l.worth > 0 }, meant: lesson.take, wrong: "back"},
	{key: "decide.empty", when: func(l lesson) bool { return l.v.Phase == game.Decide }, meant: lesson.stop, wrong: "empty"},

	{key: "lead.pair", when: func(l lesson) bool { return l.v.Phase == game.Lead && len(l.pair) > 0 }, so: lesson.before, meant: lesson.leadPair, wrong: "pair"},
	{key: "lead.low", when: func(l lesson) bool { return l.v.Phase == game.Lead && len(l.low) > 0 }, so: lesson.before, meant: lesson.throw, wrong: "low"},
	{key: "lead.any", when: func(l lesson) bool { return l.v.Phase == game.Lead }, so: lesson.before},

	{key: "give", when: func(l lesson) bool { return l.mine(l.v.Winner) && len(l.counting) > 0 && l.safe() }, meant: lesson.give, wrong: "give"},
	{key: "leave", when: func(l lesson) bool { return l.mine(l.v.Winner) }, meant: lesson.leave, wrong: "leave"},
	{key: "save", when: func(l lesson) bool { return l.sevens() && l.worth == 0 && len(l.low) > 0 }, meant: lesson.throw, wrong: "low"},
	{key: "take.empty", when: func(l lesson) bool { return len(l.takers) > 0 && l.worth == 0 }, so: lesson.winning},
	{key: "take.seven", when: lesson.sevens, so: lesson.winning, meant: lesson.take, wrong: "take"},
	{key: "take", when: func(l lesson) bool { return len(l.takers) > 0 }, so: lesson.winning, meant: lesson.take, wrong: "take"},
	{key: "throw", when: func(lesson) bool { return true }, meant: lesson.throw, wrong: "low"},
}

// lesson is the information that selects a remark: what the player may know.
type lesson struct {
	at   table.Public
	v    game.View
	turn bool // it is the player's turn

	then  *lesson // what the player knew at their latest decision in this deal; nil: none yet
	right bool    // the lesson meant certain moves then, and they made one of them
	wrong bool    // they made another one
	made  game.Move

	last  game.Trick // the latest finished trick
	took  int        // index of the card that took it
	equal bool       // that card has the led rank

	worth    int         // points in the open trick so far
	hand     []game.Card // the player's cards, without free places
	takers   []game.Card // cards of hand that can take over the open trick
	counting []game.Card // cards of hand that are worth points
	low      []game.Card // cards of hand that are worth nothing and are no sevens
	pair     []game.Card // two cards of low with equal rank
}

// lessonOf returns what the player of a lesson knows now.
func lessonOf(p table.Private) lesson {
	l := lessonAt(p.Public, p.View)
	if p.Made == 0 {
		return l
	}
	then := lessonAt(p.Public, p.Then)
	l.then = &then
	if s := then.step(); s.meant != nil {
		card, played := p.Made.Card()
		meant := s.meant(then)
		l.right = slices.Contains(meant, card) || !played && len(meant) == 0
		l.wrong, then.made = !l.right, p.Made
	}
	return l
}

// lessonAt returns what the player of a lesson knew when they had this view.
func lessonAt(at table.Public, v game.View) lesson {
	l := lesson{at: at, v: v, turn: v.Turn == v.Seat}
	wild := v.Rules.Wild
	if n := len(v.Tricks); n > 0 {
		l.last = v.Tricks[n-1]
		l.took = table.BestPlay(v.Rules, l.last.Plays, l.last.Winner)
		l.equal = l.last.Plays[l.took].Card.Rank() == l.last.Plays[0].Card.Rank()
	}
	for _, play := range v.Trick {
		l.worth += v.Rules.CardPoints.Of(play.Card.Rank())
	}
	for _, c := range v.Hand {
		if c == 0 {
			continue
		}
		l.hand = append(l.hand, c)
		switch same := slices.IndexFunc(l.low, func(o game.Card) bool { return o.Rank() == c.Rank() }); {
		case v.Rules.CardPoints.Of(c.Rank()) > 0:
			l.counting = append(l.counting, c)
		case wild.Has(c.Rank()):
		default:
			if same >= 0 && l.pair == nil {
				l.pair = []game.Card{l.low[same], c}
			}
			l.low = append(l.low, c)
		}
		if len(v.Trick) > 0 && (c.Rank() == v.Trick[0].Card.Rank() || wild.Has(c.Rank())) {
			l.takers = append(l.takers, c)
		}
	}
	return l
}

// step returns the decision that the player has to make.
func (l lesson) step() step {
	return steps[slices.IndexFunc(steps, func(s step) bool { return s.when(l) })]
}

// mine reports whether a seat is on the player's side.
func (l lesson) mine(seat int) bool {
	return seat >= 0 && l.v.Rules.Side(seat) == l.v.Rules.Side(l.v.Seat)
}

// news reports whether a trick has ended since the player's latest card. They have played one.
func (l lesson) news() bool {
	return !slices.ContainsFunc(l.v.Trick, func(p game.Play) bool { return p.Seat == l.v.Seat })
}

// won reports whether a trick that is news went to the player.
func (l lesson) won() bool { return l.news() && l.last.Winner == l.v.Seat }

// continued reports whether another player has continued the open trick, and the player
// has not answered yet.
func (l lesson) continued() bool {
	return l.rounds() > 1 && l.v.Leader != l.v.Seat && l.played(l.v.Seat) < l.rounds()
}

// rounds returns the number of rounds of the open trick, with the one that is being
// played.
func (l lesson) rounds() int { return l.played(l.v.Leader) }

// played returns the number of cards that a seat has played to the open trick.
func (l lesson) played(seat int) int {
	n := 0
	for _, p := range l.v.Trick {
		if p.Seat == seat {
			n++
		}
	}
	return n
}

// latest returns the index of a seat's latest card in the open trick.
func (l lesson) latest(seat int) int {
	latest := 0
	for i, p := range l.v.Trick {
		if p.Seat == seat {
			latest = i
		}
	}
	return latest
}

// safe reports whether no player of the other side plays after the player in this
// round.
func (l lesson) safe() bool {
	for seat := l.v.Rules.Next(l.v.Seat); seat != l.v.Leader; seat = l.v.Rules.Next(seat) {
		if !l.mine(seat) {
			return false
		}
	}
	return true
}

// sevens reports whether a card other than a seven was led, and only a seven of the
// player's can take over the trick.
func (l lesson) sevens() bool {
	return len(l.takers) > 0 && l.v.Trick[0].Card.Rank() != '7' && !slices.ContainsFunc(l.takers, func(c game.Card) bool { return c.Rank() != '7' })
}

// emptied reports whether the stock became empty after the latest trick.
func (l lesson) emptied() bool {
	if l.v.Stock > 0 || len(l.v.Tricks) == 0 {
		return false
	}
	stock := len(l.v.Rules.Pack()) - l.v.Rules.Players*l.v.Rules.HandSize
	for _, t := range l.v.Tricks[:len(l.v.Tricks)-1] {
		stock -= min(stock, len(t.Plays))
	}
	return stock > 0
}

// before returns the text key of what happened before the player leads; "": nothing.
func (l lesson) before() string {
	if !l.news() {
		return ""
	}
	return cmp.Or(l.event(2), l.event(1))
}

// event returns the key of the first event of a group that has happened; "": none.
func (l lesson) event(group int) string {
	for _, e := range events[group] {
		if e.when(l) {
			return e.key
		}
	}
	return ""
}

// winning returns the text key that says how the other side is winning the open trick.
func (l lesson) winning() string {
	if l.continued() && l.v.Winner == l.v.Leader {
		return "continued"
	}
	return "winning"
}

// These functions return the cards that a step means.

func (l lesson) stop() []game.Card     { return nil }
func (l lesson) take() []game.Card     { return l.takers }
func (l lesson) give() []game.Card     { return l.counting }
func (l lesson) leadPair() []game.Card { return without(l.low, l.unpaired) }
func (l lesson) throw() []game.Card    { return l.orAny(l.low) }
func (l lesson) leave() []game.Card {
	return l.orAny(without(l.hand, func(c game.Card) bool { return slices.Contains(l.takers, c) }))
}

// orAny returns the cards, or all that the player has if there are none.
func (l lesson) orAny(cards []game.Card) []game.Card {
	if len(cards) == 0 {
		return l.hand
	}
	return cards
}

// unpaired reports whether no other card of low has the card's rank.
func (l lesson) unpaired(c game.Card) bool {
	return !slices.ContainsFunc(l.low, func(o game.Card) bool { return o != c && o.Rank() == c.Rank() })
}

func without(cards []game.Card, drop func(game.Card) bool) []game.Card {
	return slices.DeleteFunc(slices.Clone(cards), drop)
}

// lessonText is one text of a remark.
type lessonText struct {
	key string // Text key, without the prefix "lesson."
	l   lesson // what the text is about
}

// texts returns the texts of the remark at this moment.
func (l lesson) texts() []lessonText {
	if l.then == nil && !l.turn || len(l.v.Log) == 0 {
		return []lessonText{{"welcome", l}}
	}
	if !l.turn && l.wrong {
		return l.lookBack()
	}
	if !l.turn {
		var remarks []lessonText
		for group := range events {
			if key := l.event(group); key != "" && len(remarks) < sentences {
				remarks = append(remarks, lessonText{key, l})
			}
		}
		return remarks
	}
	s := l.step()
	so := s.key
	if s.so != nil {
		so = s.so(l)
	}
	var remarks []lessonText
	if so != "" {
		remarks = append(remarks, lessonText{so, l})
	}
	return append(remarks, lessonText{s.key + ".do", l})
}

// lookBack returns the text that says why the player's latest move wasn't the one that was
// meant, if so.
func (l lesson) lookBack() []lessonText {
	if !l.wrong {
		return nil
	}
	return []lessonText{{"wrong." + l.then.step().wrong, *l.then}}
}

// reason returns why a move that the lesson meant is better than the one that the player made: the same kinds of facts, in the
// same words, as the AI gives elsewhere. what is the step's wrong.
func (l lesson) reason(what string) Reason {
	r := Reason{Better: game.Stop, Other: l.made, Points: l.worth}
	if meant := l.step().meant(l); len(meant) > 0 {
		r.Better = game.PlayCard(meant[0])
	}
	card, _ := l.made.Card()
	points := l.v.Rules.CardPoints.Of(card.Rank())
	switch {
	case what == "ours", what == "leave" && l.v.Winner == l.v.Seat:
		r.Cause = ai.Bank
	case what == "leave":
		r.Cause = ai.Leave
	case what == "back", what == "take":
		r.Cause = ai.Over
	case what == "pair":
		r.Cause, r.Cards = ai.Pair, l.pair
	case what == "give":
		r.Cause, r.Points = ai.Feed, l.v.Rules.CardPoints.Of('A')-points
	case what == "empty", l.v.Rules.Wild.Has(card.Rank()):
		r.Cause = ai.Empty
	case l.v.Phase == game.Follow:
		r.Cause, r.Points = ai.Low, points
	default:
		r.Cause, r.Points = ai.Exposed, points
	}
	return r
}

// remark returns texts of a lesson.
func (w *Writer) remark(texts []lessonText) []screen.Span {
	var sentences [][]screen.Span
	for _, t := range texts {
		if what, wrong := strings.CutPrefix(t.key, "wrong."); wrong {
			why := t.l.reason(what)
			sentences = append(sentences, append(w.Spans("coach.played", "chosen", MoveText(w, why.Other), "best", MoveText(w, why.Better)), screen.Span{Text: "."}),
				w.Spans("coach.because", "why", why.Text(w)))
			continue
		}
		sentences = append(sentences, w.Spans("lesson."+t.key, t.l.args(w)...))
	}
	return screen.Join(screen.Span{Text: " "}, sentences)
}

// args returns what the texts of a lesson name.
func (l lesson) args(w *Writer) []any {
	partner, others := l.sides(w)
	args := []any{
		"partner", partner, "others", others,
		"points", w.Text("points", "n", l.worth), "score", w.Text("points", "n", PointsSoFar(l.v)[l.v.Rules.Side(l.v.Seat)]),
		"takers", cardSpans(l.takers), "gifts", cardSpans(l.counting), "pair", cardSpans(l.pair), "stop", StopLabel(w, l.v),
	}
	if len(l.v.Trick) > 0 {
		args = append(args, "leader", SeatName(w, l.at, l.v.Leader), "next", screen.CardSpan(l.v.Trick[l.latest(l.v.Leader)].Card),
			"player", SeatName(w, l.at, l.v.Winner), "led", screen.CardSpan(l.v.Trick[0].Card), "best", screen.CardSpan(l.v.Trick[winningPlay(l.v)].Card))
	}
	if len(l.last.Plays) > 0 {
		args = append(args, "taker", SeatName(w, l.at, l.last.Winner), "opening", screen.CardSpan(l.last.Plays[0].Card),
			"taken", screen.CardSpan(l.last.Plays[l.took].Card), "worth", w.Text("points", "n", table.TrickPoints(l.v.Rules, l.last)))
	}
	return args
}

// sides returns the names of the player's partner and of the others.
func (l lesson) sides(w *Writer) (partner, others []screen.Span) {
	var ours, theirs []int
	for seat := range l.at.Seats {
		switch {
		case seat == l.v.Seat:
		case l.mine(seat):
			ours = append(ours, seat)
		default:
			theirs = append(theirs, seat)
		}
	}
	return SideName(w, l.at, ours), SideName(w, l.at, theirs)
}

func cardSpans(cards []game.Card) []screen.Span {
	var out [][]screen.Span
	for _, c := range cards {
		out = append(out, []screen.Span{screen.CardSpan(c)})
	}
	return screen.Join(screen.Span{Text: " / "}, out)
}

// lessonOver returns the screen at the end of a lesson: the result, what a match is, and
// how to play one.
func (at channel) lessonOver() screen.Screen {
	w := at.writer()
	w.Say(screen.Title, "lesson.over")
	if n := len(at.Past); n > 0 && at.Policy.Coached {
		past := at.Past[n-1]
		w.Block(screen.Plain, screen.Dots(screen.Bold(screen.PlainText(w.Screen.Face, at.dealWon(w, past))), screen.Join(screen.Span{Text: " "}, verdict(w, past))))
	}
	r := at.Rules
	w.Say(screen.Plain, "lesson.half", "stakes", w.Text("stakes", "n", r.Stakes[0]), "b", r.Stakes[1], "c", r.Stakes[2])
	w.Say(screen.Plain, "lesson.match", "end", rules.End(r, at.c))
	again := w.Button(screen.PressOf(ActLesson), screen.Quiet)
	again.Label = w.Text("button.again")
	if at.Phase == table.Over && at.Policy.Coached {
		on := w.Button(at.press(ActRematch), screen.Success)
		on.Label = w.Text("button.match", "n", r.Target)
		w.Row(on)
	}
	w.Row(w.Button(screen.PressOf(ActNow), screen.Quiet), again, w.Button(at.press(ActRules), screen.Quiet))
	if n := len(at.Past); n > 0 && at.Policy.Coached {
		dealScreen{channel: at}.showEnd(w, at.Past[n-1])
	}
	return w.Screen
}
