package review

import (
	"context"
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// Lately returns how well a player chose in their latest matches among those with the
// given ids. It makes the jobs due for matches that aren't analyzed yet.
func (room *Room) Lately(ctx context.Context, player string, ids []string) (sum league.Lately, err error) {
	all, err := room.lately(ctx, player, ids)
	for _, o := range all {
		switch {
		case !o.Done:
			sum.Waiting++
		case o.Choices > 0:
			sum.Matches++
			sum.Choices, sum.Lost, sum.Stake = sum.Choices+o.Choices, sum.Lost+o.Lost, sum.Stake+o.Stake
		}
	}
	return sum, err
}

// lately returns the coach's opinions about a player's latest matches among those with
// the given ids. It makes the jobs due for matches that aren't analyzed yet.
func (room *Room) lately(ctx context.Context, player string, ids []string) (all []opinion, err error) {
	found, err := room.latest(ctx, player, ids)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var keys []store.Key
	for _, f := range found {
		key, _ := verdictKey(f.table, f.no, player)
		keys = append(keys, key)
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var due [store.Partitions][]store.Mark
	now := room.docs.Now()
	for i, f := range found {
		o, err := opinionOf(docs[i], f.SeatOf(player))
		if err != nil {
			return nil, err
		}
		if all = append(all, o); !o.Done {
			due[keys[i].Partition] = append(due[keys[i].Partition], store.Mark{ID: keys[i].Name, At: now})
		}
	}
	for partition, marks := range due {
		if len(marks) > 0 {
			if err := room.docs.Commit(ctx, "", store.Change{Partition: partition, Due: marks, Now: now}); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// finished is a stored match, with its id.
type finished struct {
	doc.Match

	table string
	no    int
}

// latest returns the player's latest matches among those with the given ids, the newest
// first, at most league.MaxLatest. It leaves out matches that have expired, and deals of
// the day that can't be shown yet.
func (room *Room) latest(ctx context.Context, player string, ids []string) ([]finished, error) {
	var all []finished
	var keys []store.Key
	for _, id := range ids {
		table, no, ok := doc.ParseMatchID(id)
		key, known := doc.MatchKey(table, no)
		if ok && known && !slices.Contains(keys, key) {
			all, keys = append(all, finished{table: table, no: no}), append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, stored := range docs {
		if err := doc.Decode(stored, &all[i].Match); err != nil {
			return nil, err
		}
	}
	now := room.docs.Now()
	all = slices.DeleteFunc(all, func(f finished) bool { return f.SeatOf(player) < 0 || now.Before(f.Sealed) })
	slices.SortStableFunc(all, func(a, b finished) int { return b.At.Compare(a.At) })
	return all[:min(len(all), league.MaxLatest)], nil
}
