package upkeep

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// A person's data goes by a job that reads everything there is, again and again
// until one whole reading finds nothing of him. Each step that it takes is the
// same when it is taken twice, and how far it has come is a document, so that it
// goes on after a crash. First he leaves all tables; then the ledgers of all homes
// get what they wait for; then his name goes from whatever others share with him,
// and everything goes that is his alone. His own private chat is a home, and goes
// as a whole; so does, by the same job under another name, a home that has removed
// the bot (see purge.go).

// progress is how far such a job has come.
type progress struct {
	Since     time.Time      `json:"since"`          // of a removed home: when the bot was removed. Else when it was asked for
	Salt      []byte         `json:"salt,omitempty"` // what tombstones are made with: it goes with the document
	Lang      string         `json:"lang,omitempty"` // in which he is told of the end
	Stage     doc.SweepStage `json:"stage,omitempty"`
	Partition int            `json:"partition,omitempty"` // that is being read, from Cursor on
	Cursor    string         `json:"cursor,omitempty"`
	Found     bool           `json:"found,omitempty"` // something, in this reading
	Round     int            `json:"round,omitempty"` // readings of this stage before this one
	Tries     int            `json:"tries,omitempty"` // to tell him
}

// What each stage reads.
var sweepPrefixes = map[doc.SweepStage]string{doc.SweepTables: "table:", doc.SweepResults: "result:", doc.SweepAll: "", doc.SweepAgain: ""}

// How data is deleted.
const (
	eraseAfter = 10 * time.Second // after he asked, when whatever he did before is committed
	sweepPart  = 4 * time.Second  // how long a part of the work may take: well within a lease
	sweepPause = time.Second      // before the second reading of a stage; then longer
	sweepLate  = 2 * work.Lease   // before the very last one: nobody holds a job any more that he began before
	sweepRest  = 10 * time.Minute // the longest pause
	tellTries  = 5                // how often it is tried to tell him
)

// EraseName returns the name of the document and the job of deleting a person's data.
func EraseName(player string) string { return "erase:" + player }

// Erase begins to delete what is kept of who asks.
func (room *Room) Erase(ctx context.Context, in chat.Input) chat.Reply {
	player := in.Player.ID
	key := doc.PlayerKey(player)
	keys := []store.Key{key, {Partition: key.Partition, Name: EraseName(player)}}
	err := room.docs.Update(ctx, in.Once, keys, func(docs []store.Doc, c *store.Change) error {
		if docs[1].Version != 0 {
			return doc.ErrErasing
		}
		var own doc.Player
		if err := doc.Decode(docs[0], &own); err != nil {
			return err
		}
		own.Erasing = true
		far := progress{Since: c.Now, Salt: make([]byte, 16), Lang: in.Catalogue().Code()}
		rand.Read(far.Salt)
		c.Writes = []store.Write{
			{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(own)},
			{Name: keys[1].Name, Data: doc.Encode(far)},
		}
		c.Due = []store.Mark{{ID: keys[1].Name, At: c.Now.Add(eraseAfter)}}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	screen := view.Erasing(in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: true}
}

// tendErase does the job of deleting a person's data.
func (room *Room) tendErase(ctx context.Context, player string, job store.Job, ends time.Time) error {
	far, version, err := room.sweepOf(ctx, job)
	if err != nil {
		return err
	}
	if far.Stage < doc.SweepDone {
		return room.sweepOn(ctx, job, doc.Sweep{Player: player, Home: player}, far, version, ends)
	}
	if again := room.tellErased(ctx, player, far); !again.IsZero() {
		far.Tries++
		return room.queue.Complete(ctx, store.Change{
			Partition: job.Partition, Done: &job, Next: again,
			Writes: []store.Write{{Name: job.ID, Expect: version, Data: doc.Encode(far)}},
		}, ends)
	}
	return room.queue.Complete(ctx, store.Change{
		Partition: job.Partition, Done: &job,
		Writes: []store.Write{{Name: job.ID, Expect: version}, {Name: doc.PlayerName(player), Expect: store.Any}},
	}, ends)
}

// tellErased tells a person that it is done, and returns when to try again; zero
// if he was told, or cannot be.
func (room *Room) tellErased(ctx context.Context, player string, doc progress) time.Time {
	p := room.deliver.PlatformOf(chat.Address(player))
	if p == nil || doc.Tries >= tellTries {
		return time.Time{}
	}
	_, err := p.Send(ctx, chat.Target{Player: player}, view.Erased(lang.For(doc.Lang)), deliver.Nonce("erase", player, deliver.ShownPost{}))
	if fault, after := deliver.FaultOf(err); err != nil && fault == chat.Retry {
		return room.docs.Now().Add(max(after, deliver.BackOff(doc.Tries+1)))
	}
	return time.Time{}
}

// sweepOf returns how far a job of deleting has come. The error is ErrNoTable if there is nothing to delete.
func (room *Room) sweepOf(ctx context.Context, job store.Job) (far progress, version int64, err error) {
	docs, err := room.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err == nil && docs[0].Version == 0 {
		err = doc.ErrNoTable
	}
	if err != nil {
		return far, 0, err
	}
	return far, docs[0].Version, doc.Decode(docs[0], &far)
}

// sweepOn goes on with a job of deleting for a while, and notes how far it came.
func (room *Room) sweepOn(ctx context.Context, job store.Job, s doc.Sweep, far progress, version int64, ends time.Time) error {
	s.Salt, s.Stage, s.Round = far.Salt, far.Stage, far.Round
	next := room.docs.Now()
	for began := next; far.Stage < doc.SweepDone && room.docs.Now().Sub(began) < sweepPart; {
		docs, cursor, err := room.docs.Store.Scan(ctx, far.Partition, sweepPrefixes[far.Stage], far.Cursor)
		var damaged *store.Damaged
		if errors.As(err, &damaged) {
			room.docs.Log.Error("look for somebody's data", "err", err)
		} else if err != nil {
			return err
		}
		for _, d := range docs {
			found, err := room.forget(ctx, s, d)
			switch {
			case errors.Is(err, store.ErrConflict), errors.Is(err, doc.ErrBusy), errors.Is(err, doc.ErrNewer):
				found = true // the next reading sees how it stands then
			case doc.Unreadable(err):
				room.docs.Log.Error("look for somebody's data", "err", err)
			case err != nil:
				return err
			}
			far.Found = far.Found || found
		}
		if far.Cursor = cursor; cursor != "" {
			continue
		}
		if far.Partition++; far.Partition < store.Partitions {
			continue
		}
		far.Partition = 0
		if !far.Found {
			far.Stage, far.Round = far.Stage+1, 0
			if far.Stage == doc.SweepAgain {
				next = room.docs.Now().Add(sweepLate)
				break
			}
			continue
		}
		far.Found = false
		next = room.docs.Now().Add(chat.BackOff{First: sweepPause, Most: sweepRest}.Nth(far.Round))
		far.Round++
		break
	}
	room.docs.Nudge()
	return room.queue.Complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Next: next,
		Writes: []store.Write{{Name: job.ID, Expect: version, Data: doc.Encode(far)}},
	}, ends)
}

// forget does what is to be done about one document, and reports whether there was
// anything.
func (room *Room) forget(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	forget := room.Documents[doc.KindOf(stored.Key.Name)].Forget
	if forget == nil || !s.Mentioned(stored) {
		return false, nil
	}
	return forget(ctx, s, stored)
}
