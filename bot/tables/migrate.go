package tables

import (
	"context"
	"errors"
	"maps"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Migrate moves everything of a chat from its old id to the new one: the link to its
// home, its open table, and the given tables.
func (ts *Tables) Migrate(ctx context.Context, from, to string, tables ...string) error {
	home, err := ts.docs.HomeOf(ctx, from)
	if err != nil {
		return err
	}
	// The link to the home comes first, because inputs with the new id need it. If a
	// later step fails, the old id still finds the rest.
	if err := ts.point(ctx, to, home); err != nil {
		return err
	}
	return doc.Retry(func() error { return ts.move(ctx, home, from, to, tables) })
}

// point links a chat's id to a home, unless it has a link already.
func (ts *Tables) point(ctx context.Context, id, home string) error {
	key := doc.ChatKey(id)
	return ts.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var at doc.ChatHome
		if err := doc.Decode(docs[0], &at); err != nil {
			return err
		}
		if at.Home != "" || id == home {
			return doc.ErrSame
		}
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(doc.ChatHome{Home: home, At: c.Now})}}
		return nil
	})
}

// move changes a chat's id in its home and its tables, in one commit. If the home's own id is now a former one, the commit
// notes that, and forgets that the chat with that id had removed the bot. Each table of another home has its own commit
// before that.
func (ts *Tables) move(ctx context.Context, home, from, to string, tables []string) error {
	docs, err := ts.docs.Store.Get(ctx, doc.HomeKey(home), doc.ChatKey(home))
	if err != nil {
		return err
	}
	var kept doc.Home
	var own doc.ChatHome
	if err := errors.Join(doc.Decode(docs[0], &kept), doc.Decode(docs[1], &own)); err != nil {
		return err
	}
	c := store.Change{Partition: store.Partition(home), Now: ts.docs.Now()}
	if from == home && !own.Former {
		own = doc.ChatHome{Home: home, Former: true}
		c.Writes = append(c.Writes,
			store.Write{Name: docs[1].Key.Name, Expect: docs[1].Version, Data: doc.Encode(own)},
			store.Write{Name: doc.PurgeKey(home).Name, Expect: store.Any})
	}
	if open := kept.Open[from]; open != "" {
		tables = append(slices.Clip(tables), open)
		kept.Open = maps.Clone(kept.Open)
		delete(kept.Open, from)
		if kept.Open[to] == "" {
			kept.Open[to] = open
		}
		c.Writes = append(c.Writes, store.Write{Name: doc.HomeName(home), Expect: docs[0].Version, Data: doc.Encode(kept)})
	}
	slices.Sort(tables)
	for _, id := range slices.Compact(tables) {
		keys, ok := doc.TableKeys(id)
		if !ok {
			continue
		}
		if keys[0].Partition != c.Partition { // the chat is a guest there
			if err := ts.moveGuest(ctx, id, from, to); err != nil {
				return err
			}
			continue
		}
		docs, err := ts.docs.Store.Get(ctx, keys[0])
		if err != nil {
			return err
		}
		if docs[0].Version == 0 {
			continue
		}
		t, err := doc.DecodeTable(docs[0])
		if err != nil {
			return err
		}
		if !Follow(&t.Table, from, to) {
			continue
		}
		w := store.Write{Name: keys[0].Name, Expect: t.Version, Data: doc.Encode(t.Table)}
		w.Expires, _ = t.Expiry(c.Now)
		c.Writes = append(c.Writes, w)
		c.Due = append(c.Due, store.Mark{ID: doc.TableName(id), At: c.Now})
	}
	if len(c.Writes) == 0 {
		return nil
	}
	return ts.docs.Commit(ctx, "", c)
}

// moveGuest changes a chat's id in a table of another home.
func (ts *Tables) moveGuest(ctx context.Context, id, from, to string) error {
	_, err := ts.Update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		if !Follow(&t, from, to) {
			return t, nil, doc.ErrSame
		}
		return t, nil, nil
	})
	if errors.Is(err, doc.ErrSame) || errors.Is(err, doc.ErrNoTable) {
		return nil
	}
	return err
}

// Follow changes a chat's id in a table, and reports whether the table had that chat. In
// a private table it changes the id of the chat beside it.
func Follow(t *table.Table, from, to string) bool {
	if t.Policy.Private {
		moved := t.Policy.Aside == from
		if moved {
			t.MoveAside(to)
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
