package telegram

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"sedmabot/bot/chat"
)

// The tag of a regular member shows the season's rank. The bot needs the right to set tags. It
// doesn't change the tags of managers, or those that someone else set.
func TestTheTagOfAMember(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		ctx, home := t.Context(), fmt.Sprintf("telegram:%d", m.group.ID)
		mark := func(id int64, was, next chat.Mark) (chat.Mark, chat.MarkFault) {
			t.Helper()
			player := ""
			if id != 0 {
				player = fmt.Sprintf("telegram:%d", id)
			}
			now, err := m.adapter.Mark(ctx, home, player, was, next)
			var refused *chat.MarkError
			switch {
			case errors.As(err, &refused):
				return now, refused.Why
			case err != nil:
				t.Fatal(err)
			}
			return now, ""
		}
		if _, why := mark(0, chat.Mark{}, chat.Mark{}); why != chat.MarkTags {
			t.Fatalf("without the right: %q", why)
		}
		m.group.Tagger(true)
		if _, why := mark(0, chat.Mark{}, chat.Mark{}); why != "" {
			t.Fatal(why)
		}
		first, third := chat.Mark{Rank: 1, Tag: "Sedma: no. 1"}, chat.Mark{Rank: 3, Tag: "Sedma: no. 3"}
		was, why := mark(m.ben.ID, chat.Mark{}, first)
		if why != "" || m.group.Tag(m.ben) != "Sedma: no. 1" {
			t.Fatalf("%q, %q", why, m.group.Tag(m.ben))
		}
		if was, why = mark(m.ben.ID, was, third); why != "" || m.group.Tag(m.ben) != "Sedma: no. 3" {
			t.Errorf("%q, %q", why, m.group.Tag(m.ben))
		}
		if _, why = mark(m.ann.ID, chat.Mark{}, first); why != chat.MarkMember {
			t.Errorf("a manager: %q", why)
		}
		m.group.SetTag(m.ben, "Boss")
		if _, why = mark(m.ben.ID, was, chat.Mark{}); why != chat.MarkTaken || m.group.Tag(m.ben) != "Boss" {
			t.Errorf("%q, %q", why, m.group.Tag(m.ben))
		}
		m.group.SetTag(m.ben, "Sedma: no. 3")
		if _, why = mark(m.ben.ID, was, chat.Mark{}); why != "" || m.group.Tag(m.ben) != "" {
			t.Errorf("%q, %q", why, m.group.Tag(m.ben))
		}
	})
}
