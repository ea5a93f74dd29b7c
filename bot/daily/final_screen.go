package daily

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// posts returns the message about the match on Sunday. A sign-up has a message of its own; the result is shown in its place.
func (f Final) posts(week []standing, c *lang.Catalogue, here table.Chat) []screen.Post {
	return view.AddressTo([]screen.Post{{Key: "final", Screen: f.screen(week, c)}}, here)
}

// finalShown is how many people the week's standings show.
const finalShown = 8

// screen returns the sign-up, or what came of it.
func (f Final) screen(week []standing, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "final.title")
	in := func(id string) bool {
		return slices.ContainsFunc(f.In, func(p table.Player) bool { return p.ID == id })
	}
	var who [][]screen.Span
	for _, p := range f.In {
		who = append(who, []screen.Span{{Kind: screen.SpanPerson, Person: screen.Person{ID: p.ID, Name: p.Name}}})
	}
	players := screen.Join(screen.Span{Text: ", "}, who)
	if f.Result != "" {
		w.Say(screen.Plain, "final."+f.Result, "players", players)
		return w.Screen
	}
	w.Say(screen.Plain, "final.about", "time", screen.Span{Kind: screen.SpanDate, Text: f.At.Format("15:04 MST"), At: f.At.Unix()})
	var lines [][]screen.Span
	for i, s := range week[:min(len(week), finalShown)] {
		score := view.Expected(w, s.Score)
		line := w.Spans("board.row", "rank", i+1, "player", screen.Span{Kind: screen.SpanPerson, Person: screen.Person{ID: s.Player, Name: s.Name}},
			"what", score)
		if in(s.Player) {
			line = append(line, screen.Span{Text: " ✓"})
		}
		lines = append(lines, line)
	}
	w.Block(screen.Quote, lines...)
	if len(who) > 0 {
		w.Say(screen.Plain, "final.in", "players", players)
	}
	w.Row(screen.Button{Label: w.Text("button.final_in"), Press: press{word: actFinalIn, date: f.Date, home: f.Home}.String(), Tone: screen.Success},
		screen.Button{Label: w.Text("button.final_out"), Press: press{word: actFinalOut, date: f.Date, home: f.Home}.String()})
	return w.Screen
}
