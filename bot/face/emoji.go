package face

import (
	"bytes"
	"image/png"

	"sedmabot/game"
)

// EmojiSize is the width and height of an emoji in pixels, as Discord shows it
// (https://discord.com/developers/docs/resources/emoji).
const EmojiSize = 128

// Emoji returns a card as a square PNG of EmojiSize, with the rank beside the suit. It
// is readable at the height of a line of text. Without a card it shows a back.
func Emoji(f Face, c game.Card) []byte {
	s := newSheet(EmojiSize, EmojiSize, float32(EmojiSize)/100)
	s.fill(edge, box(0, 6, 100, 88, 14))
	s.fill(paper, box(2, 8, 96, 84, 12))
	if c == 0 {
		s.fill(navy, box(7, 13, 86, 74, 8))
		s.fill(gold, circle(50, 50, 32))
		s.fill(navy, circle(50, 50, 28))
		write(s, gold, "7", 50, 67, 46, 60)
	} else {
		m := suitMark(f, c.Suit())
		write(s, m.dark, index(f, c), 27, 74, 68, 44)
		m.draw(s.at(51, 28, 0.44))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, s.img); err != nil {
		panic(err) // cannot fail: it writes to memory
	}
	return b.Bytes()
}
