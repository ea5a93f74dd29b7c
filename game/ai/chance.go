package ai

import "math/bits"

// chance is a small, quick random generator. The same seed gives the same numbers.
type chance uint64

func (c *chance) next() uint64 {
	*c += 0x9e3779b97f4a7c15
	hi, lo := bits.Mul64(uint64(*c), uint64(*c)^0xd1342543de82ef95)
	return hi ^ lo
}

// below returns a random number from 0 to n-1.
func (c *chance) below(n int) int {
	return int(c.next() >> 32 * uint64(n) >> 32)
}

func (c *chance) shuffle(kinds []uint8) {
	for i := len(kinds) - 1; i > 0; i-- {
		j := c.below(i + 1)
		kinds[i], kinds[j] = kinds[j], kinds[i]
	}
}
