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
			Restore: restoreHome, Belongs: doc.OfItsHome, Goes: room.boardsGo, Without: doc.Without(withoutListed), About: doc.About(aboutHome),
			Scan: true, Lead: leadHome, Job: room.tendHome,
		},
		{Name: "player", Owner: doc.OfOne, New: func() any { return new(doc.Player) }, Without: doc.Without(withoutAsked), Job: room.tendPlayer},
		{
			Name: "welcome", Owner: doc.OfOne, New: func() any { return new(Welcome) }, Restore: doc.RestoreDue,
			Belongs: doc.OfItsHome, Goes: doc.JobGoes, Without: doc.Without((*Welcome).without), About: doc.About(Welcome.about), Scan: true, Job: room.tendWelcome,
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

// boardsGo deletes all boards of a home.
func (room *Room) boardsGo(ctx context.Context, c *store.Change, stored store.Doc) error {
	_, home := doc.KindAndRest(stored.Key.Name)
	var h doc.Home
	if err := doc.Decode(stored, &h); err != nil {
		return err
	}
	for _, board := range league.BoardNames(h, home) {
		if err := room.docs.ClearBoard(ctx, stored.Key.Partition, board); err != nil {
			return err
		}
	}
	c.Due = append(c.Due, store.Mark{ID: league.BoardsJob(home), At: c.Now})
	return doc.JobGoes(ctx, c, stored)
}

// withoutListed removes the person from the list of people who are notified of a home's new tables.
func withoutListed(d *doc.Home, s doc.Sweep, _ string) bool {
	_, listed := d.Tell[s.Player]
	delete(d.Tell, s.Player)
	return listed
}

// withoutAsked removes the home from a person's document, if they last opened their settings there. The
// person's own document is deleted at the end of the deletion.
func withoutAsked(d *doc.Player, s doc.Sweep, player string) bool {
	asked := player != s.Player && d.Asked == s.Home
	if asked {
		d.Asked, d.AskedIn = "", ""
	}
	return asked
}

// leadHome finds the documents about the person in a home. Every home that anyone played in has a document.
func leadHome(x *doc.Export, stored store.Doc) {
	_, home := doc.KindAndRest(stored.Key.Name)
	x.Follow(
		doc.InHome(home, doc.MemberName(home, x.Player)), doc.InHome(home, league.SkillName(home, x.Player)),
		doc.InHome(home, league.StreakName(home, x.Player)),
	)
}

func aboutHome(h doc.Home, x *doc.Export, home string) {
	if _, listed := h.Tell[x.Player]; listed {
		x.Add("told_of_tables_in", home)
	}
}
