package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// setRow sets or deletes a row and its place in the ranking.
func setRow(tx *bbolt.Tx, p int, r store.Row) error {
	rows, ranking := tx.Bucket(rowsBucket), tx.Bucket(rankingBucket)
	key := rowKey(p, r.Board, r.Member)
	value := rows.Get(key)
	if value == nil && r.Delete {
		return nil
	}
	if value != nil {
		score, _ := decodeRow(value)
		if err := ranking.Delete(placeKey(p, r.Board, score, r.Member)); err != nil {
			return err
		}
	}
	if r.Delete {
		return rows.Delete(key)
	}
	value = order.AppendUint64(make([]byte, 0, rowHead+len(r.Data)), math.Float64bits(r.Score+0))
	value = append(value, r.Data...)
	return errors.Join(ranking.Put(placeKey(p, r.Board, r.Score, r.Member), nil), rows.Put(key, value))
}

const rowHead = 8 // size of the score before a row's data

func decodeRow(value []byte) (score float64, data []byte) {
	return math.Float64frombits(order.Uint64(value)), value[rowHead:]
}

// Board implements store.Store. A cursor collects the places of the whole board.
func (s *Store) Board(ctx context.Context, partition int, board string, from, n int, around string) (standings []store.Standing, all int, err error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, 0, fmt.Errorf("board %q: no partition %d", board, partition)
	}
	from, n = max(from, 0), min(max(n, 0), store.MaxRows)
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		begin, rows, c := boardKey(partition, board), tx.Bucket(rowsBucket), tx.Bucket(rankingBucket).Cursor()
		var places [][]byte
		for key, _ := c.Seek(begin); key != nil && bytes.HasPrefix(key, begin); key, _ = c.Next() {
			places = append(places, key)
		}
		all = len(places)
		if around != "" {
			value := rows.Get(rowKey(partition, board, around))
			if value == nil {
				return nil
			}
			score, _ := decodeRow(value)
			at, _ := slices.BinarySearchFunc(places, placeKey(partition, board, score, around), bytes.Compare)
			from = max(0, min(at-n/2, all-n))
		}
		for _, place := range places[min(from, all):min(from+n, all)] {
			score := place[:len(begin)+8]
			before, _ := slices.BinarySearchFunc(places, score, bytes.Compare)
			standing := store.Standing{Member: string(place[len(score):]), Rank: before + 1}
			var data []byte
			if standing.Score, data = decodeRow(rows.Get(rowKey(partition, board, standing.Member))); len(data) > 0 {
				standing.Data = bytes.Clone(data)
			}
			standings = append(standings, standing)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return standings, all, nil
}
