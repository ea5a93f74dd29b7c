package meet

import (
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// press is a request about people from other chats.
type press struct {
	table string
	what  string // view.MeetAgain and so on
	value string
}

// String returns the data of the press's button.
func (p press) String() string { return screen.PressOf(view.ActMeet, p.table, p.what, p.value) }

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	_, f := screen.FieldsOf(data)
	return press{table: f.Name(), what: f.Word(), value: f.Word()}, f.End()
}
