package deliver

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// PrivateChat returns the address of a person's private chat, and caches it in the store.
// Platforms limit how fast private chats can be opened, and every process needs the address.
func (d *Deliverer) PrivateChat(ctx context.Context, p chat.Platform, player string) (chat.Address, error) {
	key := doc.PlayerKey(player)
	var read *store.Doc // nil: the document was not read, or can't be decoded
	var person doc.Player
	at, err := p.PrivateChat(ctx, player, func() chat.Address {
		docs, err := d.docs.Store.Get(ctx, key)
		if err == nil && doc.Decode(docs[0], &person) == nil {
			read = &docs[0]
		}
		return person.PrivateChat
	})
	if err != nil || read == nil || at == person.PrivateChat || person.Erasing {
		return at, err // an address that isn't stored now is requested again next time
	}
	person.PrivateChat = at
	now := d.docs.Now()
	if err := d.docs.Store.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{doc.WriteOf(*read, person, now)}, Now: now}); err != nil {
		d.docs.Log.Debug("keep the address of a private chat", "err", err)
	}
	return at, nil
}
