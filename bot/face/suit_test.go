package face

import (
	"image/color"
	"math"
	"testing"
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

// The letters beside acorns and bells can be told apart, also by their lightness alone, and can be read
// on a card.
func TestAcornsAndBellsDiffer(t *testing.T) {
	t.Parallel()
	acorns, bells := suitMark(German, 'a').dark, suitMark(German, 'b').dark
	if got := contrast(acorns, bells); got < 2 {
		t.Errorf("acorns and bells differ by %.1f", got)
	}
	for _, c := range []color.RGBA{acorns, bells} {
		if got := contrast(c, paper); got < 4.5 {
			t.Errorf("%v on a card has a contrast of %.1f", c, got)
		}
	}
	if d := int(bells.R) - int(bells.G); d < 100 {
		t.Errorf("bells are as brown as acorns: %v", bells)
	}
}
