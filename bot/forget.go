package bot

import "context"

// remember has the open tables of the homes whose messages are gone shown
// anew: nothing happened to them, so nobody else would.
func (b *Bot) remember(ctx context.Context, homes []string) {
	for _, id := range homes {
		var home homeDoc
		docs, err := b.docs.Store.Get(ctx, homeKey(id))
		if err == nil {
			err = decode(docs[0], &home)
		}
		if err == nil && home.Cup != "" {
			err = b.rememberCup(ctx, home.Cup)
		}
		for _, table := range home.Open {
			if err == nil {
				err = b.note(ctx, table, func(n *notesDoc) { n.Doubts++ })
			}
		}
		if err != nil {
			b.docs.Log.Warn("show what is gone anew", "err", err)
		}
	}
}
