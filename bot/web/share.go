package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"rsc.io/qr"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// invite is a link to a table, and its QR code: the path of an SVG drawing, whose sides are Size long.
type invite struct {
	Link string `json:"link"`
	Size int    `json:"size"`
	Code string `json:"code"`
}

// quiet is the width of the empty border that a QR code needs, in modules (ISO/IEC 18004, 5.3.8).
const quiet = 4

// newInvite returns a link with its QR code.
func newInvite(link string) (invite, error) {
	code, err := qr.Encode(link, qr.M)
	if err != nil {
		return invite{}, err
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return invite{link, code.Size + 2*quiet, path.String()}, nil
}

// linkTo returns the address that leads others to the lobby of the visitor's table, or "". A player of the table may
// invite; the link lets in only members of its chat.
func (s *Site) linkTo(t chat.PageTable, v chat.Visitor) string {
	if !t.InLobby() || t.Public.Policy.Private {
		return ""
	}
	platform, _, _ := strings.Cut(v.Player.ID, ":")
	app := s.Apps[platform]
	if _, sits := t.Private(v.Player.ID); app == nil || !sits {
		return ""
	}
	here, ok := t.ChatOf(v)
	if !ok {
		return ""
	}
	return app.Invite(t.Public.ID, chat.Chat{ID: here.ID, Home: cmp.Or(here.Home, t.Public.Home)})
}

// invite answers with the link to the visitor's table.
func (c *socket) invite(ctx context.Context, m incoming) outgoing {
	out := outgoing{T: "answer", ID: m.ID}
	t, err := c.mine(ctx, m)
	if err == nil {
		link := c.site.linkTo(t, c.visitor)
		if err = chat.ErrForged; link != "" {
			var shown invite
			shown, err = newInvite(link)
			out.Invite = &shown
		}
	}
	return c.orRefuse(out, err)
}

// result is a result that the reader shows to others.
type result struct {
	Text string `json:"text"`
	// Ref is what the platform has prepared: the id of a message (Telegram), or the address of a picture (Discord). "": nothing.
	Ref string `json:"ref,omitempty"`
}

// share answers with the result of the match at the visitor's table, for people elsewhere.
func (c *socket) share(ctx context.Context, m incoming) outgoing {
	out := outgoing{T: "answer", ID: m.ID}
	t, err := c.mine(ctx, m)
	if err != nil || t.Public.Result == nil {
		return c.orRefuse(out, errors.Join(err, chat.ErrForged))
	}
	player := c.visitor.Player
	in := chat.Input{
		Player: player, Chat: chat.Chat{ID: player.ID, Home: player.ID, Private: true},
		Command: "offer", Args: map[string]string{"id": view.ShareQuery(t.Public.ID, t.Public.Result.MatchNo)},
	}
	reply := c.site.Handler.Handle(ctx, in)
	if len(reply.Offers) != 1 {
		return c.orRefuse(out, chat.ErrNoMatch)
	}
	shown := reply.Offers[0].Screen
	var lines []string
	words := shown.WithoutPicture()
	for _, b := range words.Blocks {
		lines = append(lines, screen.PlainText(words.Face, b.Spans))
	}
	out.Share = &result{Text: strings.Join(lines, "\n")}
	platform, _, _ := strings.Cut(player.ID, ":")
	if app := c.site.Apps[platform]; app != nil && m.App {
		ref, err := app.Share(ctx, chat.Credentials{Token: m.Token}, player.ID, shown)
		if err != nil {
			c.site.Log.Info("a platform prepares nothing to share", "err", err)
		}
		out.Share.Ref = ref
	}
	return out
}

// mine returns the table that the visitor's page shows, at which they sit.
func (c *socket) mine(ctx context.Context, m incoming) (t chat.PageTable, err error) {
	c.mu.Lock()
	id := c.table
	c.mu.Unlock()
	if m.At != id || id == view.FrontDoor || !c.seated.Load() {
		return t, chat.ErrForged
	}
	if !c.site.entries.allow("ask "+c.visitor.Player.ID, maxEntries) {
		return t, errBusy
	}
	return c.site.Pages().Table(ctx, id)
}

// orRefuse returns out, or what it says if there was an error.
func (c *socket) orRefuse(out outgoing, err error) outgoing {
	if err != nil {
		if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
			c.site.Log.Error("answer a page", "err", err)
		}
		out.Toast = chat.Input{Player: c.visitor.Player, Page: true}.Refuse(err).Toast
		out.Invite = nil
	}
	return out
}
