package puzzle

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// courses returns the lessons and the puzzle of the day.
func (room *Room) courses(ctx context.Context, in chat.Input) ([]doc.Course, error) {
	book, err := room.book()
	if err != nil {
		return nil, err
	}
	var ladder league.Ladder
	if _, err := room.docs.Get(ctx, league.LadderKey(in.Player.ID), &ladder); err != nil {
		return nil, err
	}
	w := view.NewWriter(in.Catalogue(), face.French)
	lessons := doc.Course{Order: 20, Line: w.Spans("learn.lessons", "n", len(ladder.Lessons), "of", league.AllLessons)}
	if len(ladder.Lessons) < league.AllLessons {
		lessons.Next = screen.Button{Label: w.Text("button.puzzle_lesson", "no", book.untaught(ladder)), Press: view.LessonNow}
	}
	s, _, err := room.solver(ctx, in.Player.ID)
	if err != nil {
		return nil, err
	}
	today, err := room.unanswered(ctx, in, s)
	if err != nil {
		return nil, err
	}
	puzzle := doc.Course{Order: 30, Line: view.Ticked(screen.Text(w.Text("button.puzzle_today")), today == ""), Daily: true}
	if today != "" {
		puzzle.Next = view.PuzzleButton(w)
	}
	return []doc.Course{lessons, puzzle}, nil
}
