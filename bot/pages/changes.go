package pages

import (
	"context"

	"sedmabot/bot/doc"
)

// Changes returns a channel that gets a value after each change of a table or of its notes,
// in any process.
func (room *Room) Changes(ctx context.Context, id string) (<-chan struct{}, error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return nil, doc.ErrNoTable
	}
	out := make(chan struct{}, 1)
	go func() {
		for range room.docs.Store.Watch(ctx, keys[0], keys[2]) {
			select {
			case out <- struct{}{}:
			default: // the reader hasn't taken the last one yet
			}
		}
	}()
	return out, nil
}
