package boards

import (
	"strings"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// A person's own statistics say how far they are on the ladder, and have a button for the next step.
func TestStatsOfferTheNextStepOfTheLadder(t *testing.T) {
	t.Parallel()
	s := StatsScreen(Stats{Mine: true, Ladder: &view.Ladder{Tutorial: true, Taught: 2, Lessons: 5}}, lang.For("en"))
	if text := s.String(); !strings.Contains(text, "lessons 2/5") {
		t.Errorf("the statistics are\n%s", text)
	}
	if len(s.Rows) != 1 || len(s.Rows[0]) != 1 || s.Rows[0][0].Press != view.LessonNow {
		t.Errorf("the buttons are %+v", s.Rows)
	}
}
