package meet

import (
	"slices"
	"time"

	"sedmabot/bot/doc"
)

// kinds returns the document kinds of queues, of the lists of people not to be paired with, and of the wishes of the people
// on a home's list.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "meet", Owner: doc.OfHome(1), New: func() any { return new(Queue) }, Restore: doc.RestoreDue, Job: room.tend},
		{Name: "apart", Owner: doc.OfOne, Own: true, New: func() any { return new(Apart) }, Without: doc.Without((*Apart).without), About: doc.About(Apart.about)},
		{Name: "tell", Owner: doc.OfOne, Scan: true, New: func() any { return new(Wishes) }, Belongs: doc.OfItsHome, Without: doc.Without((*Wishes).without), About: doc.About(Wishes.about)},
	}
}

// without takes the person that s names off somebody else's list.
func (d *Apart) without(s doc.Sweep, _ string) bool {
	before := len(d.People)
	d.People = slices.DeleteFunc(d.People, func(o Other) bool { return o.Player == s.Player })
	return len(d.People) < before
}

// apartExport is an entry of the person's list in the export of their data. It doesn't
// name the other person, who may not be known to them.
type apartExport struct {
	Table string    `json:"table"`
	At    time.Time `json:"at"`
}

func (d Apart) about(x *doc.Export, _ string) {
	for _, o := range d.People {
		x.Add("apart", apartExport{Table: o.Table, At: o.At})
	}
}

// without deletes a person's wish.
func (w *Wishes) without(s doc.Sweep, _ string) bool {
	_, listed := w.People[s.Player]
	delete(w.People, s.Player)
	return listed
}

func (w Wishes) about(x *doc.Export, home string) {
	if wish, listed := w.People[x.Player]; listed {
		x.Put("wishes_about_tables", home, wish)
	}
}
