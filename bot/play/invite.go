package play

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// errInviteBot reports that somebody invited another bot.
var errInviteBot = chat.NewRefusal("invite_bot")

// Invite asks a person in this chat to play, in a message that everyone sees. If the chat
// has no table, it opens one first. Some platforms have such a command on each person.
func (room *Room) Invite(ctx context.Context, in chat.Input) chat.Reply {
	who := screen.Person{ID: in.Args["player"], Name: chat.CleanName(in.Args["name"])}
	if in.Args["bot"] != "" {
		return in.Refuse(errInviteBot)
	}
	in.Args = nil
	id, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	opened := chat.Reply{}
	if id == "" {
		if opened = room.Open(ctx, in); opened.Outcome != chat.Done || opened.Screen != nil {
			return opened
		}
		if id, err = room.tables.OpenTable(ctx, in.Chat); err != nil {
			return in.Refuse(err)
		}
	}
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	_, seated := t.Private(who.ID)
	switch {
	case seated && opened.Toast != "":
		return opened // they invited themselves
	case seated || t.Phase != table.Lobby:
		return room.tables.TableExists(ctx, in, id)
	}
	screen := invitation(t.Public(), chat.CleanName(in.Player.Name), who, lang.For(in.Chat.Lang, in.Player.Lang))
	return chat.Reply{Screen: &screen, Public: true}
}
