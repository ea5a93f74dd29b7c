package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
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

// sweepDoc is how far such a job has come.
type sweepDoc struct {
	Since     time.Time  `json:"since"`          // of a removed home: when the bot was removed. Else when it was asked for
	Salt      []byte     `json:"salt,omitempty"` // what tombstones are made with: it goes with the document
	Lang      string     `json:"lang,omitempty"` // in which he is told of the end
	Stage     SweepStage `json:"stage,omitempty"`
	Partition int        `json:"partition,omitempty"` // that is being read, from Cursor on
	Cursor    string     `json:"cursor,omitempty"`
	Found     bool       `json:"found,omitempty"` // something, in this reading
	Round     int        `json:"round,omitempty"` // readings of this stage before this one
	Tries     int        `json:"tries,omitempty"` // to tell him
}

// What each stage reads.
var sweepPrefixes = map[SweepStage]string{SweepTables: "table:", SweepResults: "result:", SweepAll: "", SweepAgain: ""}

// How data is deleted.
const (
	eraseAfter = 10 * time.Second // after he asked, when whatever he did before is committed
	sweepPart  = 4 * time.Second  // how long a part of the work may take: well within a lease
	sweepPause = time.Second      // before the second reading of a stage; then longer
	sweepLate  = 2 * lease        // before the very last one: nobody holds a job any more that he began before
	sweepRest  = 10 * time.Minute // the longest pause
	tellTries  = 5                // how often it is tried to tell him
)

// errErasing refuses to keep anything new of a person whose data is being deleted.
var errErasing = NewRefusal("erasing")

func eraseName(player string) string { return "erase:" + player }

// erase begins to delete what is kept of who asks.
func (b *Bot) erase(ctx context.Context, in Input) Reply {
	player := in.Player.ID
	key := playerKey(player)
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, key, store.Key{Partition: key.Partition, Name: eraseName(player)})
		if err != nil {
			return in.Refuse(err)
		}
		if docs[1].Version != 0 {
			return in.Refuse(errErasing)
		}
		var own playerDoc
		if err := decode(docs[0], &own); err != nil {
			return in.Refuse(err)
		}
		own.Erasing = true
		now := b.docs.Now()
		doc := sweepDoc{Since: now, Salt: make([]byte, 16), Lang: in.Catalogue().Code()}
		rand.Read(doc.Salt)
		err = b.docs.CommitOnce(ctx, in.Once, store.Change{
			Partition: key.Partition, Now: now,
			Writes: []store.Write{
				{Name: key.Name, Expect: docs[0].Version, Data: encode(own)},
				{Name: eraseName(player), Data: encode(doc)},
			},
			Due: []store.Mark{{ID: eraseName(player), At: now.Add(eraseAfter)}},
		})
		if err == nil {
			b.docs.Nudge()
			screen := view.Erasing(in.Catalogue())
			return Reply{Screen: &screen, Replace: true}
		}
		if !errors.Is(err, store.ErrConflict) {
			return in.Refuse(err)
		}
	}
	return in.Refuse(errBusy)
}

// tendErase does the job of deleting a person's data.
func (b *Bot) tendErase(ctx context.Context, player string, job store.Job, ends time.Time) error {
	doc, version, err := b.sweepOf(ctx, job)
	if err != nil {
		return err
	}
	if doc.Stage < SweepDone {
		return b.sweepOn(ctx, job, Sweep{Player: player, Home: player}, doc, version, ends)
	}
	if again := b.tellErased(ctx, player, doc); !again.IsZero() {
		doc.Tries++
		return b.complete(ctx, store.Change{
			Partition: job.Partition, Done: &job, Next: again,
			Writes: []store.Write{{Name: job.ID, Expect: version, Data: encode(doc)}},
		}, ends)
	}
	return b.complete(ctx, store.Change{
		Partition: job.Partition, Done: &job,
		Writes: []store.Write{{Name: job.ID, Expect: version}, {Name: playerName(player), Expect: store.Any}},
	}, ends)
}

// tellErased tells a person that it is done, and returns when to try again; zero
// if he was told, or cannot be.
func (b *Bot) tellErased(ctx context.Context, player string, doc sweepDoc) time.Time {
	p := b.platformOf(Address(player))
	if p == nil || doc.Tries >= tellTries {
		return time.Time{}
	}
	_, err := p.Send(ctx, Target{Player: player}, view.Erased(lang.For(doc.Lang)), nonce("erase", player, shownPost{}))
	if fault, after := faultOf(err); err != nil && fault == Retry {
		return b.docs.Now().Add(max(after, backOff(doc.Tries+1)))
	}
	return time.Time{}
}

// sweepOf is how far a job of deleting has come; errNoTable if there is nothing to delete.
func (b *Bot) sweepOf(ctx context.Context, job store.Job) (doc sweepDoc, version int64, err error) {
	docs, err := b.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err == nil && docs[0].Version == 0 {
		err = errNoTable
	}
	if err != nil {
		return doc, 0, err
	}
	return doc, docs[0].Version, decode(docs[0], &doc)
}

// sweepOn goes on with a job of deleting for a while, and notes how far it came.
func (b *Bot) sweepOn(ctx context.Context, job store.Job, s Sweep, doc sweepDoc, version int64, ends time.Time) error {
	s.Salt, s.Stage, s.Round = doc.Salt, doc.Stage, doc.Round
	next := b.docs.Now()
	for began := next; doc.Stage < SweepDone && b.docs.Now().Sub(began) < sweepPart; {
		docs, cursor, err := b.docs.Store.Scan(ctx, doc.Partition, sweepPrefixes[doc.Stage], doc.Cursor)
		var damaged *store.Damaged
		if errors.As(err, &damaged) {
			b.docs.Log.Error("look for somebody's data", "err", err)
		} else if err != nil {
			return err
		}
		for _, d := range docs {
			found, err := b.forget(ctx, s, d)
			switch {
			case errors.Is(err, store.ErrConflict), errors.Is(err, errBusy), errors.Is(err, errNewer):
				found = true // the next reading sees how it stands then
			case unreadable(err):
				b.docs.Log.Error("look for somebody's data", "err", err)
			case err != nil:
				return err
			}
			doc.Found = doc.Found || found
		}
		if doc.Cursor = cursor; cursor != "" {
			continue
		}
		if doc.Partition++; doc.Partition < store.Partitions {
			continue
		}
		doc.Partition = 0
		if !doc.Found {
			doc.Stage, doc.Round = doc.Stage+1, 0
			if doc.Stage == SweepAgain {
				next = b.docs.Now().Add(sweepLate)
				break
			}
			continue
		}
		doc.Found = false
		next = b.docs.Now().Add(min(sweepPause<<min(doc.Round, 20), sweepRest))
		doc.Round++
		break
	}
	b.docs.Nudge()
	return b.complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Next: next,
		Writes: []store.Write{{Name: job.ID, Expect: version, Data: encode(doc)}},
	}, ends)
}

// forget does what is to be done about one document, and reports whether there was
// anything.
func (b *Bot) forget(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	forget := b.byName[kindOf(doc.Key.Name)].Forget
	if forget == nil || !s.Mentioned(doc) {
		return false, nil
	}
	return forget(ctx, s, doc)
}

// kindAndRest cuts a document's name behind its kind.
func kindAndRest(name string) (kind, rest string) {
	kind, rest, _ = strings.Cut(name, ":")
	return kind, rest
}
