package face

import (
	"image/color"
	"slices"
	"sync"
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// These are the colours of cards and tables. Colour is never the only sign of
// anything.
var (
	paper  = rgb(0xFBF8F1) // the card itself
	edge   = rgb(0xA9A294) // the edge of a card
	tint   = rgb(0xF3E6C8) // the ground behind a figure
	ink    = rgb(0x23272B)
	red    = rgb(0xA02226)
	wine   = rgb(0x7E1C24)
	green  = rgb(0x3C7A38)
	forest = rgb(0x24552A)
	gold   = rgb(0xE0A92E)
	bronze = rgb(0x9A6B17)
	orange = rgb(0x982F00) // letters beside a bell
	brown  = rgb(0x8C5A2C)
	bark   = rgb(0x2F1C0D)
	blue   = rgb(0x2F5D92)
	navy   = rgb(0x1E3D63)
	skin   = rgb(0xF2D3B0)
	silver = rgb(0xC6CACE)
	steel  = rgb(0x87929C)
	flesh  = rgb(0xC98F62) // lines in a face
	blush  = rgb(0xEDB796)
	hay    = rgb(0xE3BF63) // fair hair
	rust   = rgb(0xB4562A) // red hair
	glass  = rgb(0xCFE3EA)
	tan    = rgb(0xDDB169) // an acorn
	lemon  = rgb(0xF3C93F) // the upper half of a bell
	vein   = rgb(0xA9CF9A) // of a leaf
	shine  = rgb(0xE58C84) // on a heart
	glint  = rgb(0xF6E3B8) // on an acorn

	felt  = rgb(0x224F40)
	rail  = rgb(0x1B3F35) // the table's rim
	plate = rgb(0x1A3B32) // the ground behind names
	shade = rgb(0x1B4135) // an empty place for a card
	cream = rgb(0xF5F0E3) // Letters on the felt
	mist  = rgb(0xD9E6DF) // Letters of minor importance
	amber = rgb(0xF2C14E) // marks what matters now: whose turn it is, the winning card
	straw = rgb(0xFFE08A) // letters about what matters now
	coral = rgb(0xF0916F) // the first side
	sky   = rgb(0x86BBEA) // the second side
	lilac = rgb(0xCDADE6) // the third side
)

// between returns the mixture of a and b: n of steps on the way from a to b.
func between(a, b color.RGBA, n, steps int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(steps-n) + int(b)*n + steps/2) / steps) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// dimmed returns a colour for a card that cannot be played now.
func dimmed(c color.RGBA) color.RGBA { return between(c, felt, 11, 20) }

// alike is the distance of two colours that nobody can tell apart on the edges of shapes.
const alike = 800

// palette returns the colours of every picture, at most 256: those above, dimmed ones,
// and mixtures of colours that touch. A mixture that looks like one of the other colours is
// left out, because pictures of fewer colours have shorter files.
var palette = sync.OnceValue(func() color.Palette {
	var out color.Palette
	cards := []color.RGBA{paper, edge, tint, ink, red, wine, green, forest, gold, bronze, orange, brown, bark, blue, navy, skin, silver, steel, flesh, blush, hay, rust, glass, lemon, tan, vein, shine, glint}
	for _, c := range append([]color.RGBA{felt, rail, plate, shade, cream, mist, amber, straw, coral, sky, lilac}, cards...) {
		out = append(out, c)
	}
	for _, c := range cards {
		out = append(out, dimmed(c))
	}
	add := func(c color.RGBA) {
		if !slices.ContainsFunc(out, func(old color.Color) bool { return colorDistance(c, old.(color.RGBA)) < alike }) {
			out = append(out, c)
		}
	}
	mix := func(a color.RGBA, bs ...color.RGBA) {
		for _, b := range bs {
			add(between(a, b, 1, 3))
			add(between(a, b, 2, 3))
		}
	}
	mix(felt, amber, sky, lilac)
	mix(plate, cream, lilac)
	mix(amber, ink)
	mix(paper, edge, ink, red, wine, bronze, orange, bark, brown, navy)
	mix(tint, wine, bronze, gold)
	mix(gold, bronze)
	mix(green, vein)
	mix(red, gold, navy)
	mix(wine, ink)
	mix(brown, bark, tan)
	mix(blue, navy)
	mix(skin, bark)
	add(rgb(0xF4CE6C))
	return out
})

// indices is the index of each colour of the palette.
var indices = sync.OnceValue(func() map[color.RGBA]uint8 {
	out := map[color.RGBA]uint8{}
	for i, p := range palette() {
		out[p.(color.RGBA)] = uint8(i)
	}
	return out
})

// near returns the index of the most similar colour in the palette.
func near(c color.RGBA) uint8 {
	if at, ok := indices()[c]; ok {
		return at
	}
	best, at := 1<<30, 0
	for i, p := range palette() {
		if d := colorDistance(c, p.(color.RGBA)); d < best {
			best, at = d, i
		}
	}
	return uint8(at)
}

// colorDistance returns how much two colours differ, from 0 to 585225.
func colorDistance(a, b color.RGBA) int {
	dr, dg, db := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return 3*dr*dr + 4*dg*dg + 2*db*db
}
