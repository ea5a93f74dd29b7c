package tournaments

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kinds returns the document kinds of tournaments and of evenings.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{{
		Name: "tournament", Owner: doc.OfTable, New: func() any { return new(Tournament) },
		Restore: restoreTournament, Forget: room.forgetTournament, About: doc.About(Tournament.about), Scan: true, Job: room.tendTournament,
	}, {
		Name: "evenings", Owner: doc.OfTable, New: func() any { return new(Evenings) },
		Restore: doc.RestoreDue, Forget: room.forgetEvenings, About: doc.About(Evenings.about), Scan: true, Job: room.tendEvenings,
	}}
}

func restoreTournament(r *doc.Restored, stored store.Doc) error {
	var d Tournament
	if err := doc.Decode(stored, &d); err != nil {
		return err
	}
	if !d.Ended() {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.UndoneJob(stored.Key.Name), At: r.Now})
	}
	return doc.RestoreDue(r, stored)
}

// forgetTournament takes the person out of a tournament, or replaces them with a tombstone if it
// has begun. A lobby with neither a host nor an entrant is called off. If the tournament's home is being deleted, the tournament is deleted too; its
// tables are deleted separately.
func (room *Room) forgetTournament(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var d Tournament
	if err := doc.Decode(stored, &d); err != nil {
		return false, err
	}
	if d.Home == s.Home {
		_, id := doc.KindAndRest(stored.Key.Name)
		return true, room.docs.Store.Commit(ctx, store.Change{
			Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
			Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(id), Expect: store.Any}},
		})
	}
	if s.Player == "" || !d.forget(s.Player, s.Gone(d.Home)) {
		return false, nil
	}
	if d.lobby() && d.Host.ID == s.Gone(d.Home) { // nobody is there
		d.end(StageOff, room.docs.Now())
	}
	return true, room.commitTournament(ctx, "", d, stored.Version)
}

// tournamentExport is a tournament that a person opened or entered, in the export of their data.
type tournamentExport struct {
	Tournament string `json:"tournament"`
	Home       string `json:"home"`
	Entrant    int    `json:"entrant,omitempty"` // the person's place among the entrants, from 1; 0: none
	Opened     bool   `json:"opened,omitempty"`
}

func (d Tournament) about(x *doc.Export, id string) {
	if i := d.entrant(x.Player); i >= 0 || d.Host.ID == x.Player {
		x.Add("tournaments", tournamentExport{Tournament: id, Home: d.Home, Entrant: i + 1, Opened: d.Host.ID == x.Player})
	}
}
