package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Change returns the commit that changes a table from old to t. The commit has the
// table, and a record for each finished deal or match. If the match ends, it also has
// the members' ratings, totals and board rows. If the table opens or ends, it has the
// home's index. Change loads the documents of the home and the members that it needs.
// At the end of a match it may set t.Firsts and t.Gains; when a lobby opens, it sets t.Times and t.Usual.
func (ts *Tables) Change(ctx context.Context, old doc.Table, t *table.Table, events []table.Event) (store.Change, error) {
	partition, ok := doc.TablePartition(t.ID)
	if !ok {
		return store.Change{}, doc.ErrNoTable
	}
	now := ts.docs.Now()
	c := store.Change{Partition: partition, Now: now}
	var finished *league.Result // result of the match, if it ended and counts
	var over *doc.Match         // document of that match
	match := ""                 // id of that match
	expires := time.Time{}      // of what is kept about a deal or a match that is over
	if slices.ContainsFunc(events, isOver) {
		var err error
		if expires, err = ts.docs.Expires(ctx, doc.Match{Home: t.Home, At: now}); err != nil {
			return c, err
		}
	}
	for _, event := range events {
		switch e := event.(type) {
		case table.DealOver:
			data, err := recordOf(e)
			if err != nil {
				return c, fmt.Errorf("write record: %w", err)
			}
			c.Writes = append(c.Writes, store.Write{
				Name: doc.RecordName(t.ID, e.No), Expect: store.Any, Data: doc.Encode(json.RawMessage(data)), Expires: expires,
			})
		case table.MatchOver:
			m := matchOf(*t, e, now)
			over, match = &m, doc.MatchID(t.ID, e.MatchNo)
			if r := league.ResultOf(*t, e, now); !t.Policy.Uncounted {
				finished = &r
			}
		}
	}
	if (old.Version == 0 || doc.Ended(old.Phase)) != doc.Ended(t.Phase) || over != nil { // a deal may be over when it is dealt
		if err := ts.indexTable(ctx, &c, t, match, finished); err != nil {
			return c, err
		}
		if ends := ts.owners()[t.Policy.Owner].Ends; ends != nil && doc.Ended(t.Phase) {
			if err := ends(ctx, &c, t, over); err != nil {
				return c, err
			}
		}
	}
	if over != nil {
		c.Writes = append(c.Writes, store.Write{Name: doc.MatchName(t.ID, t.MatchNo), Expect: store.Any, Data: doc.Encode(*over), Expires: expires})
	}
	if err := ts.climb(ctx, &c, old, *t); err != nil {
		return c, err
	}
	name := doc.TableName(t.ID)
	known, _ := ts.read.Get(name)
	encoded := doc.EncodeTable(t, known)
	ts.read.Put(name, encoded, doc.MaxKnown)
	write := store.Write{Name: name, Expect: old.Version, Data: encoded.Data}
	write.Expires, _ = doc.Table{Table: *t}.Expiry(now)
	c.Writes = append(c.Writes, write)
	return c, nil
}

// isOver reports whether a deal or a match is over.
func isOver(e table.Event) bool {
	switch e.(type) {
	case table.DealOver, table.MatchOver:
		return true
	}
	return false
}

// Opening returns the commit that opens a table, which also makes it due.
func (ts *Tables) Opening(ctx context.Context, t *table.Table, events []table.Event) (store.Change, error) {
	c, err := ts.Change(ctx, doc.Table{}, t, events)
	c.Due = append(c.Due, store.Mark{ID: doc.TableName(t.ID), At: c.Now})
	return c, err
}

// climb adds to the commit what the end of a table in a private chat brings its player on the ladder.
func (ts *Tables) climb(ctx context.Context, c *store.Change, old doc.Table, t table.Table) error {
	player := league.Climber(t)
	if player == "" || doc.Ended(old.Phase) && old.MatchNo == t.MatchNo {
		return nil
	}
	key := league.LadderKey(player)
	var ladder league.Ladder
	version, err := ts.docs.Get(ctx, key, &ladder)
	if err == nil && ladder.Climb(t) {
		c.Writes = append(c.Writes, store.Write{Name: key.Name, Expect: version, Data: doc.Encode(ladder)})
	}
	return err
}

// indexTable adds the table to its home's index, or removes it. A finished match is
// also listed there and entered into the home's ledger. Then t.Firsts is set to the
// feats that players did for the first time, and t.Gains to what the match changed for them.
func (ts *Tables) indexTable(ctx context.Context, c *store.Change, t *table.Table, match string, finished *league.Result) error {
	if t.Policy.Unlisted && finished == nil {
		c.Rows = append(c.Rows, doc.OpenRow(*t)) // it occupies no chat
		return nil
	}
	if t.Guest() {
		return ts.indexGuest(ctx, c, t)
	}
	keys := []store.Key{doc.HomeKey(t.Home)}
	switch {
	case finished != nil:
		keys = append(keys, finished.MemberKeys(t.Home)...)
	case t.Phase == table.Lobby:
		keys = append(keys, doc.HomeKey(league.Everywhere))
	}
	docs, err := ts.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	var home doc.Home
	if err := doc.Decode(docs[0], &home); err != nil {
		return err
	}
	if t.Phase == table.Lobby {
		var elsewhere doc.Home
		if err := doc.Decode(docs[1], &elsewhere); err != nil {
			elsewhere = doc.Home{} // written by a newer schema: do without its times
		}
		t.Times, t.Usual = home.Times.Else(elsewhere.Times), home.Length
	}
	if home.Open == nil {
		home.Open = map[string]string{}
	}
	for _, here := range t.Chats {
		if here.Home != "" || t.Policy.Unlisted {
			continue // the table's job writes another home's index
		}
		switch open := home.Open[here.ID]; {
		case !doc.Ended(t.Phase) && open != "" && open != t.ID:
			return doc.TableExists(open)
		case !doc.Ended(t.Phase) && open == "" && ts.Limits.HomeTables > 0 && len(home.Open) >= ts.Limits.HomeTables:
			return chat.NewLimit("home_full", ts.Limits.HomeTables)
		case !doc.Ended(t.Phase):
			home.Open[here.ID] = t.ID
		case open == t.ID:
			delete(home.Open, here.ID)
		}
	}
	if home.Played == 0 && !doc.Ended(t.Phase) { // perhaps its first table
		c.Due = append(c.Due, store.Mark{ID: doc.WelcomeName(t.Home), At: c.Now})
	}
	if t.MatchNo > 1 && !doc.Ended(t.Phase) {
		// Copy settings to the table's chats that the home changed while the match was over.
		c.Due = append(c.Due, store.Mark{ID: doc.HomeName(t.Home), At: c.Now})
	}
	if finished != nil {
		home.List(match)
		home.Length = game.Length(t.Rules)
		if t.Firsts, t.Gains, err = league.Enter(&home, c, t.Home, match, *finished, docs[1:]); err != nil {
			return err
		}
		c.Due = append(c.Due, store.Mark{ID: league.ResultName(t.Home, match), At: c.Now})
	}
	c.Rows = append(c.Rows, doc.OpenRow(*t))
	c.Writes = append(c.Writes, store.Write{Name: doc.HomeName(t.Home), Expect: docs[0].Version, Data: doc.Encode(home)})
	return nil
}

// indexGuest adds a table in a chat where the bot isn't to the index of its message, or removes it. The index is kept only
// while the message has a table. Its matches count nowhere, and no home lists them.
func (ts *Tables) indexGuest(ctx context.Context, c *store.Change, t *table.Table) error {
	var home doc.Home
	version, err := ts.docs.Get(ctx, doc.HomeKey(t.Home), &home)
	if err != nil {
		return err
	}
	at := t.Chats[0].ID
	open := home.Open[at]
	c.Rows = append(c.Rows, doc.OpenRow(*t))
	w := store.Write{Name: doc.HomeName(t.Home), Expect: version}
	switch ended := doc.Ended(t.Phase); {
	case !ended && open != "" && open != t.ID:
		return doc.TableExists(open)
	case !ended:
		home.Open = map[string]string{at: t.ID}
		w.Data = doc.Encode(home)
	case open != t.ID:
		return nil // another table has taken its place
	}
	c.Writes = append(c.Writes, w)
	return nil
}

// recordOf returns the record of one finished deal.
func recordOf(d table.DealOver) ([]byte, error) {
	deal := record.Deal{Deck: d.Deck}
	for _, e := range d.Log {
		deal.Actions = append(deal.Actions, record.Action{Seat: e.Seat, Move: e.Move})
	}
	var b bytes.Buffer
	err := record.Write(&b, record.Record{
		Rules: d.Match.Rules, Dealer: d.Match.Dealer, Scores: d.Match.Scores,
		Pool: d.Match.Pool, Abeyance: d.Match.Abeyance, Deals: []record.Deal{deal},
	})
	return b.Bytes(), err
}
