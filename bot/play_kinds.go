package bot

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"sedmabot/game/table"
	"sedmabot/store"
)

// playKinds returns the kinds of documents that a table has.
func (b *Bot) playKinds() []Kind {
	return []Kind{
		{
			Name: "table", Owner: OfTable, New: func() any { return new(loaded) },
			Restore: restoreTable, Forget: b.forgetTable, Export: exportTable, Job: b.tend,
		},
		{Name: "shown", Owner: OfTable, New: func() any { return new(shownDoc) }, Restore: restoreShown, Forget: b.forgetShown},
		{Name: "notes", Owner: OfTable, New: func() any { return new(notesDoc) }, Restore: RestoreFor(keepClosed), Forget: b.forgetNotes},
		{Name: "undone", Job: b.tendUndone},
		{Name: "share", Owner: OfOne, New: func() any { return new(shareDoc) }, Restore: RestoreFor(codeLife)},
	}
}

func restoreTable(r *Restored, doc store.Doc) error {
	t, err := decodeTable(doc)
	if err == nil {
		err = checkTable(t, doc.Key)
	}
	if err != nil {
		return err
	}
	r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.Key.Name, At: r.Now})
	if !done(t.Phase) {
		r.Change.Rows = append(r.Change.Rows, openRow(t.Table))
	}
	if t.Phase == table.Closed {
		r.Write.Expires = r.Now.Add(keepClosed)
	} else {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: undoneJob(doc.Key.Name), At: r.Now})
	}
	return nil
}

func restoreShown(r *Restored, doc store.Doc) error {
	var shown shownDoc
	if err := decode(doc, &shown); err != nil {
		return err
	}
	if shown.Ended {
		r.Write.Expires = r.Now.Add(keepClosed)
	}
	return nil
}

// tableExport is a table of the last days, as a person's export has it.
type tableExport struct {
	Table string `json:"table"`
	Home  string `json:"home"`
	Phase string `json:"phase"`
}

func exportTable(x *Export, doc store.Doc) error {
	t, err := decodeTable(doc)
	if err != nil {
		return err
	}
	if _, sits := t.Private(x.Player); sits {
		x.Add("tables", tableExport{Table: t.ID, Home: t.Home, Phase: string(t.Phase)})
	}
	return nil
}

// forgetTable has the person leave a table, whether it runs or not. A table of the
// home, or in the person's private chat, is closed, and deleted once nobody's own
// document names it.
func (b *Bot) forgetTable(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	t, err := decodeTable(doc)
	if err != nil {
		return false, err
	}
	// A deal of the day is a table of a home, but its chat is the player's own. A
	// tournament's table is other players' too.
	if t.Home == s.Home || s.Player != "" && t.Contest == nil && slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return c.ID == s.Player }) {
		if t.Phase != table.Closed {
			_, err := b.update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
				if t.Contest != nil {
					return table.Apply(t, table.Player{}, table.Void{}, b.env())
				}
				return table.Apply(t, table.Player{}, table.Close{Admin: true}, b.env())
			})
			return true, missing(err)
		}
		if s.Stage < SweepAll {
			return false, nil
		}
		return true, b.dropTable(ctx, s, t.ID)
	}
	for _, c := range t.Chats {
		if c.Home == s.Home && t.Phase != table.Closed {
			return true, b.bring(ctx, t.ID, func(table.Table) (table.Player, table.Command, bool) {
				return table.Player{}, table.Unshare{Chat: c.ID}, true
			})
		}
	}
	if s.Player == "" {
		return false, nil
	}
	_, err = b.update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
		then, events := table.Forget(t, s.Player, s.Gone(t.Home), b.env())
		if bytes.Equal(encode(t), encode(then)) {
			return t, nil, errSame
		}
		return then, events, nil
	})
	if errors.Is(err, errSame) {
		return false, nil
	}
	return true, missing(err)
}

// missing returns err, or nil if it says that the table no longer exists or has nothing to do.
func missing(err error) error {
	var refused table.Refusal
	if errors.Is(err, errNoTable) || errors.As(err, &refused) {
		return nil
	}
	return err
}

// dropTable deletes a closed table with what was shown of it.
func (b *Bot) dropTable(ctx context.Context, s Sweep, id string) error {
	keys, _ := tableKeys(id)
	docs, err := b.docs.Store.Get(ctx, keys[:]...)
	if err != nil {
		return err
	}
	var shown shownDoc
	if err := decode(docs[1], &shown); err != nil {
		return err
	}
	if len(shown.Seated)+len(shown.Guests) > 0 && !s.Forced() {
		return nil // the table's own job sees to that first
	}
	c := store.Change{Partition: keys[0].Partition, Rows: []store.Row{{Board: openBoard, Member: id, Delete: true}}, Now: b.docs.Now()}
	for i, key := range keys {
		c.Writes = append(c.Writes, store.Write{Name: key.Name, Expect: docs[i].Version})
	}
	return b.docs.Store.Commit(ctx, c)
}

// theirs reports whether a place, or the entry of a message, is the person's.
func theirs(s Sweep, where string) bool {
	where, _, _ = strings.Cut(strings.TrimPrefix(where, "answer "), " ")
	return where == s.Player || strings.HasSuffix(where, "@"+s.Player)
}

// forgetShown has the table's job look at it again, which removes the messages of
// someone who no longer plays. After a few readings it removes what is noted of them itself.
func (b *Bot) forgetShown(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	var d shownDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	found := slices.Contains(d.Seated, s.Player) || s.Home != s.Player && slices.Contains(slices.Collect(maps.Values(d.Guests)), s.Home)
	for where := range d.Posts {
		found = found || theirs(s, where)
	}
	for where := range d.Places {
		found = found || theirs(s, where)
	}
	if !found {
		return false, nil
	}
	_, id, _ := strings.Cut(doc.Key.Name, ":")
	t, err := b.table(ctx, id)
	switch {
	case errors.Is(err, errNoTable):
		return true, b.docs.Drop(ctx, doc)
	case err != nil:
		return true, err
	case !s.Forced():
		return true, b.note(ctx, id, func(n *notesDoc) { n.forget(s.Player) })
	}
	return Amend(ctx, b.docs, doc, func(d *shownDoc, w *store.Write) bool {
		maps.DeleteFunc(d.Posts, func(key string, _ *shownPost) bool { return theirs(s, key) })
		maps.DeleteFunc(d.Places, func(where string, _ *shownPlace) bool { return theirs(s, where) })
		d.Seated = slices.DeleteFunc(d.Seated, func(p string) bool { return p == s.Player })
		maps.DeleteFunc(d.Guests, func(_, home string) bool { return home == s.Home })
		if t.Phase == table.Closed {
			w.Expires = b.docs.Now().Add(keepClosed)
		}
		return true
	})
}

// forgetNotes takes the person out of what presses noted.
func (b *Bot) forgetNotes(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	var d notesDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	_, answered := d.Answers[s.Player]
	if _, reached := d.Reached[s.Player]; !answered && !reached {
		return false, nil
	}
	_, id, _ := strings.Cut(doc.Key.Name, ":")
	if _, err := b.table(ctx, id); errors.Is(err, errNoTable) {
		return true, b.docs.Drop(ctx, doc)
	}
	return true, b.note(ctx, id, func(n *notesDoc) { n.forget(s.Player) })
}
