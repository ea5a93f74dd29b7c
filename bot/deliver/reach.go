package deliver

import (
	"context"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// A player gets his hand by the best way that works for him here: in private;
// else aside, in a message of the table's chat that he alone sees; else by the
// button under the table, or by the numbers there. What was refused is tried anew
// with the next deal, and when he opens the private chat. A lobby asks the platforms
// what it can say of its players without writing to them.

// asidePlace is the place of what a player alone sees in a chat.
func asidePlace(chat, player string) string { return chat + "@" + player }

// AsideChat is the chat of the table in which a player may be told something
// aside: the first one on his platform; "" if there is none.
func AsideChat(t table.Table, player string) string {
	if t.Contest != nil {
		return t.Contest.Chat // those at the table are private ones
	}
	name, _, _ := strings.Cut(player, ":")
	for _, c := range t.Chats {
		if platform, _, _ := strings.Cut(c.ID, ":"); platform == name && c.ID != player {
			return c.ID
		}
	}
	return ""
}

// closed tells whether a place is known not to take anything.
func (s *Shown) closed(where string) bool {
	p := s.Places[where]
	return p != nil && !p.Closed.IsZero()
}

// ways are the players who cannot be written to in private, as screens tell of them.
func ways(t table.Table, shown *Shown) view.Reach {
	reach := view.Reach{}
	for _, s := range t.Seats {
		if s.Player.ID == "" || !shown.closed(s.Player.ID) {
			continue
		}
		reach[s.Player.ID] = view.ByButton
		if p := shown.Places[asidePlace(AsideChat(t, s.Player.ID), s.Player.ID)]; p != nil && p.Asked && p.Closed.IsZero() {
			reach[s.Player.ID] = view.Aside
		}
	}
	return reach
}

// asides are the hands of those who cannot be written to in private.
func asides(t table.Table, private func(player string) (table.Private, bool), shown *Shown, idle func(view.Post) bool) []view.Post {
	var posts []view.Post
	for _, s := range t.Seats {
		chat := AsideChat(t, s.Player.ID)
		if s.Player.ID == "" || chat == "" || !shown.closed(s.Player.ID) {
			continue
		}
		own, ok := private(s.Player.ID)
		if !ok {
			continue
		}
		where := asidePlace(chat, s.Player.ID)
		shut := shown.closed(where) && shown.Places[where].Stage == Stage(t)
		post, ok := view.HandAside(own, chat, func(p view.Post) bool {
			p.OldOnly = p.OldOnly || shut
			return idle(p)
		})
		if !ok {
			continue
		}
		post.OldOnly = post.OldOnly || shut
		posts = append(posts, post)
	}
	return posts
}

// adopt lets the hand that a player called up in the chat stand for the one that
// he is shown there anyhow: he has the latest only.
func (s *Shown) adopt(posts []Post, notes doc.Notes, now time.Time) {
	for _, p := range posts {
		where, a := place(p.Post), notes.Answers[p.Player]
		if p.Chat == "" || !a.Until.After(now) || s.closed(where) {
			continue
		}
		if s.Places[where] == nil {
			s.Places[where] = &ShownPlace{}
		}
		key, old := postKey(p.Post), s.Posts[postKey(p.Post)]
		switch {
		case s.Places[where].Adopted != a.Origin:
			if old != nil && old.Address != "" && old.Address != a.Address {
				s.Posts[key+" moved "+string(old.Address)] = &ShownPost{Address: old.Address, Passing: true}
			}
			s.Places[where].Adopted = a.Origin
		case old == nil || old.For == a.Address || old.Address != old.For:
			continue // it is known, or there is a later one
		}
		s.Posts[key] = &ShownPost{Address: a.Address, For: a.Address, Seq: p.Seq}
	}
}

// planAsks adds what a lobby wants to know of its players.
func planAsks(plans map[string][]step, t table.Table, shown *Shown) {
	if t.Phase != table.Lobby {
		return
	}
	ask := func(where string, p view.Post) {
		if at := shown.Places[where]; at == nil || !at.Asked {
			plans[where] = append(plans[where], step{kind: ask, post: p})
		}
	}
	for _, s := range t.Seats {
		if s.Player.ID == "" {
			continue
		}
		ask(s.Player.ID, view.Post{Player: s.Player.ID})
		if chat := AsideChat(t, s.Player.ID); chat != "" && shown.closed(s.Player.ID) {
			ask(asidePlace(chat, s.Player.ID), view.Post{Chat: chat, Player: s.Player.ID})
		}
	}
}

// ask asks a platform whether it could write to a place, and returns when to go on.
func (d *Deliverer) ask(ctx context.Context, t table.Table, where string, s step, shown *Shown, mu *sync.Mutex) time.Time {
	p := d.PlatformOf(chat.Address(where))
	if p == nil {
		return time.Time{}
	}
	mu.Lock()
	notBefore := shown.Places[where].NotBefore
	mu.Unlock()
	if notBefore.After(d.docs.Now()) {
		return notBefore
	}
	flight := d.flights[p.Name()]
	select {
	case flight <- struct{}{}:
	default:
		return d.docs.Now().Add(crowded)
	}
	asked := d.docs.Now()
	_, err := d.call(ctx, p, s, chat.Target{Chat: s.post.Chat, Player: s.post.Player}, "")
	<-flight
	fault, after := FaultOf(err)
	mu.Lock()
	defer mu.Unlock()
	at := shown.Places[where]
	switch {
	case err == nil:
		at.Asked, at.Fails = true, 0
		if s.post.Chat != "" {
			return d.docs.Now() // the lobby has to say so
		}
	case fault == chat.Retry:
		at.Fails++
		at.NotBefore = d.docs.Now().Add(max(after, BackOff(at.Fails)))
		return at.NotBefore
	default:
		at.Asked, at.Closed, at.Stage = true, asked, Stage(t)
		return d.docs.Now() // the lobby has to say so
	}
	return time.Time{}
}
