package boltstore

import (
	"encoding/binary"
	"math"
	"time"

	"sedmabot/store"
)

// The file's buckets. Numbers are big-endian and have eight bytes; times are in ms; p is a partition in one byte. The
// values of an index are empty.
//
//	meta      schema                     the schema's number in decimal
//	documents p, name                    version, expires (0: never), data; the bucket's sequence is at least the
//	                                     versions of first writes and of deleted documents
//	expires   expires, p, name           index of the documents that expire
//	jobs      p, id                      when, token (0: parked), wake (0: none); of a parked job wake is when its due
//	                                     time was set (0: written by an earlier program)
//	when      p, when, id                index of the jobs: when a parked one is due, or a held one's lease expires
//	rows      p, board, member           score, data
//	ranking   p, board, order, member    index of the rows, the best first
//
// In a key, a board is the length of its name in two bytes, then the name.
//
// Schema 2, of versions until December 2026, also had four bytes of a checksum before the data of a document, and further
// entries. Open makes such a file one of schema 1, which every version opens: see plain.
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

// documentKey returns the key of a document, or of a job.
func documentKey(p int, name string) []byte { return append([]byte{byte(p)}, name...) }

// document is a stored document; version 0 means that there is none.
type document struct {
	version, expires int64
	data             []byte
}

const documentHead = 16 // size of the header before a document's data

// encode returns the stored form of a document.
func encode(version, expires int64, data []byte) []byte {
	value := make([]byte, 0, documentHead+len(data))
	value = order.AppendUint64(order.AppendUint64(value, uint64(version)), uint64(expires))
	return append(value, data...)
}

// decode parses a stored document. It panics if the document is damaged.
func decode(value []byte) document {
	if value == nil {
		return document{}
	}
	return document{int64(order.Uint64(value)), int64(order.Uint64(value[8:])), value[documentHead:]}
}

// at returns the document, or the zero document if it has expired at now.
func (d document) at(now int64) document {
	if d.expires != 0 && d.expires <= now {
		return document{}
	}
	return d
}

// keyOf returns the key that documentKey was made from.
func keyOf(key []byte) store.Key {
	return store.Key{Partition: int(key[0]), Name: string(key[1:])}
}

func expiresKey(expires int64, p int, name string) []byte {
	return append(append(order.AppendUint64(nil, uint64(expires)), byte(p)), name...)
}

func whenKey(p int, when int64, id string) []byte {
	return append(order.AppendUint64([]byte{byte(p)}, uint64(when)), id...)
}

// readWhen returns the time and the id in a key of the index of jobs.
func readWhen(key []byte) (int64, string) { return int64(order.Uint64(key[1:])), string(key[9:]) }

// boardKey returns the key prefix of all rows of a board, and of all places in its ranking.
func boardKey(p int, board string) []byte {
	return append(order.AppendUint16([]byte{byte(p)}, uint16(len(board))), board...)
}

func rowKey(p int, board, member string) []byte { return append(boardKey(p, board), member...) }

func placeKey(p int, board string, score float64, member string) []byte {
	return append(order.AppendUint64(boardKey(p, board), descending(score)), member...)
}

// descending maps numbers to integers in the opposite order.
func descending(f float64) uint64 {
	bits := math.Float64bits(f + 0) // + 0 turns negative zero into zero
	if bits>>63 == 0 {
		return ^(bits | 1<<63)
	}
	return bits
}

// millis returns the stored form of a time, rounded up so that nothing happens early.
func millis(t time.Time) int64 { return max(1, t.Add(time.Millisecond-1).UnixMilli()) }

// caller returns the caller's current time, rounded down.
func caller(c store.Change) int64 {
	if c.Now.IsZero() {
		return time.Now().UnixMilli()
	}
	return c.Now.UnixMilli()
}

// present returns the time that decides about expiry: the later of a caller's now and the wall clock, rounded down.
func present(now time.Time) int64 { return max(now.UnixMilli(), time.Now().UnixMilli()) }
