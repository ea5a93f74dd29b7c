package view_test

import (
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// steps are ladders at each kind of next step, with the press of its button and what is said.
var steps = []struct {
	ladder view.Ladder
	press  string
	say    string
}{
	{view.Ladder{Lessons: 5, Next: "easiest"}, screen.PressOf(view.ActLesson), "tutorial –"},
	{view.Ladder{Tutorial: true, Taught: 2, Lessons: 5, Next: "easiest"}, view.LessonNow, "lessons 2/5"},
	{view.Ladder{Tutorial: true, Taught: 5, Lessons: 5, Beaten: table.Levels[:2], Next: "fair"}, screen.PressOf(view.ActSolo), "beat 🐏 Ram"},
	{view.Ladder{Tutorial: true, Taught: 5, Lessons: 5, Beaten: table.Levels}, screen.PressOf(view.ActNow), "match against people"},
}

// The ladder says how far the reader is, and has one button, for the next step.
func TestTheLadderOffersTheNextStep(t *testing.T) {
	t.Parallel()
	for _, c := range steps {
		w := view.NewWriter(lang.For("en"), face.French)
		c.ladder.Say(w, false)
		if text := w.Screen.String(); !strings.Contains(text, c.say) {
			t.Errorf("%+v: without %q:\n%s", c.ladder, c.say, text)
		}
		if len(w.Screen.Rows) != 1 || len(w.Screen.Rows[0]) != 1 || w.Screen.Rows[0][0].Press != c.press {
			t.Errorf("%+v: the buttons are %+v", c.ladder, w.Screen.Rows)
		}
	}
}

// The front door says how far its reader is on the ladder. It has a button for the next step, and no button twice.
func TestTheFrontDoorOffersTheNextStep(t *testing.T) {
	t.Parallel()
	for _, c := range steps {
		w := view.NewWriter(lang.For("en"), face.French)
		c.ladder.Say(w, true)
		l := view.FrontLive(nil, true, true, w.Screen, "", lang.For("en"))
		var presses []string
		for _, b := range slices.Concat(l.Panel.Rows...) {
			if slices.Contains(presses, b.Press) {
				t.Errorf("%+v: %s is offered twice", c.ladder, b.Press)
			}
			presses = append(presses, b.Press)
		}
		if !slices.Contains(presses, c.press) {
			t.Errorf("%+v: the front door offers only %q", c.ladder, presses)
		}
	}
}
