package people

import (
	"context"
	"errors"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Reported handles a platform's message that its reports have arrived until now. If some may have got lost, because the bot was
// away for longer than the platform keeps them, Reported names all homes of the platform.
func (room *Room) Reported(ctx context.Context, in chat.Input) chat.Reply {
	platform, _, _ := strings.Cut(in.Chat.Home, ":")
	key, now := doc.InHome(platform, heardName(platform)), room.docs.Now()
	var h Heard
	_, err := room.docs.Get(ctx, key, &h)
	if err == nil && now.Sub(h.Until).Abs() > in.Kept {
		err = room.homes(ctx, in)
	}
	if err == nil && in.Kept > 0 {
		err = room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
			if err := doc.Decode(docs[0], &h); err != nil {
				return err
			}
			h.Until = now.Round(0)
			c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(h)}}
			return nil
		})
	}
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			room.docs.Log.Error("look for homes that removed the bot", "err", err)
		}
		return chat.Reply{Outcome: doc.Outcome(err)}
	}
	return chat.Reply{}
}

// homes calls in.Missed with every home of the platform, once. A private chat has no Welcome, and its only table is in the chat
// that has the home's id.
func (room *Room) homes(ctx context.Context, in chat.Input) error {
	for p := range store.Partitions {
		named := map[string]bool{}
		for _, names := range []string{welcomeName(in.Chat.Home), doc.HomeName(in.Chat.Home)} {
			for cursor, more := "", true; more; more = cursor != "" {
				docs, next, err := room.docs.Store.Scan(ctx, p, names, cursor)
				if damaged := (*store.Damaged)(nil); err != nil && !errors.As(err, &damaged) {
					return err
				}
				for _, stored := range docs {
					kind, home := doc.KindAndRest(stored.Key.Name)
					if named[home] {
						continue
					}
					named[home] = true
					group := kind == "welcome"
					var h doc.Home
					if !group && doc.Decode(stored, &h) == nil {
						for at := range h.Open {
							group = group || at != home
						}
					}
					if err := in.Missed(ctx, home, group); err != nil {
						return err
					}
				}
				cursor = next
			}
		}
	}
	return nil
}
