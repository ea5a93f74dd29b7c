package news

import (
	"context"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kinds returns the kinds of documents with the choices of people and homes.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "tell", Owner: doc.OfOne, Scan: true, New: func() any { return new(Wishes) }, Forget: room.forgetWishes, Export: exportWish},
		{Name: "news", Owner: doc.OfOne, New: func() any { return new(Morning) }, Restore: doc.RestoreDue, Forget: room.forgetNews, Job: room.tend},
	}
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

// forgetNews deletes a home's Morning and its message's record, if the home is being deleted.
func (room *Room) forgetNews(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if _, home := doc.KindAndRest(stored.Key.Name); home != s.Home {
		return false, nil
	}
	var d Morning
	if err := doc.Decode(stored, &d); err != nil {
		return false, err
	}
	return true, room.docs.Store.Commit(ctx, store.Change{
		Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
		Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(d.ID), Expect: store.Any}},
	})
}
