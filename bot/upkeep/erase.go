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
	"sedmabot/bot/work"
	"sedmabot/store"
)

// A job deletes a person's data. It scans the whole store until one full scan finds
// nothing about the person. Each step is idempotent, and the progress is stored in a
// document, so the job continues after a crash.
//
// First, the person leaves all tables. Then all homes enter the matches that they still
// have to count. Then the person's name is removed from documents shared with others,
// and documents about the person alone are deleted. The person's private chat is a
// home, so everything in it is deleted. A home that has removed the bot is deleted the
// same way, by a job with another name (see purge.go).

// progress is the progress of a deletion job.
type progress struct {
	Since     time.Time      `json:"since"`          // when the deletion was requested, or when the home removed the bot
	Salt      []byte         `json:"salt,omitempty"` // salt of the tombstones; deleted with this document
	Lang      string         `json:"lang,omitempty"` // language of the message that reports the end
	Stage     doc.SweepStage `json:"stage,omitempty"`
	Partition int            `json:"partition,omitempty"` // partition that is being scanned, from Cursor
	Cursor    string         `json:"cursor,omitempty"`
	Found     bool           `json:"found,omitempty"` // the current scan found data
	Round     int            `json:"round,omitempty"` // earlier scans in this stage
	Tries     int            `json:"tries,omitempty"` // failed attempts to report the end
}

// sweepPrefixes has the prefix of the document names that each stage scans.
var sweepPrefixes = map[doc.SweepStage]string{doc.SweepTables: "table:", doc.SweepResults: "result:", doc.SweepAll: "", doc.SweepAgain: ""}

// Timing of deletions.
const (
	eraseAfter = 10 * time.Second // delay after the request, so that the person's earlier actions are committed
	sweepPart  = 4 * time.Second  // how long one run of the job may take; well within a lease
	sweepPause = time.Second      // delay before a stage's second scan; then it grows
	sweepLate  = 2 * work.Lease   // delay before the last scan, so that all leases from before the deletion have expired
	sweepRest  = 10 * time.Minute // maximum delay between scans
	tellTries  = 5                // maximum attempts to send the message that reports the end
)

// EraseName returns the name of the document and job that delete a person's data.
func EraseName(player string) string { return "erase:" + player }

// Erase starts the deletion of everything that is stored about the person who asks.
func (room *Room) Erase(ctx context.Context, in chat.Input) chat.Reply {
	player := in.Player.ID
	key := doc.PlayerKey(player)
	keys := []store.Key{key, {Partition: key.Partition, Name: EraseName(player)}}
	err := room.docs.Update(ctx, in.Once, keys, func(docs []store.Doc, c *store.Change) error {
		if docs[1].Version != 0 {
			return doc.ErrErasing
		}
		return begin(player, docs, c, progress{Lang: in.Catalogue().Code()})
	})
	if err != nil {
		return in.Refuse(err)
	}
	screen := erasing(in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: true}
}

// begin makes the deletion of a person's data due. docs are their document and that of an earlier deletion.
func begin(player string, docs []store.Doc, c *store.Change, far progress) error {
	var own doc.Player
	if err := doc.Decode(docs[0], &own); err != nil {
		return err
	}
	own.Erasing = true
	far.Since, far.Salt = c.Now, make([]byte, 16)
	rand.Read(far.Salt)
	c.Writes = []store.Write{
		{Name: docs[0].Key.Name, Expect: docs[0].Version, Data: doc.Encode(own)},
		{Name: docs[1].Key.Name, Expect: docs[1].Version, Data: doc.Encode(far)},
		{Name: doc.SessionsKey(player).Name, Expect: store.Any}, // their pages close at once
	}
	c.Due = []store.Mark{{ID: docs[1].Key.Name, At: c.Now.Add(eraseAfter)}}
	return nil
}

// EraseAgain deletes a person's data that a restore has brought back. The person isn't told again.
func EraseAgain(ctx context.Context, s store.Store, player string, now time.Time) error {
	key := doc.PlayerKey(player)
	docs, err := s.Get(ctx, key, store.Key{Partition: key.Partition, Name: EraseName(player)})
	if err != nil {
		return err
	}
	c := store.Change{Partition: key.Partition, Now: now}
	if err := begin(player, docs, &c, progress{Tries: tellTries}); err != nil {
		return err
	}
	return s.Commit(ctx, c)
}

// tendErase runs the job that deletes a person's data.
func (room *Room) tendErase(ctx context.Context, player string, job store.Job, ends time.Time) error {
	far, version, err := room.sweepOf(ctx, job)
	if err != nil {
		return err
	}
	if far.Stage == doc.SweepTables && far.Partition == 0 && far.Cursor == "" {
		room.erased(player)
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

// tellErased tells a person that their data has been deleted. It returns when to try
// again, or zero if the message was sent or can't be.
func (room *Room) tellErased(ctx context.Context, player string, doc progress) time.Time {
	p := room.deliver.PlatformOf(chat.Address(player))
	if p == nil || doc.Tries >= tellTries {
		return time.Time{}
	}
	_, err := room.deliver.Send(ctx, p, chat.Target{Player: player}, erased(lang.For(doc.Lang)), deliver.Nonce("erase", player, deliver.ShownPost{}))
	if fault, after := deliver.FaultOf(err); err != nil && fault == chat.Retry {
		return room.docs.Now().Add(max(after, deliver.BackOff(doc.Tries+1)))
	}
	return time.Time{}
}

// sweepOf returns the progress of a deletion job. If there is nothing to delete, the error is ErrNoTable.
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

// sweepOn continues a deletion job for about sweepPart, and saves its progress.
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
				found = true // the next scan handles the document again
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
		next = room.docs.Now().Add(chat.BackOff{First: sweepPause, Max: sweepRest}.Nth(far.Round))
		far.Round++
		break
	}
	room.docs.Nudge()
	return room.queue.Complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Next: next,
		Writes: []store.Write{{Name: job.ID, Expect: version, Data: doc.Encode(far)}},
	}, ends)
}

// forget removes the person or home from one document. It reports whether there was
// anything to remove.
func (room *Room) forget(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if !s.Mentioned(stored) {
		return false, nil
	}
	return room.all()[doc.KindOf(stored.Key.Name)].Remove(ctx, room.docs, s, stored)
}
