package boltstore

import (
	"bytes"
	"math"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// A board's page needs the number of rows before it. So the ranking of each board is divided into blocks, and the bucket
// of counts has the number of rows of each. The key of a block is its last possible place in the ranking; the block begins
// after the key of the board's block before it.
//
// The counts are an index that can always be made again. An older version of this program changes the ranking and not
// the counts. So the counts have a stamp: the tally of the rows that they belong to. If the rows have another tally,
// Open makes the counts again.
const (
	fullBlock = 256 // maximum number of rows in a block
	thinBlock = 64  // a block with fewer rows is joined with the next one, if both fit into half a block
)

// block is a part of a board's ranking.
type block struct {
	key  []byte
	rows int
}

// blocksOf returns the blocks of a board, given the prefix of its places. Their keys are valid during the transaction.
func blocksOf(tx *bbolt.Tx, board []byte) []block {
	var all []block
	c := tx.Bucket(countsBucket).Cursor()
	for key, value := c.Seek(board); key != nil && bytes.HasPrefix(key, board); key, value = c.Next() {
		all = append(all, block{key, readCount(value)})
	}
	return all
}

// readCount parses the stored number of rows of a block.
func readCount(value []byte) int {
	if len(value) != 8 {
		return 0
	}
	return int(order.Uint64(value))
}

// position returns how many places of a board are before key, which has the board's prefix.
func position(tx *bbolt.Tx, board []byte, blocks []block, key []byte) int {
	before, begin := 0, board
	for _, b := range blocks {
		if bytes.Compare(b.key, key) >= 0 {
			break
		}
		before, begin = before+b.rows, b.key
	}
	c := tx.Bucket(rankingBucket).Cursor()
	for at := after(c, begin); at != nil && bytes.Compare(at, key) < 0; at, _ = c.Next() {
		before++
	}
	return before
}

// after returns the first place after key, as the cursor's current key.
func after(c *bbolt.Cursor, key []byte) []byte {
	at, _ := c.Seek(key)
	if bytes.Equal(at, key) {
		at, _ = c.Next()
	}
	return at
}

// placeAt returns the place of a board at a position, as the cursor's current key, or nil if there are fewer places.
func placeAt(c *bbolt.Cursor, board []byte, blocks []block, position int) []byte {
	begin := board
	for _, b := range blocks {
		if position >= b.rows {
			position, begin = position-b.rows, b.key
			continue
		}
		key := after(c, begin)
		for ; key != nil && position > 0; position-- {
			key, _ = c.Next()
		}
		return key
	}
	return nil
}

// lastPlace returns a key after all places of a board.
func lastPlace(board []byte) []byte { return order.AppendUint64(bytes.Clone(board), math.MaxUint64) }

// blockOf returns the block of a board that a place is in.
func blockOf(tx *txn, board, place []byte) block {
	key, value := tx.Bucket(countsBucket).Cursor().Seek(place)
	if !bytes.HasPrefix(key, board) {
		return block{key: lastPlace(board)}
	}
	return block{bytes.Clone(key), readCount(value)}
}

// setCount stores the number of rows of a block, which was before so far. A block without rows is deleted.
func setCount(tx *txn, key []byte, before, rows int) error {
	counts := tx.Bucket(countsBucket)
	if before > 0 {
		tx.counts.remove(checksum(key, encodeCount(before)))
	}
	if rows == 0 {
		return counts.Delete(key)
	}
	value := encodeCount(rows)
	tx.counts.add(checksum(key, value))
	return counts.Put(key, value)
}

func encodeCount(rows int) []byte { return order.AppendUint64(nil, uint64(rows)) }

// countIn counts a place that was just added to the ranking of a board. It divides a block that becomes too large.
func countIn(tx *txn, board, place []byte) error {
	b := blockOf(tx, board, place)
	if err := setCount(tx, b.key, b.rows, b.rows+1); err != nil || b.rows < fullBlock {
		return err
	}
	before := 0
	blocks := blocksOf(tx.Tx, board)
	for _, other := range blocks {
		if bytes.Equal(other.key, b.key) {
			break
		}
		before += other.rows
	}
	const half = fullBlock / 2
	middle := bytes.Clone(placeAt(tx.Bucket(rankingBucket).Cursor(), board, blocks, before+half-1))
	if err := setCount(tx, b.key, b.rows+1, b.rows+1-half); err != nil {
		return err
	}
	return setCount(tx, middle, 0, half)
}

// countOut counts a place that was just deleted from the ranking of a board.
func countOut(tx *txn, board, place []byte) error {
	b := blockOf(tx, board, place)
	rows := b.rows - 1
	if rows < thinBlock {
		c := tx.Bucket(countsBucket).Cursor()
		c.Seek(b.key)
		if key, value := c.Next(); key != nil && bytes.HasPrefix(key, board) && rows+readCount(value) <= fullBlock/2 {
			next := block{bytes.Clone(key), readCount(value)}
			if err := setCount(tx, next.key, next.rows, rows+next.rows); err != nil {
				return err
			}
			rows = 0
		}
	}
	return setCount(tx, b.key, b.rows, rows)
}

// stamp has the tallies of the rows and of the counts when the counts were last written. If the rows or the counts have
// another tally now, the counts are out of date.
type stamp struct{ rows, counts tally }

func (s stamp) encode() []byte {
	var b []byte
	for _, n := range []uint64{s.rows.count, s.rows.sum, s.counts.count, s.counts.sum} {
		b = order.AppendUint64(b, n)
	}
	return b
}

// readStamp returns the stored stamp, or the zero stamp and false if there is none.
func readStamp(tx *bbolt.Tx) (stamp, bool) {
	b := tx.Bucket(metaBucket).Get(countedKey)
	if len(b) != 32 {
		return stamp{}, false
	}
	n := func(i int) uint64 { return order.Uint64(b[8*i:]) }
	return stamp{tally{n(0), n(1)}, tally{n(2), n(3)}}, true
}

// settleCounts stores the stamp of a transaction that changed rows, whose tally is now rows.
func (t *txn) settleCounts(rows tally) error {
	s, _ := readStamp(t.Tx)
	s.rows = rows
	s.counts.apply(t.counts)
	return t.Bucket(metaBucket).Put(countedKey, s.encode())
}

// counted reports whether the counts are there and belong to the rows.
func counted(tx *bbolt.Tx) bool {
	s, ok := readStamp(tx)
	stored, sound := decodeSums(tx.Bucket(metaBucket).Get(sumsKey))
	counts := tx.Bucket(countsBucket)
	if !ok || !sound || counts == nil || s.rows != stored.rows {
		return false
	}
	var found tally
	c := counts.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		found.add(checksum(key, value))
	}
	return found == s.counts
}

// count makes the counts again, unless they belong to the rows.
func count(db *bbolt.DB) error {
	done := false
	if err := db.View(func(tx *bbolt.Tx) error { done = counted(tx); return nil }); err != nil || done {
		return err
	}
	return transact(db, func(tx *txn) error {
		if tx.Bucket(countsBucket) != nil {
			if err := tx.DeleteBucket(countsBucket); err != nil {
				return err
			}
		}
		if _, err := tx.CreateBucket(countsBucket); err != nil {
			return err
		}
		if err := tx.Bucket(metaBucket).Delete(countedKey); err != nil {
			return err
		}
		tx.ranked = true
		var board, last []byte // the board of the row that was counted last, and its place
		rows := 0              // number of rows since the last block
		c := tx.Bucket(rankingBucket).Cursor()
		for key, _ := c.First(); key != nil; key, _ = c.Next() {
			switch other := !bytes.HasPrefix(key, board); {
			case other && rows > 0:
				if err := setCount(tx, lastPlace(board), 0, rows); err != nil {
					return err
				}
				rows = 0
			case rows == fullBlock/2:
				if err := setCount(tx, last, 0, rows); err != nil {
					return err
				}
				rows = 0
			}
			name, _ := splitRow(key)
			board, last = boardKey(int(key[0]), name), key
			rows++
		}
		if rows == 0 {
			return nil
		}
		return setCount(tx, lastPlace(board), 0, rows)
	})
}

// window returns the rows of a board from a position on, at most n.
func window(tx *bbolt.Tx, partition int, board string, blocks []block, from, n int) []store.Standing {
	begin, rows, c := boardKey(partition, board), tx.Bucket(rowsBucket), tx.Bucket(rankingBucket).Cursor()
	key := placeAt(c, begin, blocks, from)
	if key == nil {
		return nil
	}
	last := key[:len(begin)+8]
	rank := position(tx, begin, blocks, last) + 1
	var standings []store.Standing
	for place := from + 1; n > 0 && key != nil && bytes.HasPrefix(key, begin); key, _ = c.Next() {
		if score := key[:len(begin)+8]; !bytes.Equal(score, last) {
			rank, last = place, score
		}
		member := string(key[len(begin)+8:])
		score, data := decodeRow(rows.Get(rowKey(partition, board, member)))
		standing := store.Standing{Member: member, Rank: rank, Score: score}
		if len(data) > 0 {
			standing.Data = bytes.Clone(data)
		}
		standings = append(standings, standing)
		place, n = place+1, n-1
	}
	return standings
}
