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

// homes calls in.Missed with every home of the platform, once.
func (room *Room) homes(ctx context.Context, in chat.Input) error {
	for p := range store.Partitions {
		named := map[string]bool{}
		for _, names := range []string{doc.WelcomeName(in.Chat.Home), doc.HomeName(in.Chat.Home)} {
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
					group := kind == "welcome" // a private chat has none
					var h doc.Home
					if !group && doc.Decode(stored, &h) == nil {
						if group, err = room.shared(ctx, home, h); err != nil {
							return err
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

// shared reports whether a home surely is no private chat, by what an earlier version has stored there. The home of a private chat
// is its person: it has no table in a chat with another id, nobody else asked to be told of tables, and the person plays there.
func (room *Room) shared(ctx context.Context, home string, h doc.Home) (bool, error) {
	for at := range h.Open {
		if at != home {
			return true, nil
		}
	}
	for who := range h.Tell {
		if who != home {
			return true, nil
		}
	}
	docs, err := room.docs.Store.Get(ctx, doc.PlayerKey(home), doc.InHome(home, doc.MemberName(home, home)))
	if err != nil || docs[0].Version > 0 || docs[1].Version > 0 {
		return false, err
	}
	members, _, err := room.docs.Store.Scan(ctx, store.Partition(home), doc.MemberName(home, ""), "")
	if damaged := (*store.Damaged)(nil); errors.As(err, &damaged) {
		err = nil
	}
	return len(members) > 0, err
}
