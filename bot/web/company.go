package web

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
)

// say shows a phrase or an emote of the visitor on all pages of the table. Only players may say something: what a
// spectator says would disturb the match, and could help a side.
func (c *socket) say(ctx context.Context, m incoming) {
	c.mu.Lock()
	id := c.table
	c.mu.Unlock()
	err := error(chat.ErrForged)
	if m.At == id && c.seated.Load() && slices.Contains(phrases, m.What) {
		err = errSaid
		if c.site.entries.allow("say "+c.visitor.Player.ID, maxSaid) {
			err = c.site.Pages().Say(ctx, id, c.visitor.Player.ID, m.What)
		}
	}
	if err != nil {
		if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
			c.site.Log.Error("say something on a page", "err", err)
		}
		c.answer(outgoing{T: "answer", Toast: chat.Input{Player: c.visitor.Player, Page: true}.Refuse(err).Toast})
	}
}

// who tells the page which mark a person has who sits at the table. So it can show who speaks, as the reader's platform
// names people by their ids.
func (c *socket) who(ctx context.Context, m incoming) {
	t, err := c.mine(ctx, m)
	if err != nil {
		return
	}
	platform, _, _ := strings.Cut(c.visitor.Player.ID, ":")
	for seat, s := range t.Public.Seats {
		if m.User != "" && s.Player.ID == platform+":"+m.User {
			c.answer(outgoing{T: "who", User: m.User, Who: t.People[seat].Mark})
		}
	}
}

// phrases are what a player can say: six phrases, which pages translate, and six emotes.
var phrases = []string{"hello", "luck", "well", "thanks", "oops", "again", "thumb", "smile", "wow", "cry", "think", "party"}

// errSaid reports that a player says too much.
var errSaid = chat.NewRefusal("page_say")

// hear shows what was said on the page, late if the visitor sees the table late.
func (c *socket) hear(t *state, m outgoing) {
	tell := func() {
		c.mu.Lock()
		here := c.table == t.Public.ID
		c.mu.Unlock()
		if here {
			c.answer(m)
		}
	}
	if t.Late(c.visitor) {
		time.AfterFunc(spectatorDelay, tell)
		return
	}
	tell()
}
