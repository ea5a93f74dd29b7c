package puzzle

import (
	"reflect"
	"slices"
	"strconv"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/puzzle"
	"sedmabot/game/table"
)

// Position is a position that asks its reader for a move. It shows what the player of that seat could know.
type Position struct {
	Name    string      // see press.what
	Date    string      // the day whose puzzle it is, like 2026-11-21; "": none
	View    game.View   // of the seat whose turn it is
	Choices []game.Move // one for each kind of cards that play alike
	Face    string      // the reader's choice of faces
	Theme   puzzle.Theme
	Made    string      // the choices that led here; see press.value
	Steps   int         // how many choices the puzzle has
	Since   int         // index in the view's log of the reader's latest choice, if there is any
	Lesson  int         // the number of the lesson that it belongs to, from 1; 0: none
	Lessons int         // how many lessons there are
	Tricks  bool        // the earlier tricks are shown
	New     bool        // the reader is asked a puzzle for the first time
	First   []game.Move // the reader's choices so far
	Better  game.Move   // what would have been better than the latest of them, which isn't a mistake; 0: nothing
	Rulings []Ruling    // about the latest of them
}

// A Ruling says why the best choice is better than another one.
type Ruling struct {
	Move game.Move // the other
	Cost float64   // by how many stakes it is worse
	Why  view.Reason
}

// rulings adds what each other choice costs, and why. Choices with the same cost and reason share a line.
func (p Position) rulings(w *view.Writer) {
	var lines [][]screen.Span
	for all := p.Rulings; len(all) > 0; {
		r, moves := all[0], view.MoveText(w, all[0].Move)
		cost := view.Cost(w, p.View.Rules, r.Cost)
		for all = all[1:]; len(all) > 0 && r.same(all[0]) && view.Cost(w, p.View.Rules, all[0].Cost) == cost; all = all[1:] {
			moves += " / " + view.MoveText(w, all[0].Move)
		}
		if r.Cost < ai.Even || r.Why.Cause == ai.NoCause {
			lines = append(lines, screen.Text(r.Why.Text(w)))
			continue
		}
		lines = append(lines, screen.Dots(screen.Bold(moves), screen.Text(cost), screen.Text(r.Why.Text(w))))
	}
	w.Block(screen.Plain, lines...)
}

// same reports whether the reasons differ in nothing but the other choice.
func (r Ruling) same(next Ruling) bool {
	next.Why.Other = r.Why.Other
	return r.Cost >= ai.Even && next.Cost >= ai.Even && reflect.DeepEqual(r.Why, next.Why)
}

// press returns the press with that value for this puzzle.
func (p Position) press(value string) press {
	if p.Lesson > 0 {
		return press{what: askLesson, value: strconv.Itoa(p.Lesson) + "_" + value}
	}
	return press{what: p.Name, value: value}
}

// choose returns the press of a choice.
func (p Position) choose(i int) string {
	if p.Lesson > 0 {
		return p.press(p.Made + string(rune('a'+i))).String()
	}
	return p.press(p.Made + strconv.Itoa(i+1)).String()
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

// titled returns a writer that has written the title.
func (p Position) titled(c *lang.Catalogue) *view.Writer {
	w := view.NewWriter(c, face.For(face.Face(p.Face), c.Code(), p.View.Rules.Deck))
	switch {
	case p.Lesson > 0:
		w.Say(screen.Title, "puzzle.lesson", "no", p.Lesson, "of", p.Lessons, "theme", w.Text("puzzle.theme."+string(p.Theme)))
	case p.Date != "":
		w.Say(screen.Title, "puzzle.today", "date", screen.KeptDay(c, p.Date))
	default:
		w.Say(screen.Title, "puzzle.title")
	}
	return w
}

// Screen asks for a move.
func (p Position) Screen(c *lang.Catalogue) screen.Screen {
	w, v := p.titled(c), p.View
	p.before(w)
	view.AskMove(w, p.seats(w))
	p.position(w)
	p.about(w)
	for _, row := range view.ChoiceRows(w, v, p.Choices, p.choose) {
		w.Row(row...)
	}
	if len(v.Tricks) > 0 && !p.Tricks {
		w.Row(screen.Button{Label: w.Text("button.puzzle_tricks"), Tone: screen.Quiet, Press: p.press(showTricks + p.Made).String()})
	}
	return w.Screen
}

// before says what the reader has to know before they choose: what a lesson teaches or what has happened since their
// latest choice, and the goal.
func (p Position) before(w *view.Writer) {
	switch {
	case p.Made == "" && p.Lesson > 0:
		w.Say(screen.Plain, "puzzle.teach."+string(p.Theme))
	case p.Made != "":
		p.since(w)
	}
	w.Block(screen.Plain, view.Goal(w, p.View))
}

// about names the game and the theme, and counts the choices. It says what is special here to a reader who is new to it.
func (p Position) about(w *view.Writer) {
	about := [][]screen.Span{screen.Text(screen.GameName(w.Catalogue, p.View.Rules))}
	if p.Theme != "" && p.Lesson == 0 {
		about = append(about, w.Spans("puzzle.theme."+string(p.Theme)))
	}
	if p.Steps > 1 {
		about = append(about, w.Spans("puzzle.step", "no", len(p.Made)+1, "of", p.Steps))
	}
	how := w.Spans("puzzle.how")
	if p.New {
		how = slices.Concat(how, screen.Text(" "), w.Spans("puzzle.equal"))
	}
	w.Block(screen.Small, screen.Dots(about...), how)
}

// onFelt returns the position for a page, which shows it on its felt.
func (p Position) onFelt(c *lang.Catalogue) *chat.Position {
	w := p.titled(c)
	p.before(w)
	w.Block(screen.Plain, screen.Bold(w.Text("puzzle.ask")))
	p.about(w)
	moves := map[game.Move]string{}
	for _, m := range p.View.Legal {
		i := slices.IndexFunc(p.Choices, func(c game.Move) bool { return puzzle.Alike(p.View.Rules, m, c) })
		moves[m] = p.choose(i)
	}
	return &chat.Position{Name: p.Name, Table: p.seats(w), Moves: moves, Beside: w.Screen, Lang: c.Code()}
}

// since says that the reader's latest choice is right or good enough, and what was played after it.
func (p Position) since(w *view.Writer) {
	move := screen.Bold(view.MoveText(w, p.First[len(p.First)-1]))
	if p.Better != 0 {
		w.Say(screen.Plain, "puzzle.passed", "move", move, "best", screen.Bold(view.MoveText(w, p.Better)))
	} else {
		w.Say(screen.Plain, "puzzle.right", "best", move)
	}
	p.rulings(w)
	view.Since(w, p.seats(w), p.Since)
}

// position adds the hand, what is on the table in words and as a picture, and the earlier tricks if they are wanted.
func (p Position) position(w *view.Writer) {
	at := p.seats(w)
	view.Position(w, at)
	if p.Tricks {
		view.Tricks(w, at, 0)
	}
}

// Solution is the solution of a puzzle, for a reader who has answered.
type Solution struct {
	Position
	Chosen        game.Move
	Best          game.Move
	Tried, Found  int       // how many others answered, and how many of them found the best choice
	Rating, Level int       // of the reader, and of the puzzle
	Change        int       // what the answer changed in the reader's rating; 0 when it is shown again
	Again         bool      // the reader had answered before
	Today         string    // the day whose puzzle the reader has not solved yet; "": none
	After         game.View // at the end of the line of play; without a log: there is none
	Later         []Ruling  // about the second best of the choices that follow
}

// Screen shows the answer.
func (p Solution) Screen(c *lang.Catalogue) screen.Screen { return p.write(c, p.position) }

// onFelt returns the answer for a page, which shows the position on its felt.
func (p Solution) onFelt(c *lang.Catalogue) *chat.Position {
	s := p.write(c, func(*view.Writer) {})
	var best []game.Move
	for _, m := range p.View.Legal {
		if puzzle.Alike(p.View.Rules, m, p.Best) {
			best = append(best, m)
		}
	}
	at := &chat.Position{Name: p.Name, Table: p.seats(view.NewWriter(c, s.Face)), Best: best, Beside: s, Lang: c.Code()}
	if !slices.Contains(best, p.Chosen) {
		at.Wrong = p.Chosen
	}
	return at
}

// write writes the answer. position adds the position to it.
func (p Solution) write(c *lang.Catalogue, position func(w *view.Writer)) screen.Screen {
	w := p.titled(c)
	best := p.Best
	if p.Again {
		w.Say(screen.Small, "puzzle.again")
	}
	if p.Chosen == best {
		w.Say(screen.Plain, "puzzle.right", "best", screen.Bold(view.MoveText(w, best)))
	} else {
		w.Say(screen.Plain, "puzzle.wrong", "move", screen.Bold(view.MoveText(w, p.Chosen)), "best", screen.Bold(view.MoveText(w, best)))
	}
	p.rulings(w)
	p.line(w)
	if p.Lesson > 0 {
		position(w)
		w.Row(screen.Button{Label: w.Text("button.retry"), Tone: screen.Primary, Press: p.press(p.Made).String()})
		return w.Screen
	}
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
	position(w)
	w.Row(p.next(w)...)
	return w.Screen
}

// line says how play goes on to the end of the deal with the best choices, why those that decide are best, and what each side gets.
func (p Solution) line(w *view.Writer) {
	if len(p.After.Log) == 0 {
		return
	}
	w.Say(screen.Plain, "puzzle.line")
	at := p.seats(w)
	at.View = p.After
	view.Tricks(w, at, len(p.View.Tricks))
	var lines [][]screen.Span
	for _, r := range p.Later {
		lines = append(lines, screen.Dots(screen.Bold(view.MoveText(w, r.Why.Better)), screen.Text(r.Why.Short(w))))
	}
	w.Block(screen.Small, append(lines, view.PerSide(w, at, "table.points", view.Sides(at.Rules), view.PointsSoFar(p.After)))...)
}

// next returns the buttons to other puzzles.
func (p Solution) next(w *view.Writer) []screen.Button {
	row := []screen.Button{{Label: w.Text("button.puzzle_next"), Tone: screen.Primary, Press: press{what: askNext, value: "now"}.String()}}
	if p.Today != "" {
		row = append(row, todayButton(w, p.Today))
	}
	return row
}

func todayButton(w *view.Writer, date string) screen.Button {
	return screen.Button{Label: w.Text("button.puzzle_today"), Press: press{what: askDay, value: date}.String()}
}

// NoneLeft says that the reader has answered all puzzles. today is the day whose puzzle they have not answered yet, or "".
func NoneLeft(c *lang.Catalogue, today string) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "puzzle.title")
	w.Say(screen.Plain, "puzzle.none")
	if today != "" {
		w.Row(todayButton(w, today))
	}
	return w.Screen
}
