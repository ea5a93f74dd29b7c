package tables

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Env returns the environment of a command of package table: the time and a seed.
func (ts *Tables) Env() table.Env {
	return table.Env{Now: ts.docs.Now().Round(0), Seed: ts.Seed()} // Round drops the monotonic clock
}

// Update loads a table, lets step change it, and commits the result, with retries after
// conflicts. It returns the table as committed. step may run several times, so it must
// have no side effects. If step fails, Update returns its error and the loaded table.
func (ts *Tables) Update(ctx context.Context, id string, step func(t table.Table) (table.Table, []table.Event, error)) (table.Table, error) {
	return ts.UpdateWith(ctx, id, "", "", func(t table.Table, _ doc.Player) (table.Table, []table.Event, error) { return step(t) })
}

// UpdateWith is Update for a step that also needs a player's document, unless player is
// "". Unless event is "", the change is committed only once for that event.
func (ts *Tables) UpdateWith(ctx context.Context, id, player, event string, step func(t table.Table, own doc.Player) (table.Table, []table.Event, error)) (table.Table, error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return table.Table{}, doc.ErrNoTable
	}
	want := []store.Key{keys[0]}
	if player != "" {
		want = append(want, doc.PlayerKey(player))
	}
	var t table.Table
	err := doc.Retry(func() error {
		t = table.Table{}
		docs, err := ts.docs.Store.Get(ctx, want...)
		if err != nil {
			return err
		}
		if docs[0].Version == 0 {
			return doc.ErrNoTable
		}
		old, err := ts.ReadTable(docs[0])
		if err != nil {
			return err
		}
		t = old.Table
		var own doc.Player
		if player != "" {
			if err := doc.Decode(docs[1], &own); err != nil {
				return err
			}
			if own.Erasing {
				return doc.ErrErasing
			}
		}
		next, events, err := step(t, own)
		if err != nil {
			return err
		}
		change, err := ts.Change(ctx, old, &next, events)
		if err != nil {
			return err
		}
		if change.Claim = ts.queue.Claim(id, change.Now); change.Claim == nil {
			change.Due = append(change.Due, store.Mark{ID: doc.TableName(id), At: change.Now})
		}
		if err := ts.queue.Commit(ctx, event, change); err != nil {
			return err
		}
		t = next
		return nil
	})
	return t, err
}
