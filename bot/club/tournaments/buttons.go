package tournaments

import "sedmabot/bot/screen"

// The first words of the room's presses.
const (
	actTournament = "cup"     // on a tournament's message
	actEvening    = "evening" // on the message of a tournament at a set time
)

// press is a press on a tournament's message.
type press struct {
	word  string // one of those above
	id    string // of the tournament. actEvening: of the home's evenings
	what  string // the action
	value string // actEvening: which evening, and a value: see ParseEvening
}

// String returns the data of the press's button.
func (p press) String() string { return screen.PressOf(p.word, p.id, p.what, p.value) }

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	word, f := screen.FieldsOf(data)
	return press{word: word, id: f.Name(), what: f.Word(), value: f.Word()}, f.End()
}
