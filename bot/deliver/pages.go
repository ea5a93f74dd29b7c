package deliver

import (
	"context"
	"slices"
	"strings"

	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// pages adds the personal links to the private messages of a running deal. A player who
// has the page of the table open needs neither cards by message nor calls: they get one
// message that says so.
func (d *Deliverer) pages(ctx context.Context, t table.Table, notes doc.Notes, posts []Post) []Post {
	if t.Phase != table.Playing && t.Phase != table.Pause {
		return posts
	}
	now := d.docs.Now()
	p := t.Public()
	for i := range posts {
		post := &posts[i]
		if post.Player == "" || post.OldOnly || !strings.HasPrefix(post.Key, "hand:") && !strings.HasPrefix(post.Key, "deal:") || len(post.Screen.Blocks) == 0 {
			continue
		}
		own, sits := t.Private(post.Player)
		if !sits || own.Seats[own.Seat].Left {
			continue
		}
		link, err := d.PageLink(ctx, t, notes, post.Player)
		if err != nil {
			d.docs.Log.Warn("sign a link to a page", "table", t.ID, "err", err)
			continue
		}
		if link == "" {
			continue
		}
		if notes.Pages[post.Player].Open(now) {
			post.Screen = view.OnPage(own, link)
		} else {
			post.Screen = view.WithPage(own, post.Screen, link)
		}
		post.hash = "" // it was the hash of the screen without the link
	}
	if p.Turn == game.Nobody || !notes.Pages[p.Seats[p.Turn].Player.ID].Open(now) {
		return posts
	}
	return slices.DeleteFunc(posts, func(p Post) bool {
		return strings.HasPrefix(p.Key, "call:") || strings.HasPrefix(p.Key, "warn:")
	})
}
