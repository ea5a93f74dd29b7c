package upkeep

import (
	"context"

	"sedmabot/bot/chat"
)

// Moved is the answer to the platform's word that a chat has another id now.
func (room *Room) Moved(ctx context.Context, in chat.Input) chat.Reply {
	if err := room.tables.Migrate(ctx, in.Former, in.Chat.ID); err != nil {
		room.docs.Log.Error("follow a chat to its new id", "err", err)
		return chat.Reply{Outcome: chat.Failed}
	}
	return chat.Reply{}
}
