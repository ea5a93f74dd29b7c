package face

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// deflater compresses the rows of a picture as RFC 1951 has it, in one block.
// Pictures of tables are flat ground, cards and letters, so it looks for what is
// like the pixel before, like the row above, or stood shortly before; compared
// with compress/flate at its fastest it takes a fraction of the time and of the
// bytes.
type deflater struct {
	head   [1 << hashBits][2]int32 // where four bytes with that hash stood last, and before, plus 1
	tokens []uint32                // a literal, or length<<16 | distance
	litLen huffman
	dist   huffman
	lens   huffman

	out  []byte
	acc  uint64
	bits uint
}

const (
	hashBits  = 14
	minMatch  = 3
	maxMatch  = 258
	maxWindow = 32768
	endBlock  = 256
)

// lengthCode and its like are the tables of RFC 1951, section 3.2.5.
var (
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	lensOrder   = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	lengthCode  = func() (codes [maxMatch + 1]uint8) {
		for n := minMatch; n <= maxMatch; n++ {
			for i, base := range lengthBase {
				if n >= int(base) {
					codes[n] = uint8(i)
				}
			}
		}
		return codes
	}()
)

// distCode is the code of a distance, its extra bits and how many they are.
func distCode(d int) (code, extra int, n uint) {
	if d <= 4 {
		return d - 1, 0, 0
	}
	n = uint(bits.Len(uint(d-1))) - 2
	return int(2*n) + (d-1)>>n, (d - 1) & (1<<n - 1), n
}

// find looks for what stands at i among what stood before.
func (z *deflater) find(raw []byte, i, stride int) (length, distance int) {
	limit := min(len(raw)-i, maxMatch)
	if i > 0 && raw[i] == raw[i-1] {
		length, distance = alike(raw, i-1, i, limit), 1
	}
	if length < limit && i >= stride && raw[i] == raw[i-stride] {
		if n := alike(raw, i-stride, i, limit); n > length {
			length, distance = n, stride
		}
	}
	if length >= 64 || limit < 4 {
		return length, distance
	}
	bucket := z.bucket(raw, i)
	for _, p := range bucket {
		at := int(p) - 1
		if at < 0 || at >= i || i-at > maxWindow {
			continue
		}
		n := alike(raw, at, i, limit)
		need := 4
		if i-at > 4096 {
			need = 6
		}
		if n >= need && n > length+1 {
			length, distance = n, i-at
		}
	}
	if bucket[0] != int32(i+1) {
		bucket[1], bucket[0] = bucket[0], int32(i+1)
	}
	return length, distance
}

func (z *deflater) bucket(raw []byte, i int) *[2]int32 {
	return &z.head[binary.LittleEndian.Uint32(raw[i:])*2654435761>>(32-hashBits)]
}

// alike is for how many bytes raw is the same from a and from b, up to limit.
func alike(raw []byte, a, b, limit int) int {
	n := 0
	for n+8 <= limit {
		if x := binary.LittleEndian.Uint64(raw[a+n:]) ^ binary.LittleEndian.Uint64(raw[b+n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < limit && raw[a+n] == raw[b+n] {
		n++
	}
	return n
}

// read turns raw, whose rows are stride bytes, into tokens.
func (z *deflater) read(raw []byte, stride int) {
	clear(z.head[:])
	z.tokens = z.tokens[:0]
	for i := 0; i < len(raw); {
		length, distance := z.find(raw, i, stride)
		// A longer match one byte on is worth a literal.
		for length >= minMatch && length < 24 && i+1 < len(raw) {
			n, d := z.find(raw, i+1, stride)
			if n <= length {
				break
			}
			z.tokens = append(z.tokens, uint32(raw[i]))
			i, length, distance = i+1, n, d
		}
		if length < minMatch || length == minMatch && distance > 256 {
			z.tokens = append(z.tokens, uint32(raw[i]))
			i++
			continue
		}
		z.tokens = append(z.tokens, uint32(length)<<16|uint32(distance&0xFFFF))
		if length <= 32 {
			for j := i + 1; j < i+length && j+4 <= len(raw); j++ {
				if b := z.bucket(raw, j); b[0] != int32(j+1) {
					b[1], b[0] = b[0], int32(j+1)
				}
			}
		}
		i += length
	}
}

// write appends the block of the tokens to out.
func (z *deflater) write(out []byte) []byte {
	z.out, z.acc, z.bits = out, 0, 0
	z.litLen.reset(286)
	z.dist.reset(30)
	z.litLen.freq[endBlock] = 1
	z.dist.freq[0], z.dist.freq[1] = 1, 1 // a decoder may want two
	for _, t := range z.tokens {
		if t>>16 == 0 {
			z.litLen.freq[t]++
			continue
		}
		code, _, _ := distCode(int(t & 0xFFFF))
		z.litLen.freq[257+int(lengthCode[t>>16])]++
		z.dist.freq[code]++
	}
	z.litLen.build(15)
	z.dist.build(15)
	z.header()
	for _, t := range z.tokens {
		if t>>16 == 0 {
			z.symbol(&z.litLen, int(t))
			continue
		}
		n := int(t >> 16)
		lc := int(lengthCode[n])
		z.symbol(&z.litLen, 257+lc)
		z.put(uint64(n-int(lengthBase[lc])), uint(lengthExtra[lc]))
		code, extra, width := distCode(int(t & 0xFFFF))
		z.symbol(&z.dist, code)
		z.put(uint64(extra), width)
	}
	z.symbol(&z.litLen, endBlock)
	if z.bits > 0 {
		z.out = append(z.out, byte(z.acc))
	}
	out, z.out = z.out, nil
	return out
}

// put appends the lowest n bits of v.
func (z *deflater) put(v uint64, n uint) {
	z.acc |= v << z.bits
	z.bits += n
	for z.bits >= 8 {
		z.out = append(z.out, byte(z.acc))
		z.acc >>= 8
		z.bits -= 8
	}
}

func (z *deflater) symbol(h *huffman, s int) { z.put(uint64(h.code[s]), uint(h.length[s])) }

// header is the last block's, with codes of its own (RFC 1951, section 3.2.7).
func (z *deflater) header() {
	nLit, nDist := 286, 30
	for nLit > 257 && z.litLen.length[nLit-1] == 0 {
		nLit--
	}
	for nDist > 1 && z.dist.length[nDist-1] == 0 {
		nDist--
	}
	var all [316]uint8
	lengths := append(append(all[:0], z.litLen.length[:nLit]...), z.dist.length[:nDist]...)
	type run struct{ symbol, extra, bits uint8 }
	var store [316]run
	runs := store[:0]
	for i := 0; i < len(lengths); {
		l, n := lengths[i], 1
		for i+n < len(lengths) && lengths[i+n] == l {
			n++
		}
		i += n
		if l != 0 {
			runs, n = append(runs, run{symbol: l}), n-1
		}
		for n >= 3 {
			switch {
			case l != 0:
				k := min(n, 6)
				runs, n = append(runs, run{16, uint8(k - 3), 2}), n-k
			case n <= 10:
				runs, n = append(runs, run{17, uint8(n - 3), 3}), 0
			default:
				k := min(n, 138)
				runs, n = append(runs, run{18, uint8(k - 11), 7}), n-k
			}
		}
		for range n {
			runs = append(runs, run{symbol: l})
		}
	}
	z.lens.reset(19)
	for _, r := range runs {
		z.lens.freq[r.symbol]++
	}
	z.lens.build(7)
	nLens := 19
	for nLens > 4 && z.lens.length[lensOrder[nLens-1]] == 0 {
		nLens--
	}
	z.put(1|2<<1, 3) // the last block, codes of its own
	z.put(uint64(nLit-257), 5)
	z.put(uint64(nDist-1), 5)
	z.put(uint64(nLens-4), 4)
	for _, s := range lensOrder[:nLens] {
		z.put(uint64(z.lens.length[s]), 3)
	}
	for _, r := range runs {
		z.symbol(&z.lens, int(r.symbol))
		z.put(uint64(r.extra), uint(r.bits))
	}
}

// huffman is a code: the rarer a symbol the longer its bits.
type huffman struct {
	n      int
	freq   [286]int32
	length [286]uint8
	code   [286]uint16 // its bits, the first the lowest
}

func (h *huffman) reset(n int) {
	h.n = n
	clear(h.freq[:])
	clear(h.length[:])
}

// build makes the code of the frequencies, with at most limit bits a symbol.
func (h *huffman) build(limit int) {
	var symbols [286]int16
	used := symbols[:0]
	for s := range h.n {
		if h.freq[s] > 0 {
			used = append(used, int16(s))
		}
	}
	if len(used) == 1 {
		h.length[used[0]], h.code[used[0]] = 1, 0
		return
	}
	slices.SortFunc(used, func(a, b int16) int { return int(h.freq[a]-h.freq[b])<<9 + int(a-b) })
	// The two lightest trees become one, again and again; both queues stay sorted.
	var weight [2 * 286]int32
	var parent [2 * 286]int16
	n := len(used)
	for i, s := range used {
		weight[i] = h.freq[s]
	}
	leaf, tree := 0, n
	lightest := func(end int) int {
		if leaf < n && (tree >= end || weight[leaf] <= weight[tree]) {
			leaf++
			return leaf - 1
		}
		tree++
		return tree - 1
	}
	for next := n; next < 2*n-1; next++ {
		a := lightest(next)
		b := lightest(next)
		weight[next] = weight[a] + weight[b]
		parent[a], parent[b] = int16(next), int16(next)
	}
	var depth [2 * 286]int
	var count [16]int
	over := 0
	for i := 2*n - 3; i >= 0; i-- {
		depth[i] = depth[parent[i]] + 1
		if i < n {
			if depth[i] > limit {
				over++
			}
			count[min(depth[i], limit)]++
		}
	}
	if over > 0 {
		// Too long codes were cut; others grow until all fit again (Kraft).
		room := 0
		for l := 1; l <= limit; l++ {
			room += count[l] << (limit - l)
		}
		for room > 1<<limit {
			l := limit - 1
			for count[l] == 0 {
				l--
			}
			count[l]--
			count[l+1]++
			room -= 1 << (limit - l - 1)
		}
		count[limit] -= 1<<limit - room // and none may be left over
		count[limit-1] += 1<<limit - room
	}
	var next [17]int
	for l, code := 1, 0; l <= limit; l++ {
		code = (code + count[l-1]) << 1
		next[l] = code
	}
	at := 0
	for l := limit; l >= 1; l-- {
		for range count[l] {
			h.length[used[at]] = uint8(l)
			at++
		}
	}
	for s := range h.n {
		if l := h.length[s]; l > 0 {
			h.code[s] = bits.Reverse16(uint16(next[l])) >> (16 - l)
			next[l]++
		}
	}
}
