package pages

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// Changes returns a loop that goes round after each change of a table, of its notes, or of what its
// pages show of its people, in any process.
func (room *Room) Changes(ctx context.Context, id string) (chat.Changes, error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return nil, doc.ErrNoTable
	}
	here, _ := doc.CompanyKey(id)
	return room.watch(ctx, keys[0], keys[2], here), nil
}

// ChangesIn returns a loop that goes round after each change of a home's document, which lists its open tables.
func (room *Room) ChangesIn(ctx context.Context, home string) chat.Changes {
	return room.watch(ctx, doc.HomeKey(home))
}

// AtDoor reports whether the front door may make a press.
func (room *Room) AtDoor(press string) bool { return room.atDoor(press) }

// Preferences returns the language and the face that a person has chosen, or "".
func (room *Room) Preferences(ctx context.Context, player string) (language, face string, fresh bool, err error) {
	own, err := room.docs.Own(ctx, player)
	if err != nil || own.Last != "" || len(own.Tables) > 0 {
		return own.Lang, own.Face, false, err
	}
	var ladder league.Ladder
	_, err = room.docs.Get(ctx, league.LadderKey(player), &ladder)
	return own.Lang, own.Face, !ladder.Tutorial, err
}

// watch returns a loop that goes round after each change of one of the documents.
func (room *Room) watch(ctx context.Context, keys ...store.Key) chat.Changes {
	return func(yield func() bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for range room.docs.Store.Watch(ctx, keys...) {
			if !yield() {
				return
			}
		}
	}
}
