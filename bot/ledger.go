package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// resultDoc is what a finished match means for the boards of one home. A home's
// results are its ledger: ratings, statistics and boards come of them and of
// nothing else, in the order of their numbers, so that all can be computed anew.
type resultDoc struct {
	No     int          `json:"no"` // from 1, in the order in which the home's matches ended
	At     time.Time    `json:"at"`
	Family string       `json:"family"`
	Week   string       `json:"week"` // the keys of the periods that it counts in, by the home's calendar of then
	Month  string       `json:"month"`
	Season string       `json:"season"`
	Seats  []resultSeat `json:"seats"`
	Homes  []string     `json:"homes,omitempty"` // other homes that count it too; those are told by the ledger of the table's home
}

// resultSeat is what the match means for one seat.
type resultSeat struct {
	Player string `json:"player,omitempty"` // "": an AI
	Name   string `json:"name,omitempty"`
	Side   int    `json:"side"`
	Rank   int    `json:"rank"` // the side's place, from 1; equal places are level
	Won    bool   `json:"won,omitempty"`
	Gone   bool   `json:"gone,omitempty"` // he was not there at the end: he has lost
	Stakes int    `json:"stakes,omitempty"`
	Sweeps int    `json:"sweeps,omitempty"` // deals in which his side took every trick

	Feats []string `json:"feats,omitempty"` // what he did that is worth learning: see feat.go
}

// resultName is the document of a match in a home's ledger, and the id of the job
// that tells other homes of it.
func resultName(home, match string) string { return "result:" + home + "|" + match }

// isGone tells whether that is a tombstone: somebody whose data was deleted, in
// what others share.
func isGone(player string) bool { return strings.HasPrefix(player, table.Gone) }

// families are those in which the match counts.
func (r resultDoc) families() []string { return []string{allGames, r.Family} }

func (r resultDoc) withAI() bool {
	return slices.ContainsFunc(r.Seats, func(s resultSeat) bool { return s.Player == "" })
}

func (r resultDoc) unfinished() bool {
	return slices.ContainsFunc(r.Seats, func(s resultSeat) bool { return s.Gone })
}

// resultOf is the finished match of a table.
func resultOf(t table.Table, over table.MatchOver, now time.Time) resultDoc {
	rules := over.Match.Rules
	r := resultDoc{At: now, Family: game.Family(rules.Preset), Homes: append([]string{everywhere}, t.Guests()...)}
	ranks := ranksOf(over.Match)
	for seat, s := range over.Seats {
		side := rules.Side(seat)
		out := resultSeat{Side: side, Rank: ranks[side], Stakes: over.Payments[seat]}
		if s.AI == "" {
			out.Player, out.Name = s.Player.ID, s.Player.Name
			out.Won = slices.Contains(over.Winners, seat)
		}
		if out.Player != "" && (s.Left || s.Away) {
			out.Gone, out.Won, out.Stakes = true, false, min(0, out.Stakes)
		}
		for _, past := range t.Past {
			if side := sweeper(past); side >= 0 && slices.Contains(past.Score.Sides[side], seat) {
				out.Sweeps++
			}
		}
		if out.Player != "" && !out.Gone {
			out.Feats = featsOf(t.Past, over, seat)
		}
		r.Seats = append(r.Seats, out)
	}
	return r
}

// ranksOf are the places of what keeps a score in a match that is over.
func ranksOf(m game.Match) []int {
	ranks := make([]int, len(m.Scores))
	for i, score := range m.Scores {
		ranks[i] = 1
		for j, other := range m.Scores {
			if j != i && i != m.Winner && (other > score || j == m.Winner) {
				ranks[i]++
			}
		}
	}
	return ranks
}

// sweeper is the side of past.Score.Sides that took every trick of the deal, or -1.
func sweeper(past table.Past) int {
	if past.Result.End != game.EndPlayed {
		return -1
	}
	side := -1
	for i, n := range past.Result.TricksWon {
		switch {
		case n > 0 && side >= 0:
			return -1
		case n > 0:
			side = i
		}
	}
	return side
}

// people are the ids of those who played, in the order of their seats.
func (r resultDoc) people() []string {
	var ids []string
	for _, s := range r.Seats {
		if s.Player != "" {
			ids = append(ids, s.Player)
		}
	}
	return ids
}

// memberKeys are the keys of the documents of those who played, in a home.
func (r resultDoc) memberKeys(home string) []store.Key {
	var keys []store.Key
	for _, id := range r.people() {
		keys = append(keys, store.Key{Partition: store.Partition(home), Name: memberName(home, id)})
	}
	return keys
}

// apply counts and rates a match for those who played it, who are all in members.
func (r resultDoc) apply(home string, members map[string]*memberDoc) {
	r.rate(members)
	for seat, s := range r.Seats {
		if s.Player != "" {
			members[s.Player].count(r, seat, home != everywhere)
		}
	}
}

// enter enters a match into a home's ledger: it adds to c the result, the members,
// whose documents are docs, and their rows. The home's own document counts it, and
// is the caller's to write; it also brings the home's next job forward. It returns who
// did what for the first time.
func enter(h *homeDoc, c *store.Change, home, match string, r resultDoc, docs []store.Doc) ([]table.First, error) {
	calendar := calendarOf(*h)
	h.Played++
	r.No = h.Played
	r.Week, r.Month, r.Season = calendar.key(weekly, r.At), calendar.key(monthly, r.At), calendar.key(seasonal, r.At)
	for _, key := range []string{r.Week, r.Month, r.Season} {
		if !slices.Contains(h.Periods, key) {
			h.Periods = append(h.Periods, key)
			c.Due = append(c.Due, store.Mark{ID: boardsJob(home), At: calendar.end(key)})
		}
	}
	members := map[string]*memberDoc{}
	for i, id := range r.people() {
		members[id] = &memberDoc{}
		if err := decode(docs[i], members[id]); err != nil {
			return nil, err
		}
	}
	r.apply(home, members)
	for i, id := range r.people() {
		rows, err := members[id].rows(home, id, r.families()...)
		if err != nil {
			return nil, err
		}
		c.Rows = append(c.Rows, rows...)
		c.Writes = append(c.Writes, store.Write{Name: docs[i].Key.Name, Expect: docs[i].Version, Data: encode(members[id])})
	}
	c.Writes = append(c.Writes, store.Write{Name: resultName(home, match), Expect: 0, Data: encode(r)})
	return r.firsts(members), nil
}

// spread does the job of a result: the match is entered into the ledgers of all
// other homes that count it. Each knows which matches it has, so that nothing is
// counted twice however often this is done.
func (b *Bot) spread(ctx context.Context, _ string, job store.Job, ends time.Time) error {
	docs, err := b.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err != nil {
		return err
	}
	var r resultDoc
	if err := decode(docs[0], &r); err != nil {
		return err
	}
	_, match, _ := cutLast(job.ID, "|")
	var left []string // where it did not succeed: it must not keep the others waiting
	var next time.Time
	for _, home := range r.Homes {
		if err := b.enterElsewhere(ctx, home, match, r); err != nil {
			b.docs.Log.Error("enter a match in another ledger", "err", err)
			left, next = append(left, home), earlier(next, b.docs.Now().Add(pardon(err)))
		}
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: next}
	if len(left) < len(r.Homes) {
		r.Homes = left
		c.Writes = append(c.Writes, store.Write{Name: job.ID, Expect: docs[0].Version, Data: encode(r)})
	}
	return b.complete(ctx, c, ends)
}

// enterElsewhere enters a match into the ledger of a home, unless it is there.
func (b *Bot) enterElsewhere(ctx context.Context, home, match string, r resultDoc) error {
	partition := store.Partition(home)
	keys := append([]store.Key{homeKey(home), {Partition: partition, Name: resultName(home, match)}}, r.memberKeys(home)...)
	r.Homes = nil
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, keys...)
		if err != nil {
			return err
		}
		if docs[1].Version != 0 {
			return nil
		}
		var h homeDoc
		if err := decode(docs[0], &h); err != nil {
			return err
		}
		c := store.Change{Partition: partition, Now: b.docs.Now()}
		if home != everywhere {
			h.list(match)
		}
		if _, err := enter(&h, &c, home, match, r, docs[2:]); err != nil {
			return err
		}
		c.Writes = append(c.Writes, store.Write{Name: keys[0].Name, Expect: docs[0].Version, Data: encode(h)})
		if err := b.docs.Store.Commit(ctx, c); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("enter a match: %w", errBusy)
}
