package bot

import (
	"context"
	"errors"
	"time"

	"sedmabot/store"
)

// A home that removes the bot is deleted some time later, unless it takes the bot
// back before. When it was removed is a document of its own (purge:<home>), and
// its job is due when the time is over. Whatever shows that the bot is back, the
// platform's word or a command, deletes the document, and so ends it.

// Presence is what a platform tells of the bot in a home.
type Presence uint8

// What it may tell.
const (
	Removed Presence = iota + 1 // the bot was removed, or its user has blocked it
	Back                        // it is there
)

// purgeAfter is how long what belongs to a home is kept after it removed the bot.
const purgeAfter = 30 * 24 * time.Hour

func purgeKey(home string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: "purge:" + home}
}

// presence is the answer to the platform's word that the bot was removed from a
// home, or is there.
func (b *Bot) presence(ctx context.Context, in Input) Reply {
	in, err := b.docs.Settled(ctx, in)
	if err == nil && in.Presence == Removed {
		err = b.removed(ctx, in.Chat.Home)
	} else if err == nil {
		err = b.returned(ctx, in.Chat.Home)
	}
	if err != nil {
		b.docs.Log.Error("note that a home removed the bot, or took it back", "err", err)
		return Reply{Outcome: Failed}
	}
	return Reply{}
}

// removed notes that a home has removed the bot. What was noted before stays: it
// is thirty days from then.
func (b *Bot) removed(ctx context.Context, home string) error {
	key, now := purgeKey(home), b.docs.Now()
	err := b.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: now,
		Writes: []store.Write{{Name: key.Name, Data: encode(sweepDoc{Since: now})}},
		Due:    []store.Mark{{ID: key.Name, At: now.Add(purgeAfter)}},
	})
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// returned notes that the bot is in a home.
func (b *Bot) returned(ctx context.Context, home string) error {
	docs, err := b.docs.Store.Get(ctx, purgeKey(home))
	if err != nil {
		return err
	}
	return b.docs.KeepHome(ctx, docs[0])
}

// tendPurge does the job of deleting a home.
func (b *Bot) tendPurge(ctx context.Context, home string, job store.Job, ends time.Time) error {
	doc, version, err := b.sweepOf(ctx, job)
	if err != nil {
		return err
	}
	// It may have come back and gone again since the job was marked.
	if until := doc.Since.Add(purgeAfter); until.After(b.docs.Now()) {
		return b.docs.Store.Release(ctx, job, b.docs.Now(), until)
	}
	if begins := doc.Stage == SweepTables && doc.Partition == 0 && doc.Round == 0; begins {
		alive, err := b.alive(ctx, home, doc.Since)
		if err != nil {
			return err
		}
		if alive {
			doc.Stage = SweepDone
		}
	}
	if doc.Stage < SweepDone {
		return b.sweepOn(ctx, job, Sweep{Home: home}, doc, version, ends)
	}
	return b.complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Writes: []store.Write{{Name: job.ID, Expect: version}},
	}, ends)
}

// alive tells whether people play in a home long after it removed the bot, as was
// said then: it is there, though nobody said so. (What ran then, the AI ends within
// days.) A group that becomes another one may be told of as left.
func (b *Bot) alive(ctx context.Context, home string, since time.Time) (bool, error) {
	h, err := b.docs.Home(ctx, home)
	if err != nil {
		return false, err
	}
	var keys []store.Key
	for _, id := range h.Open {
		table, _ := tableKeys(id)
		keys = append(keys, table[0])
	}
	for _, id := range h.Matches {
		table, no, _ := parseMatchID(id)
		key, _ := matchKey(table, no)
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return false, nil
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return false, err
	}
	for _, doc := range docs {
		var latest struct {
			At      time.Time `json:"at"`      // of a match
			Touched time.Time `json:"touched"` // of a table
		}
		if err := decode(doc, &latest); err != nil {
			return false, err
		}
		if half := since.Add(purgeAfter / 2); latest.At.After(half) || latest.Touched.After(half) {
			return true, nil
		}
	}
	return false, nil
}
