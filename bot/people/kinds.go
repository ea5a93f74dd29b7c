package people

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// kinds returns the kinds of documents that store settings.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "home", Owner: doc.OfOne, New: func() any { return new(doc.Home) },
			Restore: restoreHome, Forget: room.forgetHome, Export: exportHome, Scan: true, Lead: leadHome, Job: room.tendHome,
		},
		{Name: "player", Owner: doc.OfOne, New: func() any { return new(doc.Player) }, Forget: room.forgetPlayer, Job: room.tendPlayer},
		{
			Name: "welcome", Owner: doc.OfOne, New: func() any { return new(Welcome) }, Restore: doc.RestoreDue,
			Forget: room.forgetWelcome, Export: exportWelcome, Scan: true, Job: room.tendWelcome,
		},
		{Name: "heard", Owner: doc.OfOne, New: func() any { return new(Heard) }, Restore: restoreHeard},
	}
}

// restoreHeard starts a platform's Heard again, because the backup lacks later welcomes.
func restoreHeard(r *doc.Restored, _ store.Doc) error {
	r.Write.Data = doc.Encode(Heard{Since: r.Now})
	return nil
}

func restoreHome(r *doc.Restored, stored store.Doc) error {
	var home doc.Home
	if err := doc.Decode(stored, &home); err != nil {
		return err
	}
	if _, id := doc.KindAndRest(stored.Key.Name); len(home.Periods) > 0 {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: league.BoardsJob(id), At: r.Now})
	}
	return nil
}

// forgetHome deletes the home's own document and its boards. In another home's document,
// it removes the person from the list of people who are notified of new tables.
func (room *Room) forgetHome(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	_, home := doc.KindAndRest(stored.Key.Name)
	if home != s.Home {
		return doc.Amend(ctx, room.docs, stored, func(d *doc.Home, _ *store.Write) bool {
			_, listed := d.Tell[s.Player]
			delete(d.Tell, s.Player)
			return listed
		})
	}
	var h doc.Home
	if err := doc.Decode(stored, &h); err != nil {
		return false, err
	}
	for _, board := range league.BoardNames(h, home) {
		if err := room.docs.ClearBoard(ctx, stored.Key.Partition, board); err != nil {
			return true, err
		}
	}
	now := room.docs.Now()
	return true, room.docs.Drop(ctx, stored, store.Mark{ID: league.BoardsJob(home), At: now}, store.Mark{ID: stored.Key.Name, At: now})
}

// forgetPlayer removes the home from another person's document, if they last opened their
// settings there. The person's own document is deleted at the end of the deletion.
func (room *Room) forgetPlayer(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	return doc.Amend(ctx, room.docs, stored, func(d *doc.Player, _ *store.Write) bool {
		asked := stored.Key.Name != doc.PlayerName(s.Player) && d.Asked == s.Home
		if asked {
			d.Asked, d.AskedIn = "", ""
		}
		return asked
	})
}

// leadHome finds the documents about the person in a home. Every home that anyone played in has a document.
func leadHome(x *doc.Export, stored store.Doc) {
	_, home := doc.KindAndRest(stored.Key.Name)
	x.Follow(
		doc.InHome(home, doc.MemberName(home, x.Player)), doc.InHome(home, league.SkillName(home, x.Player)),
		doc.InHome(home, league.StreakName(home, x.Player)),
	)
}

func exportHome(x *doc.Export, stored store.Doc) error {
	var h doc.Home
	if err := doc.Decode(stored, &h); err != nil {
		return err
	}
	if _, listed := h.Tell[x.Player]; listed {
		_, home := doc.KindAndRest(stored.Key.Name)
		x.Add("told_of_tables_in", home)
	}
	return nil
}
