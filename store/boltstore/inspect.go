package boltstore

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"sedmabot/store"
)

// inspection checks a whole file and collects its contents.
type inspection struct {
	Damage
	schema int     // 0: the file is new
	docs   []place // readable documents in the order of their keys; only if keep is set
	keep   bool

	pages    *pages
	found    sums
	bad      []store.Key      // damaged documents
	expected map[string]tally // tallies that the indexes should have, by the documents, jobs and rows
	indexes  map[string]tally
}

// place is the location of a document in a file.
type place struct {
	key     []byte
	version int64
	sum     uint32
	at      int64 // offset of the value
	size    int
}

// newest is the number of the last transaction in a new file that hasn't been used yet.
const newest = 1

// inspect checks a file of that size. It returns an error if the file isn't recognizably a data file. If keep is set,
// it records where the documents are.
func inspect(r io.ReaderAt, size int64, keep bool) (*inspection, error) {
	i, err := inspectOnce(r, size, keep)
	if err == nil && i.Pages > 0 && !keep {
		i, err = inspectOnce(r, size, true) // so that no document counts twice
	}
	return i, err
}

func inspectOnce(r io.ReaderAt, size int64, keep bool) (*inspection, error) {
	h, both, err := latestHead(r, size)
	if err != nil {
		return nil, err
	}
	i := &inspection{
		keep: keep, pages: openPages(r, size, h), found: sums{documents: map[string]tally{}},
		indexes: map[string]tally{}, expected: map[string]tally{},
	}
	i.Head = !both
	all := i.pages.readBuckets()
	want, counted, err := i.readMeta(all)
	if err != nil {
		return nil, err
	}
	i.found.sequence = all[string(documentsBucket)].sequence
	for _, name := range buckets { // most important buckets first
		b, ok := all[string(name)]
		switch {
		case ok && !bytes.Equal(name, metaBucket):
			i.pages.read(b, i.reader(name))
		case !ok && i.schema != 0:
			i.pages.bad++
		}
		delete(all, string(name))
	}
	for _, b := range all { // unknown buckets
		i.pages.read(b, func(element) {})
	}
	i.pages.checkFreelist()
	i.Pages = i.pages.bad
	if i.keep {
		i.sort()
	}
	i.compare(want, counted)
	return i, nil
}

// reader returns the function that checks the elements of a bucket.
func (i *inspection) reader(name []byte) func(element) {
	switch string(name) {
	case string(documentsBucket):
		return i.document
	case string(jobsBucket):
		return i.job
	case string(rowsBucket):
		return i.row
	}
	return i.index(name)
}

// readMeta reads the schema and the sums. counted reports whether the sums could be read.
func (i *inspection) readMeta(all map[string]bucket) (want sums, counted bool, err error) {
	var text, stored []byte
	if b, ok := all[string(metaBucket)]; ok {
		i.pages.read(b, func(e element) {
			switch {
			case bytes.Equal(e.key, schemaKey):
				text = bytes.Clone(e.value)
			case bytes.Equal(e.key, sumsKey):
				stored = bytes.Clone(e.value)
			}
		})
	} else if len(all) == 0 && i.pages.bad == 0 && i.pages.tx <= newest {
		return want, false, nil
	}
	want, counted = decodeSums(stored)
	n, err := strconv.Atoi(string(text))
	switch {
	case err == nil && n > schema:
		return want, false, fmt.Errorf("it has schema %d, from a newer version of this program; this one knows schema %d", n, schema)
	case err == nil && n == 1 && stored == nil:
		i.schema = 1
	default:
		i.schema = schema
		i.Rest = err != nil || n != schema
	}
	return want, counted, nil
}

// document checks a document and counts it.
func (i *inspection) document(e element) {
	key := keyOf(e.key)
	d, ok := document{}, e.sound && len(e.value) >= 16
	if i.schema > 1 {
		d, ok = decode(e.key, e.value)
	} else if ok {
		d.version, d.expires = int64(order.Uint64(e.value)), int64(order.Uint64(e.value[8:]))
	}
	if !ok {
		i.bad = append(i.bad, key)
		return
	}
	if d.expires != 0 {
		i.expect(expiresBucket, expiresKey(d.expires, key.Partition, key.Name))
	}
	if i.keep {
		i.docs = append(i.docs, place{bytes.Clone(e.key), d.version, d.sum, e.at, len(e.value)})
		return
	}
	i.count(key, d.sum)
}

func (i *inspection) count(key store.Key, sum uint32) {
	of := i.found.documents[key.Kind()]
	of.add(sum)
	i.found.documents[key.Kind()] = of
}

// job checks a job and counts it.
func (i *inspection) job(e element) {
	if len(e.value) != jobSize || len(e.key) < 2 {
		i.Rest = true
		return
	}
	i.found.jobs.add(checksum(e.key, e.value))
	i.expect(whenBucket, whenKey(int(e.key[0]), int64(order.Uint64(e.value)), string(e.key[1:])))
}

// row checks a row of a board and counts it.
func (i *inspection) row(e element) {
	board, member := splitRow(e.key)
	if len(e.value) < 8 || member == "" {
		i.Rest = true
		return
	}
	i.found.rows.add(checksum(e.key, e.value))
	score, _ := decodeRow(e.value)
	i.expect(rankingBucket, placeKey(int(e.key[0]), board, score, member))
}

// index returns the function that checks and counts the entries of an index.
func (i *inspection) index(name []byte) func(element) {
	return func(e element) {
		i.Rest = i.Rest || len(e.value) > 0
		of := i.indexes[string(name)]
		of.add(checksum(e.key))
		i.indexes[string(name)] = of
	}
}

// expect records that an index must have an entry.
func (i *inspection) expect(name, key []byte) {
	of := i.expected[string(name)]
	of.add(checksum(key))
	i.expected[string(name)] = of
}

// sort sorts the documents and counts them. If a damaged file holds one twice, only the latest version counts.
func (i *inspection) sort() {
	slices.SortFunc(i.docs, func(a, b place) int {
		return cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(b.version, a.version))
	})
	i.docs = slices.CompactFunc(i.docs, func(a, b place) bool { return bytes.Equal(a.key, b.key) })
	for _, p := range i.docs {
		i.count(keyOf(p.key), p.sum)
	}
}

// compare sets the damage: the differences between the contents found and the ones expected.
func (i *inspection) compare(want sums, counted bool) {
	i.Lost = map[string]int{}
	switch {
	case i.schema == 0:
		return
	case !counted:
		i.Uncounted = i.schema > 1 || i.Pages > 0
		for _, key := range i.bad {
			i.Lost[key.Kind()]++
		}
		i.elsewhere = len(i.bad) > 0
		return
	}
	lost := 0
	for kind, of := range i.found.documents {
		if _, ok := want.documents[kind]; !ok && of != (tally{}) {
			i.Stale = append(i.Stale, kind)
		}
	}
	for kind, of := range want.documents {
		switch have := i.found.documents[kind]; {
		case have.count < of.count:
			i.Lost[kind] = int(of.count - have.count)
			lost += i.Lost[kind]
		case have != of:
			i.Stale = append(i.Stale, kind)
		}
	}
	slices.Sort(i.Stale)
	i.elsewhere = lost != len(i.bad)
	i.Rest = i.Rest || i.found.sequence != want.sequence || i.found.jobs != want.jobs || i.found.rows != want.rows
	for _, name := range [][]byte{expiresBucket, whenBucket, rankingBucket} {
		if i.indexes[string(name)] != i.expected[string(name)] && (len(i.bad) == 0 || !bytes.Equal(name, expiresBucket)) {
			i.Rest = true // a damaged document may still be in the expiry index
		}
	}
}
