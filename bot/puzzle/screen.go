package puzzle

import (
	"slices"
	"strconv"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Position is a position that asks its reader for a move. It shows what the player of that seat could know.
type Position struct {
	Name    string      // see press.what
	Home    string      // see press.home
	Own     bool        // it comes from a match in that home
	Date    string      // the day whose puzzle it is, like 2026-11-21; "": none
	View    game.View   // of the seat whose turn it is
	Choices []game.Move // one for each kind of cards that play alike
	Face    string      // the reader's choice of faces
}

// seats returns a table at which the reader has the seat of the view. The other seats have names such as "Partner".
func (p Position) seats(w *view.Writer) table.Public {
	v := p.View
	names := map[int][]string{
		2: {"you", "opponent"}, 3: {"you", "at_left", "at_right"}, 4: {"you", "at_left", "partner", "at_right"},
	}[v.Rules.Players]
	seats := make([]table.Seat, v.Rules.Players)
	for i := range seats {
		seat, name := (v.Seat+i)%len(seats), strconv.Itoa(i+1)
		if i < len(names) {
			name = w.Text("puzzle." + names[i])
		}
		seats[seat].Player = table.Player{ID: "puzzle:" + strconv.Itoa(seat+1), Name: name}
	}
	return table.Public{View: v, Turn: v.Turn, Lasting: table.Lasting{
		Rules: v.Rules, Seats: seats, Phase: table.Playing, DealNo: 1, Scores: make([]int, v.Rules.Sides()), AtHome: game.Nobody,
		HasDeal: true, Dealer: v.Dealer,
	}}
}

// begin returns a writer that has written the title.
func (p Position) begin(c *lang.Catalogue) *view.Writer {
	w := view.NewWriter(c, face.For(face.Face(p.Face), c.Code(), p.View.Rules.Deck))
	if p.Date != "" {
		w.Say(screen.Title, "puzzle.today", "date", screen.KeptDay(c, p.Date))
	} else {
		w.Say(screen.Title, "puzzle.title")
	}
	return w
}

// Screen asks for a move.
func (p Position) Screen(c *lang.Catalogue) screen.Screen {
	w := p.begin(c)
	ask, v := screen.Bold(w.Text("puzzle.ask")), p.View
	if len(v.Trick) > 0 {
		ask = screen.Dots(ask, view.OpenTrick(w, p.seats(w), v, v.Seat))
	}
	w.Block(screen.Plain, ask)
	p.position(w)
	about := [][]screen.Span{screen.Text(screen.GameName(c, p.View.Rules))}
	if p.Own {
		about = append(about, w.Spans("puzzle.own"))
	}
	w.Block(screen.Small, screen.Dots(about...), w.Spans("puzzle.how"))
	var cards, others []screen.Button
	for i, m := range p.Choices {
		b := screen.Button{
			Label: screen.Cut(view.MoveText(w, m), screen.LabelLength),
			Press: choose(p.Name, i+1, p.Home).String(),
		}
		c, isCard := m.Card()
		switch {
		case isCard && v.Phase == game.Decide:
			b.Label, b.Card = screen.Cut(view.ContinueLabel(w, c), screen.LabelLength), c
		case isCard:
			b.Card = c
			cards = append(cards, b)
			continue
		case m == game.Stop:
			b.Label = screen.Cut(view.StopLabel(w, v), screen.LabelLength)
		}
		others = append(others, b)
	}
	for _, row := range slices.Concat(screen.InRows(cards), screen.InRows(others)) {
		w.Row(row...)
	}
	return w.Screen
}

// position adds the hand, what is on the table in words and as a picture, and the earlier tricks.
func (p Position) position(w *view.Writer) {
	v := p.View
	at := p.seats(w)
	view.Position(w, at)
	var lines [][]screen.Span
	for i, trick := range v.Tricks {
		points := w.Text("points", "n", view.TrickPoints(v.Rules, trick))
		lines = append(lines, w.Spans("more.trick", "no", i+1, "player", view.SeatName(w, at, trick.Winner), "cards", view.ByPlayer(w, at, trick.Plays), "points", points))
	}
	w.Block(screen.Quote, lines...)
}

// Solution is the solution of a puzzle, for a reader who has answered.
type Solution struct {
	Position
	Chosen        game.Move
	Best          []view.Advice // all choices, the best first
	Why           view.Reason   // why the first is better than the chosen one, or than the second
	Tried, Found  int           // how many others answered, and how many of them found the best choice
	Rating, Level int           // of the reader, and of the puzzle
	Change        int           // what the answer changed in the reader's rating; 0 when it is shown again
	Again         bool          // the reader had answered before
	Today         string        // the day whose puzzle the reader has not solved yet; "": none
}

// Screen shows the answer.
func (p Solution) Screen(c *lang.Catalogue) screen.Screen {
	w := p.begin(c)
	best := p.Best[0].Move
	if p.Again {
		w.Say(screen.Small, "puzzle.again")
	}
	if p.Chosen == best {
		w.Say(screen.Plain, "puzzle.right", "best", screen.Bold(view.MoveText(w, best)))
	} else {
		w.Say(screen.Plain, "puzzle.wrong", "move", screen.Bold(view.MoveText(w, p.Chosen)), "best", screen.Bold(view.MoveText(w, best)))
	}
	w.Block(screen.Plain, screen.Text(p.Why.Text(w)))
	w.Say(screen.Small, "puzzle.worth", "unit", w.Text(view.UnitKey(p.View.Rules)), "choices", view.AdviceText(w, p.Best))
	if p.Tried > 0 {
		w.Say(screen.Plain, "puzzle.found", "found", p.Found, "of", p.Tried, "percent", 100*p.Found/p.Tried)
	} else {
		w.Say(screen.Plain, "puzzle.first")
	}
	rating := strconv.Itoa(p.Rating)
	if p.Change != 0 {
		rating += " (" + screen.Signed(p.Change) + ")"
	}
	w.Say(screen.Small, "puzzle.rating", "rating", rating, "level", p.Level)
	p.position(w)
	w.Row(p.next(w)...)
	return w.Screen
}

// next returns the buttons to other puzzles.
func (p Solution) next(w *view.Writer) []screen.Button {
	row := []screen.Button{{Label: w.Text("button.puzzle_next"), Tone: screen.Primary, Press: press{what: askNext, value: "now", home: p.Home}.String()}}
	if p.Today != "" {
		row = append(row, todayButton(w, p.Today, p.Home))
	}
	return row
}

func todayButton(w *view.Writer, date, home string) screen.Button {
	return screen.Button{Label: w.Text("button.puzzle_today"), Press: press{what: askDay, value: date, home: home}.String()}
}

// NoneLeft says that the reader has answered all puzzles. today is the day whose puzzle they have not answered yet, or "".
func NoneLeft(c *lang.Catalogue, today, home string) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "puzzle.title")
	w.Say(screen.Plain, "puzzle.none")
	if today != "" {
		w.Row(todayButton(w, today, home))
	}
	return w.Screen
}
