package face

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"testing"

	"sedmabot/game"
)

var (
	faces = []Face{French, German, Czech, Plain}
	decks = []game.Deck{game.German32, game.French52, game.French104}
)

// kinds returns the different cards of a pack.
func kinds(d game.Deck) []game.Card {
	cards := (game.Rules{Deck: d}).Pack()
	slices.Sort(cards)
	return slices.Compact(cards)
}

// silhouette returns which points of a picture are darker or lighter than paper: what
// remains of it without colours.
func silhouette(img *image.RGBA) []bool {
	out := make([]bool, 0, len(img.Pix)/4)
	for i := 0; i < len(img.Pix); i += 4 {
		grey := (299*int(img.Pix[i]) + 587*int(img.Pix[i+1]) + 114*int(img.Pix[i+2])) / 1000
		out = append(out, grey < 190)
	}
	return out
}

func differing(a, b []bool) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func TestCardsAreToldApartWithoutColour(t *testing.T) {
	t.Parallel()
	for _, f := range faces {
		for _, d := range decks[:2] {
			cards := append(kinds(d), 0)
			var shapes [][]bool
			for _, c := range cards {
				shapes = append(shapes, silhouette(Look{Face: f, Card: c, Width: 64}.Image()))
			}
			for i, a := range shapes {
				for j, b := range shapes[:i] {
					if n := differing(a, b); n < 40 {
						t.Errorf("%s: %s and %s differ in %d points", f, cards[i], cards[j], n)
					}
				}
			}
		}
	}
}

func TestEveryCardHasAnEmoji(t *testing.T) {
	t.Parallel()
	for _, f := range faces {
		seen := map[string]string{}
		check := func(name string, data []byte) {
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s %s: %v", f, name, err)
			}
			if size := img.Bounds().Size(); size != (image.Point{EmojiSize, EmojiSize}) || len(data) > 256<<10 {
				t.Errorf("%s %s: %v, %d bytes", f, name, size, len(data))
			}
			if other, ok := seen[string(data)]; ok {
				t.Errorf("%s: %s and %s look the same", f, name, other)
			}
			seen[string(data)] = name
		}
		for _, d := range decks[:2] {
			clear(seen) // an acorn of one pack is a club of another
			for _, c := range append(kinds(d), 0) {
				check(c.String(), Emoji(f, c))
			}
		}
	}
}
