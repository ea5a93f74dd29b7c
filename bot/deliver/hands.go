package deliver

import (
	"context"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// openedKey is the key of the hand that a player opened. It has a place of its own, so that its edits don't wait for other
// deliveries.
const openedKey = "hand:opened"

// opened adds to the posts the newest hand that each player opened, which is edited for as long as the platform allows. If
// it is where the player gets ephemeral messages, it becomes their hand there. Those that the player opened before are deleted.
func (d *Deliverer) opened(ctx context.Context, t table.Table, m Messages, shown *Shown, notes doc.Notes, posts []Post, now time.Time) []Post {
	for player, hands := range notes.Hands {
		post, newest := screen.Post{Key: openedKey, Player: player}, hands.Newest()
		own := shown.open(postKey(post), hands, now)
		for _, p := range posts {
			if !p.onPage && p.Player == player && p.Chat != "" && p.Chat == newest.Aside && isHand(p.Post) {
				shown.adopt(own, p.Post)
			}
		}
		private, seated := t.Private(player)
		if !seated || !newest.Until.After(now) {
			own.Address = ""
		}
		if post.OldOnly = own.Address == ""; !post.OldOnly {
			post.Screen = view.WithPage(private, view.Hand(private), d.link(ctx, private, notes))
			shown.announceUndone(t, m, &post)
		}
		posts = append(posts, Post{Post: post})
	}
	return posts
}

// open returns the record of the newest hand that a player opened. Those before it, as far as they aren't known yet, are
// recorded as messages to delete.
func (s *Shown) open(key string, hands doc.Hands, now time.Time) *ShownPost {
	own, newest := s.Posts[key], hands.Newest()
	known := slices.IndexFunc(hands, func(h doc.Answer) bool { return own != nil && h.Origin == own.Origin })
	if last := len(hands) - 1; known < last {
		own = &ShownPost{Address: newest.Address, Origin: newest.Origin}
		s.Posts[key] = own
		for _, h := range hands[max(0, known):last] {
			if h.Until.After(now) {
				s.leave(key, h.Address)
			}
		}
	}
	for _, p := range s.Posts { // a press on the hand gives it another address
		if p.Origin != "" && p.Origin == newest.Origin && p.Address != "" && p.Address != newest.Address {
			p.Address, p.Hash = newest.Address, ""
		}
	}
	return own
}

// adopt makes the hand that a player opened the message of an ephemeral post.
func (s *Shown) adopt(own *ShownPost, p screen.Post) {
	where, key := place(p), postKey(p)
	if own.Address == "" || s.Closed(where) || len(p.Screen.Blocks) == 0 {
		return // a post without a screen has nothing to say yet
	}
	at := s.Places[where]
	if at == nil {
		at = &ShownPlace{}
		s.Places[where] = at
	}
	if at.Adopted != own.Origin && !s.leaves(own, key) {
		if old := s.Posts[key]; old != nil && old.Address != "" && old.Address != own.Address {
			s.leave(key, old.Address)
		}
		s.Posts[key] = &ShownPost{Address: own.Address, Origin: own.Origin, Seq: p.Seq}
	}
	at.Adopted, own.Address = own.Origin, ""
}

// leaves reports whether the hand that a player opened was the message of the ephemeral post with this key, or of another
// one, and is about to be deleted, because a newer hand came.
func (s *Shown) leaves(own *ShownPost, key string) bool {
	for other, p := range s.Posts {
		if p != own && other != key && p.Address == own.Address {
			return true
		}
	}
	return false
}

// leave records that a message with a post's key is to be deleted.
func (s *Shown) leave(key string, at chat.Address) {
	s.Posts[key+" moved "+string(at)] = &ShownPost{Address: at, Passing: true}
}
