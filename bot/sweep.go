package bot

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// sweep deletes what is kept of a person and of a home. Every kind of document
// that can tell of them has its rule in visit.
type sweep struct {
	*Bot
	player string // whose traces go; "": nobody's
	home   string // that goes as a whole
	salt   []byte // what tombstones are made with
}

// gone is who stands for the person in the documents of a home. Nobody can tell
// that it was he, nor that he of another home was the same; within the home it
// is always the same, so that ratings can be computed from its ledger as before.
func (s sweep) gone(home string) string {
	mac := hmac.New(sha256.New, s.salt)
	mac.Write([]byte(home))
	return table.Gone + hex.EncodeToString(mac.Sum(nil)[:8])
}

// visit does what is to be done about one document at that stage, and reports
// whether there was anything.
func (s sweep) visit(ctx context.Context, doc store.Doc, stage sweepStage, round int) (bool, error) {
	kind, rest := kindAndRest(doc.Key.Name)
	if !s.mentioned(doc) {
		return false, nil
	}
	home, last, _ := cutLast(rest, "|")
	switch kind {
	case "table":
		return s.table(ctx, rest, doc, stage, round)
	case "shown":
		return s.shown(ctx, rest, doc, round)
	case "notes":
		return s.notes(ctx, rest, doc)
	case "match":
		return s.match(ctx, rest, doc)
	case "coach":
		return s.coach(ctx, rest, doc)
	case "result":
		return s.result(ctx, home, last, doc, stage)
	case "member":
		return s.member(ctx, home, last, doc)
	case "hall":
		return s.hall(ctx, rest, doc)
	case "home":
		return s.homeOwn(ctx, rest, doc)
	case "tournament":
		return s.cup(ctx, rest, doc)
	case "skill":
		if home != s.home && last != s.player {
			return false, nil
		}
		return true, s.drop(ctx, doc)
	case "daily":
		return s.daily(ctx, home, rest, doc)
	case "try":
		return s.try(ctx, home, last, doc)
	case "player":
		return amend(ctx, s.Bot, doc, func(d *playerDoc, _ *store.Write) bool {
			asked := rest != s.player && d.Asked == s.home
			if asked {
				d.Asked = ""
			}
			return asked
		})
	case "chat":
		return amend(ctx, s.Bot, doc, func(d *chatDoc, w *store.Write) bool { return rest == s.home || d.Home == s.home })
	case "purge":
		if rest != s.player {
			return false, nil
		}
		return true, s.drop(ctx, doc, store.Mark{ID: doc.Key.Name, At: s.now()})
	}
	return false, nil
}

// mentioned tells at a glance whether a document may tell of them at all.
func (s sweep) mentioned(doc store.Doc) bool {
	for _, id := range []string{s.player, s.home} {
		if id != "" && (strings.Contains(doc.Key.Name, id) || bytes.Contains(doc.Data, []byte(id))) {
			return true
		}
	}
	return false
}

// amend lets step change what a document holds, and commits what it made of it: a
// document that it leaves as it was is deleted. step reports whether there is
// anything to do, and so does amend.
func amend[D any](ctx context.Context, b *Bot, doc store.Doc, step func(*D, *store.Write) bool) (bool, error) {
	var d D
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	before := encode(d)
	w := store.Write{Name: doc.Key.Name, Expect: doc.Version}
	if !step(&d, &w) {
		return false, nil
	}
	if after := encode(d); !bytes.Equal(before, after) {
		w.Data = after
	}
	return true, b.store.Commit(ctx, store.Change{Partition: doc.Key.Partition, Writes: []store.Write{w}, Now: b.now()})
}

// drop deletes a document.
func (s sweep) drop(ctx context.Context, doc store.Doc, due ...store.Mark) error {
	return s.store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}, Due: due, Now: s.now(),
	})
}

// table has the person leave a table, whether it runs or not. A table of the home,
// or in his private chat, is closed, and deleted once nobody's own document names it.
func (s sweep) table(ctx context.Context, id string, doc store.Doc, stage sweepStage, round int) (bool, error) {
	t, err := decodeTable(doc)
	if err != nil {
		return false, err
	}
	// The deal of a day is a table of a home, but its chat is the player's own. That
	// of a tournament is others' too.
	if t.Home == s.home || s.player != "" && t.Contest == nil && slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return c.ID == s.player }) {
		if t.Phase != table.Closed {
			_, err := s.update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
				if t.Contest != nil {
					return table.Apply(t, table.Player{}, table.Void{}, s.env())
				}
				return table.Apply(t, table.Player{}, table.Close{Admin: true}, s.env())
			})
			return true, notThere(err)
		}
		if stage < sweepAll {
			return false, nil
		}
		return true, s.dropTable(ctx, id, round)
	}
	for _, c := range t.Chats {
		if c.Home == s.home && t.Phase != table.Closed {
			return true, s.bring(ctx, id, func(table.Table) (table.Player, table.Command, bool) {
				return table.Player{}, table.Unshare{Chat: c.ID}, true
			})
		}
	}
	if s.player == "" {
		return false, nil
	}
	_, err = s.update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		then, events := table.Forget(t, s.player, s.gone(t.Home), s.env())
		if bytes.Equal(encode(t), encode(then)) {
			return t, nil, errSame
		}
		return then, events, nil
	})
	if errors.Is(err, errSame) {
		return false, nil
	}
	return true, notThere(err)
}

// notThere is the error, unless it says that there is no such table any more.
func notThere(err error) error {
	var refused table.Refusal
	if errors.Is(err, errNoTable) || errors.As(err, &refused) {
		return nil
	}
	return err
}

// dropTable deletes a closed table with what was shown of it.
func (s sweep) dropTable(ctx context.Context, id string, round int) error {
	keys, _ := tableKeys(id)
	docs, err := s.store.Get(ctx, keys[:]...)
	if err != nil {
		return err
	}
	var shown shownDoc
	if err := decode(docs[1], &shown); err != nil {
		return err
	}
	if len(shown.Seated)+len(shown.Guests) > 0 && round < sweepForce {
		return nil // its own job sees to that first
	}
	c := store.Change{Partition: keys[0].Partition, Rows: []store.Row{{Board: openBoard, Member: id, Delete: true}}, Now: s.now()}
	for i, key := range keys {
		c.Writes = append(c.Writes, store.Write{Name: key.Name, Expect: docs[i].Version})
	}
	return s.store.Commit(ctx, c)
}

// about tells whether a place, or the entry of a message, is the person's.
func (s sweep) about(where string) bool {
	where, _, _ = strings.Cut(strings.TrimPrefix(where, "answer "), " ")
	return where == s.player || strings.HasSuffix(where, "@"+s.player)
}

// shown has whoever shows a table look at it again: what stands for a player who
// is none any more goes then. After a few readings it goes at once.
func (s sweep) shown(ctx context.Context, id string, doc store.Doc, round int) (bool, error) {
	var d shownDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	found := slices.Contains(d.Seated, s.player) || s.home != s.player && slices.Contains(slices.Collect(maps.Values(d.Guests)), s.home)
	for where := range d.Posts {
		found = found || s.about(where)
	}
	for where := range d.Places {
		found = found || s.about(where)
	}
	if !found {
		return false, nil
	}
	t, err := s.Bot.table(ctx, id)
	switch {
	case errors.Is(err, errNoTable):
		return true, s.drop(ctx, doc)
	case err != nil:
		return true, err
	case round < sweepForce:
		return true, s.note(ctx, id, s.quiet)
	}
	return amend(ctx, s.Bot, doc, func(d *shownDoc, w *store.Write) bool {
		maps.DeleteFunc(d.Posts, func(key string, _ *shownPost) bool { return s.about(key) })
		maps.DeleteFunc(d.Places, func(where string, _ *shownPlace) bool { return s.about(where) })
		d.Seated = slices.DeleteFunc(d.Seated, func(p string) bool { return p == s.player })
		maps.DeleteFunc(d.Guests, func(_, home string) bool { return home == s.home })
		if t.Phase == table.Closed {
			w.Expires = s.now().Add(keepClosed)
		}
		return true
	})
}

// quiet takes the person out of what presses said.
func (s sweep) quiet(n *notesDoc) {
	delete(n.Answers, s.player)
	delete(n.Reached, s.player)
}

func (s sweep) notes(ctx context.Context, id string, doc store.Doc) (bool, error) {
	var d notesDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	_, answered := d.Answers[s.player]
	if _, reached := d.Reached[s.player]; !answered && !reached {
		return false, nil
	}
	if _, err := s.Bot.table(ctx, id); errors.Is(err, errNoTable) {
		return true, s.drop(ctx, doc)
	}
	return true, s.note(ctx, id, s.quiet)
}

// match puts a tombstone into a finished match. One of the home goes with the
// records of its deals.
func (s sweep) match(ctx context.Context, id string, doc store.Doc) (bool, error) {
	var m matchDoc
	if err := decode(doc, &m); err != nil {
		return false, err
	}
	name, no, _ := strings.Cut(id, ":")
	if m.Home == s.home {
		c := store.Change{Partition: doc.Key.Partition, Now: s.now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}}
		c.Writes = append(c.Writes, store.Write{Name: "coach:" + name + ":" + no, Expect: store.Any})
		for i := range m.Seeds {
			c.Writes = append(c.Writes, store.Write{Name: recordName(name, m.First+i), Expect: store.Any})
		}
		return true, s.store.Commit(ctx, c)
	}
	host, err := s.Bot.home(ctx, Chat{Home: m.Home})
	if err != nil {
		return false, err
	}
	return amend(ctx, s.Bot, doc, func(d *matchDoc, w *store.Write) bool {
		found := slices.Contains(d.Guests, s.home)
		d.Guests = slices.DeleteFunc(d.Guests, func(home string) bool { return home == s.home })
		for i := range d.Seats {
			if d.Seats[i].Player.ID == s.player && s.player != "" {
				d.Seats[i].Player, found = table.Tombstone(s.gone(d.Home), i), true
			}
		}
		w.Expires = d.At.Add(host.keeps())
		return found
	})
}

func (s sweep) coach(ctx context.Context, id string, doc store.Doc) (bool, error) {
	return amend(ctx, s.Bot, doc, func(d *coachDoc, w *store.Write) bool {
		found := false
		for i := range d.Seats {
			if d.Seats[i].Player == s.player && s.player != "" {
				d.Seats[i].Player, found = table.Gone, true
			}
		}
		w.Expires = s.now().Add(keepRecord)
		return found
	})
}

// result puts a tombstone into a ledger, after all homes that count the match have
// heard of it.
func (s sweep) result(ctx context.Context, home, match string, doc store.Doc, stage sweepStage) (bool, error) {
	var r resultDoc
	if err := decode(doc, &r); err != nil {
		return false, err
	}
	if home != s.home && !slices.Contains(r.people(), s.player) {
		return false, nil
	}
	if len(r.Homes) > 0 {
		for _, other := range r.Homes {
			if err := s.enterElsewhere(ctx, other, match, r); err != nil {
				return true, err
			}
		}
		return amend(ctx, s.Bot, doc, func(d *resultDoc, _ *store.Write) bool { d.Homes = nil; return true })
	}
	if stage < sweepAll {
		return false, nil
	}
	return amend(ctx, s.Bot, doc, func(d *resultDoc, _ *store.Write) bool {
		for i := range d.Seats {
			if seat := &d.Seats[i]; home != s.home && seat.Player == s.player {
				stone := table.Tombstone(s.gone(home), i)
				seat.Player, seat.Name = stone.ID, stone.Name
			}
		}
		return true
	})
}

// member deletes what a home's results have made of the person, with his rows, and
// renames him in what they have made of others.
func (s sweep) member(ctx context.Context, home, player string, doc store.Doc) (bool, error) {
	if home == s.home || player == s.player {
		c := store.Change{Partition: doc.Key.Partition, Now: s.now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}}
		h, err := s.Bot.home(ctx, Chat{Home: home})
		if err != nil {
			return false, err
		}
		for _, board := range h.boards(home) {
			c.Rows = append(c.Rows, store.Row{Board: board, Member: player, Delete: true})
		}
		return true, s.store.Commit(ctx, c)
	}
	return amend(ctx, s.Bot, doc, func(d *memberDoc, _ *store.Write) bool {
		found := false
		for _, with := range []map[string]tally{d.Partners, d.Opponents} {
			if t, met := with[s.player]; met {
				delete(with, s.player)
				with[s.gone(home)], found = t, true
			}
		}
		return found
	})
}

func (s sweep) hall(ctx context.Context, home string, doc store.Doc) (bool, error) {
	return amend(ctx, s.Bot, doc, func(d *hallDoc, _ *store.Write) bool {
		found := home == s.home
		for _, season := range d.Seasons {
			for _, places := range season.Games {
				for i := range places {
					if home != s.home && places[i].Player == s.player {
						stone := table.Tombstone(s.gone(home), places[i].Rank-1)
						places[i].Player, places[i].Name, found = stone.ID, stone.Name, true
					}
				}
			}
		}
		return found
	})
}

// daily deletes a home's deal of one day, with its board.
func (s sweep) daily(ctx context.Context, home, day string, doc store.Doc) (bool, error) {
	if home != s.home {
		return false, nil
	}
	if err := s.clearBoard(ctx, doc.Key.Partition, dailyName(day)); err != nil {
		return true, err
	}
	return true, s.drop(ctx, doc, store.Mark{ID: doc.Key.Name, At: s.now()})
}

// try deletes a player's try at such a deal, with his row.
func (s sweep) try(ctx context.Context, day, player string, doc store.Doc) (bool, error) {
	if home, _, _ := cutLast(day, "|"); home != s.home && player != s.player {
		return false, nil
	}
	return true, s.store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Now: s.now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}},
		Rows: []store.Row{{Board: dailyName(day), Member: player, Delete: true}},
	})
}

// cup takes the person out of a tournament, where a tombstone stands for him if it
// has begun. One of the home goes; its tables do by themselves.
func (s sweep) cup(ctx context.Context, id string, doc store.Doc) (bool, error) {
	var d cupDoc
	if err := decode(doc, &d); err != nil {
		return false, err
	}
	if d.Home == s.home {
		return true, s.store.Commit(ctx, store.Change{
			Partition: doc.Key.Partition, Now: s.now(), Due: []store.Mark{{ID: doc.Key.Name, At: s.now()}},
			Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}, {Name: shownName(id), Expect: store.Any}},
		})
	}
	if s.player == "" || !d.forget(s.player, s.gone(d.Home)) {
		return false, nil
	}
	return true, s.commitCup(ctx, "", d, doc.Version)
}

// homeOwn deletes the home's own document and its boards, and takes the person off
// the list of those whom another home tells of new tables.
func (s sweep) homeOwn(ctx context.Context, home string, doc store.Doc) (bool, error) {
	if home != s.home {
		return amend(ctx, s.Bot, doc, func(d *homeDoc, _ *store.Write) bool {
			_, told := d.Tell[s.player]
			delete(d.Tell, s.player)
			return told
		})
	}
	var h homeDoc
	if err := decode(doc, &h); err != nil {
		return false, err
	}
	for _, board := range h.boards(home) {
		if err := s.clearBoard(ctx, doc.Key.Partition, board); err != nil {
			return true, err
		}
	}
	now := s.now()
	return true, s.drop(ctx, doc, store.Mark{ID: boardsJob(home), At: now}, store.Mark{ID: doc.Key.Name, At: now})
}

// boards are the names of the boards that the home may have.
func (h homeDoc) boards(home string) []string {
	var names []string
	for _, key := range append([]string{allTime}, h.Periods...) {
		for _, family := range boardFamilies() {
			names = append(names, boardName(home, family, key))
		}
	}
	return names
}

// keeps is how long the home keeps records.
func (h homeDoc) keeps() time.Duration {
	return cmp.Or(time.Duration(h.Keep)*24*time.Hour, keepRecord)
}
