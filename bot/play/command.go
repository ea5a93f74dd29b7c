package play

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// Kick lets the AI play for another player who is there. The command names that player by seat number or by name. If
// nobody or more than one matches, Kick shows a list of players to choose from.
func (room *Room) Kick(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	name := strings.TrimPrefix(strings.TrimSpace(in.Args["player"]), "@")
	who := chat.Plain(name)
	public := t.PublicTo(in.Player.ID) // names that the person doesn't know must not match
	var fit []int                      // seats of others who are meant
	away := false
	for i, s := range public.Seats {
		switch {
		case who == "" || s.Player.ID == "" || s.Player.ID == in.Player.ID || who != strconv.Itoa(i+1) && who != chat.Plain(s.Player.Name):
		case s.Away || s.Left:
			away = true
		default:
			fit = append(fit, i)
		}
	}
	switch {
	case len(fit) == 1:
		return room.tables.Act(ctx, in, id, table.Kick{Seat: fit[0], Mark: public.Mark(fit[0])})
	case len(fit) > 1:
		name = "" // the list asks which of them
	case away:
		return in.Refuse(table.ErrNobody)
	}
	list := view.Kick(public, presser(ctx, in, t), screen.Cut(chat.CleanName(name), 40), in.Catalogue())
	return chat.Reply{Screen: &list}
}

// Open opens a table in this chat.
func (room *Room) Open(ctx context.Context, in chat.Input) chat.Reply {
	return room.tables.Open(ctx, in, room.caller, nil)
}

// Hello greets a person who opened a private chat with the bot. A link to a deal of the day
// leads there.
func (room *Room) Hello(ctx context.Context, in chat.Input) chat.Reply {
	reply := room.greet(ctx, in)
	if home, ok := view.DailyHome(in.Args["payload"]); ok && reply.Outcome == chat.Done {
		return room.daily.Visit(ctx, in, home)
	}
	return reply
}

// greet greets a person who opened a private chat with the bot. It also sends them
// their hands from the tables where they sit.
func (room *Room) greet(ctx context.Context, in chat.Input) chat.Reply {
	ids, err := room.tables.TablesOf(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	// A solo game is listed for this chat before the player's document names it.
	alone, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if alone != "" && !slices.Contains(ids, alone) {
		ids = append(ids, alone)
	}
	for _, id := range ids[max(0, len(ids)-tables.FewTables):] {
		if err := errors.Join(room.tables.Note(ctx, id, noteReached(in, room.docs.Now())), room.tables.RefreshPlayer(ctx, in, id)); err != nil {
			return in.Refuse(err)
		}
	}
	c := in.Catalogue()
	if id, ok := tableOfMore(in.Args["payload"]); ok {
		return room.More(ctx, in, id)
	}
	if id, ok := strings.CutPrefix(in.Args["payload"], view.SeatPayload); ok && !slices.Contains(ids, id) {
		return room.seat(ctx, in, id, len(ids))
	}
	screen := view.WithInvite(hello(len(ids), c), room.deliver.Invite(in.Player.ID), room.deliver.Posts(in.Player.ID), c)
	return chat.Reply{Screen: &screen}
}

// seat joins a table for a person who followed a link to it. others is how many other tables they sit at.
func (room *Room) seat(ctx context.Context, in chat.Input, id string, others int) chat.Reply {
	reply := room.tables.Act(ctx, in, id, table.Join{Seat: -1})
	sits := ""
	if reply.Outcome == chat.Done {
		sits = id
	}
	screen := welcome(reply.Toast, sits, others, in.Catalogue())
	return chat.Reply{Screen: &screen, Outcome: reply.Outcome}
}

// Reached notes, at the tables of a person who wrote to the bot in private, that private messages which were refused are to be
// tried again.
func (room *Room) Reached(ctx context.Context, in chat.Input) error {
	var own doc.Player
	if _, err := room.docs.Get(ctx, doc.PlayerKey(in.Player.ID), &own); err != nil {
		return err
	}
	refused, err := room.deliver.Refused(ctx, in.Player.ID, own.Tables[max(0, len(own.Tables)-tables.FewTables):])
	for _, id := range refused {
		err = errors.Join(err, room.tables.Note(ctx, id, noteReached(in, room.docs.Now())))
	}
	return err
}

// noteReached returns an update which records that the bot can send the person private messages.
func noteReached(in chat.Input, now time.Time) func(*doc.Notes) {
	return func(n *doc.Notes) {
		if n.Reached == nil {
			n.Reached = map[string]time.Time{}
		}
		n.Reached[in.Player.ID] = now
	}
}

// Hands shows the person their hand at this chat's table. If the chat has none, it
// uses the table that they joined last.
func (room *Room) Hands(ctx context.Context, in chat.Input) chat.Reply {
	id, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if id == "" {
		ids, err := room.tables.TablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			id = ids[len(ids)-1]
		}
	}
	if id == "" {
		return chat.Reply{Toast: in.Text("reply.no_table")}
	}
	return room.tables.Cards(ctx, in, id)
}
