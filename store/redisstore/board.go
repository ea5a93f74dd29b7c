package redisstore

import (
	"context"
	"fmt"
	"strconv"

	"sedmabot/store"
)

// Board implements store.Store. It runs board.lua once.
func (s *Store) Board(ctx context.Context, partition int, name string, from, n int, around string) ([]store.Standing, int, error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, 0, fmt.Errorf("board %q: no partition %d", name, partition)
	}
	keys := []string{s.keys.ranking(partition, name), s.keys.rows(partition, name)}
	args := []any{max(from, 0), min(max(n, 0), store.MaxRows), around}
	var answer []any
	err := s.retry(ctx, true, func(ctx context.Context) error {
		cmd, err := run(ctx, s.client.Process, board, keys, args)
		if err == nil {
			answer, err = cmd.Slice()
		}
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read a board from redis: %w", err)
	}
	all, _ := answer[0].(int64)
	first, _ := answer[1].(int64)
	rank, _ := answer[2].(int64)
	var standings []store.Standing
	for i := 3; i+2 < len(answer); i += 3 {
		member, _ := answer[i].(string)
		text, _ := answer[i+1].(string)
		data, _ := answer[i+2].(string)
		score, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, 0, fmt.Errorf("read a board from redis: %w", err)
		}
		standing := store.Standing{Member: member, Rank: int(rank), Score: 0 - score}
		if data != "" {
			standing.Data = []byte(data)
		}
		if last := len(standings) - 1; last >= 0 {
			standing.Rank = standings[last].Rank
			if standing.Score != standings[last].Score {
				standing.Rank = int(first) + len(standings) + 1
			}
		}
		standings = append(standings, standing)
	}
	return standings, int(all), nil
}
