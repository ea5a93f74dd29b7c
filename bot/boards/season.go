package boards

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// hallSeasons is the most seasons that a hall of fame keeps.
const hallSeasons = 40

// settled is the delay between the end of a period and its closing. By then, every match
// of the period is in the ledger.
const settled = time.Minute

// keepBoards runs the job of a home's boards: it closes the periods that are over. It
// clears their boards, and copies the top three of a season to the hall of fame. The ledger
// keeps all results.
func (room *Room) keepBoards(ctx context.Context, home string, job store.Job, ends time.Time) error {
	keys := []store.Key{doc.HomeKey(home), {Partition: job.Partition, Name: league.HallName(home)}}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	var h doc.Home
	var hall league.Hall
	if err := errors.Join(doc.Decode(docs[0], &h), doc.Decode(docs[1], &hall)); err != nil {
		return err
	}
	calendar, now := league.CalendarOf(h), room.docs.Now()
	c := store.Change{Partition: job.Partition, Done: &job}
	var open, over []string
	for _, key := range h.Periods {
		if end := calendar.End(key).Add(settled); end.After(now) {
			open = append(open, key)
			c.Next = work.Earlier(c.Next, end)
		} else {
			over = append(over, key)
		}
	}
	for _, key := range over {
		if strings.Contains(key, "+") && !slices.ContainsFunc(hall.Seasons, func(s league.HallSeason) bool { return s.Key == key }) {
			season, err := room.bestOfSeason(ctx, job.Partition, home, key)
			if err != nil {
				return err
			}
			hall.Seasons = append(hall.Seasons, season)
			hall.Seasons = hall.Seasons[max(0, len(hall.Seasons)-hallSeasons):]
		}
	}
	if len(over) > 0 && docs[0].Version != 0 {
		// The order matters: commit the hall, then clear the rows it was made from, then record that both are done.
		if len(hall.Seasons) > 0 {
			err := room.docs.Store.Commit(ctx, store.Change{
				Partition: job.Partition, Now: now,
				Writes: []store.Write{{Name: keys[1].Name, Expect: docs[1].Version, Data: doc.Encode(hall)}},
			})
			if err != nil {
				return err
			}
		}
		for _, key := range over {
			for _, family := range league.BoardFamilies() {
				if err := room.docs.ClearBoard(ctx, job.Partition, league.BoardName(home, family, key)); err != nil {
					return err
				}
			}
		}
		h.Periods = open
		c.Writes = append(c.Writes, store.Write{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(h)})
	}
	return room.queue.Complete(ctx, c, ends)
}

// turnSeason makes a new length of a home's seasons begin after the running one.
func (room *Room) turnSeason(ctx context.Context, home string, known doc.Home) error {
	if !league.Turn(&known, room.docs.Now()) {
		return nil
	}
	return room.docs.Update(ctx, "", []store.Key{doc.HomeKey(home)}, func(docs []store.Doc, c *store.Change) error {
		var h doc.Home
		if err := doc.Decode(docs[0], &h); err != nil {
			return err
		}
		if docs[0].Version == 0 || !league.Turn(&h, c.Now) { // a home that was deleted isn't written again
			return doc.ErrSame
		}
		c.Writes = []store.Write{{Name: doc.HomeName(home), Expect: docs[0].Version, Data: doc.Encode(h)}}
		return nil
	})
}

// bestOfSeason returns the top three of a season, in each family.
func (room *Room) bestOfSeason(ctx context.Context, partition int, home, key string) (league.HallSeason, error) {
	season := league.HallSeason{Key: key, Games: map[string][]league.HallRank{}}
	for _, family := range league.BoardFamilies() {
		places, err := league.Places(ctx, room.docs, partition, league.BoardName(home, family, key), 3)
		if err != nil {
			return season, err
		}
		if len(places) > 0 {
			season.Games[family] = places
		}
	}
	return season, nil
}
