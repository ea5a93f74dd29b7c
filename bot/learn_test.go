package bot_test

import (
	"strings"
	"testing"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Learn says how far the person is. Its first button is for the next step, and the puzzle of the day is beside it.
func TestLearnLeadsOn(t *testing.T) {
	t.Parallel()
	lessons := []string{"lead", "take", "feed", "stop", "last"}
	for _, c := range []struct {
		ladder league.Ladder
		press  string
		says   []string
	}{
		{league.Ladder{}, screen.PressOf(view.ActLesson), []string{"Tutorial", "Lessons: 0 of 5", "Opponents: 🐥 Chick · 🐻 Bear"}},
		{league.Ladder{Tutorial: true, Lessons: lessons[:2]}, view.LessonNow, []string{"✓ Tutorial", "Lessons: 2 of 5", "Puzzle of the day"}},
		{league.Ladder{Tutorial: true, Lessons: lessons, Beaten: table.Levels[:1]}, screen.PressOf(view.ActSolo), []string{"✓ 🐥 Chick · 🐻 Bear", "beat 🐻 Bear", "Your partner: another 🐻 Bear."}},
		{league.Ladder{Tutorial: true, Lessons: lessons, Beaten: table.Levels}, screen.PressOf(view.ActNow), []string{"✓ 🦉 Owl", "match against people"}},
	} {
		town.In(t, func(t *testing.T, w *town.Town) {
			w.Put(store.Partition(town.Ann), map[string]any{league.LadderKey(town.Ann).Name: c.ladder})
			r := w.Asks(town.Ann, town.Ann, town.Press(screen.PressOf(view.ActCourses)))
			w.Has(r, c.says...)
			if rows := r.Screen.Rows; len(rows) != 1 || len(rows[0]) != 2 || rows[0][0].Press != c.press || rows[0][1].Press != view.PuzzleNow {
				t.Errorf("%+v: the buttons are %+v", c.ladder, rows)
			}
		})
	}
}

// The match against the next opponent is short. A partner is the opponents' equal, and the person is told so before they play.
func TestTheNextOpponentHasAnEqualPartner(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Put(store.Partition(town.Ann), map[string]any{league.LadderKey(town.Ann).Name: league.Ladder{Tutorial: true, Beaten: table.Levels[:1]}})
		r := w.Asks(town.Ann, town.Ann, town.Press(screen.PressOf(view.ActSolo)))
		if !strings.Contains(r.Toast, "beat 🐻 Bear") || !strings.Contains(r.Toast, "Your partner: another 🐻 Bear.") {
			t.Errorf("the reply is %q", r.Toast)
		}
		at := w.At(town.Ann)
		if at.Rules.Players != 4 || at.Rules.Target != 3 {
			t.Errorf("%d players play to %d", at.Rules.Players, at.Rules.Target)
		}
		for seat, s := range at.Seats {
			if got := at.Public().AILevel(seat); s.AI != "" && got != "easy" {
				t.Errorf("seat %d plays at %q", seat, got)
			}
		}
	})
}
