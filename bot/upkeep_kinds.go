package bot

import (
	"context"

	"sedmabot/store"
)

// upkeepKinds returns the kinds of documents of deletions and of moves.
func (b *Bot) upkeepKinds() []Kind {
	return []Kind{
		{Name: "chat", Owner: OfOne, New: func() any { return new(chatDoc) }, Forget: b.forgetChat},
		{Name: "erase", Owner: OfOne, New: func() any { return new(sweepDoc) }, Restore: RestoreDue, Job: b.tendErase},
		{Name: "purge", Owner: OfOne, New: func() any { return new(sweepDoc) }, Restore: RestoreDue, Forget: b.forgetPurge, Job: b.tendPurge},
	}
}

// forgetChat deletes what leads from a chat to the home.
func (b *Bot) forgetChat(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	return Amend(ctx, b.docs, doc, func(d *chatDoc, _ *store.Write) bool {
		return doc.Key.Name == chatKey(s.Home).Name || d.Home == s.Home
	})
}

// forgetPurge deletes the note that the person's private chat removed the bot.
func (b *Bot) forgetPurge(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	if doc.Key.Name != purgeKey(s.Player).Name {
		return false, nil
	}
	return true, b.docs.Drop(ctx, doc, store.Mark{ID: doc.Key.Name, At: b.docs.Now()})
}
