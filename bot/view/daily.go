package view

import (
	"fmt"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// DailyNow is the press that begins or continues today's deal.
const DailyNow = ActDaily + ":now:"

// PuzzleNow is the press that asks today's puzzle. The room of the puzzles reads it.
const PuzzleNow = "puzzle:day:today:"

// LessonNow is the press that asks the reader's next lesson. The room of the puzzles reads it.
const LessonNow = "puzzle:lesson:next:"

// DailyResult is a player's result in a daily deal.
type DailyResult struct {
	Home, Date string
	Rules      game.Rules
	Tally, AI  *table.Tally // nil: not known
	Marks      string       // who took each trick: see table.Marks
	Streak     int          // the player's days in a row; 0: not shown
}

// DailyLine is one line in the picture of a deal of the day.
type DailyLine struct {
	Place int    // from 1; 0: none, for the AI or for a reader alone
	Name  string // as the picture shows it
	Mine  bool
	Tally table.Tally
	Marks string // who took each trick: see table.Marks; "": not known
}

// DailyPicture adds a picture that compares how people, and the AI, played a deal of the day, trick by trick. Detail is a line
// below the title.
func DailyPicture(w *Writer, date, detail string, lines []DailyLine) {
	p := &face.Ranking{
		Title: w.Text("daily.title", "date", screen.KeptDay(w.Catalogue, date)), Detail: detail,
		Labels: []string{w.Text("picture.score"), w.Text("picture.points")},
	}
	var words [][]screen.Span
	for i, l := range lines {
		score := strings.TrimSuffix(Expected(w, l.Tally.Score), screen.Decimal(w.Catalogue, ".00"))
		p.Rows = append(p.Rows, face.Rank{Place: l.Place, Name: legible(l.Name, i), Mine: l.Mine, Marks: l.Marks, Cells: []string{score, strconv.Itoa(l.Tally.Points)}})
		if l.Marks != "" {
			words = append(words, screen.Text(l.Name+" "+squares(l.Marks)))
		}
	}
	w.AddPicture(face.Picture{Ranking: p}, "")
	if len(words) > 0 {
		w.Screen.Picture.Words = []screen.Block{{Look: screen.Small, Spans: screen.Join(screen.Span{Kind: screen.SpanBreak}, words)}}
	}
}

// squares returns who took each trick, as people can paste it.
func squares(marks string) string {
	return strings.NewReplacer("x", "🟩", "-", "⬜").Replace(marks)
}

// Copy returns the button that copies the result.
func (d DailyResult) Copy(w *Writer) screen.Button {
	return screen.Button{Label: w.Text("button.copy"), Copy: d.text(), Private: DailyLink(d.Home)}
}

// text returns the result to paste elsewhere: the game and the day, who took each
// trick, the reader's result, and the AI's. It shows no card, and it is the same in every
// language. A fifth line says where the deal is: see Button.CopyText.
func (d DailyResult) text() string {
	head := screen.FamilyName(lang.For("en"), game.Family(d.Rules.Preset)) + " " + d.Date
	if d.Streak > 0 {
		head += fmt.Sprintf(" 🔥%d", d.Streak)
	}
	return strings.Join([]string{head, squares(d.Marks), "👤 " + pasted(d.Tally), "🤖 " + pasted(d.AI)}, "\n")
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

// DailyLink returns the payload for a link to a home's deal of the day.
func DailyLink(home string) string { return DailyPayload + strings.Replace(home, ":", "_", 1) }

// DailyHome returns the home in a payload that leads to a deal of the day.
func DailyHome(payload string) (home string, ok bool) {
	rest, ok := strings.CutPrefix(payload, DailyPayload)
	home = strings.Replace(rest, "_", ":", 1)
	return home, ok && screen.IsHome(home)
}

// DailyAI returns the AI's result on the same seat.
func DailyAI(w *Writer, r game.Rules, t *table.Tally) []screen.Span {
	if t == nil {
		return w.Spans("daily.ai_soon")
	}
	return w.Spans("daily.ai", "what", DailyTally(w, r, *t))
}

// DailyTally returns a player's result in a deal as text.
func DailyTally(w *Writer, r game.Rules, t table.Tally) string {
	score := Expected(w, t.Score) + "\u00a0" + w.Text(UnitKey(r))
	if n := int(t.Score); float64(n) == t.Score {
		score = strings.Replace(Amount(w, r, n), strconv.Itoa(n), screen.Signed(n), 1)
	}
	return w.Text("daily.tally", "score", score, "points", w.Text("points", "n", t.Points))
}

// DailyLeave asks a player whether they really want to end their only try.
func DailyLeave(id string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, "daily.ask")
	w.Row(w.Button(screen.PressOf(ActQuit, id), screen.Danger))
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
	result := DailyResult{Home: at.Home, Date: at.Daily.Date, Rules: at.Rules, AI: at.Daily.AI}
	decided := at.dailyDecided(w, o)
	for seat, s := range o.Seats {
		if s.Player.ID != "" && len(at.Past) > 0 {
			past := at.Past[len(at.Past)-1]
			own := table.TallyOf(at.Rules, seat, past.Score)
			result.Tally, result.Marks = &own, table.Marks(at.Rules, seat, past)
			w.Block(screen.Plain, w.Spans("daily.you", "what", screen.Bold(DailyTally(w, at.Rules, own))), DailyAI(w, at.Rules, at.Daily.AI), decided)
		}
	}
	if result.Tally != nil {
		lines := []DailyLine{{Name: w.Text("puzzle.you"), Mine: true, Tally: *result.Tally, Marks: result.Marks}}
		if at.Daily.AI != nil {
			lines = append(lines, DailyLine{Name: w.Text("picture.ai_line"), Tally: *at.Daily.AI, Marks: at.Daily.Marks})
		}
		for _, other := range at.Daily.Others {
			lines = append(lines, DailyLine{Name: other.Name, Tally: other.Tally, Marks: other.Marks})
		}
		DailyPicture(w, at.Daily.Date, screen.PlainText(w.Screen.Face, decided), lines)
		if !at.Daily.Again && at.Daily.Streak <= 1 && result.Marks != "" {
			w.Say(screen.Small, "daily.squares")
		}
	}
	if at.Daily.Late {
		w.Say(screen.Plain, "daily.late")
	} else {
		if result.Streak = at.Daily.Streak; result.Streak > 0 {
			w.Say(screen.Plain, "daily.streak", "n", result.Streak)
		}
		w.Say(screen.Small, "daily.opens", "zone", at.Daily.Zone)
	}
	w.Row(screen.Button{Label: w.Text("button.board"), Press: screen.PressOf(ActDaily, at.Daily.Date, at.Home), Tone: screen.Primary},
		w.Button(CoachPress(at.ID, o.MatchNo), screen.Quiet), w.Button(at.press(ActRules), screen.Quiet))
	row := []screen.Button{w.Button(screen.PressOf(ActNow), screen.Quiet)}
	if result.Tally != nil && result.Marks != "" && !at.Daily.Late {
		row = append(row, result.Copy(w))
	}
	w.Row(row...)
	return w.Screen
}

// dailyDecided says which trick decided the deal. It returns nil if none alone did.
func (at channel) dailyDecided(w *Writer, o table.Outcome) []screen.Span {
	if d := o.Decisive; d != nil {
		points := table.TrickPoints(at.Rules, d.Trick)
		if d.No == d.Of {
			points += at.Rules.LastTrick
		}
		return w.Spans("daily.decided", "no", d.No, "of", d.Of, "player", SeatName(w, at.Public, d.Trick.Winner), "points", w.Text("points", "n", points))
	}
	return nil
}
