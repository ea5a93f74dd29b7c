package deliver

import (
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// again takes over what notes say of undone moves, and reports whether the table is to be drawn again.
func (s *Shown) again(t table.Table, notes doc.Notes) bool {
	if news(notes.Undone, s.Undone) {
		s.Undone, s.UndoneAt = notes.Undone, t.Touched
	}
	again := news(notes.Redrawn, s.Redrawn)
	if again {
		s.Redrawn = notes.Redrawn
	}
	return again
}

// doubt has all messages edited, but for those that look back: what was undone came after them.
func (s *Shown) doubt(posts []Post) {
	past := map[string]bool{}
	for _, p := range posts {
		past[postKey(p.Post)] = p.hash != ""
	}
	for key, p := range s.Posts {
		if p.Address != "" && !past[key] {
			p.Hash, p.Picture = "", ""
		}
	}
}

// tells reports whether the messages of the table are to say that moves were undone: nobody has done anything since.
func (s *Shown) tells(t table.Table) bool {
	return !s.Undone.IsZero() && s.UndoneAt.Equal(t.Touched)
}

// tell adds to a post that moves were undone, in the language of those who read it.
func (s *Shown) tell(t table.Table, p *view.Post) {
	if !s.tells(t) || p.OldOnly || len(p.Screen.Blocks) == 0 || p.Passing && p.Player == "" {
		return
	}
	player, chat := "", ""
	for _, c := range slices.Backward(t.Chats) {
		if chat == "" || p.Chat == "" || c.ID == p.Chat {
			chat = c.Lang
		}
	}
	for _, seat := range t.Seats {
		if p.Player != "" && seat.Player.ID == p.Player {
			player = seat.Player.Lang
		}
	}
	p.Screen = view.Undone(p.Screen, lang.For(player, chat))
}

// history names the table for nonces. After an undoing it has another name: what is sent again is another message than
// the one that was sent before, which may still stand.
func (s *Shown) history(id string) string {
	if s.Undone.IsZero() {
		return id
	}
	return id + s.Undone.UTC().Format(time.RFC3339Nano)
}

// news reports whether a time that notes have is another one than what was shown has. An older version of this program
// drops it: then it is zero, and nothing new.
func news(noted, shown time.Time) bool { return !noted.IsZero() && !noted.Equal(shown) }
