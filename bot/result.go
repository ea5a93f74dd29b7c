package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// How long documents stay when nothing happens to them any more.
const (
	keepClosed = 48 * time.Hour       // a closed table still answers presses on its old messages
	keepRecord = 180 * 24 * time.Hour // a finished deal, unless the home's settings say otherwise
)

// openBoard has a row for each table of a partition that is not over, so that
// they can be counted.
const openBoard = "open"

// openRow is the row of a table, to be set while it is open and deleted after.
func openRow(t table.Table) store.Row {
	return store.Row{Board: openBoard, Member: t.ID, Delete: done(t.Phase)}
}

// change is the commit that takes a table from old to t: the table, a record
// for each finished deal and for a finished match, the members' ratings, totals
// and board rows of the latter, and the home's index. It loads what it needs of
// the last two. A match that ends may tell t of feats.
func (b *Bot) change(ctx context.Context, old loaded, t *table.Table, events []table.Event) (store.Change, error) {
	partition, ok := tablePartition(t.ID)
	if !ok {
		return store.Change{}, errNoTable
	}
	now := b.docs.Now()
	c := store.Change{Partition: partition, Now: now}
	var finished *resultDoc // of a match that ended
	match := ""             // its id
	keep, err := b.keeps(ctx, t.Home, events)
	if err != nil {
		return c, err
	}
	for _, event := range events {
		switch e := event.(type) {
		case table.DealOver:
			data, err := recordOf(e)
			if err != nil {
				return c, fmt.Errorf("write record: %w", err)
			}
			c.Writes = append(c.Writes, store.Write{
				Name: recordName(t.ID, e.No), Expect: store.Any, Data: encode(json.RawMessage(data)), Expires: now.Add(keep),
			})
		case table.MatchOver:
			c.Writes = append(c.Writes, store.Write{
				Name: matchName(t.ID, e.MatchNo), Expect: store.Any, Data: encode(matchOf(*t, e, now)), Expires: now.Add(keep),
			})
			r := resultOf(*t, e, now)
			finished, match = &r, matchID(t.ID, e.MatchNo)
			at := now.Add(coachAfter)
			if sealed, _ := sealedOf(*t); sealed.After(at) {
				at = sealed
			}
			c.Due = append(c.Due, store.Mark{ID: coachName(t.ID, e.MatchNo), At: at})
		}
	}
	if t.Contest != nil && done(t.Phase) {
		c.Due = append(c.Due, store.Mark{ID: cupName(t.Contest.ID), At: now})
	}
	if done(old.Phase) != done(t.Phase) {
		err := error(nil)
		if t.Daily != nil {
			err = endDaily(&c, *t, finished != nil)
		} else {
			err = b.indexTable(ctx, &c, t, match, finished)
		}
		if err != nil {
			return c, err
		}
	}
	write := store.Write{Name: tableName(t.ID), Expect: old.version, Data: encode(t)}
	b.read.put(write.Name, readDoc{write.Data, *t})
	if t.Phase == table.Closed {
		write.Expires = now.Add(keepClosed)
	}
	c.Writes = append(c.Writes, write)
	return c, nil
}

// keeps is how long the home keeps records, asked when there is one to be kept.
func (b *Bot) keeps(ctx context.Context, home string, events []table.Event) (time.Duration, error) {
	if !slices.ContainsFunc(events, func(e table.Event) bool { _, over := e.(table.DealOver); return over }) {
		return keepRecord, nil
	}
	return b.keep(ctx, home)
}

// keep is how long the home keeps records.
func (b *Bot) keep(ctx context.Context, home string) (time.Duration, error) {
	docs, err := b.docs.Store.Get(ctx, homeKey(home))
	if err != nil {
		return 0, err
	}
	var doc homeDoc
	if err := decode(docs[0], &doc); err != nil {
		return 0, err
	}
	return doc.keeps(), nil
}

// done tells whether a table in that phase no longer holds its chats.
func done(p table.Phase) bool { return p == table.Over || p == table.Closed }

// indexTable puts the table into its home's index, or takes it out of it. A match
// that was finished is listed there, and entered into the home's ledger; the table
// is told who did what for the first time.
func (b *Bot) indexTable(ctx context.Context, c *store.Change, t *table.Table, match string, finished *resultDoc) error {
	if t.Contest != nil && finished == nil {
		c.Rows = append(c.Rows, openRow(*t)) // no chat is taken by it
		return nil
	}
	keys := []store.Key{homeKey(t.Home)}
	if finished != nil {
		keys = append(keys, finished.memberKeys(t.Home)...)
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	var home homeDoc
	if err := decode(docs[0], &home); err != nil {
		return err
	}
	if home.Open == nil {
		home.Open = map[string]string{}
	}
	for _, chat := range t.Chats {
		if chat.Home != "" || t.Contest != nil {
			continue // see indexGuests
		}
		switch open := home.Open[chat.ID]; {
		case !done(t.Phase) && open != "" && open != t.ID:
			return tableExists(open)
		case !done(t.Phase) && open == "" && b.limits.HomeTables > 0 && len(home.Open) >= b.limits.HomeTables:
			return NewLimit("home_full", b.limits.HomeTables)
		case !done(t.Phase):
			home.Open[chat.ID] = t.ID
		case open == t.ID:
			delete(home.Open, chat.ID)
		}
	}
	if t.MatchNo > 1 && !done(t.Phase) {
		// What was set for the home while the match was over is brought to its chats.
		c.Due = append(c.Due, store.Mark{ID: homeName(t.Home), At: c.Now})
	}
	if finished != nil {
		home.list(match)
		if t.Firsts, err = enter(&home, c, t.Home, match, *finished, docs[1:]); err != nil {
			return err
		}
		c.Due = append(c.Due, store.Mark{ID: resultName(t.Home, match), At: c.Now})
	}
	c.Rows = append(c.Rows, openRow(*t))
	c.Writes = append(c.Writes, store.Write{Name: homeName(t.Home), Expect: docs[0].Version, Data: encode(home)})
	return nil
}

// tableExists is the error of opening a table where there is one: its id.
type tableExists string

func (e tableExists) Error() string { return "this chat has a table" }

// recordOf is a finished deal as a record of its own.
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
