package daily

import (
	"context"
	"strings"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// kinds returns the document kinds of the deal of the day.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "daily", Owner: doc.OfHome(1), New: func() any { return new(Deal) },
			Restore: doc.RestoreDue, Belongs: doc.OfHomesPart, Goes: room.boardGoes, Job: room.tendDaily,
		},
		{
			Name: "try", Owner: doc.OfHome(2), New: func() any { return new(league.Try) },
			Restore: restoreTry, Belongs: tryOf, Goes: rowGoes, Scan: true,
			About: doc.About(func(d league.Try, x *doc.Export, rest string) {
				x.Put("daily", strings.TrimSuffix(rest, "|"+x.Player), d)
			}),
		},
		{
			Name: "streak", Owner: doc.OfHome(1), New: func() any { return new(league.Streak) }, Belongs: doc.OfItsMember,
			About: doc.About(func(d league.Streak, x *doc.Export, rest string) {
				x.Put("streaks", strings.TrimSuffix(rest, "|"+x.Player), d)
			}),
		},
		{Name: "news", Owner: doc.OfOne, New: func() any { return new(Morning) }, Restore: doc.RestoreDue, Belongs: doc.OfItsHome, Goes: doc.MessagesGo, Job: room.posting.tend},
	}
}

// restoreTry restores a try, with its row on the board of its day.
func restoreTry(r *doc.Restored, stored store.Doc) error {
	var d league.Try
	if err := doc.Decode(stored, &d); err != nil {
		return err
	}
	today, player := doc.PairOf(stored.Key.Name)
	rows, err := d.Row(today, player)
	r.Change.Rows = append(r.Change.Rows, rows...)
	return err
}

// boardGoes deletes the board of a day's deal.
func (room *Room) boardGoes(ctx context.Context, c *store.Change, stored store.Doc) error {
	_, day := doc.KindAndRest(stored.Key.Name)
	if err := room.docs.ClearBoard(ctx, stored.Key.Partition, league.DailyName(day)); err != nil {
		return err
	}
	return doc.JobGoes(ctx, c, stored)
}

// tryOf is the Belongs of tries.
func tryOf(rest string) (home string, people []string) {
	day, people := doc.OfItsMember(rest)
	home, _ = doc.OfHomesPart(day)
	return home, people
}

// rowGoes deletes the row of a try on the board of its day.
func rowGoes(_ context.Context, c *store.Change, stored store.Doc) error {
	day, player := doc.PairOf(stored.Key.Name)
	c.Rows = append(c.Rows, store.Row{Board: league.DailyName(day), Member: player, Delete: true})
	return nil
}
