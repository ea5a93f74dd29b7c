package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"slices"
)

// bbolt checks almost nothing that it reads from a file. A damaged page leads to a panic, sometimes in one of its own
// goroutines where nobody can recover it, or to a read outside of the file's memory. So this code first checks every
// page of a file and trusts nothing. bbolt opens the file only if every page is valid. The rules below describe bbolt's
// file layout to the byte; TestPages compares both.
//
// A page begins with its number, its type, the number of its elements, and the number of further pages that it takes.
// The elements follow, then their keys and values, in order and without gaps. Numbers are in the machine's byte order.
const (
	headerSize  = 16 // size of a page's header
	elementSize = 16
	bucketSize  = 16 // size of a bucket's value: root and sequence; a small bucket's only page follows
	metaSize    = 64 // size of a head, after its page's header
	firstPage   = 2  // first page after the heads
	deepest     = 64 // maximum levels of a tree; real ones have 3 or 4

	branchPage   = 1
	leafPage     = 2
	metaPage     = 4
	freelistPage = 16

	bucketElement = 1

	magic      = 0xED0CDAED
	format     = 2
	noFreelist = ^uint64(0)
)

var native = binary.NativeEndian

// errNoData reports that a file isn't a bbolt file, or that both its heads are damaged.
var errNoData = errors.New("invalid database: neither of its two heads can be read: restore a backup into a new file, or correct store.path")

// fileHead locates the data in a file. A file has two heads, which are written in turn.
type fileHead struct {
	pageSize int64
	root     uint64
	freelist uint64
	end      uint64 // the number of pages
	tx       uint64 // grows with each transaction
}

// readHead reads head number n at an offset of r. It returns false if the head is invalid.
func readHead(r io.ReaderAt, n uint64, at int64) (h fileHead, ok bool) {
	var page [headerSize + metaSize]byte
	if _, err := r.ReadAt(page[:], at); err != nil {
		return h, false
	}
	meta := page[headerSize:]
	sum := fnv.New64a()
	sum.Write(meta[:metaSize-8])
	if native.Uint64(page[:]) != n || native.Uint16(page[8:]) != metaPage || native.Uint32(meta) != magic ||
		native.Uint32(meta[4:]) != format || native.Uint64(meta[56:]) != sum.Sum64() {
		return h, false
	}
	h = fileHead{
		pageSize: int64(native.Uint32(meta[8:])), root: native.Uint64(meta[16:]), freelist: native.Uint64(meta[32:]),
		end: native.Uint64(meta[40:]), tx: native.Uint64(meta[48:]),
	}
	return h, h.pageSize >= 512 && h.pageSize <= 1<<24 && h.end < 1<<62/uint64(h.pageSize)
}

// latestHead returns the newer valid head, and whether both can be read.
func latestHead(r io.ReaderAt, length int64) (h fileHead, both bool, err error) {
	h, both, err = findHead(r)
	if length < 2*h.pageSize { // bbolt needs room for both heads
		err = errNoData
	}
	return h, both, err
}

func findHead(r io.ReaderAt) (h fileHead, both bool, err error) {
	first, ok := readHead(r, 0, 0)
	if ok {
		if second, ok := readHead(r, 1, first.pageSize); ok && second.pageSize == first.pageSize {
			if second.tx > first.tx {
				first = second
			}
			return first, true, nil
		}
		return first, false, nil
	}
	for size := int64(1 << 10); size <= 1<<24; size *= 2 {
		if second, ok := readHead(r, 1, size); ok && second.pageSize == size {
			return second, false, nil
		}
	}
	return h, false, errNoData
}

// pages reads the pages of a file.
type pages struct {
	fileHead
	r    io.ReaderAt
	seen []bool // by page: whether something refers to it
	bad  int    // number of pages that can't be read completely
	page []byte // the page loaded last
}

// element is an element of a leaf page. Its bytes are valid until the next element is read.
type element struct {
	key, value []byte
	at         int64 // offset of the value in the file
	bucket     bool
	sound      bool // its page is valid
}

// openPages returns a reader for the pages of a file of that size.
func openPages(r io.ReaderAt, size int64, h fileHead) *pages {
	p := &pages{fileHead: h, r: r}
	if int64(h.end) > size/h.pageSize {
		p.bad++ // the file is truncated
		h.end = uint64(size / h.pageSize)
	}
	p.seen = make([]bool, h.end)
	return p
}

// claim records that something refers to n pages from id on. It returns false if there are no such pages, or if something
// else refers to one of them.
func (p *pages) claim(id, n uint64) bool {
	if id < firstPage || id >= uint64(len(p.seen)) || n > uint64(len(p.seen))-id || slices.Contains(p.seen[id:id+n], true) {
		return false
	}
	for i := range n {
		p.seen[id+i] = true
	}
	return true
}

// load reads a page, with the further pages that it takes, into p.page. It returns false if the page is invalid.
func (p *pages) load(id uint64) bool {
	if !p.claim(id, 1) {
		return false
	}
	p.page = slices.Grow(p.page[:0], int(p.pageSize))[:p.pageSize]
	at := int64(id) * p.pageSize
	if _, err := p.r.ReadAt(p.page, at); err != nil {
		return false
	}
	flags, more := native.Uint16(p.page[8:]), uint64(native.Uint32(p.page[12:]))
	if native.Uint64(p.page) != id || flags != branchPage && flags != leafPage && flags != freelistPage {
		return false
	}
	if more > 0 {
		if !p.claim(id+1, more) {
			return false
		}
		all := int((1 + more) * uint64(p.pageSize))
		p.page = slices.Grow(p.page, all-len(p.page))[:all]
		if _, err := p.r.ReadAt(p.page[p.pageSize:], at+p.pageSize); err != nil {
			return false
		}
	}
	return true
}

// part is the location of an element in a page.
type part struct {
	word             uint64 // in a branch: the child page; in a leaf: the flags
	key, value, ends int
}

// layout returns the elements of a page that lie inside it, and where the last one ends. It returns false if the page
// doesn't follow bbolt's layout.
func layout(page []byte) (parts []part, ends int, ok bool) {
	leaf, n := native.Uint16(page[8:]) == leafPage, int(native.Uint16(page[10:]))
	ends, ok = headerSize+elementSize*n, true
	if ends > len(page) {
		return nil, ends, false
	}
	for i := range n {
		at := headerSize + elementSize*i
		e := page[at : at+elementSize]
		one := part{word: native.Uint64(e[8:])}
		position, key, value := native.Uint32(e), native.Uint32(e[4:]), uint32(0)
		if leaf {
			one.word, position, key, value = uint64(native.Uint32(e)), native.Uint32(e[4:]), native.Uint32(e[8:]), native.Uint32(e[12:])
			ok = ok && one.word <= bucketElement
		}
		begins := int64(at) + int64(position)
		if key == 0 || begins+int64(key)+int64(value) > int64(len(page)) {
			ok = false
			continue
		}
		ok = ok && begins == int64(ends)
		one.key = int(begins)
		one.value = one.key + int(key)
		one.ends = one.value + int(value)
		ends = one.ends
		parts = append(parts, one)
	}
	return parts, ends, ok
}

// inOrder reports whether the keys of a page ascend, from low up to but excluding high. A nil bound means no bound.
func inOrder(page []byte, parts []part, low, high []byte) bool {
	for i, one := range parts {
		key := page[one.key:one.value]
		switch compared := bytes.Compare(key, low); {
		case low != nil && (compared < 0 || i > 0 && compared == 0):
			return false
		case high != nil && bytes.Compare(key, high) >= 0:
			return false
		}
		low = key
	}
	return true
}

// walk calls f with the elements of a tree, in order as far as its pages are valid.
func (p *pages) walk(root uint64, f func(element)) { p.descend(root, nil, nil, 0, f) }

func (p *pages) descend(id uint64, low, high []byte, level int, f func(element)) {
	if level == deepest || !p.load(id) || native.Uint16(p.page[8:]) == freelistPage {
		p.bad++
		return
	}
	page, leaf := p.page, native.Uint16(p.page[8:]) == leafPage
	parts, ends, ok := layout(page)
	more := int64(native.Uint32(page[12:]))
	ok = ok && inOrder(page, parts, low, high) && more*p.pageSize <= int64(ends) && (len(parts) > 0 || leaf && level == 0)
	if !ok {
		p.bad++
	}
	if leaf {
		visit(page, parts, int64(id)*p.pageSize, ok, f)
		return
	}
	page = bytes.Clone(page) // the page's keys are needed while other pages are loaded
	for i, one := range parts {
		below, above := page[one.key:one.value], high
		if i+1 < len(parts) {
			above = page[parts[i+1].key:parts[i+1].value]
		}
		if !ok {
			below, above = nil, nil
		}
		p.descend(one.word, below, above, level+1, f)
	}
}

// visit calls f with the elements of a leaf page.
func visit(page []byte, parts []part, at int64, sound bool, f func(element)) {
	for _, one := range parts {
		f(element{page[one.key:one.value], page[one.value:one.ends], at + int64(one.value), one.word == bucketElement, sound})
	}
}

// bucket is a tree with a name.
type bucket struct {
	root     uint64 // 0: the bucket is inline
	sequence uint64
	inline   []byte
	at       int64 // offset of inline in the file
}

// readBuckets returns all buckets by name.
func (p *pages) readBuckets() map[string]bucket {
	all := map[string]bucket{}
	p.walk(p.root, func(e element) {
		if !e.bucket || !e.sound || len(e.value) < bucketSize {
			if e.sound {
				p.bad++
			}
			return
		}
		b := bucket{native.Uint64(e.value), native.Uint64(e.value[8:]), bytes.Clone(e.value[bucketSize:]), e.at + bucketSize}
		if b.root != 0 && len(b.inline) > 0 {
			p.bad++
		}
		all[string(e.key)] = b
	})
	return all
}

// read calls f with the elements of a bucket. A bucket inside a bucket counts as damage, as this program never makes one.
func (p *pages) read(b bucket, f func(element)) {
	plain := func(e element) {
		if e.bucket && e.sound {
			e.sound = false
			p.bad++
		}
		f(e)
	}
	if b.root != 0 {
		p.walk(b.root, plain)
		return
	}
	if len(b.inline) < headerSize {
		p.bad++
		return
	}
	parts, ends, ok := layout(b.inline)
	ok = ok && native.Uint64(b.inline) == 0 && native.Uint16(b.inline[8:]) == leafPage && native.Uint32(b.inline[12:]) == 0 &&
		ends == len(b.inline) && inOrder(b.inline, parts, nil, nil)
	if !ok {
		p.bad++
	}
	visit(b.inline, parts, b.at, ok, plain)
}

// checkFreelist checks the list of free pages, if the file has one, because bbolt overwrites the pages that it lists.
func (p *pages) checkFreelist() {
	if p.freelist == noFreelist {
		return
	}
	if !p.load(p.freelist) || native.Uint16(p.page[8:]) != freelistPage {
		p.bad++
		return
	}
	ids, n := p.page[headerSize:], uint64(native.Uint16(p.page[10:]))
	if n == 0xFFFF {
		n, ids = native.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids)/8) {
		p.bad++
		return
	}
	for i := range n {
		if !p.claim(native.Uint64(ids[8*i:]), 1) {
			p.bad++
			return
		}
	}
}
