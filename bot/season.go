package bot

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"sedmabot/game"
	"sedmabot/store"
)

// hallDoc is a home's hall of fame: its seasons that are over, the latest last.
type hallDoc struct {
	Seasons []hallSeason `json:"seasons"`
}

// hallSeason is who was in front at the end of a season, by family of games.
type hallSeason struct {
	Key   string                `json:"key"`
	Games map[string][]hallRank `json:"games,omitempty"`
}

// hallRank is a place among the first three.
type hallRank struct {
	Rank   int    `json:"rank"`
	Player string `json:"player"`
	Name   string `json:"name"`
	Rating int    `json:"rating"`
}

// What a hall of fame takes.
const (
	hallSeasons = 40 // seasons that it remembers
	hallMatches = 5  // matches between people that a place in it needs
)

// settled is how long after its end a period is closed: by then every match of
// it is in the ledger.
const settled = time.Minute

// boardsJob is the id of the job that closes the periods of a home.
func boardsJob(home string) string { return "boards:" + home }

func hallName(home string) string { return "hall:" + home }

// keepBoards does the job of a home's boards: periods that are over are closed. The boards
// of weeks, months and seasons go then; the best of a season stay in the hall of
// fame. The ledger keeps everything.
func (b *Bot) keepBoards(ctx context.Context, home string, job store.Job, ends time.Time) error {
	keys := []store.Key{homeKey(home), {Partition: job.Partition, Name: hallName(home)}}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	var h homeDoc
	var hall hallDoc
	if err := errors.Join(decode(docs[0], &h), decode(docs[1], &hall)); err != nil {
		return err
	}
	calendar, now := calendarOf(h), b.docs.Now()
	c := store.Change{Partition: job.Partition, Done: &job}
	var open, over []string
	for _, key := range h.Periods {
		if end := calendar.end(key).Add(settled); end.After(now) {
			open = append(open, key)
			c.Next = earlier(c.Next, end)
		} else {
			over = append(over, key)
		}
	}
	for _, key := range over {
		if strings.Contains(key, "+") && !slices.ContainsFunc(hall.Seasons, func(s hallSeason) bool { return s.Key == key }) {
			season, err := b.best(ctx, job.Partition, home, key)
			if err != nil {
				return err
			}
			hall.Seasons = append(hall.Seasons, season)
			hall.Seasons = hall.Seasons[max(0, len(hall.Seasons)-hallSeasons):]
		}
	}
	if len(over) > 0 && docs[0].Version != 0 {
		// First the hall, then the rows that it was made of, then the note that both are done.
		if len(hall.Seasons) > 0 {
			err := b.docs.Store.Commit(ctx, store.Change{
				Partition: job.Partition, Now: now,
				Writes: []store.Write{{Name: keys[1].Name, Expect: docs[1].Version, Data: encode(hall)}},
			})
			if err != nil {
				return err
			}
		}
		for _, key := range over {
			for _, family := range boardFamilies() {
				if err := b.docs.ClearBoard(ctx, job.Partition, boardName(home, family, key)); err != nil {
					return err
				}
			}
		}
		h.Periods = open
		c.Writes = append(c.Writes, store.Write{Name: keys[0].Name, Expect: docs[0].Version, Data: encode(h)})
	}
	return b.complete(ctx, c, ends)
}

// boardFamilies are the families of games that have boards: all together, then each.
func boardFamilies() []string { return append([]string{allGames}, game.Families()...) }

// best are the first three of a season, in each family. Equal ratings share a place.
func (b *Bot) best(ctx context.Context, partition int, home, key string) (hallSeason, error) {
	season := hallSeason{Key: key, Games: map[string][]hallRank{}}
	for _, family := range boardFamilies() {
		for from := 0; ; {
			standings, _, err := b.docs.Store.Board(ctx, partition, boardName(home, family, key), from, rowBatch, "")
			if err != nil {
				return season, err
			}
			from += len(standings)
			places := season.Games[family]
			for _, s := range standings {
				var row boardRow
				if err := json.Unmarshal(s.Data, &row); err != nil {
					return season, err
				}
				if row.Rating == 0 || row.Matches < hallMatches {
					continue
				}
				rank := len(places) + 1
				if n := len(places); n > 0 && places[n-1].Rating == row.Rating {
					rank = places[n-1].Rank
				}
				if rank > 3 {
					break
				}
				places = append(places, hallRank{Rank: rank, Player: s.Member, Name: row.Name, Rating: row.Rating})
			}
			if len(places) > 0 {
				season.Games[family] = places
			}
			if len(standings) < rowBatch || len(places) >= 3 {
				break
			}
		}
	}
	return season, nil
}

// boardNames returns the names of the boards that a home may have.
func boardNames(h homeDoc, home string) []string {
	var names []string
	for _, key := range append([]string{allTime}, h.Periods...) {
		for _, family := range boardFamilies() {
			names = append(names, boardName(home, family, key))
		}
	}
	return names
}

// medals are the places that players have from the home's latest season, in a family.
func (h hallDoc) medals(family string) map[string]int {
	out := map[string]int{}
	if n := len(h.Seasons); n > 0 {
		for _, place := range h.Seasons[n-1].Games[family] {
			out[place.Player] = place.Rank
		}
	}
	return out
}
