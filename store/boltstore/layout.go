package boltstore

import (
	"encoding/binary"
	"math"
	"time"

	"sedmabot/store"
)

// The file's buckets. Numbers are big-endian, eight bytes, times are ms; p is a partition in one byte; nothing is stored
// as the value of an index.
//
//	meta      schema                     its number in decimal
//	meta      sums                       what the file should hold: see sums.go
//	documents p, name                    version, expires (0 never), checksum, data; the bucket's sequence gives first
//	                                     versions and tokens
//	expires   expires, p, name           index of the documents that expire
//	jobs      p, id                      when, token (0: parked), wake (0: none)
//	when      p, when, id                index of the jobs: when a parked one is due, when a held one's lease ends
//	rows      p, board, member           score, data
//	ranking   p, board, order, member    index of the rows, the best first
//
// A board in a key is its length in two bytes and its name. The checksum is the CRC-32C, in four bytes, of the key and of all
// else in the value.
//
// Schema 1 had neither sums nor checksums. Open turns such a file into one of schema 2, which a program that knows only
// schema 1 refuses to open.
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

// documentKey is also the key of a job.
func documentKey(p int, name string) []byte { return append([]byte{byte(p)}, name...) }

// document is a stored document; version 0: there is none.
type document struct {
	version, expires int64
	sum              uint32
	data             []byte
}

const documentHead = 20 // bytes before a document's data

// encode returns a document as it is stored, and its checksum.
func encode(key []byte, version, expires int64, data []byte) (value []byte, sum uint32) {
	value = make([]byte, documentHead, documentHead+len(data))
	order.PutUint64(value, uint64(version))
	order.PutUint64(value[8:], uint64(expires))
	value = append(value, data...)
	sum = checksum(key, value[:16], data)
	order.PutUint32(value[16:], sum)
	return value, sum
}

// split reads a stored document that is known to be sound.
func split(value []byte) document {
	if value == nil {
		return document{}
	}
	return document{int64(order.Uint64(value)), int64(order.Uint64(value[8:])), order.Uint32(value[16:]), value[documentHead:]}
}

// decode reads a stored document. It reports false if the document is damaged.
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

// at returns the document as it is at now: one that has expired is none.
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

// readWhen returns when and id of a key of the index of jobs.
func readWhen(key []byte) (int64, string) { return int64(order.Uint64(key[1:])), string(key[9:]) }

// boardKey is what all rows of a board, and all places of its ranking, begin with.
func boardKey(p int, board string) []byte {
	return append(order.AppendUint16([]byte{byte(p)}, uint16(len(board))), board...)
}

// splitRow returns the board and the member of a row's key, "" for what isn't one.
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
