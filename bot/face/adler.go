package face

import "encoding/binary"

// adler returns the checksum of RFC 1950, as hash/adler32 does, of at most 100 MB. It adds eight bytes at once, in lanes of
// 16 bits: each byte of a word to the sum of those with its place.
func adler(data []byte) uint32 {
	const (
		mod   = 65521
		words = 15 // sums of sums of so many bytes fit in a lane: 255 * 15 * 16 / 2, twice
		bytes = 0x00ff00ff00ff00ff
		lanes = 0x0000ffff0000ffff
	)
	a, b := uint64(1), uint64(0)
	for len(data) >= 8*words {
		var even, odd, sums uint64 // even has bytes 0, 2, 4 and 6 of the words, odd the others; sums is after each word
		for i := 0; i < 8*words; i += 8 {
			w := binary.LittleEndian.Uint64(data[i:])
			even += w & bytes
			odd += w >> 8 & bytes
			sums += even + odd
		}
		sums = sums&lanes + sums>>16&lanes
		// A product's highest lane is the sum of the lanes, each times the place of its byte.
		before := even*(6|4<<16|2<<32)>>48 + odd*(7|5<<16|3<<32|1<<48)>>48
		b += 8*words*a + 8*(sums&(1<<32-1)+sums>>32) - before
		a += (even + odd) * (1 | 1<<16 | 1<<32 | 1<<48) >> 48
		data = data[8*words:]
	}
	for _, x := range data {
		a += uint64(x)
		b += a
	}
	return uint32(b%mod<<16 | a%mod)
}
