package boards

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// page is the message that a chat asked for: the board of the day before, on some days the
// page of the week before, or both.
type page struct {
	ID    string         // id of the message
	Board *screen.Screen // yesterday's board, with the podium as a picture; nil: nobody finished the deal
	Week  *weekPage      // the page of the week that has just ended; nil: none
}

// weekPage is the page of a week in a chat.
type weekPage struct {
	From, To string // its first and its last day
	Matches  int
	Champion weekPlayer // N is the stakes won minus stakes lost
	Most     weekPlayer // N is the number of matches
	// Comeback is the winner who was the furthest behind; N is by how much. N is 0 if no
	// winner was behind.
	Comeback weekPlayer
	Best     weekPlayer // who took the trick worth most; N is its points, or 0
}

// weekPlayer is a player on the page of a week, with a number.
type weekPlayer struct {
	Person screen.Person
	N      int
	Rules  game.Rules // of the match, for a comeback
}

// posts returns the message for its chat.
func posts(m page, chat table.Chat) []screen.Post {
	if m.Board == nil && m.Week == nil {
		return nil
	}
	return view.AddressTo([]screen.Post{{Key: "news", Screen: m.screen(lang.For(chat.Lang))}}, chat)
}

func (m page) screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	if m.Board != nil {
		w.Screen.Blocks, w.Screen.Picture = m.Board.Blocks, m.Board.Picture
	}
	if k := m.Week; k != nil {
		w.Screen.About = m.Board == nil // then the champion is the first one
		w.Say(screen.Title, "week.title", "from", screen.KeptDay(c, k.From), "to", screen.KeptDay(c, k.To))
		name := func(p weekPlayer) screen.Span { return screen.Span{Kind: screen.SpanPerson, Person: p.Person} }
		lines := [][]screen.Span{
			w.Spans("week.champion", "player", name(k.Champion), "stakes", w.Text("board.stakes", "n", abs(k.Champion.N), "sum", screen.Signed(k.Champion.N))),
			w.Spans("week.most", "player", name(k.Most), "matches", w.Text("board.matches", "n", k.Most.N)),
		}
		if k.Comeback.N > 0 {
			lines = append(lines, w.Spans("week.comeback", "player", name(k.Comeback), "behind", view.Amount(w, k.Comeback.Rules, k.Comeback.N)))
		}
		if k.Best.N > 0 {
			lines = append(lines, w.Spans("week.trick", "player", name(k.Best), "points", w.Text("points", "n", k.Best.N)))
		}
		w.Block(screen.Plain, lines...)
	}
	w.Row(screen.Button{Label: w.Text("button.daily"), Press: view.DailyNow, Tone: screen.Primary},
		w.Button(screen.PressOf(actSilence, m.ID), screen.Quiet))
	return w.Screen
}

func abs(n int) int { return max(n, -n) }
