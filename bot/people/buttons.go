package people

import (
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// The first words of the room's presses.
const (
	actMine = "mine"       // the presser's own settings: a page or a choice
	actHome = view.ActHome // the settings of a home: a page or a choice
	actLook = "look"       // the presser's own language or cards, chosen on the page of a table
	actData = "data"       // the presser's own data: one of the requests in mydata_screen.go
)

// look is a choice on the page of a table.
type look struct {
	table string
	what  string // an entry of looks
	value string
}

// String returns the data of the look's press.
func (l look) String() string { return screen.PressOf(actLook, l.table, l.what, l.value) }

// parseLook parses the data of a look.
func parseLook(data string) (look, error) {
	_, f := screen.FieldsOf(data)
	l := look{table: f.Name(), what: f.Word(), value: f.Word()}
	return l, f.End()
}

// press opens a page of the settings, or makes a choice there.
type press struct {
	word  string // actMine or actHome
	what  string // an entry of the settings, or "page"
	value string // the value for what
	home  string // actHome: the home of the settings. actMine: the home of the chat where they were opened, or "" in the private chat
}

// String returns the data of the press's button.
func (p press) String() string { return screen.PressOf(p.word, p.what, p.value, p.home) }

// parsePress parses what String returned.
func parsePress(data string) (press, error) {
	word, f := screen.FieldsOf(data)
	p := press{word: word, what: f.Word(), value: f.Word()}
	if word == actMine {
		p.home = f.HomeOrNone()
	} else {
		p.home = f.Home()
	}
	return p, f.End()
}
