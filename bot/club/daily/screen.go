package daily

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Row is one row of a daily deal's leaderboard.
type Row struct {
	Rank   int // from 1; equal results have equal ranks
	Person screen.Person
	Tally  table.Tally
	Marks  string // who took each trick: see table.Marks; "": not known
	Me     bool
}

// Board is the leaderboard of one day's deal.
type Board struct {
	Home, Date, Zone string
	Rules            game.Rules
	Rows             []Row // the first rows of the board
	Near             []Row // the reader and the rows around, if the reader is on the board but not among Rows
	Total            int
	AI               *table.Tally // the AI's result; nil: not known yet
	AIMarks          string       // who took each trick of the AI's own game: see table.Marks; "": not known
	Late, Gone       bool         // the reader finished after the day was over; or the reader gave up
	Over             bool         // the day is over
	Own              string       // the reader's table; "": the reader did not play
	Tally            *table.Tally // the reader's own result; nil: none
	Marks            string       // who took each trick of the reader's deal: see table.Marks
	Streak           int          // the reader's days in a row, if this was the latest of them
	Earlier, Later   string       // the neighbouring days that have a board; "": none
}

// Screen returns the board as a screen.
func (d Board) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "daily.title", "date", screen.KeptDay(c, d.Date))
	w.Block(screen.Small, screen.Text(screen.GameName(c, d.Rules)))
	lines := rowLines(w, d.Rules, d.Rows)
	if len(d.Near) > 0 {
		lines = append(append(lines, screen.Text("⋯")), rowLines(w, d.Rules, d.Near)...)
	}
	if len(lines) == 0 {
		w.Say(screen.Plain, "daily.empty")
	} else {
		w.Block(screen.Plain, lines...)
	}
	w.Block(screen.Plain, view.DailyAI(w, d.Rules, d.AI))
	switch {
	case d.Late:
		w.Say(screen.Plain, "daily.late")
	case d.Gone:
		w.Say(screen.Plain, "daily.gone")
	}
	if len(lines) > 0 {
		w.Block(screen.Small, screen.Dots(w.Spans("daily.count", "n", d.Total), w.Spans("daily.order")))
	}
	d.picture(w)
	if d.Streak > 0 {
		w.Say(screen.Plain, "daily.streak", "n", d.Streak)
	}
	if !d.Over {
		w.Say(screen.Small, "daily.opens", "zone", d.Zone)
	}
	var row []screen.Button
	for _, to := range []struct{ before, date, after string }{{"‹ ", d.Earlier, ""}, {"", d.Later, " ›"}} {
		if to.date != "" {
			row = append(row, screen.Button{Label: to.before + screen.KeptDay(c, to.date) + to.after, Press: press{word: actDay, date: to.date, home: d.Home}.String()})
		}
	}
	if d.Over && d.Own != "" && !d.Gone {
		row = append(row, w.Button(view.ReplayPress(d.Own, 1), screen.Quiet))
	}
	if d.Own != "" && (d.Tally != nil || d.Late) {
		row = append(row, w.Button(view.CoachPress(d.Own, 1), screen.Quiet))
	}
	if d.Tally != nil && d.Marks != "" {
		row = append(row, view.DailyResult{Home: d.Home, Date: d.Date, Rules: d.Rules, Tally: d.Tally, AI: d.AI, Marks: d.Marks, Streak: d.Streak}.Copy(w))
	}
	w.Row(row...)
	return w.Screen
}

// picture adds the results as a picture, trick by trick, with the AI's below.
func (d Board) picture(w *view.Writer) {
	var lines []view.DailyLine
	for _, row := range append(slices.Clip(d.Rows), d.Near...) {
		lines = append(lines, view.DailyLine{Place: row.Rank, Name: row.Person.Name, Mine: row.Me, Tally: row.Tally, Marks: row.Marks})
	}
	if len(lines) == 0 {
		return
	}
	if d.AI != nil {
		lines = append(lines, view.DailyLine{Name: w.Text("picture.ai_line"), Tally: *d.AI, Marks: d.AIMarks})
	}
	view.DailyPicture(w, d.Date, screen.GameName(w.Catalogue, d.Rules), lines)
}

// results returns what a chat shows of the board when the day is over.
func (d Board) results(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "daily.title", "date", screen.KeptDay(c, d.Date))
	w.Block(screen.Small, screen.Text(screen.GameName(c, d.Rules)))
	w.Block(screen.Plain, rowLines(w, d.Rules, d.Rows)...)
	if d.AI != nil {
		w.Block(screen.Plain, view.DailyAI(w, d.Rules, d.AI))
	}
	w.Block(screen.Small, screen.Dots(w.Spans("daily.count", "n", d.Total), w.Spans("daily.order")))
	d.picture(w)
	return w.Screen
}

func rowLines(w *view.Writer, r game.Rules, rows []Row) [][]screen.Span {
	var lines [][]screen.Span
	for _, row := range rows {
		line := w.Spans("board.row", "rank", row.Rank, "player", screen.Span{Kind: screen.SpanPerson, Person: row.Person}, "what", screen.Text(view.DailyTally(w, r, row.Tally)))
		if row.Me {
			line = append(screen.Bold("▸ "), line...)
		}
		lines = append(lines, line)
	}
	return lines
}

// playedPrivately says where the daily deal is played, in reply to a request from another chat.
func playedPrivately(id string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "daily.private")
	w.Row(w.Button(screen.PressOf(view.ActCards, id), screen.Primary), screen.Button{Label: w.Text("button.private"), Private: view.SeatPayload + id})
	return w.Screen
}
