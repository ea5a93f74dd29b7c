package view

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Morning is the message that a chat asked for: the board of the day before, on some days the
// page of the week before, or both.
type Morning struct {
	ID    string      // id of the message
	Board *DailyBoard // yesterday's board; nil: nobody finished the deal
	Week  *Week       // the page of the week that has just ended; nil: none
}

// Week is the page of a week in a chat.
type Week struct {
	From, To string // its first and its last day
	Matches  int
	Champion WeekPlayer // N is the stakes won minus stakes lost
	Most     WeekPlayer // N is the number of matches
	// Comeback is the winner who was the furthest behind; N is by how much. N is 0 if no
	// winner was behind.
	Comeback WeekPlayer
	Best     WeekPlayer // who took the trick worth most; N is its points, or 0
}

// WeekPlayer is a player on the page of a week, with a number.
type WeekPlayer struct {
	Person screen.Person
	N      int
	Rules  game.Rules // of the match, for a comeback
}

// MorningPosts returns the message for its chat.
func MorningPosts(m Morning, chat table.Chat) []screen.Post {
	if m.Board == nil && m.Week == nil {
		return nil
	}
	return AddressTo([]screen.Post{{Key: "news", Screen: m.screen(lang.For(chat.Lang))}}, chat)
}

func (m Morning) screen(c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	if d := m.Board; d != nil {
		w.Say(screen.Title, "daily.title", "date", screen.KeptDay(c, d.Date))
		w.Block(screen.Small, screen.Text(screen.GameName(c, d.Rules)))
		w.Block(screen.Plain, dailyLines(w, d.Rules, d.Rows)...)
		if d.AI != nil {
			w.Block(screen.Plain, dailyAI(w, d.Rules, d.AI))
		}
		w.Block(screen.Small, screen.Dots(w.Spans("daily.count", "n", d.Total), w.Spans("daily.order")))
	}
	if k := m.Week; k != nil {
		w.Say(screen.Title, "week.title", "from", screen.KeptDay(c, k.From), "to", screen.KeptDay(c, k.To))
		name := func(p WeekPlayer) screen.Span { return screen.Span{Kind: screen.SpanPerson, Person: p.Person} }
		lines := [][]screen.Span{
			w.Spans("week.champion", "player", name(k.Champion), "stakes", w.Text("board.stakes", "n", abs(k.Champion.N), "sum", screen.Signed(k.Champion.N))),
			w.Spans("week.most", "player", name(k.Most), "matches", w.Text("board.matches", "n", k.Most.N)),
		}
		if k.Comeback.N > 0 {
			lines = append(lines, w.Spans("week.comeback", "player", name(k.Comeback), "n", k.Comeback.N, "unit", w.Text(UnitKey(k.Comeback.Rules))))
		}
		if k.Best.N > 0 {
			lines = append(lines, w.Spans("week.trick", "player", name(k.Best), "points", w.Text("points", "n", k.Best.N)))
		}
		w.Block(screen.Plain, lines...)
	}
	w.Row(screen.Button{Label: w.Text("button.daily"), Press: Press{Action: ActDaily, What: DailyNow}.String(), Tone: screen.Primary},
		w.Button(Press{Action: ActSilence, Table: m.ID}, screen.Quiet))
	return w.Screen
}

func abs(n int) int { return max(n, -n) }
