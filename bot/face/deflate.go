package face

import (
	_ "embed"
	"encoding/binary"
	"math/bits"
)

// deflater compresses pictures with the zlib format (https://www.rfc-editor.org/rfc/rfc1950 and rfc1951). It looks only for
// pixels that are like those in the row above, or like the one on their left: these pictures have little else that repeats.
// Its codes are always the same, so it looks at each pixel once. It takes a third of the time of klauspost/compress at level
// 1 and a fifth of that of compress/zlib, for files that are a twentieth larger (BenchmarkDeflate).
type deflater struct {
	table  [tokens]bits32
	out    []byte // longer than what is written, by room at least
	bits   writer
	stride int    // bytes in a row; table, body and end are for such rows
	body   writer // where the tokens begin; what is before them stays in out
	end    bits32 // what is after the tokens
}

// room is how much of out must be free before a copy and the bytes before it are written.
const room = 64

// A token is a byte, or it is copyAbove or copyLeft plus a length: so many bytes are like those above or on the left.
const (
	longest   = 258
	copyAbove = 256
	copyLeft  = copyAbove + longest + 1
	tokens    = copyLeft + longest + 1
)

// endOfBlock is the symbol after the last token.
const endOfBlock = 256

// sizes has a hexadecimal digit for each symbol: the size of its code. The symbols are all bytes, endOfBlock, and the classes
// of lengths. TestSizes writes it.
//
//go:embed art/sizes.txt
var sizes string

// deflate returns the compressed data, valid until the next call. Its rows have stride bytes, from 3 to 32768.
func (d *deflater) deflate(data []byte, stride int) []byte {
	if stride != d.stride {
		d.out = make([]byte, 1<<15)
		d.begin(stride)
	}
	d.bits = d.body
	for i := 0; i < len(data); {
		if d.bits.size+room > len(d.out) {
			d.out = append(d.out, d.out...)
		}
		plain, token, length := next(data, i, stride)
		to := d.bits
		for _, pixel := range data[i : i+plain] {
			to = to.put(d.out, &d.table[pixel])
		}
		if length > 0 {
			to = to.put(d.out, &d.table[token])
		}
		d.bits = to
		i += plain + length
	}
	d.put(d.end)
	d.put(bits32{0, 7}) // fills the last byte
	return binary.BigEndian.AppendUint32(d.out[:d.bits.size], adler(data))
}

// next returns how many bytes from i on aren't worth a copy, at most seven, and the copy after them: its token and its length,
// or 0. A copy of less than four bytes isn't worth its bits.
func next(data []byte, i, stride int) (plain, token, length int) {
	switch {
	case i+8 > len(data):
		return len(data) - i, 0, 0
	case i == 0:
		return 1, 0, 0
	}
	left, above := differ(data[i:], data[i-1:]), ^uint64(0)
	if i >= stride {
		above = differ(data[i:], data[i-stride:])
	}
	up := fours(above)
	at := up | fours(left)
	if at == 0 {
		return 5, 0, 0
	}
	plain = bits.TrailingZeros64(at) >> 3
	if up&(at&-at) != 0 {
		length = same(data, i+plain-stride, i+plain)
		return plain, copyAbove + length, length
	}
	length = same(data, i+plain-1, i+plain)
	return plain, copyLeft + length, length
}

// fours returns a word with the highest bit of each byte that is zero, like the three bytes after it.
func fours(diff uint64) uint64 {
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	zero := ^(diff&low + low | diff) & high
	zero &= zero >> 8
	return zero & (zero >> 16)
}

// same returns how many bytes are the same from a and from b on, where a is before b, at most longest.
func same(data []byte, a, b int) (n int) {
	y := data[b:min(b+longest, len(data))]
	x := data[a : a+len(y)]
	for n+32 <= len(y) {
		x, y := x[n:n+32], y[n:n+32]
		first, second := differ(x, y), differ(x[8:], y[8:])
		third, fourth := differ(x[16:], y[16:]), differ(x[24:], y[24:])
		if first|second|third|fourth != 0 {
			if first|second == 0 {
				first, second, n = third, fourth, n+16
			}
			if first == 0 {
				first, n = second, n+8
			}
			return n + bits.TrailingZeros64(first)>>3
		}
		n += 32
	}
	for n+8 <= len(y) {
		if diff := differ(x[n:], y[n:]); diff != 0 {
			return n + bits.TrailingZeros64(diff)>>3
		}
		n += 8
	}
	for n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// differ returns the bits in which the first eight bytes differ.
func differ(x, y []byte) uint64 {
	return binary.LittleEndian.Uint64(x) ^ binary.LittleEndian.Uint64(y)
}

// begin writes the codes of all symbols, and the bits of each token into the table.
func (d *deflater) begin(stride int) {
	d.bits = writer{size: copy(d.out, "\x78\x01")}
	var codes [286]bits32
	code := uint16(0)
	for size := uint8(1); size < 16; size++ {
		for i := range codes {
			if digit := sizes[i]; digit == "0123456789abcdef"[size] {
				codes[i] = bits32{uint32(bits.Reverse16(code) >> (16 - size)), size}
				code++
			}
		}
		code <<= 1
	}
	var distances [30]bits32
	above, extra := class(stride-1, 1)
	distances[0], distances[above] = bits32{0, 1}, bits32{1, 1}

	d.put(bits32{1 | 2<<1, 3}) // the last block, with codes of its own
	d.put(bits32{uint32(len(codes)-257) | uint32(len(distances)-1)<<5 | 15<<10, 14})
	// The size of a code takes four bits: the codes for repeated sizes aren't used.
	for i := range 19 {
		d.put(bits32{uint32(min(i/3, 1) * 4), 3})
	}
	for _, of := range [][]bits32{codes[:], distances[:]} {
		for _, c := range of {
			d.put(bits32{uint32(bits.Reverse8(c.size) >> 4), 4})
		}
	}

	copy(d.table[:], codes[:256])
	for n := 3; n <= longest; n++ {
		at, more := lengthClass(n)
		length := codes[at].and(n-3, more)
		d.table[copyAbove+n] = length.and(1, 1).and(stride-1, extra)
		d.table[copyLeft+n] = length.and(0, 1)
	}
	d.stride, d.body, d.end = stride, d.bits, codes[endOfBlock]
}

// lengthClass returns the symbol of a copy's length and the number of its extra bits.
func lengthClass(length int) (at, extra int) {
	if length == longest {
		return 285, 0
	}
	at, extra = class(length-3, 2)
	return at + 257, extra
}

// class returns the code of a number whose highest bit and the k after it are in the code, and the number of its extra bits.
func class(v, k int) (at, extra int) {
	if v < 1<<k {
		return v, 0
	}
	extra = bits.Len(uint(v)) - 1 - k
	return (extra+1)<<k + v>>extra&(1<<k-1), extra
}

// bits32 is at most 32 bits, of which the lowest are sent first, such as a Huffman code.
type bits32 struct {
	bits uint32
	size uint8
}

// and returns p and after it n bits, the lowest ones of v.
func (p bits32) and(v, n int) bits32 {
	return bits32{p.bits | uint32(v&(1<<n-1))<<p.size, p.size + uint8(n)}
}

// writer writes bits.
type writer struct {
	acc  uint64 // bits that aren't written yet
	n    uint8  // their number, less than 8
	size int    // how many bytes are written
}

// put writes bits to out, and returns the writer for the next ones.
func (w writer) put(out []byte, p *bits32) writer {
	w.acc |= uint64(p.bits) << (w.n & 7)
	w.n += p.size
	binary.LittleEndian.PutUint64(out[w.size:], w.acc)
	w.size += int(w.n >> 3)
	w.acc >>= w.n & 56
	w.n &= 7
	return w
}

// put writes bits.
func (d *deflater) put(p bits32) { d.bits = d.bits.put(d.out, &p) }
