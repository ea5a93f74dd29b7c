package bot

import (
	"context"
	"strings"

	"sedmabot/store"
)

// dailyKinds returns the kinds of documents of the deal of the day.
func (b *Bot) dailyKinds() []Kind {
	return []Kind{
		{
			Name: "daily", Owner: OfHome(1), New: func() any { return new(dailyDoc) },
			Restore: restoreDaily, Forget: b.forgetDaily, Job: b.tendDaily,
		},
		{
			Name: "try", Owner: OfHome(2), New: func() any { return new(tryDoc) },
			Restore: restoreTry, Forget: b.forgetTry, Export: exportTry,
		},
	}
}

func restoreDaily(r *Restored, doc store.Doc) error {
	r.Write.Expires = r.Now.Add(keepDaily)
	return RestoreDue(r, doc)
}

// restoreTry gives a try its row on the board of its day.
func restoreTry(r *Restored, doc store.Doc) error {
	var d tryDoc
	if err := decode(doc, &d); err != nil {
		return err
	}
	r.Write.Expires = r.Now.Add(keepDaily)
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	today, player, _ := cutLast(rest, "|")
	rows, err := d.row(today, player)
	r.Change.Rows = append(r.Change.Rows, rows...)
	return err
}

// forgetDaily deletes a home's deal of one day, with its board.
func (b *Bot) forgetDaily(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, day, _ := strings.Cut(doc.Key.Name, ":")
	if home, _, _ := cutLast(day, "|"); home != s.Home {
		return false, nil
	}
	if err := b.docs.ClearBoard(ctx, doc.Key.Partition, dailyName(day)); err != nil {
		return true, err
	}
	return true, b.docs.Drop(ctx, doc, store.Mark{ID: doc.Key.Name, At: b.docs.Now()})
}

// forgetTry deletes a player's try, with its row.
func (b *Bot) forgetTry(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	day, player, _ := cutLast(rest, "|")
	if home, _, _ := cutLast(day, "|"); home != s.Home && player != s.Player {
		return false, nil
	}
	return true, b.docs.Store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Now: b.docs.Now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}},
		Rows: []store.Row{{Board: dailyName(day), Member: player, Delete: true}},
	})
}

func exportTry(x *Export, doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	day, player, _ := cutLast(rest, "|")
	if player != x.Player {
		return nil
	}
	var own tryDoc
	if err := decode(doc, &own); err != nil {
		return err
	}
	x.Put("daily", day, own)
	return nil
}
