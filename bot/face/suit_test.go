package face

import (
	"image/color"
	"math"
	"testing"

	"sedmabot/game"
)

// luminance returns the relative luminance of a colour
// (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance).
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast returns the contrast ratio of two colours, from 1 to 21.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// The letters beside acorns and bells can be told apart, also by their lightness alone.
func TestAcornsAndBellsDiffer(t *testing.T) {
	t.Parallel()
	acorns, bells := suitMark(German, 'a').dark, suitMark(German, 'b').dark
	if got := contrast(acorns, bells); got < 2 {
		t.Errorf("acorns and bells differ by %.1f", got)
	}
	if d := int(bells.R) - int(bells.G); d < 100 {
		t.Errorf("bells are as brown as acorns: %v", bells)
	}
}

// People with weak eyes can read everything on the cards and pictures: letters have a contrast of 7 : 1, and marks of suits, or
// their outlines, 4.5 : 1. Dim cards can't be played now.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, ground := range []struct {
		name    string
		color   color.RGBA
		letters []color.RGBA
	}{
		{"the felt", felt, []color.RGBA{cream, mist, straw}},
		{"a plate", plate, []color.RGBA{cream, mist, straw, amber}},
		{"the rim", rail, []color.RGBA{cream, mist, straw}},
		{"what matters now", amber, []color.RGBA{ink}},
		{"a card", paper, []color.RGBA{ink, red}},
		{"a disc", cream, []color.RGBA{ink}},
	} {
		for _, c := range ground.letters {
			if got := contrast(c, ground.color); got < 7 {
				t.Errorf("letters of %v on %s: %.2f", c, ground.name, got)
			}
		}
	}
	for f := range styles {
		for _, suit := range []game.Suit{'a', 'l', 'h', 'b', 'c', 's', 'd'} {
			m := suitMark(f, suit)
			if got := contrast(m.dark, paper); got < 7 {
				t.Errorf("ranks beside a %s: %.2f", m.name, got)
			}
			if got := max(contrast(m.light, paper), contrast(m.dark, paper)); got < 4.5 {
				t.Errorf("the mark of a %s: %.2f", m.name, got)
			}
		}
	}
}
