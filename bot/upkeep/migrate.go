package upkeep

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Moved handles the platform's message that a chat's id has changed.
func (room *Room) Moved(ctx context.Context, in chat.Input) chat.Reply {
	if err := room.tables.Migrate(ctx, in.Former, in.Chat.ID); err != nil {
		room.docs.Log.Error("follow a chat to its new id", "err", err)
		return chat.Reply{Outcome: doc.Outcome(err)}
	}
	return chat.Reply{}
}
