package upkeep

import (
	"context"
	"errors"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// PurgeAfter is how long a home's data is kept after it removed the bot.
const PurgeAfter = 30 * 24 * time.Hour

// Presence handles the platform's message that the bot was removed from a home, or
// that it is present there.
func (room *Room) Presence(ctx context.Context, in chat.Input) chat.Reply {
	at := doc.ChatHome{Home: in.Chat.Home}
	_, err := room.docs.Get(ctx, doc.ChatKey(in.Chat.Home), &at)
	switch {
	case err != nil || at.Former: // the platform reports a former id as left
	case in.Presence == chat.Removed:
		err = room.removed(ctx, at.Home)
	default:
		err = room.returned(ctx, at.Home)
	}
	if err != nil {
		room.docs.Log.Error("note that a home removed the bot, or took it back", "err", err)
		return chat.Reply{Outcome: doc.Outcome(err)}
	}
	return chat.Reply{}
}

// removed records that a home has removed the bot, and schedules the deletion. If that
// was recorded before, the earlier time stays in effect.
func (room *Room) removed(ctx context.Context, home string) error {
	key, now := doc.PurgeKey(home), room.docs.Now()
	err := room.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: now,
		Writes: []store.Write{{Name: key.Name, Data: doc.Encode(progress{Since: now})}},
		Due:    []store.Mark{{ID: key.Name, At: now.Add(PurgeAfter)}},
	})
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// returned cancels a home's scheduled deletion, because the bot is in the home.
func (room *Room) returned(ctx context.Context, home string) error {
	docs, err := room.docs.Store.Get(ctx, doc.PurgeKey(home))
	if err != nil {
		return err
	}
	return room.docs.KeepHome(ctx, docs[0])
}

// tendPurge runs the job that deletes a home's data.
func (room *Room) tendPurge(ctx context.Context, home string, job store.Job, ends time.Time) error {
	far, version, err := room.sweepOf(ctx, job)
	if err != nil {
		return err
	}
	// The bot may have been added and removed again since the job was scheduled.
	if until := far.Since.Add(PurgeAfter); until.After(room.docs.Now()) {
		return room.docs.Store.Release(ctx, job, room.docs.Now(), until)
	}
	if begins := far.Stage == doc.SweepTables && far.Partition == 0 && far.Round == 0; begins {
		alive, err := room.alive(ctx, home, far.Since)
		if err != nil {
			return err
		}
		if alive {
			far.Stage = doc.SweepDone
		}
	}
	if far.Stage < doc.SweepDone {
		return room.sweepOn(ctx, job, doc.Sweep{Home: home}, far, version, ends)
	}
	return room.queue.Complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Writes: []store.Write{{Name: job.ID, Expect: version}},
	}, ends)
}

// alive reports whether people still play in a home long after the reported removal.
// The bot is then present, although no platform message said so. For example, a group
// whose id changes may be reported as left. The AI finishes matches that ran at the
// removal within days, so only play after half of PurgeAfter counts.
func (room *Room) alive(ctx context.Context, home string, since time.Time) (bool, error) {
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return false, err
	}
	var keys []store.Key
	for _, id := range h.Open {
		table, _ := doc.TableKeys(id)
		keys = append(keys, table[0])
	}
	for _, id := range h.Matches {
		table, no, _ := doc.ParseMatchID(id)
		key, _ := doc.MatchKey(table, no)
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return false, nil
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return false, err
	}
	for _, stored := range docs {
		var latest struct {
			At      time.Time `json:"at"`      // end time of a match
			Touched time.Time `json:"touched"` // last change of a table
		}
		if err := doc.Decode(stored, &latest); err != nil {
			return false, err
		}
		if half := since.Add(PurgeAfter / 2); latest.At.After(half) || latest.Touched.After(half) {
			return true, nil
		}
	}
	return false, nil
}
