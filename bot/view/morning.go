package view

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
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
	Person Person
	N      int
	Rules  game.Rules // of the match, for a comeback
}

// MorningPosts returns the message for its chat.
func MorningPosts(m Morning, chat table.Chat) []Post {
	if m.Board == nil && m.Week == nil {
		return nil
	}
	return address([]Post{{Key: "news", Screen: m.screen(lang.For(chat.Lang))}}, chat)
}

func (m Morning) screen(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if d := m.Board; d != nil {
		w.say(Title, "daily.title", "date", keptDay(c, d.Date))
		w.block(Small, text(GameName(c, d.Rules)))
		w.block(Plain, dailyLines(w, d.Rules, d.Rows)...)
		if d.AI != nil {
			w.block(Plain, dailyAI(w, d.Rules, d.AI))
		}
		w.block(Small, dots(w.spans("daily.count", "n", d.Total), w.spans("daily.order")))
	}
	if k := m.Week; k != nil {
		w.say(Title, "week.title", "from", keptDay(c, k.From), "to", keptDay(c, k.To))
		name := func(p WeekPlayer) Span { return Span{Kind: SpanPerson, Person: p.Person} }
		lines := [][]Span{
			w.spans("week.champion", "player", name(k.Champion), "stakes", w.Text("board.stakes", "n", abs(k.Champion.N), "sum", signed(k.Champion.N))),
			w.spans("week.most", "player", name(k.Most), "matches", w.Text("board.matches", "n", k.Most.N)),
		}
		if k.Comeback.N > 0 {
			lines = append(lines, w.spans("week.comeback", "player", name(k.Comeback), "n", k.Comeback.N, "unit", w.Text(unitKey(k.Comeback.Rules))))
		}
		if k.Best.N > 0 {
			lines = append(lines, w.spans("week.trick", "player", name(k.Best), "points", w.Text("points", "n", k.Best.N)))
		}
		w.block(Plain, lines...)
	}
	w.row(Button{Label: w.Text("button.daily"), Press: Press{Action: ActDaily, What: DailyNow}.String(), Tone: Primary},
		w.button(Press{Action: ActSilence, Table: m.ID}, Quiet))
	return w.Screen
}

func abs(n int) int { return max(n, -n) }
