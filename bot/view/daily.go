package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// DailyNow is the Press.What of an ActDaily for today's deal.
const DailyNow = "now"

// DailyRow is one row of a daily deal's leaderboard.
type DailyRow struct {
	Rank   int // from 1; equal results have equal ranks
	Person screen.Person
	Tally  table.Tally
	Me     bool
}

// DailyBoard is the leaderboard of one day's deal.
type DailyBoard struct {
	Home, Date, Zone string
	Rules            game.Rules
	Rows             []DailyRow // the first rows of the board
	Near             []DailyRow // the reader and the rows around, if the reader is on the board but not among Rows
	Total            int
	AI               *table.Tally // the AI's result; nil: not known yet
	Late, Gone       bool         // the reader finished after the day was over; or the reader gave up
	Over             bool         // the day is over
	Own              string       // the reader's table; "": the reader did not play
	Tally            *table.Tally // the reader's own result; nil: none
	Marks            string       // who took each trick of the reader's deal: see table.Marks
	Streak           int          // the reader's days in a row, if this was the latest of them
	Earlier, Later   string       // the neighbouring days that have a board; "": none
}

// Screen returns the board as a screen.
func (d DailyBoard) Screen(c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "daily.title", "date", screen.KeptDay(c, d.Date))
	w.Block(screen.Small, screen.Text(screen.GameName(c, d.Rules)))
	lines := dailyLines(w, d.Rules, d.Rows)
	if len(d.Near) > 0 {
		lines = append(append(lines, screen.Text("⋯")), dailyLines(w, d.Rules, d.Near)...)
	}
	if len(lines) == 0 {
		w.Say(screen.Plain, "daily.empty")
	} else {
		w.Block(screen.Plain, lines...)
	}
	w.Block(screen.Plain, dailyAI(w, d.Rules, d.AI))
	switch {
	case d.Late:
		w.Say(screen.Plain, "daily.late")
	case d.Gone:
		w.Say(screen.Plain, "daily.gone")
	}
	if len(lines) > 0 {
		w.Block(screen.Small, screen.Dots(w.Spans("daily.count", "n", d.Total), w.Spans("daily.order")))
	}
	if d.Streak > 0 {
		w.Say(screen.Plain, "daily.streak", "n", d.Streak)
	}
	if !d.Over {
		w.Say(screen.Small, "daily.opens", "zone", d.Zone)
	}
	var row []screen.Button
	for _, to := range []struct{ before, date, after string }{{"‹ ", d.Earlier, ""}, {"", d.Later, " ›"}} {
		if to.date != "" {
			row = append(row, screen.Button{Label: to.before + screen.KeptDay(c, to.date) + to.after, Press: Press{Action: ActDay, What: to.date, Home: d.Home}.String()})
		}
	}
	if d.Over && d.Own != "" && !d.Gone {
		row = append(row, w.Button(Press{Action: ActReplay, Table: d.Own, Match: 1, Deal: 1}, screen.Quiet))
	}
	if d.Tally != nil && d.Marks != "" {
		row = append(row, d.paste(w))
	}
	w.Row(row...)
	return w.Screen
}

// paste returns the button that copies the reader's result.
func (d DailyBoard) paste(w *Writer) screen.Button {
	return screen.Button{Label: w.Text("button.copy"), Copy: DailyPaste(d), Private: dailyPayload(d.Home)}
}

// DailyPaste returns a reader's result to paste elsewhere: the game and the day, who took each
// trick, the reader's result, and the AI's. It shows no card, and it is the same in every
// language. A fifth line says where the deal is: see Button.CopyText.
func DailyPaste(d DailyBoard) string {
	head := screen.FamilyName(lang.For("en"), game.Family(d.Rules.Preset)) + " " + d.Date
	if d.Streak > 0 {
		head += fmt.Sprintf(" 🔥%d", d.Streak)
	}
	marks := strings.NewReplacer("x", "🟩", "-", "⬜").Replace(d.Marks)
	return strings.Join([]string{head, marks, "👤 " + pasted(d.Tally), "🤖 " + pasted(d.AI)}, "\n")
}

// pasted returns a result without words.
func pasted(t *table.Tally) string {
	if t == nil {
		return "…"
	}
	return strings.Replace(strconv.FormatFloat(t.Score, 'f', -1, 64), "-", "−", 1) + " · " + strconv.Itoa(t.Points)
}

// DailyPayload is the prefix of a payload for a link to a home's deal of the day. The home's
// id follows, with an underscore for its colon.
const DailyPayload = "d-"

// dailyPayload returns the payload for a link to a home's deal of the day.
func dailyPayload(home string) string { return DailyPayload + strings.Replace(home, ":", "_", 1) }

// DailyHome returns the home in a payload that leads to a deal of the day.
func DailyHome(payload string) (home string, ok bool) {
	rest, ok := strings.CutPrefix(payload, DailyPayload)
	home = strings.Replace(rest, "_", ":", 1)
	return home, ok && homeName.MatchString(home)
}

func dailyLines(w *Writer, r game.Rules, rows []DailyRow) [][]screen.Span {
	var lines [][]screen.Span
	for _, row := range rows {
		line := w.Spans("board.row", "rank", row.Rank, "player", screen.Span{Kind: screen.SpanPerson, Person: row.Person}, "what", screen.Text(dailyText(w, r, row.Tally)))
		if row.Me {
			line = append(screen.Bold("▸ "), line...)
		}
		lines = append(lines, line)
	}
	return lines
}

// dailyAI returns the AI's result on the same seat.
func dailyAI(w *Writer, r game.Rules, t *table.Tally) []screen.Span {
	if t == nil {
		return w.Spans("daily.ai_soon")
	}
	return w.Spans("daily.ai", "what", dailyText(w, r, *t))
}

// dailyText returns a player's result in a deal as text.
func dailyText(w *Writer, r game.Rules, t table.Tally) string {
	score := Expected(w, t.Score)
	if rounded := math.Round(t.Score); rounded == t.Score {
		score = screen.Signed(int(rounded))
	}
	return w.Text("daily.tally", "score", score, "unit", w.Text(UnitKey(r)), "points", w.Text("points", "n", t.Points))
}

// Daily says where the daily deal is played, in reply to a request from another chat.
func Daily(id string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, "daily.private")
	w.Row(w.Button(Press{Action: ActCards, Table: id}, screen.Primary), screen.Button{Label: w.Text("button.private"), Private: SeatPayload + id})
	return w.Screen
}

// DailyLeave asks a player whether they really want to end their only try.
func DailyLeave(id string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, "daily.ask")
	w.Row(w.Button(Press{Action: ActQuit, Table: id}, screen.Danger))
	return w.Screen
}

// DailyLeft says that a player's only try is over.
func DailyLeft(c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, "daily.gone")
	return w.Screen
}

// dailyLine says which day's deal is played.
func (at channel) dailyLine(w *Writer) []screen.Span {
	line := w.Spans("daily.line", "date", screen.KeptDay(at.c, at.Daily.Date), "zone", at.Daily.Zone)
	if at.Daily.Streak > 0 {
		line = screen.Dots(line, w.Spans("daily.streak", "n", at.Daily.Streak))
	}
	return line
}

// dailyResult returns the screen at the end of the daily deal.
func (at channel) dailyResult(o table.Outcome) screen.Screen {
	w := at.writer()
	w.Say(screen.Title, "daily.title", "date", screen.KeptDay(at.c, at.Daily.Date))
	board := DailyBoard{Home: at.Home, Date: at.Daily.Date, Rules: at.Rules, AI: at.Daily.AI}
	for seat, s := range o.Seats {
		if s.Player.ID != "" && len(at.Past) > 0 {
			past := at.Past[len(at.Past)-1]
			own := table.TallyOf(at.Rules, seat, past.Score)
			board.Tally, board.Marks = &own, table.Marks(at.Rules, seat, past)
			w.Block(screen.Plain, w.Spans("daily.you", "what", screen.Bold(dailyText(w, at.Rules, own))), dailyAI(w, at.Rules, at.Daily.AI))
		}
	}
	if at.Daily.Late {
		w.Say(screen.Plain, "daily.late")
	} else {
		if board.Streak = at.Daily.Streak; board.Streak > 0 {
			w.Say(screen.Plain, "daily.streak", "n", board.Streak)
		}
		w.Say(screen.Small, "daily.opens", "zone", at.Daily.Zone)
	}
	w.Row(screen.Button{Label: w.Text("button.board"), Press: Press{Action: ActDaily, What: at.Daily.Date, Home: at.Home}.String(), Tone: screen.Primary},
		w.Button(Press{Action: ActReplay, Table: at.ID, Match: o.MatchNo, Deal: 1}, screen.Quiet), w.Button(at.press(ActRules), screen.Quiet))
	row := []screen.Button{w.Button(Press{Action: ActNow}, screen.Quiet)}
	if board.Tally != nil && board.Marks != "" && !at.Daily.Late {
		row = append(row, board.paste(w))
	}
	w.Row(row...)
	return w.Screen
}
