package bot

import (
	"context"

	"sedmabot/bot/doc"
)

// remember posts the messages of some homes' open tables again, after the process
// that kept them in memory has ended. No other event would make those tables due.
func (b *Bot) remember(ctx context.Context, homes []string) {
	for _, id := range homes {
		var home doc.Home
		docs, err := b.docs.Store.Get(ctx, doc.HomeKey(id))
		if err == nil {
			err = doc.Decode(docs[0], &home)
		}
		if err == nil && home.Tournament != "" {
			err = b.tournaments.Remember(ctx, home.Tournament)
		}
		for _, table := range home.Open {
			if err == nil {
				err = b.tables.Note(ctx, table, func(n *doc.Notes) { n.Doubts++ })
			}
		}
		if err != nil {
			b.docs.Log.Warn("post the messages of open tables again", "err", err)
		}
	}
}
