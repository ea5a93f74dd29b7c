package play

import (
	"context"
	"slices"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// courses returns the tutorial and the AI's opponents.
func (room *Room) courses(ctx context.Context, in chat.Input) ([]doc.Course, error) {
	var ladder league.Ladder
	if _, err := room.docs.Get(ctx, league.LadderKey(in.Player.ID), &ladder); err != nil {
		return nil, err
	}
	begin, err := room.tables.Beginning(ctx, in)
	if err != nil {
		return nil, err
	}
	w := view.NewWriter(in.Catalogue(), face.French)
	tutorial := doc.Course{Order: 10, Line: view.Ticked(screen.Text(w.Text("button.lesson")), ladder.Tutorial)}
	if !ladder.Tutorial {
		tutorial.Next = w.Button(screen.PressOf(view.ActLesson), screen.Quiet)
	}
	var who [][]screen.Span
	for _, level := range table.Levels {
		who = append(who, view.Ticked(screen.Text(view.OpponentName(w, level)), slices.Contains(ladder.Beaten, level)))
	}
	opponents := doc.Course{Order: 40, Line: w.Spans("learn.opponents", "who", screen.Dots(who...))}
	if level := ladder.Next(); level != "" {
		opponents.About = strings.TrimSpace(beat(in, level, begin.Rules) + " " + partner(in, level, begin.Rules))
		opponents.Next = w.Button(screen.PressOf(view.ActSolo), screen.Quiet)
	}
	return []doc.Course{tutorial, opponents}, nil
}
