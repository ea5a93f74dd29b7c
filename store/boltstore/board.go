package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// setRow sets or deletes a row and its place in the ranking.
func setRow(tx *txn, p int, r store.Row) error {
	rows, ranking := tx.Bucket(rowsBucket), tx.Bucket(rankingBucket)
	key, board, place := rowKey(p, r.Board, r.Member), boardKey(p, r.Board), placeKey(p, r.Board, r.Score, r.Member)
	value := rows.Get(key)
	if value == nil && r.Delete {
		return nil
	}
	tx.ranked = true
	stays := false
	if value != nil {
		tx.change.rows.remove(checksum(key, value))
		score, _ := decodeRow(value)
		old := placeKey(p, r.Board, score, r.Member)
		if stays = !r.Delete && bytes.Equal(old, place); !stays {
			if err := errors.Join(ranking.Delete(old), countOut(tx, board, old)); err != nil {
				return err
			}
		}
	}
	if r.Delete {
		return rows.Delete(key)
	}
	if !stays {
		if err := errors.Join(ranking.Put(place, nil), countIn(tx, board, place)); err != nil {
			return err
		}
	}
	value = order.AppendUint64(make([]byte, 0, 8+len(r.Data)), math.Float64bits(r.Score+0))
	value = append(value, r.Data...)
	tx.change.rows.add(checksum(key, value))
	return rows.Put(key, value)
}

func decodeRow(value []byte) (score float64, data []byte) {
	return math.Float64frombits(order.Uint64(value)), value[8:]
}

// Board implements store.Store. It reads the counts of the board's blocks, and of the rows only those that it returns and
// those of two or three blocks.
func (s *Store) Board(ctx context.Context, partition int, board string, from, n int, around string) (standings []store.Standing, all int, err error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, 0, fmt.Errorf("board %q: no partition %d", board, partition)
	}
	from, n = max(from, 0), min(max(n, 0), store.MaxRows)
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		begin := boardKey(partition, board)
		blocks := blocksOf(tx, begin)
		for _, b := range blocks {
			all += b.rows
		}
		if around != "" {
			value := tx.Bucket(rowsBucket).Get(rowKey(partition, board, around))
			if value == nil {
				return nil
			}
			score, _ := decodeRow(value)
			at := position(tx, begin, blocks, placeKey(partition, board, score, around))
			from = max(0, min(at-n/2, all-n))
		}
		standings = window(tx, partition, board, blocks, from, n)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return standings, all, nil
}
