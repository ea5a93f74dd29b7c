package cup

import (
	"context"
	"strings"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Kinds returns the kind of document that a tournament is.
func (room *Room) Kinds() []doc.Kind {
	return []doc.Kind{{
		Name: "tournament", Owner: doc.OfTable, New: func() any { return new(Tournament) },
		Restore: restoreCup, Forget: room.forgetCup, Export: exportCup, Job: room.tendCup,
	}}
}

func restoreCup(r *doc.Restored, stored store.Doc) error {
	var cup Tournament
	if err := doc.Decode(stored, &cup); err != nil {
		return err
	}
	if cup.Ended() {
		r.Write.Expires = r.Now.Add(doc.KeepRecord)
	} else {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.UndoneJob(stored.Key.Name), At: r.Now})
	}
	return doc.RestoreDue(r, stored)
}

// forgetCup takes the person out of a tournament, or puts a tombstone in their place
// if it has begun. A tournament of the home is deleted; its tables are forgotten on their own.
func (room *Room) forgetCup(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var d Tournament
	if err := doc.Decode(stored, &d); err != nil {
		return false, err
	}
	if d.Home == s.Home {
		_, id, _ := strings.Cut(stored.Key.Name, ":")
		return true, room.docs.Store.Commit(ctx, store.Change{
			Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
			Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(id), Expect: store.Any}},
		})
	}
	if s.Player == "" || !d.forget(s.Player, s.Gone(d.Home)) {
		return false, nil
	}
	return true, room.commitCup(ctx, "", d, stored.Version)
}

// cupExport is a tournament that a person opened, or took part in.
type cupExport struct {
	Tournament string `json:"tournament"`
	Home       string `json:"home"`
	Entrant    int    `json:"entrant,omitempty"` // the person's number in it
	Opened     bool   `json:"opened,omitempty"`
}

func exportCup(x *doc.Export, stored store.Doc) error {
	var cup Tournament
	if err := doc.Decode(stored, &cup); err != nil {
		return err
	}
	_, id, _ := strings.Cut(stored.Key.Name, ":")
	if i := cup.entrant(x.Player); i >= 0 || cup.Host.ID == x.Player {
		x.Add("tournaments", cupExport{Tournament: id, Home: cup.Home, Entrant: i + 1, Opened: cup.Host.ID == x.Player})
	}
	return nil
}
