package boards

import (
	"strings"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// A person's own statistics say how far they are on the ladder, and have a button for the next step.
func TestStatsOfferTheNextStepOfTheLadder(t *testing.T) {
	t.Parallel()
	lessons := []string{"a", "b", "c", "d", "e"}
	for _, c := range []struct {
		ladder league.Ladder
		press  string
		say    string
	}{
		{league.Ladder{}, screen.PressOf(view.ActLesson), "tutorial –"},
		{league.Ladder{Tutorial: true, Lessons: lessons[:2]}, view.LessonNow, "lessons 2/5"},
		{league.Ladder{Tutorial: true, Lessons: lessons, Beaten: table.Levels[:2]}, screen.PressOf(view.ActSolo), "beat 🐏 Ram"},
		{league.Ladder{Tutorial: true, Lessons: lessons, Beaten: table.Levels}, screen.PressOf(view.ActNow), "match against people"},
	} {
		s := StatsScreen(Stats{Mine: true, Ladder: &c.ladder}, lang.For("en"))
		if text := s.String(); !strings.Contains(text, c.say) {
			t.Errorf("%+v: without %q:\n%s", c.ladder, c.say, text)
		}
		if len(s.Rows) != 1 || len(s.Rows[0]) != 1 || s.Rows[0][0].Press != c.press {
			t.Errorf("%+v: the buttons are %+v", c.ladder, s.Rows)
		}
	}
}
