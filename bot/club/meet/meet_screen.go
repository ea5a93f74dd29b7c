package meet

import (
	"strconv"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// meeting tells a person in another chat that a table of strangers is in their private chat.
func meeting(toast string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(toast))
	w.Say(screen.Plain, "meet.private")
	w.Row(screen.Button{Label: w.Text("button.private"), Private: view.HelloPayload})
	return w.Screen
}

// whom lets the reader choose a player at a table of strangers with whom they don't want
// to be paired again. me is the reader's seat.
func whom(p table.Public, me int, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "button.apart")
	w.Say(screen.Plain, "meet.apart")
	var row []screen.Button
	for i, s := range p.Seats {
		if i != me && s.Player.ID != "" {
			label := strconv.Itoa(i+1) + ". " + screen.PlainText(face.French, view.SeatName(w, p, i))
			press := press{table: p.ID, what: view.MeetApart, value: strconv.Itoa(i)}
			row = append(row, screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: press.String()})
		}
	}
	for _, r := range screen.InRows(row) {
		w.Row(r...)
	}
	return w.Screen
}
