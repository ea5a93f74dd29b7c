package view

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// Ladder is how far a person is on the way from the tutorial to matches between people.
type Ladder struct {
	Tutorial        bool
	Lessons, Taught int      // how many lessons there are, and how many of them the person solved
	Beaten          []string // levels of the opponents that the person beat
	Next            string   // level of the opponent to beat next; "": none is left
}

// Say says how far the reader is on the ladder, and offers the next step. If small is set, all of it is in small print.
func (d Ladder) Say(w *Writer, small bool) {
	var beaten []string
	for _, level := range table.Levels {
		if slices.Contains(d.Beaten, level) {
			beaten = append(beaten, OpponentFace(level))
		}
	}
	style, tutorial := screen.Plain, "–"
	if small {
		style = screen.Small
	}
	if d.Tutorial {
		tutorial = "✓"
	}
	lessons := fmt.Sprintf("%d/%d", d.Taught, d.Lessons)
	opponents := strings.TrimSpace(fmt.Sprintf("%d/%d %s", len(beaten), len(table.Levels), strings.Join(beaten, "")))
	w.Say(style, "ladder.now", "tutorial", tutorial, "lessons", lessons, "opponents", opponents)
	switch {
	case !d.Tutorial:
		w.Row(w.Button(screen.PressOf(ActLesson), screen.Primary))
	case d.Taught < d.Lessons:
		w.Row(screen.Button{Label: w.Text("button.puzzle_lesson", "no", d.Taught+1), Tone: screen.Primary, Press: LessonNow})
	case d.Next != "":
		w.Say(screen.Small, "ladder.beat", "opponent", OpponentName(w, d.Next), "is", w.Text("ai."+d.Next+".is"))
		w.Row(w.Button(screen.PressOf(ActSolo), screen.Primary))
	default:
		w.Say(screen.Small, "ladder.top")
		w.Row(w.Button(screen.PressOf(ActNow), screen.Primary))
	}
}
