package deliver

import (
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// again copies what the notes say about undone moves, and reports whether the table must be drawn again.
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

// doubt marks all messages for an edit, except those about the past, which seldom change.
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

// announces reports whether the table's messages must say that moves were undone. They do until somebody acts again.
func (s *Shown) announces(t table.Table) bool {
	return !s.Undone.IsZero() && s.UndoneAt.Equal(t.Touched)
}

// announceUndone adds to a post that moves were undone, in its readers' language.
func (s *Shown) announceUndone(t table.Table, m Messages, p *screen.Post) {
	if !s.announces(t) || p.OldOnly || len(p.Screen.Blocks) == 0 || p.Passing && p.Player == "" && !strings.HasPrefix(p.Key, "deal:") {
		return
	}
	p.Screen = view.Undone(p.Screen, m.readers(p.Chat, p.Player))
}

// readers returns the texts in the language of those who read a message in a chat. player
// is the only reader, or "".
func (m Messages) readers(chat, player string) *lang.Catalogue {
	inChat, ofPlayer := "", ""
	for _, c := range slices.Backward(m.Chats) {
		if inChat == "" || chat == "" || c.ID == chat {
			inChat = c.Lang
		}
	}
	for _, r := range m.people {
		if player != "" && r.id == player {
			ofPlayer = r.lang
		}
	}
	return lang.For(ofPlayer, inChat)
}

// history returns the table's name for nonces. The name changes when moves are undone. A message that is sent again then
// gets a new nonce, because the old message may still exist.
func (s *Shown) history(id string) string {
	if s.Undone.IsZero() {
		return id
	}
	return id + s.Undone.UTC().Format(time.RFC3339Nano)
}

// news reports whether the time in the notes differs from the one in Shown. An older version of this program drops
// the field from the notes; the time is then zero, and not news.
func news(noted, shown time.Time) bool { return !noted.IsZero() && !noted.Equal(shown) }
