package deliver

import (
	"context"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// pages adapts the posts of a running deal to the pages that players have open. Private
// messages get a personal link. A player whose page is open gets no cards by message, and no
// calls. If every player's page is open, the chats' message is edited only between tricks.
func (d *Deliverer) pages(ctx context.Context, t table.Table, shown *Shown, notes doc.Notes, posts []Post) []Post {
	if t.Phase != table.Playing && t.Phase != table.Pause {
		return posts
	}
	now := d.docs.Now()
	called := t.Phase == table.Playing && notes.Pages[t.Seats[t.Deal.Turn()].Player.ID].Open(now)
	for i, p := range posts {
		kind, _, _ := strings.Cut(p.Key, ":")
		posts[i].onPage = kind == "hand" && notes.Pages[p.Player].Open(now) || called && (kind == "call" || kind == "warn")
	}
	still := false
	if everyoneOnPages(t, notes, now) {
		p := t.Public()
		still = len(p.View.Trick) > 0 && p.Turn != game.Nobody
	}
	for i := range posts {
		post := &posts[i]
		hand := strings.HasPrefix(post.Key, "hand:")
		deal := strings.HasPrefix(post.Key, "deal:") || post.Key == "table" // the only message of its chat
		if post.OldOnly || post.onPage || !hand && !deal {
			continue
		}
		if post.Player != "" {
			d.personal(ctx, t, notes, post)
			continue
		}
		d.app(t, post)
		if was := shown.Posts[postKey(post.Post)]; still && was != nil && was.Address != "" && was.Seq == post.Seq {
			post.hash = was.Hash
		}
	}
	return posts
}

// personal adds the link to a player's page to their private message. If the page is open
// and the message is the table's only one, it shows only the link.
func (d *Deliverer) personal(ctx context.Context, t table.Table, notes doc.Notes, post *Post) {
	if platform, _, _ := strings.Cut(post.Player, ":"); d.Pages[platform] == "" {
		return
	}
	own, sits := t.Private(post.Player)
	if !sits {
		return
	}
	link := d.link(ctx, own, notes)
	if link == "" || len(post.Screen.Blocks) == 0 {
		return
	}
	if notes.Pages[post.Player].Open(d.docs.Now()) {
		post.Screen = view.OnPage(own, link)
	} else {
		post.Screen = view.WithPage(own, post.Screen, link)
	}
	post.hash = "" // it was the hash of the screen without the link
}

// link returns the link to a player's page, or "" if there is none now.
func (d *Deliverer) link(ctx context.Context, own table.Private, notes doc.Notes) string {
	if !view.HasPage(own) {
		return ""
	}
	link, err := d.pageLinks.Link(ctx, own, notes)
	if err != nil {
		d.docs.Log.Warn("sign a link to a page", "table", own.ID, "err", err)
	}
	return link
}

// app adds the button that opens the table's page in the platform's own app to a message
// in a chat. A private chat has the personal link instead.
func (d *Deliverer) app(t table.Table, post *Post) {
	i := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return c.ID == post.Chat })
	platform, _, _ := strings.Cut(post.Chat, ":")
	alone := slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == post.Chat })
	if i < 0 || !d.Apps[platform] || alone {
		return
	}
	post.Screen, post.hash = view.WithApp(lang.For(t.Chats[i].Lang), post.Screen, t.ID), ""
}

// pagesEnd returns when the next of the open pages counts as closed, if it isn't seen again.
// Its player then gets their cards by message. It is zero if no page is open.
func pagesEnd(notes doc.Notes, now time.Time) (at time.Time) {
	for _, page := range notes.Pages {
		if page.Open(now) {
			at = work.Earlier(at, page.Seen.Add(chat.SeenFor))
		}
	}
	return at
}

// everyoneOnPages reports whether every person at the table has its page open.
func everyoneOnPages(t table.Table, notes doc.Notes, now time.Time) bool {
	people := 0
	for _, s := range t.Seats {
		if s.Player.ID == "" || s.Left {
			continue
		}
		if people++; !notes.Pages[s.Player.ID].Open(now) {
			return false
		}
	}
	return people > 0
}
