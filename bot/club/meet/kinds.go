package meet

import (
	"context"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kinds returns the document kinds of queues, of the lists of people not to be paired with, and of the wishes of the people
// on a home's list.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "meet", Owner: doc.OfHome(1), New: func() any { return new(Queue) }, Restore: doc.RestoreDue, Job: room.tend},
		{Name: "apart", Owner: doc.OfOne, Own: true, New: func() any { return new(Apart) }, Forget: room.forgetApart, Export: exportApart},
		{Name: "tell", Owner: doc.OfOne, Scan: true, New: func() any { return new(Wishes) }, Forget: room.forgetWishes, Export: exportWish},
	}
}

// forgetApart deletes the person's own list, and takes the person off the lists of others.
func (room *Room) forgetApart(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	_, owner := doc.KindAndRest(stored.Key.Name)
	if s.Player == "" {
		return false, nil
	}
	return doc.Amend(ctx, room.docs, stored, func(d *Apart, _ *store.Write) bool {
		if owner == s.Player {
			return true // it is left unchanged, so Amend deletes it
		}
		before := len(d.People)
		d.People = slices.DeleteFunc(d.People, func(o Other) bool { return o.Player == s.Player })
		return len(d.People) < before
	})
}

// apartExport is an entry of the person's list in the export of their data. It doesn't
// name the other person, who may not be known to them.
type apartExport struct {
	Table string    `json:"table"`
	At    time.Time `json:"at"`
}

func exportApart(x *doc.Export, stored store.Doc) error {
	if _, owner := doc.KindAndRest(stored.Key.Name); owner != x.Player {
		return nil
	}
	var a Apart
	if err := doc.Decode(stored, &a); err != nil {
		return err
	}
	for _, o := range a.People {
		x.Add("apart", apartExport{Table: o.Table, At: o.At})
	}
	return nil
}

// forgetWishes deletes a person's wish, or all wishes of a home that is being deleted.
func (room *Room) forgetWishes(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if _, home := doc.KindAndRest(stored.Key.Name); home == s.Home {
		return true, room.docs.Drop(ctx, stored)
	}
	return doc.Amend(ctx, room.docs, stored, func(w *Wishes, _ *store.Write) bool {
		_, listed := w.People[s.Player]
		delete(w.People, s.Player)
		return listed
	})
}

func exportWish(x *doc.Export, stored store.Doc) error {
	var w Wishes
	if err := doc.Decode(stored, &w); err != nil {
		return err
	}
	if wish, listed := w.People[x.Player]; listed {
		_, home := doc.KindAndRest(stored.Key.Name)
		x.Put("wishes_about_tables", home, wish)
	}
	return nil
}
