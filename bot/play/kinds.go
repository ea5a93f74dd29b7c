package play

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// kinds returns the document kinds that belong to a table.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "table", Owner: doc.OfTable, New: func() any { return new(doc.Table) },
			Restore: restoreTable, Forget: room.forgetTable, About: aboutTable, Scan: true, Job: room.tend,
		},
		{Name: "shown", Owner: doc.OfTable, New: func() any { return new(deliver.Shown) }, Forget: room.forgetShown},
		{
			Name: "notes", Owner: doc.OfTable, New: func() any { return new(doc.Notes) }, Scan: true, About: doc.About(aboutNotes),
			Without: doc.Without(func(n *doc.Notes, s doc.Sweep, _ string) bool { return n.Forget(s.Player) }),
		},
		{Name: "undone", Job: room.tendUndone},
		{Name: "share", Owner: doc.OfOne, New: func() any { return new(Share) }},
	}
}

func restoreTable(r *doc.Restored, stored store.Doc) error {
	t, err := doc.DecodeTable(stored)
	if err == nil {
		err = checkTable(t, stored.Key)
	}
	if err != nil {
		return err
	}
	r.Change.Due = append(r.Change.Due, store.Mark{ID: stored.Key.Name, At: r.Now})
	if !doc.Ended(t.Phase) {
		r.Change.Rows = append(r.Change.Rows, doc.OpenRow(t.Table))
	}
	if t.Phase != table.Closed {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.UndoneJob(stored.Key.Name), At: r.Now})
	}
	return nil
}

// tableExport is a table in a person's data export. Only tables of the last days are still stored.
type tableExport struct {
	Table string `json:"table"`
	Home  string `json:"home"`
	Phase string `json:"phase"`
}

func aboutTable(x *doc.Export, stored store.Doc) error {
	t, err := doc.DecodeTable(stored)
	if err != nil {
		return err
	}
	if _, sits := t.Private(x.Player); sits || t.Waits(x.Player) != table.NoWait {
		x.Add("tables", tableExport{Table: t.ID, Home: t.Home, Phase: string(t.Phase)})
	}
	return nil
}

// forgetTable removes the person from a table, whether or not a match is running.
// If the table belongs to the home, or is in the person's private chat, it is closed
// instead. Such a table is deleted in a later stage, when no player's document names it.
func (room *Room) forgetTable(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	t, err := doc.DecodeTable(stored)
	if err != nil {
		return false, err
	}
	// A deal of the day belongs to a home, but its only chat is the player's private one.
	// A private table also belongs to its other players, so it isn't closed.
	if t.Home == s.Home || s.Player != "" && !t.Policy.Private && slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return c.ID == s.Player }) {
		if t.Phase != table.Closed {
			_, err := room.tables.Update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
				return table.Apply(t, table.Player{}, table.Void{}, room.tables.Env())
			})
			return true, missing(err)
		}
		if s.Stage < doc.SweepAll {
			return false, nil
		}
		return true, room.dropTable(ctx, s, t.ID)
	}
	for _, c := range t.Chats {
		if c.Home == s.Home && t.Phase != table.Closed {
			return true, room.tables.Bring(ctx, t.ID, func(table.Table) (table.Player, table.Command, bool) {
				return table.Player{}, table.Unshare{Chat: c.ID}, true
			})
		}
	}
	if s.Player == "" {
		return false, nil
	}
	_, err = room.tables.Update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
		then, events := table.Forget(t, s.Player, s.Gone(t.Home), room.tables.Env())
		if bytes.Equal(doc.Encode(t), doc.Encode(then)) {
			return t, nil, doc.ErrSame
		}
		return then, events, nil
	})
	if errors.Is(err, doc.ErrSame) {
		return false, nil
	}
	return true, missing(err)
}

// missing returns err, or nil if err means that the table no longer exists or refused the command.
func missing(err error) error {
	var refused table.Refusal
	if errors.Is(err, doc.ErrNoTable) || errors.As(err, &refused) {
		return nil
	}
	return err
}

// dropTable deletes a closed table and the other documents about it.
func (room *Room) dropTable(ctx context.Context, s doc.Sweep, id string) error {
	keys, _ := doc.TableKeys(id)
	docs, err := room.docs.Store.Get(ctx, keys[:]...)
	if err != nil {
		return err
	}
	var shown deliver.Shown
	if err := doc.Decode(docs[1], &shown); err != nil {
		return err
	}
	if len(shown.Seated)+len(shown.Guests) > 0 && !s.Forced() {
		return nil // the table's own job must clear the indexes first
	}
	c := store.Change{Partition: keys[0].Partition, Rows: []store.Row{{Board: doc.OpenBoard, Member: id, Delete: true}}, Now: room.docs.Now()}
	for i, key := range keys {
		c.Writes = append(c.Writes, store.Write{Name: key.Name, Expect: docs[i].Version})
	}
	return room.docs.Store.Commit(ctx, c)
}

// theirs reports whether the key of a place or of a message belongs to the person.
func theirs(s doc.Sweep, where string) bool {
	where, _, _ = strings.Cut(strings.TrimPrefix(where, "answer "), " ")
	return where == s.Player || strings.HasSuffix(where, "@"+s.Player)
}

// forgetShown makes the table's job run again, which removes the messages of anyone
// who no longer plays. After a few scans, forgetShown removes the person's entries itself.
func (room *Room) forgetShown(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var d deliver.Shown
	if err := doc.Decode(stored, &d); err != nil {
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
	_, id := doc.KindAndRest(stored.Key.Name)
	_, err := room.tables.Load(ctx, id)
	switch {
	case errors.Is(err, doc.ErrNoTable):
		return true, room.docs.Drop(ctx, stored)
	case err != nil:
		return true, err
	case !s.Forced():
		return true, room.tables.Note(ctx, id, func(n *doc.Notes) { n.Forget(s.Player) })
	}
	return doc.Amend(ctx, room.docs, stored, func(d *deliver.Shown, _ *store.Write) bool {
		maps.DeleteFunc(d.Posts, func(key string, _ *deliver.ShownPost) bool { return theirs(s, key) })
		maps.DeleteFunc(d.Places, func(where string, _ *deliver.ShownPlace) bool { return theirs(s, where) })
		d.Seated = slices.DeleteFunc(d.Seated, func(p string) bool { return p == s.Player })
		maps.DeleteFunc(d.Guests, func(_, home string) bool { return home == s.Home })
		return true
	})
}

// notesExport is what the notes of a table say about a person, in the export of their data.
type notesExport struct {
	Table    string       `json:"table"`
	PageSeen time.Time    `json:"page_seen,omitzero"` // when they were last seen to have the table's page open
	Reached  time.Time    `json:"reached,omitzero"`   // when they last wrote to the bot in private
	Hand     chat.Address `json:"hand,omitempty"`     // the message with the hand that they opened in the chat
	Reply    chat.Address `json:"reply,omitempty"`    // the reply to their command that opened the table
}

func aboutNotes(d doc.Notes, x *doc.Export, id string) {
	e := notesExport{Table: id, PageSeen: d.Pages[x.Player].Seen, Reached: d.Reached[x.Player], Reply: d.Replies[x.Player].Address}
	if hands := d.Hands[x.Player]; len(hands) > 0 {
		e.Hand = hands.Newest().Address
	}
	if e != (notesExport{Table: id}) {
		x.Add("notes_at_tables", e)
	}
}

// errElsewhere reports that a table's id doesn't match the key of its document, so it could never be loaded.
var errElsewhere = errors.New("the table has another id than its name and its part say")

// checkTable reports an error if a table from a backup has the wrong key.
func checkTable(t doc.Table, key store.Key) error {
	if p, ok := doc.TablePartition(t.ID); !ok || p != key.Partition || doc.TableName(t.ID) != key.Name {
		return fmt.Errorf("%w: table: %w", doc.ErrUnreadable, errElsewhere)
	}
	return nil
}
