package bot

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sedmabot/game/table"
	"sedmabot/store"
)

// reviewKinds returns the kinds of documents that a finished match leaves.
func (b *Bot) reviewKinds() []Kind {
	return []Kind{
		{Name: "record", Owner: OfTable, New: func() any { return new(json.RawMessage) }, Restore: restoreRecord},
		{Name: "match", Owner: OfTable, New: func() any { return new(matchDoc) }, Restore: restoreRecord, Forget: b.forgetMatch},
		{
			Name: "coach", Owner: OfTable, New: func() any { return new(coachDoc) }, Restore: restoreRecord,
			Forget: b.forgetCoach, Export: exportCoach, Job: b.tendCoach,
		},
		{Name: "skill", Owner: OfHome(1), New: func() any { return new(skillDoc) }, Forget: b.forgetSkill, Export: exportSkill},
	}
}

// restoreRecord has what a match leaves expire when its home wants that.
func restoreRecord(r *Restored, doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	id, _, _ := strings.Cut(rest, ":")
	r.Write.Expires = r.Now.Add(r.Keep(doc.Key.Partition, id))
	return nil
}

// forgetMatch puts a tombstone into a finished match. A match of the home is deleted with
// the records of its deals.
func (b *Bot) forgetMatch(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	var m matchDoc
	if err := decode(doc, &m); err != nil {
		return false, err
	}
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	id, no, _ := strings.Cut(rest, ":")
	if m.Home == s.Home {
		c := store.Change{Partition: doc.Key.Partition, Now: b.docs.Now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}}
		c.Writes = append(c.Writes, store.Write{Name: "coach:" + id + ":" + no, Expect: store.Any})
		for i := range m.Seeds {
			c.Writes = append(c.Writes, store.Write{Name: recordName(id, m.First+i), Expect: store.Any})
		}
		return true, b.docs.Store.Commit(ctx, c)
	}
	host, err := b.docs.Home(ctx, m.Home)
	if err != nil {
		return false, err
	}
	return Amend(ctx, b.docs, doc, func(d *matchDoc, w *store.Write) bool {
		found := slices.Contains(d.Guests, s.Home)
		d.Guests = slices.DeleteFunc(d.Guests, func(home string) bool { return home == s.Home })
		for i := range d.Seats {
			if d.Seats[i].Player.ID == s.Player && s.Player != "" {
				d.Seats[i].Player, found = table.Tombstone(s.Gone(d.Home), i), true
			}
		}
		w.Expires = d.At.Add(host.keeps())
		return found
	})
}

func (b *Bot) forgetCoach(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	return Amend(ctx, b.docs, doc, func(d *coachDoc, w *store.Write) bool {
		found := false
		for i := range d.Seats {
			if d.Seats[i].Player == s.Player && s.Player != "" {
				d.Seats[i].Player, found = table.Gone, true
			}
		}
		w.Expires = b.docs.Now().Add(keepRecord)
		return found
	})
}

func (b *Bot) forgetSkill(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	if home, player, _ := cutLast(rest, "|"); home != s.Home && player != s.Player {
		return false, nil
	}
	return true, b.docs.Drop(ctx, doc)
}

// coachExport is what the coach saw of a person in a match.
type coachExport struct {
	Match    string  `json:"match"`
	Choices  int     `json:"choices"`
	Accuracy float64 `json:"accuracy"`
}

func exportCoach(x *Export, doc store.Doc) error {
	var c coachDoc
	if err := decode(doc, &c); err != nil {
		return err
	}
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	for _, s := range c.Seats {
		if s.Player == x.Player {
			x.Add("coach", coachExport{Match: rest, Choices: s.Choices, Accuracy: s.Accuracy})
		}
	}
	return nil
}

func exportSkill(x *Export, doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, player, _ := cutLast(rest, "|")
	if player != x.Player {
		return nil
	}
	var skill skillDoc
	if err := decode(doc, &skill); err != nil {
		return err
	}
	x.Put("skill", home, skill)
	return nil
}
