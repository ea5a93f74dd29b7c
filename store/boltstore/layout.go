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
//	meta      sums                       count and checksum of the file's contents: see sums.go
//	documents p, name                    version, expires (0: never), checksum, data; the bucket's sequence is the
//	                                     source of first versions
//	expires   expires, p, name           index of the documents that expire
//	jobs      p, id                      when, token (0: parked), wake (0: none); of a parked job wake is when its due
//	                                     time was set (0: written by an earlier program)
//	when      p, when, id                index of the jobs: when a parked one is due, or a held one's lease expires
//	rows      p, board, member           score, data
//	ranking   p, board, order, member    index of the rows, the best first
//	counts, and meta: counted            of earlier versions; nothing reads them
//
// In a key, a board is the length of its name in two bytes, then the name. The checksum is the CRC-32C, in four bytes, of
// the key and the rest of the value.
//
// Schema 1 had neither sums nor checksums. Open upgrades such a file to schema 2. A program that knows only schema 1
// refuses to open it afterwards.
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
	sumsKey   = []byte("sums")
)

var order = binary.BigEndian

// documentKey returns the key of a document, or of a job.
func documentKey(p int, name string) []byte { return append([]byte{byte(p)}, name...) }

// document is a stored document; version 0 means that there is none.
type document struct {
	version, expires int64
	sum              uint32
	data             []byte
}

const documentHead = 20 // size of the header before a document's data

// encode returns the stored form of a document, and its checksum.
func encode(key []byte, version, expires int64, data []byte) (value []byte, sum uint32) {
	value = make([]byte, documentHead, documentHead+len(data))
	order.PutUint64(value, uint64(version))
	order.PutUint64(value[8:], uint64(expires))
	value = append(value, data...)
	sum = checksum(key, value[:16], data)
	order.PutUint32(value[16:], sum)
	return value, sum
}

// split parses a stored document without checking it.
func split(value []byte) document {
	if value == nil {
		return document{}
	}
	return document{int64(order.Uint64(value)), int64(order.Uint64(value[8:])), order.Uint32(value[16:]), value[documentHead:]}
}

// decode parses a stored document. It returns false if the document is damaged.
func decode(key, value []byte) (d document, ok bool) {
	if value == nil {
		return d, true
	}
	if len(value) < documentHead {
		return d, false
	}
	d = split(value)
	return d, d.version > 0 && d.sum == checksum(key, value[:16], d.data)
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
	if len(key) == 0 {
		return store.Key{}
	}
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

// splitRow returns the board and the member of a row's key, or "" if the key is malformed.
func splitRow(key []byte) (board, member string) {
	const head = 3
	if len(key) < head || len(key) < head+int(order.Uint16(key[1:])) {
		return "", ""
	}
	n := head + int(order.Uint16(key[1:]))
	return string(key[head:n]), string(key[n:])
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
