package puzzle

import (
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// QuizPost is the day's puzzle as a message to a chat, which everybody may answer. Platforms with quiz polls show it as one.
type QuizPost struct {
	Position
	Chat  string // the home with the post
	Votes []int  // by choice: how many people pressed it
	Right int    // index of the best choice
	Why   string // why it is the best: see Quiz.Why
}

// quizBar is how many boxes the longest bar has.
const quizBar = 8

// Screen returns the message: the position, a button for each choice, and how people have answered.
func (p QuizPost) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.For("", c.Code(), p.View.Rules.Deck))
	w.Say(screen.Title, "puzzle.today", "date", screen.KeptDay(c, p.Date))
	ask, v := screen.Bold(w.Text("puzzle.ask")), p.View
	if len(v.Trick) > 0 {
		ask = screen.Dots(ask, view.OpenTrick(w, p.seats(w), v, v.Seat))
	}
	w.Block(screen.Plain, view.Goal(w, v))
	w.Block(screen.Plain, ask)
	p.position(w)
	about := w.Screen.Blocks
	w.Block(screen.Small, screen.Text(screen.GameName(c, v.Rules)))
	if slices.Max(p.Votes) > 0 {
		w.Block(screen.Plain, p.bars(w)...)
	}
	w.Say(screen.Small, "quiz.how")
	var row []screen.Button
	var options []string
	for i, m := range p.Choices {
		label := p.label(w, m)
		b := screen.Button{Label: label, Press: press{what: askQuiz, value: strconv.Itoa(i+1) + "-" + p.Date, home: p.Chat}.String()}
		if card, ok := m.Card(); ok {
			b.Card = card
		}
		row, options = append(row, b), append(options, label)
	}
	for _, r := range screen.InRows(row) {
		w.Row(r...)
	}
	hand := strings.TrimSpace(screen.Screen{Blocks: about, Face: w.Screen.Face}.String())
	w.Screen.Poll = &screen.Poll{
		Question: screen.Cut(w.Text("puzzle.today", "date", screen.KeptDay(c, p.Date))+": "+w.Text("puzzle.ask")+"\n"+p.short(w), screen.PollQuestion),
		About:    screen.Cut(hand, screen.PollAbout-200) + "\n" + w.Text("quiz.anonymous"), Options: options, Right: p.Right, Why: p.Why,
		Row: []screen.Button{{Label: w.Text("button.quiz"), Press: press{what: askDay, value: p.Date, home: p.Chat}.String()}},
	}
	return w.Screen
}

// label returns what a choice is called.
func (p QuizPost) label(w *view.Writer, m game.Move) string {
	label := view.MoveText(w, m)
	if card, ok := m.Card(); ok && p.View.Phase == game.Decide {
		label = view.ContinueLabel(w, card)
	} else if m == game.Stop {
		label = view.StopLabel(w, p.View)
	}
	return screen.Cut(label, screen.LabelLength)
}

// short returns the hand and the open trick in two lines, without the reader's name.
func (p QuizPost) short(w *view.Writer) string {
	var hand []string
	for _, c := range p.View.Hand {
		if c != 0 {
			hand = append(hand, face.Text(w.Screen.Face, c))
		}
	}
	lines := w.Text("puzzle.hand", "cards", strings.Join(hand, " "))
	if len(p.View.Trick) == 0 {
		return lines + "\n" + w.Text("puzzle.lead")
	}
	return lines + "\n" + w.Text("puzzle.table", "cards", screen.PlainText(w.Screen.Face, view.ByPlayer(w, p.seats(w), p.View.Trick)))
}

// bars returns a line for each choice: how many people pressed it.
func (p QuizPost) bars(w *view.Writer) (lines [][]screen.Span) {
	most := slices.Max(p.Votes)
	for i, n := range p.Votes {
		full := (n*quizBar + most - 1) / most
		bar := strings.Repeat("▰", full) + strings.Repeat("▱", quizBar-full)
		lines = append(lines, w.Spans("quiz.bar", "choice", screen.Bold(p.label(w, p.Choices[i])), "bar", bar, "n", n))
	}
	return lines
}
