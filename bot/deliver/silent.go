package deliver

import (
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// silentKey is the key of the post that tells a player why a chat is silent.
const silentKey = "silent"

// silentPosts returns messages for the players from a chat that shows nothing of the table, because it refuses the
// messages. Each is in the player's private chat. If that refuses it too, it is in the reply to the player's command (see
// adoptReplies). present are the posts that should exist now.
func silentPosts(t table.Table, present []screen.Post, private func(player string) (table.Private, bool), shown *Shown) (posts []screen.Post) {
	for _, c := range t.Chats {
		if c.Single || !shown.silent(c.ID, present) {
			continue
		}
		for _, s := range t.Seats {
			p, sits := private(s.Player.ID)
			if !sits || s.Player.ID == "" || s.Left || nameOf(chat.Address(s.Player.ID)) != nameOf(chat.Address(c.ID)) {
				continue
			}
			post := screen.Post{Key: silentKey, Player: s.Player.ID, Passing: true, Screen: view.Silent(p)}
			post.OldOnly = t.Phase != table.Lobby && t.Phase != table.Playing && t.Phase != table.Pause
			if slices.ContainsFunc(posts, func(other screen.Post) bool { return other.Player == post.Player }) {
				continue
			}
			posts = append(posts, post)
			if was := shown.Posts[postKey(post)]; shown.Closed(post.Player) || was != nil && was.Address == "" && was.Hash != "" {
				post.Chat, post.OldOnly = c.ID, true
				posts = append(posts, post)
			}
		}
	}
	return posts
}

// adoptReplies makes the reply to the command that opened the table tell that the chat refuses it, once: later, it may be gone.
func (s *Shown) adoptReplies(posts []Post, notes doc.Notes, now time.Time) {
	for _, p := range posts {
		reply, key := notes.Replies[p.Player], postKey(p.Post)
		if p.Key != silentKey || p.Chat == "" || s.Posts[key] != nil || !reply.Until.After(now) || s.Told[p.Player] == reply.Address {
			continue
		}
		if s.Told == nil {
			s.Told = map[string]chat.Address{}
		}
		s.Told[p.Player], s.Posts[key] = reply.Address, &ShownPost{Address: reply.Address, Passing: true}
	}
}

// silentNotices returns messages for the people who asked for notices in chats that show none of them. asked has the
// person by chat. present are the posts that should exist now.
func silentNotices(m Messages, asked map[string]table.Player, present []screen.Post, shown *Shown) (posts []screen.Post) {
	told := map[string]bool{}
	for _, c := range m.Chats {
		who := asked[c.ID]
		if nameOf(chat.Address(who.ID)) != nameOf(chat.Address(c.ID)) || told[who.ID] || !shown.silent(c.ID, present) {
			continue
		}
		told[who.ID] = true
		posts = append(posts, screen.Post{Key: silentKey, Player: who.ID, Passing: true, Screen: view.SilentPost(lang.For(who.Lang, c.Lang))})
	}
	return posts
}

// silent reports whether a chat shows none of the present posts, or doesn't let them change. A post that was never tried
// decides nothing, so what the players were told stands.
func (s *Shown) silent(where string, present []screen.Post) bool {
	refused := false
	for _, p := range present {
		if p.Chat != where || p.Player != "" || p.OldOnly {
			continue
		}
		was, mute := s.Posts[postKey(p)], s.Closed(where) && s.Places[where].Mute
		if was != nil && was.Address != "" && !mute {
			return false
		}
		refused = refused || s.Closed(where) || was != nil && was.Hash != "" || was == nil && s.tellsSilence()
	}
	return refused
}

// tellsSilence reports whether a player was told that a chat refuses messages.
func (s *Shown) tellsSilence() bool {
	for key := range s.Posts {
		if strings.HasSuffix(key, " "+silentKey) {
			return true
		}
	}
	return false
}
