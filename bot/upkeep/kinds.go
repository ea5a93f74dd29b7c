package upkeep

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kinds returns the kinds of documents that deletions and changed chat ids need.
func (room *Room) kinds() []doc.Kind {
	return append(room.withdrawn(), []doc.Kind{
		{Name: "chat", Owner: doc.OfOne, New: func() any { return new(doc.ChatHome) }, Forget: room.forgetChat},
		{Name: "erase", Owner: doc.OfOne, New: func() any { return new(progress) }, Restore: doc.RestoreDue, Job: room.tendErase},
		{Name: "purge", Owner: doc.OfOne, New: func() any { return new(progress) }, Restore: doc.RestoreDue, Forget: room.forgetPurge, Job: room.tendPurge},
		{Name: "rate", Job: room.tendRate},
	}...)
}

// forgetChat deletes a document that links a chat to the home.
func (room *Room) forgetChat(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	return doc.Amend(ctx, room.docs, stored, func(d *doc.ChatHome, _ *store.Write) bool {
		return stored.Key.Name == doc.ChatKey(s.Home).Name || d.Home == s.Home
	})
}

// forgetPurge deletes the record that the bot was removed from the person's private chat.
func (room *Room) forgetPurge(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if stored.Key.Name != doc.PurgeKey(s.Player).Name {
		return false, nil
	}
	return true, room.docs.Drop(ctx, stored, store.Mark{ID: stored.Key.Name, At: room.docs.Now()})
}
