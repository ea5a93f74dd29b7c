package play

import (
	"context"
	"slices"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// More shows the presser what the table's message leaves out.
func (room *Room) More(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	who := presser(ctx, in, t)
	who.Stale = t.Stale(room.docs.Now())
	screen := view.More(t.PublicTo(in.Player.ID), who, in.Catalogue())
	return chat.Reply{Screen: &screen, Payload: morePayload + id}
}

// presser returns what the person may do at the table, as far as it depends on the chat.
func presser(ctx context.Context, in chat.Input, t table.Table) view.Presser {
	who := view.Presser{ID: in.Player.ID, Page: in.Page}
	here := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return c.ID == in.Chat.ID })
	if here < 0 {
		return who
	}
	who.Chat = in.Chat.ID
	if t.Host != in.Player.ID {
		// An error means that the platform couldn't say. Then the buttons for managers are left out.
		manages, _ := in.MayManage(ctx, in.Chat.Home)
		guest := t.Chats[here].Home // as tables.Act decides: nobody manages a table in a private chat that only shows it
		who.Manages, who.Removes = manages && guest == "" && in.Chat.Home == t.Home, manages && guest != "" && guest == in.Chat.Home
	}
	return who
}

// Proof shows the presser the seeds of the finished deals.
func (room *Room) Proof(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	screen := view.Proof(t.Public(), in.Catalogue())
	return chat.Reply{Screen: &screen, Payload: morePayload + id}
}

// Bump brings the table to the bottom of the chat where its button was pressed.
func (room *Room) Bump(ctx context.Context, in chat.Input, id string) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	return room.tables.Act(ctx, in, id, table.Bump{Chat: in.Chat.ID})
}

// morePayload is the prefix of a payload for a link that opens More in the private chat.
// The id of the table follows it.
const morePayload = "m-"

// tableOfMore returns the table of a link that opens More.
func tableOfMore(payload string) (id string, ok bool) { return strings.CutPrefix(payload, morePayload) }
