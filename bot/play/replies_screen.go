package play

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// hello greets a person in their private chat with the bot, with a button for each thing that
// one person can do at once. tables is the number of tables where they have a seat.
func hello(tables int, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	if tables > 0 {
		w.Say(screen.Plain, "hello.tables", "n", tables)
	} else {
		w.Say(screen.Title, "hello.title")
		w.Say(screen.Plain, "welcome.what")
		w.Say(screen.Plain, "hello.group")
	}
	w.Row(w.Button(screen.PressOf(view.ActLesson), screen.Primary), w.Button(screen.PressOf(view.ActNew), screen.Success))
	w.Row(w.Button(screen.PressOf(view.ActSolo), screen.Quiet), w.Button(screen.PressOf(view.ActNow), screen.Quiet))
	w.Row(w.Button(view.DailyNow, screen.Quiet), w.Button(screen.PressOf(view.ActCourses), screen.Quiet), w.Button(screen.PressOf(view.ActWords), screen.Quiet))
	return w.Screen
}

// welcome greets a person who followed a link with view.SeatPayload, and says what the link
// did. If table is set, the person has a seat there and may leave it.
func welcome(toast, table string, others int, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(toast))
	if table == "" {
		hello := hello(others, c)
		w.Screen.Blocks, w.Screen.Rows = append(w.Screen.Blocks, hello.Blocks...), hello.Rows
		return w.Screen
	}
	w.Say(screen.Plain, "hello.seated")
	w.Row(w.Button(screen.PressOf(view.ActRules, table), screen.Quiet), w.Button(screen.PressOf(view.ActLeave, table), screen.Quiet))
	return w.Screen
}

// soloBusy says that a game against the AI is running, and offers to go on with it or to close it.
func soloBusy(id string, private bool, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "reply.solo_busy")
	on := screen.Button{Label: w.Text("button.go_on"), Tone: screen.Success, Press: screen.PressOf(view.ActCards, id)}
	if !private {
		on = screen.Button{Label: w.Text("button.go_on"), Private: view.SeatPayload + id}
	}
	end := w.Button(view.Press{Action: view.ActSure, Table: id, What: view.ActClose}.String(), screen.Danger)
	end.Label = w.Text("button.close_it")
	w.Row(on, end)
	return w.Screen
}

// soloElsewhere says where to play a game against the AI, in reply to a request from another
// chat. toast is shown before that. If toast is empty, the lesson is offered.
func soloElsewhere(id, toast string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	if toast != "" {
		w.Block(screen.Plain, screen.Text(toast))
	}
	w.Say(screen.Plain, "solo.private")
	row := []screen.Button{{Label: w.Text("button.private"), Private: view.SeatPayload + id}}
	if toast == "" {
		row = append(row, w.Button(screen.PressOf(view.ActLesson), screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// shareCode gives the host the code that lets another chat show the host's table. If posts is set, a button posts an
// invitation to a new table in a chat where the bot isn't.
func shareCode(code string, posts bool, c *lang.Catalogue, spellings ...string) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "share.title")
	w.Say(screen.Plain, "share.how")
	var lines [][]screen.Span
	for _, s := range spellings {
		lines = append(lines, screen.Bold(s+" "+code))
	}
	w.Block(screen.Quote, lines...)
	w.Say(screen.Small, "share.once")
	return view.WithInvite(w.Screen, "", posts, c)
}

// askShare says what the code of a table would do in this chat, with a button that does it.
func askShare(p table.Public, code string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "share.ask", "game", screen.GameName(c, p.Rules))
	w.Say(screen.Plain, "share.ask.what")
	w.Row(w.Button(screen.PressOf(view.ActPost, code), screen.Success))
	return w.Screen
}
