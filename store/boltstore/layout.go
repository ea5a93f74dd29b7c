package boltstore

import (
	"encoding/binary"
	"math"
	"time"
)

// The file's buckets. Numbers are big-endian, eight bytes, times are ms; p is a partition in one byte; nothing is stored
// as the value of an index.
//
//	meta      schema                     its number in decimal
//	documents p, name                    version, expires (0 never), data; the bucket's sequence gives first versions and tokens
//	expires   expires, p, name           index of the documents that expire
//	jobs      p, id                      when, token (0: parked), wake (0: none)
//	when      p, when, id                index of the jobs: when a parked one is due, when a held one's lease ends
//	rows      p, board, member           score, data
//	ranking   p, board, order, member    index of the rows, the best first
//
// A board in a key is its length in two bytes and its name.
var (
	metaBucket      = []byte("meta")
	documentsBucket = []byte("documents")
	expiresBucket   = []byte("expires")
	jobsBucket      = []byte("jobs")
	whenBucket      = []byte("when")
	rowsBucket      = []byte("rows")
	rankingBucket   = []byte("ranking")

	buckets = [][]byte{metaBucket, documentsBucket, expiresBucket, jobsBucket, whenBucket, rowsBucket, rankingBucket}

	schemaKey = []byte("schema")
)

var order = binary.BigEndian

// documentKey is also the key of a job.
func documentKey(p int, name string) []byte { return append([]byte{byte(p)}, name...) }

func expiresKey(expires int64, p int, name string) []byte {
	return append(append(order.AppendUint64(nil, uint64(expires)), byte(p)), name...)
}

func whenKey(p int, when int64, id string) []byte {
	return append(order.AppendUint64([]byte{byte(p)}, uint64(when)), id...)
}

// readWhen returns when and id of a key of the index of jobs.
func readWhen(key []byte) (int64, string) { return int64(order.Uint64(key[1:])), string(key[9:]) }

// boardKey is what all rows of a board, and all places of its ranking, begin with.
func boardKey(p int, board string) []byte {
	return append(order.AppendUint16([]byte{byte(p)}, uint16(len(board))), board...)
}

func rowKey(p int, board, member string) []byte { return append(boardKey(p, board), member...) }

func placeKey(p int, board string, score float64, member string) []byte {
	return append(order.AppendUint64(boardKey(p, board), descending(score)), member...)
}

// descending maps numbers to integers in the opposite order.
func descending(f float64) uint64 {
	bits := math.Float64bits(f + 0) // no negative zero
	if bits>>63 == 0 {
		return ^(bits | 1<<63)
	}
	return bits
}

// millis is a time as it is stored, rounded up so that nothing is early.
func millis(t time.Time) int64 { return max(1, t.Add(time.Millisecond-1).UnixMilli()) }

// present is the later of a caller's now and the wall clock, rounded down: what documents expire by.
func present(now time.Time) int64 { return max(now.UnixMilli(), time.Now().UnixMilli()) }
