package daily

import (
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// The first words of the room's presses.
const (
	actDaily = view.ActDaily // today's deal, or the board of a day
	actDay   = "day"         // another day's board, instead of the one with the button

	actSilence = "silence" // end the posts of boards to this chat; carries the id of the latest one
)

// press asks for today's deal, or for the board of a day.
type press struct {
	word string // one of those above
	date string // like 2026-11-21; "": today's deal
	home string // the home of the board; "" without a date
}

// String returns the data of the press's button.
func (p press) String() string {
	if p.date == "" {
		return view.DailyNow
	}
	return screen.PressOf(p.word, p.date, p.home)
}

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	if data == view.DailyNow {
		return press{word: actDaily}, nil
	}
	word, f := screen.FieldsOf(data)
	return press{word: word, date: f.Day(), home: f.Home()}, f.End()
}
