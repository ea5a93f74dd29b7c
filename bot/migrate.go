package bot

import (
	"context"
	"errors"
	"maps"
	"slices"

	"sedmabot/game/table"
	"sedmabot/store"
)

// A chat may get another id: a Telegram group becomes a supergroup. What is
// kept of it stays where it is, in the home of the first id, and a document of
// the new one points there (chat:<id>). Whatever tells of the move, the service
// message of the platform or a delivery that fails with the new id, may come
// first, late, again, or not at all: each does all that is left to do.

// chatDoc says where what is kept of a chat is.
type chatDoc struct {
	Home string `json:"home"`
}

func chatKey(id string) store.Key {
	return store.Key{Partition: store.Partition(id), Name: "chat:" + id}
}

// migrate has everything follow a chat to its new id: its home, what is open
// there, and the tables that are named.
func (b *Bot) migrate(ctx context.Context, from, to string, tables ...string) error {
	home, err := b.docs.HomeOf(ctx, from)
	if err != nil {
		return err
	}
	// The way home first: what comes from the new chat has to find it before
	// anything is there, and what is left over can still be told by the old id.
	if err := b.point(ctx, to, home); err != nil {
		return err
	}
	for range attempts {
		done, err := b.move(ctx, home, from, to, tables)
		if done || err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return errBusy
}

// point lets a chat's id lead to a home.
func (b *Bot) point(ctx context.Context, id, home string) error {
	key := chatKey(id)
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, key)
		if err != nil {
			return err
		}
		var at chatDoc
		if err := decode(docs[0], &at); err != nil || at.Home != "" || id == home {
			return err
		}
		err = b.docs.Store.Commit(ctx, store.Change{
			Partition: key.Partition, Now: b.docs.Now(),
			Writes: []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: encode(chatDoc{Home: home})}},
		})
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return errBusy
}

// move changes a chat's id in its home and at its tables, all in one commit but for
// tables of other homes, which have one each before it. It reports whether
// everything is done.
func (b *Bot) move(ctx context.Context, home, from, to string, tables []string) (bool, error) {
	docs, err := b.docs.Store.Get(ctx, homeKey(home))
	if err != nil {
		return false, err
	}
	var kept homeDoc
	if err := decode(docs[0], &kept); err != nil {
		return false, err
	}
	c := store.Change{Partition: store.Partition(home), Now: b.docs.Now()}
	if open := kept.Open[from]; open != "" {
		tables = append(slices.Clip(tables), open)
		kept.Open = maps.Clone(kept.Open)
		delete(kept.Open, from)
		if kept.Open[to] == "" {
			kept.Open[to] = open
		}
		c.Writes = append(c.Writes, store.Write{Name: homeName(home), Expect: docs[0].Version, Data: encode(kept)})
	}
	slices.Sort(tables)
	for _, id := range slices.Compact(tables) {
		keys, ok := tableKeys(id)
		if !ok {
			continue
		}
		if keys[0].Partition != c.Partition { // the chat is a guest there
			if err := b.moveGuest(ctx, id, from, to); err != nil {
				return false, err
			}
			continue
		}
		docs, err := b.docs.Store.Get(ctx, keys[0])
		if err != nil {
			return false, err
		}
		if docs[0].Version == 0 {
			continue
		}
		t, err := decodeTable(docs[0])
		if err != nil {
			return false, err
		}
		if !follow(&t.Table, from, to) {
			continue
		}
		w := store.Write{Name: keys[0].Name, Expect: t.version, Data: encode(t.Table)}
		if t.Phase == table.Closed {
			w.Expires = c.Now.Add(keepClosed)
		}
		c.Writes = append(c.Writes, w)
		c.Due = append(c.Due, store.Mark{ID: tableName(id), At: c.Now})
	}
	if len(c.Writes) == 0 {
		return true, nil
	}
	if err := b.docs.Store.Commit(ctx, c); err != nil {
		return false, err
	}
	b.docs.Nudge()
	return true, nil
}

// moveGuest has a table of another home go where its chat went.
func (b *Bot) moveGuest(ctx context.Context, id, from, to string) error {
	_, err := b.update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		if !follow(&t, from, to) {
			return t, nil, errSame
		}
		return t, nil, nil
	})
	if errors.Is(err, errSame) || errors.Is(err, errNoTable) {
		return nil
	}
	return err
}

// follow has a table go where its chat went, and reports whether it stood there;
// one of a tournament, where that did.
func follow(t *table.Table, from, to string) bool {
	if t.Contest != nil {
		moved := t.Contest.Chat == from
		if moved {
			contest := *t.Contest
			contest.Chat, t.Contest = to, &contest
		}
		return moved
	}
	at := func(id string) int {
		return slices.IndexFunc(t.Chats, func(c table.Chat) bool { return c.ID == id })
	}
	i := at(from)
	if i < 0 {
		return false
	}
	t.Chats = slices.Clone(t.Chats)
	if at(to) >= 0 {
		t.Chats = slices.Delete(t.Chats, i, i+1)
		return true
	}
	t.Chats[i].ID = to
	return true
}

// moved is the answer to the platform's word that a chat has another id now.
func (b *Bot) moved(ctx context.Context, in Input) Reply {
	if err := b.migrate(ctx, in.Former, in.Chat.ID); err != nil {
		b.docs.Log.Error("follow a chat to its new id", "err", err)
		return Reply{Outcome: Failed}
	}
	return Reply{}
}
