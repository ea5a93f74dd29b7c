package deliver

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Door returns the door to a person's private chat, and keeps it in the store: a
// platform opens only so many at a time, and all processes need it.
func (d *Deliverer) Door(ctx context.Context, p chat.Platform, player string) (chat.Address, error) {
	key := doc.PlayerKey(player)
	var read *store.Doc // nil: it was not read, or cannot be
	var person doc.Player
	at, err := p.Door(ctx, player, func() chat.Address {
		docs, err := d.docs.Store.Get(ctx, key)
		if err == nil && doc.Decode(docs[0], &person) == nil {
			read = &docs[0]
		}
		return person.Door
	})
	if err != nil || read == nil || at == person.Door || person.Erasing {
		return at, err // what is not kept now is asked for again
	}
	person.Door = at
	now := d.docs.Now()
	if err := d.docs.Store.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{person.Write(*read, now)}, Now: now}); err != nil {
		d.docs.Log.Debug("keep the door to a private chat", "err", err)
	}
	return at, nil
}
