package bot

import (
	"context"
	"strings"

	"sedmabot/store"
)

// cupKinds returns the kind of document that a tournament is.
func (b *Bot) cupKinds() []Kind {
	return []Kind{{
		Name: "tournament", Owner: OfTable, New: func() any { return new(cupDoc) },
		Restore: restoreCup, Forget: b.forgetCup, Export: exportCup, Job: b.tendCup,
	}}
}

func restoreCup(r *Restored, doc store.Doc) error {
	var cup cupDoc
	if err := decode(doc, &cup); err != nil {
		return err
	}
	if cup.ended() {
		r.Write.Expires = r.Now.Add(keepRecord)
	} else {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: undoneJob(doc.Key.Name), At: r.Now})
	}
	return RestoreDue(r, doc)
}

// forgetCup takes the person out of a tournament, or puts a tombstone in their place
// if it has begun. A tournament of the home is deleted; its tables are forgotten on their own.
func (b *Bot) forgetCup(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	var d cupDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	if d.Home == s.Home {
		_, id, _ := strings.Cut(doc.Key.Name, ":")
		return true, b.docs.Store.Commit(ctx, store.Change{
			Partition: doc.Key.Partition, Now: b.docs.Now(), Due: []store.Mark{{ID: doc.Key.Name, At: b.docs.Now()}},
			Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}, {Name: shownName(id), Expect: store.Any}},
		})
	}
	if s.Player == "" || !d.forget(s.Player, s.Gone(d.Home)) {
		return false, nil
	}
	return true, b.commitCup(ctx, "", d, doc.Version)
}

// cupExport is a tournament that a person opened, or took part in.
type cupExport struct {
	Tournament string `json:"tournament"`
	Home       string `json:"home"`
	Entrant    int    `json:"entrant,omitempty"` // the person's number in it
	Opened     bool   `json:"opened,omitempty"`
}

func exportCup(x *Export, doc store.Doc) error {
	var cup cupDoc
	if err := decode(doc, &cup); err != nil {
		return err
	}
	_, id, _ := strings.Cut(doc.Key.Name, ":")
	if i := cup.entrant(x.Player); i >= 0 || cup.Host.ID == x.Player {
		x.Add("tournaments", cupExport{Tournament: id, Home: cup.Home, Entrant: i + 1, Opened: cup.Host.ID == x.Player})
	}
	return nil
}
