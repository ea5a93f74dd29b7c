package tables

import (
	"context"
	"errors"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

// Bring applies a command to a table, if needs returns one. It ignores a table that is
// gone or unreadable, and a command that the table refuses.
func (ts *Tables) Bring(ctx context.Context, id string, needs func(table.Table) (table.Player, table.Command, bool)) error {
	_, err := ts.Update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		player, command, changed := needs(t)
		if !changed {
			return t, nil, doc.ErrSame
		}
		return table.Apply(t, player, command, ts.Env())
	})
	var refused table.Refusal
	if errors.Is(err, doc.ErrSame) || errors.Is(err, doc.ErrNoTable) || errors.Is(err, doc.ErrNewer) || doc.Unreadable(err) || errors.As(err, &refused) {
		return nil
	}
	return err
}
