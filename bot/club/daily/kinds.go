package daily

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// kinds returns the document kinds of the deal of the day.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "daily", Owner: doc.OfHome(1), New: func() any { return new(Deal) },
			Restore: doc.RestoreDue, Forget: room.forgetDaily, Job: room.tendDaily,
		},
		{
			Name: "try", Owner: doc.OfHome(2), New: func() any { return new(league.Try) },
			Restore: restoreTry, Forget: room.forgetTry, Export: exportTry, Scan: true,
		},
		{
			Name: "streak", Owner: doc.OfHome(1), New: func() any { return new(league.Streak) },
			Forget: room.forgetStreak, Export: exportStreak,
		},
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

// forgetDaily deletes a deal of the day and its board, if its home is being deleted.
func (room *Room) forgetDaily(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	_, day := doc.KindAndRest(stored.Key.Name)
	if home, _, _ := doc.CutLast(day, "|"); home != s.Home {
		return false, nil
	}
	if err := room.docs.ClearBoard(ctx, stored.Key.Partition, league.DailyName(day)); err != nil {
		return true, err
	}
	return true, room.docs.Drop(ctx, stored, store.Mark{ID: stored.Key.Name, At: room.docs.Now()})
}

// forgetTry deletes a try and its row, if its home or its player is being deleted.
func (room *Room) forgetTry(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	day, player := doc.PairOf(stored.Key.Name)
	if home, _, _ := doc.CutLast(day, "|"); home != s.Home && player != s.Player {
		return false, nil
	}
	return true, room.docs.Store.Commit(ctx, store.Change{
		Partition: stored.Key.Partition, Now: room.docs.Now(), Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}},
		Rows: []store.Row{{Board: league.DailyName(day), Member: player, Delete: true}},
	})
}

func exportTry(x *doc.Export, stored store.Doc) error {
	day, player := doc.PairOf(stored.Key.Name)
	if player != x.Player {
		return nil
	}
	var own league.Try
	if err := doc.Decode(stored, &own); err != nil {
		return err
	}
	x.Put("daily", day, own)
	return nil
}

// forgetStreak deletes a streak, if its home or its player is being deleted.
func (room *Room) forgetStreak(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if home, player := doc.PairOf(stored.Key.Name); home != s.Home && player != s.Player {
		return false, nil
	}
	return true, room.docs.Drop(ctx, stored)
}

func exportStreak(x *doc.Export, stored store.Doc) error {
	home, player := doc.PairOf(stored.Key.Name)
	var d league.Streak
	if err := doc.Decode(stored, &d); err != nil || player != x.Player {
		return err
	}
	x.Put("streaks", home, d)
	return nil
}
