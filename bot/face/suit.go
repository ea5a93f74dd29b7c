package face

import (
	"image/color"

	"sedmabot/game"
)

// Suit marks are drawn in a square of 100 by 100.

const (
	heartPath   = "M50 93 C22 68 6 51 6 32 C6 17 17 8 28 8 C38 8 46 14 50 25 C54 14 62 8 72 8 C83 8 94 17 94 32 C94 51 78 68 50 93 Z"
	diamondPath = "M50 3 C58 21 70 36 86 50 C70 64 58 79 50 97 C42 79 30 64 14 50 C30 36 42 21 50 3 Z"
	spadePath   = "M50 4 C58 24 93 42 93 65 C93 78 83 84 73 84 C65 84 58 80 53 72 C54 83 58 91 67 96 L33 96 C42 91 46 83 47 72 C42 80 35 84 27 84 C17 84 7 78 7 65 C7 42 42 24 50 4 Z"
	clubStem    = "M47 56 L53 56 C53 78 58 90 68 96 L32 96 C42 90 47 78 47 56 Z"
	leafPath    = "M50 2 C56 14 66 20 76 30 C90 44 96 58 88 70 C80 81 62 80 50 70 C38 80 20 81 12 70 C4 58 10 44 24 30 C34 20 44 14 50 2 Z"
	leafStem    = "M50 66 C50 80 48 90 41 97"
	nutPath     = "M20 42 C20 70 32 84 46 90 L50 97 L54 90 C68 84 80 70 80 42 Z"
	capPath     = "M12 46 C10 26 26 15 50 15 C74 15 90 26 88 46 C88 51 84 53 80 53 L20 53 C16 53 12 51 12 46 Z"
)

// mark is one of the seven suit marks.
type mark struct {
	name        string     // such as "acorn"
	dark, light color.RGBA // dark: colour of the outline or letters; light: colour of the body
	draw        func(s *sheet)
}

// drawOn draws the mark on a sheet. An SVG drawing has each mark once and refers to it.
func (m mark) drawOn(s *sheet) {
	if s.svg != nil {
		s.svg.mark(s, m)
		return
	}
	m.draw(s)
}

// suitMark returns the mark of a suit in a face. German faces have German marks for
// any pack, and French faces French ones.
func suitMark(f Face, suit game.Suit) mark {
	german := f.Suits() == German
	switch suit {
	case 'a', 'c':
		if german {
			return mark{"acorn", bark, brown, acorn}
		}
		return mark{"club", ink, ink, club}
	case 'l', 's':
		if german {
			return mark{"leaf", forest, green, leaf}
		}
		return mark{"spade", ink, ink, func(s *sheet) { s.draw(ink, spadePath) }}
	case 'h':
		if german {
			return mark{"german-heart", wine, red, germanHeart}
		}
		return mark{"heart", red, red, func(s *sheet) { s.draw(red, heartPath) }}
	}
	if german {
		return mark{"bell", orange, gold, bell}
	}
	return mark{"diamond", red, red, func(s *sheet) { s.draw(red, diamondPath) }}
}

// Words returns the rank and the suit that a card shows in a face. The rank is a number or
// one of the letters J, U, Q, O, K and A; the suit is "acorn", "leaf", "german-heart",
// "bell", "club", "spade", "heart" or "diamond".
func Words(f Face, c game.Card) (r, suit string) {
	suit = suitMark(f, c.Suit()).name
	if c.Rank() == 'T' {
		return "10", suit
	}
	return ShownRank(f, c.Rank()).String(), suit
}

func club(s *sheet) {
	s.fill(ink, circle(50, 26, 22))
	s.fill(ink, circle(25, 60, 22))
	s.fill(ink, circle(75, 60, 22))
	s.draw(ink, "M36 40 L64 40 L60 62 L40 62 Z")
	s.draw(ink, clubStem)
}

func germanHeart(s *sheet) {
	s.draw(wine, heartPath)
	s.at(5, 4, 0.9).draw(red, heartPath)
	s.pen(shine, 6, "M20 36 C19 26 24 21 31 21")
}

func leaf(s *sheet) {
	s.pen(forest, 8, leafStem)
	s.draw(forest, leafPath)
	s.at(5, 4, 0.9).draw(green, leafPath)
	s.pen(vein, 4, "M50 18 L50 66")
	s.pen(vein, 3.5, "M50 40 L33 30")
	s.pen(vein, 3.5, "M50 40 L67 30")
	s.pen(vein, 3.5, "M50 58 L26 48")
	s.pen(vein, 3.5, "M50 58 L74 48")
}

func acorn(s *sheet) {
	s.pen(bark, 9, "M50 18 C50 11 53 6 59 3")
	s.draw(bark, nutPath)
	s.at(7, 5, 0.86).draw(tan, nutPath)
	s.pen(glint, 6, "M33 56 C34 64 37 70 41 74")
	s.draw(bark, capPath)
	s.at(5, 3.4, 0.9).draw(brown, capPath)
	for _, x := range []float32{26, 42, 58, 74} {
		s.at(x, 0, 1).pen(bark, 3.4, "M0 24 L0 49")
	}
	s.pen(bark, 3.4, "M16 36 L84 36")
}

// bell draws a round bell in two tones: golden above, red below, with a slit.
func bell(s *sheet) {
	s.fill(ink, frame(37, 0, 26, 24, 12, 8))
	s.fill(gold, frame(40, 3, 20, 20, 10, 3))
	s.fill(ink, circle(50, 56, 43))
	s.fill(red, circle(50, 56, 38))
	s.draw(lemon, "M12 58 C11 6 89 6 88 58 Z")
	s.draw(ink, "M8 52 L92 52 L92 62 L8 62 Z")
	s.pen(paper, 6, "M26 42 C28 34 34 28 43 26")
	s.fill(ink, circle(50, 77, 8))
	s.pen(ink, 5, "M50 62 L50 92")
}
