package tournaments

import (
	"context"
	"strings"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kinds returns the document kinds of tournaments and of evenings.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{{
		Name: "tournament", Owner: doc.OfTable, New: func() any { return new(Tournament) },
		Restore: restoreCup, Forget: room.forgetCup, Export: exportCup, Scan: true, Job: room.tendCup,
	}, {
		Name: "evenings", Owner: doc.OfTable, New: func() any { return new(Evenings) },
		Restore: restoreEvenings, Forget: room.forgetEvenings, Export: exportEvenings, Scan: true, Job: room.tendEvenings,
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

// forgetCup takes the person out of a tournament, or replaces them with a tombstone if it
// has begun. If the tournament's home is being deleted, the tournament is deleted too; its
// tables are deleted separately.
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

// cupExport is a tournament that a person opened or entered, in the export of their data.
type cupExport struct {
	Tournament string `json:"tournament"`
	Home       string `json:"home"`
	Entrant    int    `json:"entrant,omitempty"` // the person's place among the entrants, from 1; 0: none
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
