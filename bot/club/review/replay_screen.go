package review

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Match is a finished match, as lists and replays identify it.
type Match struct {
	Table  string
	No     int // number among the table's matches
	At     time.Time
	Rules  game.Rules
	Seats  []table.Seat
	Scores []int  // final score by side
	Ticket string // see press
}

// ID returns the permanent id of the match, which people can type.
func (m Match) ID() string { return fmt.Sprintf("%s-%d", m.Table, m.No) }

func (m Match) press(word string, deal, step int) press {
	return press{word: word, table: m.Table, match: m.No, deal: deal, step: step, ticket: m.Ticket}
}

// public returns a table with the fields that texts about seats and deals need. Its deals count from 1.
func (m Match) public() table.Public {
	return table.Public{Lasting: table.Lasting{Rules: m.Rules, Seats: m.Seats, DealNo: 1}}
}

// listedName is the maximum length of a name in a list of matches.
const listedName = 24

// Matches lists the latest finished matches of a home, the newest first: at most 10.
func Matches(list []Match, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "matches.title")
	if len(list) == 0 {
		w.Say(screen.Plain, "matches.empty")
		return w.Screen
	}
	var lines [][]screen.Span
	var buttons []screen.Button
	for i, m := range list {
		m.Seats = slices.Clone(m.Seats)
		for j := range m.Seats {
			m.Seats[j].Player.Name = screen.Cut(m.Seats[j].Player.Name, listedName)
		}
		var scores [][]screen.Span
		for side, seats := range view.Sides(m.Rules) {
			scores = append(scores, w.Spans("table.side", "side", view.SideName(w, m.public(), seats), "n", screen.Bold(fmt.Sprint(m.Scores[side]))))
		}
		lines = append(lines, w.Spans("matches.row", "no", i+1, "date", screen.DayText(c, m.At.UTC()), "game", screen.GameName(c, m.Rules), "sides", screen.Dots(scores...), "id", m.ID()))
		buttons = append(buttons, screen.Button{Label: fmt.Sprint(i + 1), Press: m.press(actReplay, 1, 0).String()})
	}
	w.Block(screen.Plain, lines...)
	w.Say(screen.Small, "matches.how")
	for _, row := range screen.InRows(buttons) {
		w.Row(row...)
	}
	return w.Screen
}

// Replay is one step of a finished match, with everything that was hidden during play.
// Only a match that is over has one.
type Replay struct {
	Match
	Deals int // number of deals in the match
	Deal  int // number of this deal, from 1
	Steps int // number of steps in this deal: its cards
	Step  int // 0: the cards as dealt; then one step for each card

	Tricks int // number of tricks in this deal

	Hands  [][]game.Card // hands by seat, before the step; a free place is zero
	Before game.View     // public view before the step
	After  game.View     // public view after the step
	Solo   int           // the seat that played alone, or game.Nobody
	Past   table.Past    // the end of the deal, and its seed

	Played   bool          // the reader played in the match
	Coaching bool          // the coach is still going through the reader's choices
	Thoughts []RatedChoice // the AI's opinion of the reader's choices in this step, if known
}

// Screen returns the step as its reader sees it. The picture has the trick and the open hands, so that the message with its
// buttons is no taller than a phone. Where no picture is shown, the words say the same.
func (r Replay) Screen(c *lang.Catalogue) screen.Screen {
	f := face.For("", c.Code(), r.Rules.Deck)
	w := view.NewWriter(c, f)
	p := r.public()
	title := w.Text("replay.title", "game", screen.GameName(c, r.Rules), "no", r.Deal, "of", r.Deals)
	if r.Step > 0 {
		title += " · " + w.Text("replay.trick", "no", r.trickNo(), "of", r.Tricks)
	}
	w.Block(screen.Title, screen.Text(title))
	if r.Step == r.Steps {
		view.DealEnd(w, p, r.Past)
	}
	r.thoughts(w)
	if r.Step < r.Steps {
		w.Block(screen.Small, view.PerSide(w, p, "table.score", view.Sides(r.Rules), r.score()))
	}
	if r.Solo >= 0 {
		w.Say(screen.Small, "table.solo", "player", view.SeatName(w, p, r.Solo))
	}
	words := r.words(w)
	w.Screen.Picture = &screen.Picture{Draw: r.picture(w), Alt: w.AltText(words), Words: words}
	w.Screen.Picture.Draw.Face = f
	r.buttons(w)
	return w.Screen
}

// words returns what only the picture says: the trick so far, the hands before the card, and the points after it.
func (r Replay) words(w *view.Writer) []screen.Block {
	p := r.public()
	var lines [][]screen.Span
	if r.Step == 0 {
		lines = append(lines, w.Spans("replay.dealt", "dealer", view.SeatName(w, p, r.Before.Dealer), "leader", view.SeatName(w, p, r.Before.Leader)))
	} else {
		lines = r.trick(w)
	}
	points := view.PerSide(w, p, "table.points", view.Sides(r.Rules), view.PointsSoFar(r.After))
	if r.Step == r.Steps { // include the points for the last trick
		points = view.PerSide(w, p, "table.points", r.Past.Score.Sides, r.Past.Score.Points)
	}
	br := screen.Span{Kind: screen.SpanBreak}
	return []screen.Block{
		{Look: screen.Plain, Spans: screen.Join(br, lines)},
		{Look: screen.Quote, Spans: screen.Join(br, r.hands(w))},
		{Look: screen.Small, Spans: screen.Dots(view.StockLine(w, r.After), points)},
	}
}

// openHands returns the hands before the step for the picture. The card that is played in the step is dim.
func (r Replay) openHands() []face.Hand {
	var hands []face.Hand
	for seat, cards := range r.Hands {
		h := face.Hand{Cards: slices.Clone(cards), Dim: make([]bool, len(cards))}
		if r.Step > 0 {
			plays := r.played().Plays
			play := plays[len(plays)-1]
			if i := slices.Index(cards, play.Card); play.Seat == seat && i >= 0 { // not one from the stock
				h.Dim[i] = true
			}
		}
		hands = append(hands, h)
	}
	return hands
}

// Check returns the seed of a deal and its fingerprint, and says how to check that the cards were dealt as it promised.
func (r Replay) Check(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "proof.title")
	w.Say(screen.Plain, "proof.how")
	w.Block(screen.Small, w.Spans("proof.seed", "no", r.Deal, "seed", fmt.Sprintf("%x", r.Past.Seed)),
		w.Spans("proof.hash", "hash", fmt.Sprintf("%x", sha256.Sum256(r.Past.Seed[:]))))
	return w.Screen
}

// hands returns a line for each seat, with its cards.
func (r Replay) hands(w *view.Writer) [][]screen.Span {
	var lines [][]screen.Span
	for seat, hand := range r.Hands {
		var cards [][]screen.Span
		for _, c := range hand {
			if c != 0 {
				cards = append(cards, []screen.Span{screen.CardSpan(c)})
			}
		}
		if len(cards) == 0 {
			cards = [][]screen.Span{screen.Text(w.Text("hand.empty"))}
		}
		lines = append(lines, w.Spans("replay.hand", "player", view.SeatName(w, r.public(), seat), "cards", screen.Join(screen.Span{Text: " "}, cards)))
	}
	return lines
}

// played returns the trick of the step, which must not be the first one. Its winner is game.Nobody until its last card.
func (r Replay) played() game.Trick {
	if len(r.After.Trick) > 0 {
		return game.Trick{Plays: r.After.Trick, Rounds: r.After.Rounds, Winner: game.Nobody}
	}
	return r.After.Tricks[len(r.After.Tricks)-1]
}

// trickNo returns the number of the step's trick, from 1.
func (r Replay) trickNo() int { return len(r.Before.Tricks) + 1 }

// trick returns a line for each round of the trick so far, and who took it.
func (r Replay) trick(w *view.Writer) [][]screen.Span {
	t, log := r.played(), r.After.Log
	for n := cardsIn(log) - len(t.Plays); n > 0; log = log[1:] {
		n -= cardsIn(log[:1])
	}
	for log[0].Card == 0 { // the stop that ended the trick before
		log = log[1:]
	}
	var lines, plays [][]screen.Span
	for i, e := range log {
		if i > 0 && e.Card != 0 && e.Seat == t.Plays[0].Seat {
			lines, plays = append(lines, screen.Join(screen.Span{Text: ", "}, plays)), nil
		}
		switch {
		case e.Card != 0:
			play := game.Play{Seat: e.Seat, Card: e.Card, Dark: e.Move == game.Dark}
			plays = append(plays, w.Spans("hand.play", "player", view.SeatName(w, r.public(), e.Seat), "card", view.PlaySpans(w, play, false)))
		case e.Move == game.Pass:
			plays = append(plays, w.Spans("hand.play", "player", view.SeatName(w, r.public(), e.Seat), "card", w.Spans("play.pass")))
		}
	}
	lines = append(lines, screen.Join(screen.Span{Text: ", "}, plays))
	if t.Winner >= 0 {
		_, points := view.Worth(w, r.Rules, t, r.Step == r.Steps && r.Past.Result.LastTrick >= 0)
		lines = append(lines, w.Spans("replay.takes", "player", view.SeatName(w, r.public(), t.Winner), "points", points))
	}
	return lines
}

// picture returns a picture of the table after the step.
func (r Replay) picture(w *view.Writer) face.Picture {
	p := r.public()
	p.View, p.Scores, p.Dealer, p.Turn = r.After, r.score(), r.Before.Dealer, game.Nobody
	t := view.Picture(w, p, game.Nobody)
	t.Past, t.Hands = false, r.openHands()
	for seat := range t.Seats {
		t.Seats[seat].Turn, t.Seats[seat].Leads = false, seat == r.Before.Leader
	}
	if r.Step == 0 {
		t.Headline = w.Text("replay.deal", "no", r.Deal, "of", r.Deals)
		t.Detail = w.Text("replay.dealt", "dealer", view.Pictured(w, p, r.Before.Dealer), "leader", view.Pictured(w, p, r.Before.Leader))
		return face.Picture{Table: t}
	}
	t.Headline = w.Text("replay.trick", "no", r.trickNo(), "of", r.Tricks)
	switch trick := r.played(); {
	case r.Step == r.Steps && r.Past.Result.End == game.EndBurn:
		t.Detail = w.Text("feat.burn")
	case trick.Winner >= 0:
		_, points := view.Worth(w, r.Rules, trick, r.Step == r.Steps && r.Past.Result.LastTrick >= 0)
		t.Detail = w.Text("picture.took", "player", view.Pictured(w, p, trick.Winner), "points", points)
	}
	return face.Picture{Table: t}
}

// score returns the score of the match after the step, by side.
func (r Replay) score() []int {
	score := slices.Clone(r.Past.Totals)
	if r.Step < r.Steps {
		for side, n := range r.Past.Score.ScoreDelta {
			score[side] -= n
		}
	}
	return score
}

// buttons adds the buttons to the neighbouring steps.
func (r Replay) buttons(w *view.Writer) {
	first, last := r.Step == 0, r.Step == r.Steps
	button := func(label string, p press, off bool) screen.Button {
		return screen.Button{Label: w.Text(label), Press: p.String(), Off: off}
	}
	// The step before the first one of a deal is the last one of the previous deal. Buttons that are off
	// have unique data too.
	back := r.press(actReplay, r.Deal, r.Step-1)
	if first {
		back = r.press(actReplay, r.Deal-1, lastStep)
	}
	next := r.press(actReplay, r.Deal, r.Step+1)
	if last {
		next = r.press(actReplay, r.Deal+1, 0)
	}
	dealBack := r.press(actDeals, r.Deal, 0)
	if first {
		dealBack = r.press(actDeals, max(r.Deal-1, 0), 0)
	}
	w.Row(
		button("button.deal_back", dealBack, first && r.Deal == 1),
		button("button.card_back", back, first && r.Deal == 1),
		button("button.card_next", next, last && r.Deal == r.Deals),
		button("button.deal_next", r.press(actDeals, r.Deal+1, 0), r.Deal == r.Deals),
	)
	row := []screen.Button{w.Button(r.press(actFilm, r.Deal, 0).String(), screen.Quiet), w.Button(r.press(actRecord, 0, 0).String(), screen.Quiet), {Label: w.Text("button.proof"), Press: r.press(actCheck, r.Deal, 0).String()}}
	if r.Played {
		row = append(row, w.Button(r.press(actCoach, 0, 0).String(), screen.Quiet))
	}
	w.Row(row...)
}

// lastStep means the last step of a deal.
const lastStep = 99_999

// Record returns a screen with the record of a match as a file.
func Record(m Match, data []byte, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "replay.file")
	w.Screen.File = &screen.File{Name: "sedma-" + m.ID() + ".json", Data: data}
	return w.Screen
}
