package tables

import (
	"context"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// OpenTable returns the id of the open table in a chat, or "".
func (ts *Tables) OpenTable(ctx context.Context, where chat.Chat) (string, error) {
	home, err := ts.docs.Home(ctx, where.Home)
	return home.Open[where.ID], err
}

// TablesOf returns the ids of the open tables at which a player sits, the latest last.
// The player's document may also list others, if a process died between writing it and
// writing the table. TablesOf removes those from the document.
func (ts *Tables) TablesOf(ctx context.Context, player string) ([]string, error) {
	return ts.tablesOf(ctx, player, false)
}

// tablesOf is TablesOf. With reserved, it keeps tables in the document at which the player may be about to take a seat.
func (ts *Tables) tablesOf(ctx context.Context, player string, reserved bool) ([]string, error) {
	person, err := ts.docs.Own(ctx, player)
	if err != nil || len(person.Tables) == 0 {
		return nil, err
	}
	var ids []string
	for some := range slices.Chunk(person.Tables, FewTables) { // keeps only few tables in memory at a time
		var keys []store.Key
		for _, id := range some {
			own, _ := doc.TableKeys(id)
			keys = append(keys, own[0])
		}
		docs, err := ts.docs.Store.Get(ctx, keys...)
		if err != nil {
			return nil, err
		}
		for i, id := range some {
			t, err := ts.ReadTable(docs[i])
			if err != nil {
				continue // unreadable here, perhaps of a newer schema
			}
			_, sits := t.Private(player)
			switch over := docs[i].Version > 0 && doc.Ended(t.Phase); {
			case sits && !over:
				ids = append(ids, id)
			case over || !reserved:
				if err := ts.IndexPlayer(ctx, player, id, false, false, "", ""); err != nil {
					return nil, err
				}
			}
		}
	}
	return ids, nil
}
