package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// setRow sets or deletes a row and its place in the ranking.
func setRow(tx *txn, p int, r store.Row) error {
	rows, ranking := tx.Bucket(rowsBucket), tx.Bucket(rankingBucket)
	key := rowKey(p, r.Board, r.Member)
	if value := rows.Get(key); value != nil {
		tx.change.rows.remove(checksum(key, value))
		score, _ := decodeRow(value)
		if err := ranking.Delete(placeKey(p, r.Board, score, r.Member)); err != nil {
			return err
		}
	}
	if r.Delete {
		return rows.Delete(key)
	}
	if err := ranking.Put(placeKey(p, r.Board, r.Score, r.Member), nil); err != nil {
		return err
	}
	value := order.AppendUint64(make([]byte, 0, 8+len(r.Data)), math.Float64bits(r.Score+0))
	value = append(value, r.Data...)
	tx.change.rows.add(checksum(key, value))
	return rows.Put(key, value)
}

func decodeRow(value []byte) (score float64, data []byte) {
	return math.Float64frombits(order.Uint64(value)), value[8:]
}

// Board implements store.Store. It walks over the whole ranking, as a file's boards have thousands of rows, not millions.
func (s *Store) Board(ctx context.Context, partition int, board string, from, n int, around string) (standings []store.Standing, all int, err error) {
	if partition < 0 || partition >= store.Partitions {
		return nil, 0, fmt.Errorf("board %q: no partition %d", board, partition)
	}
	from, n = max(from, 0), min(max(n, 0), store.MaxRows)
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		rows, c := tx.Bucket(rowsBucket), tx.Bucket(rankingBucket).Cursor()
		begin := boardKey(partition, board)
		at := -1
		for key, _ := c.Seek(begin); bytes.HasPrefix(key, begin); key, _ = c.Next() {
			if string(key[len(begin)+8:]) == around {
				at = all
			}
			all++
		}
		if around != "" {
			if at < 0 {
				return nil
			}
			from = max(0, min(at-n/2, all-n))
		}
		place, rank := 0, 0
		var last []byte // the encoded score of the previous row
		for key, _ := c.Seek(begin); bytes.HasPrefix(key, begin) && place-n < from; key, _ = c.Next() {
			place++
			if score := key[len(begin) : len(begin)+8]; !bytes.Equal(score, last) {
				rank, last = place, score
			}
			if place <= from {
				continue
			}
			member := string(key[len(begin)+8:])
			score, data := decodeRow(rows.Get(rowKey(partition, board, member)))
			standing := store.Standing{Member: member, Rank: rank, Score: score}
			if len(data) > 0 {
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
