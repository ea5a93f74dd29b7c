package play

import (
	"cmp"
	"context"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// SetDefault saves a table's rules, time limit and AI level as the default for new tables of the current home.
func (room *Room) SetDefault(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	switch {
	case err != nil:
		return in.Refuse(err)
	case !slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return cmp.Or(c.Home, t.Home) == in.Chat.Home }):
		return in.Refuse(chat.ErrForged)
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if err == nil && !manages {
		err = chat.ErrAdmin
	}
	if err != nil {
		return in.Refuse(err)
	}
	var home doc.Home
	err = doc.Set(ctx, room.docs, in.Once, doc.HomeKey(in.Chat.Home), &home, func() error {
		home.Default = &doc.Default{Rules: t.Rules, Limit: t.Limit, Level: t.Level}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	c := in.Catalogue()
	return chat.Reply{Toast: c.Text("reply.default", "game", screen.GameName(c, t.Rules))}
}
