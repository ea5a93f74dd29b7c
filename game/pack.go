package game

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"strings"
)

// suitsAndRanks returns the deck's letters in the order of a new pack.
func (d Deck) suitsAndRanks() (suits, ranks string) {
	if d == German32 {
		return "alhb", "789TUOKA"
	}
	return "cshd", "23456789TJQKA"
}

// copies returns how often each card is in the deck.
func (d Deck) copies() int {
	if d == French104 {
		return 2
	}
	return 1
}

// has reports whether the card is in the deck.
func (d Deck) has(c Card) bool {
	ranks, suits := frenchRanks, frenchSuits
	if d == German32 {
		ranks, suits = germanRanks, germanSuits
	}
	return ranks>>(c>>3)&1 != 0 && suits>>(c&7)&1 != 0
}

// The ranks and suits of the decks, as bit sets of their indexes.
var (
	germanRanks, germanSuits = letterBits(rankLetters, "789TUOKA"), letterBits(suitLetters, "alhb")
	frenchRanks, frenchSuits = letterBits(rankLetters, "23456789TJQKA"), letterBits(suitLetters, "cshd")
)

func letterBits(alphabet, letters string) (bits uint16) {
	for i := range len(letters) {
		bits |= 1 << strings.IndexByte(alphabet, letters[i])
	}
	return bits
}

// packSize returns the number of cards in the pack.
func (r *Rules) packSize() int {
	size := 52 * r.Deck.copies()
	if r.Deck == German32 {
		size = 32
	}
	return size - len(r.Removed)
}

// Pack returns the pack in the order of a new one, without the removed cards. It goes suit by suit (a l h b, or c s h
// d), each from its lowest rank to the ace. A double pack repeats that whole sequence.
func (r Rules) Pack() []Card {
	suits, ranks := r.Deck.suitsAndRanks()
	removed := counts([]Card(r.Removed))
	pack := make([]Card, 0, maxCards)
	for range r.Deck.copies() {
		for i := range len(suits) {
			for j := range len(ranks) {
				c := NewCard(Rank(ranks[j]), Suit(suits[i]))
				if removed[c] > 0 {
					removed[c]--
					continue
				}
				pack = append(pack, c)
			}
		}
	}
	return pack
}

// counts returns how often each card is in the list, indexed by card.
func counts(cards []Card) (n [128]uint8) {
	for _, c := range cards {
		n[c&127]++
	}
	return n
}

// Shuffle returns a shuffled copy of the pack. The seed alone determines the order, so anybody can repeat the shuffle:
//
//	The random numbers are the blocks SHA-256(seed || n), n = 0, 1, 2 … as
//	eight bytes big-endian, each read as four big-endian 64-bit numbers.
//	For i from the last index down to 1, with m = i + 1: take the next number
//	x; while x >= 2^64 - (2^64 mod m) take another; swap cards i and x mod m.
//
// With a seed of 32 zero bytes, the new German pack of 32 becomes 8l Ol Kb Ua Ob
// Kh 9l 8h Oa Kl 7h Ka 7a Tb Th 9a Oh Al 9b 8a 7b Uh Tl 8b Ah 7l Aa Ab 9h Ta Ub
// Ul.
func Shuffle(pack []Card, seed [32]byte) []Card {
	deck := append([]Card(nil), pack...)
	var in [40]byte
	copy(in[:], seed[:])
	var block [32]byte
	used, n := len(block), uint64(0)
	next := func() uint64 {
		if used == len(block) {
			binary.BigEndian.PutUint64(in[32:], n)
			block, used, n = sha256.Sum256(in[:]), 0, n+1
		}
		x := binary.BigEndian.Uint64(block[used:])
		used += 8
		return x
	}
	for i := len(deck) - 1; i > 0; i-- {
		m := uint64(i + 1)
		_, excess := bits.Div64(1, 0, m) // 2^64 mod m
		x := next()
		for excess != 0 && x >= -excess {
			x = next()
		}
		j := x % m
		deck[i], deck[j] = deck[j], deck[i]
	}
	return deck
}
