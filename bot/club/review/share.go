package review

import (
	"context"
	"errors"
	"fmt"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Links knows where messages are.
type Links interface {
	// MessageLink returns the web address of a message in a chat of that home, or "" if it has none.
	MessageLink(home string, at chat.Address) string
}

// Asked reports whether a person asks for the result of one match, which they may show in another chat.
func (room *Room) Asked(in chat.Input) bool {
	_, _, ok := doc.ParseMatchID(in.Args["id"])
	return ok
}

// Offers returns the result that a person asks for, or that of their latest match, to show it in another chat. Only
// those who played may do that. If there is none, it returns nothing.
func (room *Room) Offers(ctx context.Context, in chat.Input) ([]chat.Offer, error) {
	asked := in.Args["id"]
	if !room.Asked(in) {
		person, err := room.docs.Own(ctx, in.Player.ID)
		if err != nil {
			return nil, err
		}
		asked = person.Last
	}
	id, no, ok := doc.ParseMatchID(asked)
	if !ok {
		return nil, nil
	}
	shown, err := room.result(ctx, in, press{table: id, match: no}, true)
	if errors.Is(err, chat.ErrNoMatch) || errors.Is(err, doc.ErrNoTable) {
		return nil, nil
	}
	return []chat.Offer{{ID: asked, Title: in.Text("offer.result"), Screen: shown}}, err
}

// send shows a result as a text to paste elsewhere, and its picture.
func (room *Room) send(ctx context.Context, in chat.Input, p press) chat.Reply {
	shown, err := room.result(ctx, in, p, false)
	if err != nil {
		return in.Refuse(err)
	}
	out := pasted(shown, room.links.MessageLink(in.Chat.Home, in.Message), in.Catalogue())
	return chat.Reply{Screen: &out}
}

// result returns the result of a match to show elsewhere. player is set if only a person who played may see it.
func (room *Room) result(ctx context.Context, in chat.Input, p press, player bool) (screen.Screen, error) {
	key, ok := doc.MatchKey(p.table, p.match)
	if !ok {
		return screen.Screen{}, chat.ErrNoMatch
	}
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return screen.Screen{}, err
	}
	var m doc.Match
	if err := doc.Decode(docs[0], &m); err != nil {
		return screen.Screen{}, err
	}
	if docs[0].Version == 0 || !m.Open(in, p.ticket) || player && m.SeatOf(in.Player.ID) < 0 || m.Masked || room.docs.Now().Before(m.Sealed) {
		return screen.Screen{}, chat.ErrNoMatch
	}
	t, err := room.tables.Load(ctx, p.table)
	if err != nil {
		return screen.Screen{}, err
	}
	shown, ok := view.SharedResult(t.Public(), p.match, m.At.UTC(), func(seat int) string {
		r, err := room.recordOf(ctx, p.table, key.Partition, m)
		if err != nil {
			return ""
		}
		out, err := r.Replay()
		if err != nil {
			return ""
		}
		return table.Marks(r.Rules, seat, table.Past{Tricks: out.Deals[0].State.View(game.Nobody).Tricks})
	})
	if !ok {
		return screen.Screen{}, chat.ErrNoMatch
	}
	return shown, nil
}

// film shows a deal of a match as an animation. Without a number, it is the last one.
func (room *Room) film(ctx context.Context, in chat.Input, p press) chat.Reply {
	m, r, err := room.Record(ctx, in, p.table, p.match, p.ticket)
	if err != nil {
		return in.Refuse(err)
	}
	match, deal := matchFor(m, p.table, p.match, in.Player.ID), len(r.Deals)
	if 0 < p.deal && p.deal < deal {
		deal = p.deal
	}
	film, err := FilmOf(r, deal, match.Seats)
	if err != nil {
		return in.Refuse(fmt.Errorf("film a deal: %w", err))
	}
	data, err := face.NewEasel().GIF(film.Frames(in.Catalogue()))
	if err != nil {
		return in.Refuse(fmt.Errorf("film a deal: %w", err))
	}
	out := filmScreen(match, deal, len(r.Deals), data, in.Catalogue())
	return chat.Reply{Screen: &out}
}
