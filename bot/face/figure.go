package face

import (
	"image/color"

	"sedmabot/game"
)

// Figures are drawn in a panel between the corners of the card.
const (
	panelX, panelY = 26, 13
	panelW, panelH = 48, cardHeight - 2*panelY
)

// robes returns the colours of a figure's coat and its trim, by mark.
func robes(m mark) (coat, dark, trim color.RGBA) {
	switch m.light {
	case red:
		return red, wine, gold
	case green:
		return green, forest, gold
	case gold:
		return gold, bronze, red
	case brown:
		return brown, bark, gold
	}
	return blue, navy, gold
}

// drawFrench draws a jack, queen or king. The lower half is the upper one upside down.
func drawFrench(s *sheet, c game.Card, m mark) {
	coat, dark, trim := robes(m)
	s.fill(tint, box(panelX, panelY, panelW, panelH, 3))
	half := func(s *sheet) {
		// A coat, a sash across it, and a collar.
		s.draw(dark, "M26.6 77.5 L26.6 66 C31 62.5 38 61.5 44 61 L56 61 C62 61.5 69 62.5 73.4 66 L73.4 77.5 Z")
		s.draw(coat, "M28.4 77.5 L28.4 67.6 C33 64.4 39 63.4 45 63 L55 63 C61 63.4 67 64.4 71.6 67.6 L71.6 77.5 Z")
		s.draw(trim, "M46 61 L54 61 L54 77.5 L46 77.5 Z")
		s.draw(dark, "M49 64 L51 64 L51 77.5 L49 77.5 Z")
		switch c.Rank() {
		case 'K':
			head(s, 50, 48, hair)
			s.draw(hair, "M39.5 48 C39 62 45 70 50 70 C55 70 61 62 60.5 48 C58 54 54 54 50 54 C46 54 42 54 39.5 48 Z")
			s.pen(skin, 1.4, "M47.5 56.5 L52.5 56.5")
			crown(s, 50, 38, 1)
		case 'Q', 'O':
			s.draw(gold, "M36 48 C34 32 66 32 64 48 L67 64 C60 69 40 69 33 64 Z")
			s.draw(bronze, "M38 50 C37 58 38 62 36 65 L33 64 Z M62 50 C63 58 62 62 64 65 L67 64 Z")
			head(s, 50, 48, gold)
			s.pen(red, 1.8, "M47.8 54.2 L52.2 54.2")
			crown(s, 50, 36, 0.74)
			s.draw(paper, "M42 61 C46 66 54 66 58 61 L60 64 C55 70 45 70 40 64 Z")
		default:
			s.draw(hair, "M38 44 L38 57 C40 60 43 60 44 58 L44 42 Z M62 44 L62 57 C60 60 57 60 56 58 L56 42 Z")
			head(s, 50, 48, hair)
			s.pen(red, 1.6, "M48 54.4 L52 54.4")
			s.draw(dark, "M36 42 C35 30 64 28 66 41 L64 44 L37 45 Z")
			s.draw(coat, "M38 40 C38 32 61 31 63.5 40 Z")
			s.pen(trim, 2.6, "M61 38 C68 34 70 28 68 22")
			s.pen(trim, 1.8, "M64 33 C67 32 70 31 72 28")
		}
		m.draw(s.at(28.5, 16, 0.15))
	}
	half(s)
	half(s.turned(50, cardHeight/2.0))
	s.fill(dark, box(panelX, cardHeight/2.0-0.8, panelW, 1.6, 0))
	s.fill(dark, frame(panelX, panelY, panelW, panelH, 3, 1.2))
}

// head draws a face that looks straight ahead.
func head(s *sheet, x, y float32, brows color.RGBA) {
	s.fill(skin, oval(x, y, 10, 12))
	for _, dx := range []float32{-4, 4} {
		s.fill(ink, circle(x+dx, y-0.5, 1.3))
		s.fill(brows, box(x+dx-2.6, y-4.4, 5.2, 1.5, 0.7))
	}
	s.fill(rgb(0xD9A77C), box(x-0.8, y, 1.6, 4, 0.8))
}

// crown draws a crown on the line y.
func crown(s *sheet, x, y, size float32) {
	t := s.at(x, y, size)
	t.draw(bronze, "M-14 3 L-17 -13 L-8 -6 L0 -16 L8 -6 L17 -13 L14 3 Z")
	t.draw(gold, "M-12.2 1 L-14.4 -9 L-7.6 -3.4 L0 -12.4 L7.6 -3.4 L14.4 -9 L12.2 1 Z")
	t.fill(red, circle(0, -2.6, 2.2))
	for _, p := range []point{{-17, -14}, {0, -17}, {17, -14}} {
		t.fill(bronze, circle(p.x, p.y, 2.4))
	}
}

// drawGerman draws one figure. A king has a mark on either side of the crown. The over
// (svršek) is below its mark, the under (spodek) above it.
func drawGerman(s *sheet, c game.Card, m mark) {
	coat, dark, trim := robes(m)
	s.fill(tint, box(panelX, panelY, panelW, panelH, 3))
	switch c.Rank() {
	case 'K':
		m.draw(s.at(28.5, 16, 0.16))
		m.draw(s.at(55.5, 16, 0.16))
		body := s.at(0, 8, 1)
		king(body, coat, dark, trim)
	case 'O', 'Q':
		m.draw(s.at(35.5, 16, 0.29))
		officer(s.at(0, 24, 1), coat, dark, trim)
		s.draw(dark, "M28 48.6 L72 48.6 L72 49.8 L28 49.8 Z")
	default:
		piper(s.at(0, -6, 1), coat, dark, trim)
		s.fill(tint, box(panelX, 106, panelW, panelY+panelH-106, 3))
		s.draw(dark, "M28 105.2 L72 105.2 L72 106.4 L28 106.4 Z")
		m.draw(s.at(35.5, 109.5, 0.29))
	}
	s.fill(dark, frame(panelX, panelY, panelW, panelH, 3, 1.2))
}

// king draws a seated king in full robes, with a beard, a crown and a sceptre.
func king(s *sheet, coat, dark, trim color.RGBA) {
	s.draw(dark, "M27.2 132.8 L27.2 80 C30 70 38 66 44 65 L56 65 C62 66 70 70 72.8 80 L72.8 132.8 Z")
	s.draw(coat, "M29 132.8 L29 82 C32 73 39 69 45 68 L55 68 C61 69 68 73 71 82 L71 132.8 Z")
	// An ermine front.
	s.draw(paper, "M43 66 L57 66 L59 132.8 L41 132.8 Z")
	for i := range 5 {
		y := float32(86 + 10*i)
		s.fill(ink, oval(47, y, 1.1, 2.2))
		s.fill(ink, oval(53, y+5, 1.1, 2.2))
	}
	s.draw(trim, "M33 72 C40 84 60 84 67 72 L64 69.6 C58 78 42 78 36 69.6 Z")
	head(s, 50, 50, silver)
	s.draw(silver, "M39.5 49 C38 68 45 82 50 82 C55 82 62 68 60.5 49 C58 56 54 56 50 56 C46 56 42 56 39.5 49 Z")
	s.pen(skin, 1.5, "M47.5 58.6 L52.5 58.6")
	crown(s, 50, 40, 1)
	// A sceptre on the right.
	s.pen(bronze, 2.6, "M67 78 L67 126")
	s.fill(gold, circle(67, 76, 4))
	s.fill(skin, circle(67, 100, 4.4))
}

// officer draws the over: a broad hat with a plume, a moustache, a raised sabre.
func officer(s *sheet, coat, dark, trim color.RGBA) {
	s.draw(dark, "M27.2 116.8 L27.2 84 C30 74 38 69 44 68 L56 68 C62 69 70 74 72.8 84 L72.8 116.8 Z")
	s.draw(coat, "M29 116.8 L29 86 C32 76 39 72 45 71 L55 71 C61 72 68 76 71 86 L71 116.8 Z")
	// Two rows of buttons, a belt, epaulettes.
	for i := range 3 {
		y := float32(80 + 8*i)
		s.fill(trim, circle(44, y, 1.9))
		s.fill(trim, circle(56, y, 1.9))
		s.fill(trim, box(44, y-0.6, 12, 1.2, 0))
	}
	s.draw(ink, "M29 103 L71 103 L71 109 L29 109 Z")
	s.fill(trim, frame(45, 102, 10, 8, 1, 1.8))
	s.fill(trim, box(29, 74, 11, 4.4, 2))
	s.fill(trim, box(60, 74, 11, 4.4, 2))
	head(s, 50, 54, hair)
	s.draw(hair, "M40 61 C44 57 48 58 50 60 C52 58 56 57 60 61 C56 63 53 63 50 62 C47 63 44 63 40 61 Z")
	s.draw(dark, "M29 46 C36 40 64 40 71 46 L68 49 C60 45.5 40 45.5 32 49 Z")
	s.draw(dark, "M38 44 C38 30 62 30 62 44 Z")
	s.draw(trim, "M37.6 41 L62.4 41 L62.6 44 L37.4 44 Z")
	s.pen(paper, 3.6, "M60 40 C69 38 71 32 67 29")
	// The sabre.
	s.pen(silver, 2.2, "M67 92 C70 76 70 64 66 54")
	s.pen(bronze, 2.6, "M63 93 L71 91")
	s.fill(skin, circle(67, 95, 3.6))
}

// piper draws the under: a pointed cap, no beard, a flute held across the body.
func piper(s *sheet, coat, dark, trim color.RGBA) {
	s.draw(dark, "M29 112 L30 80 C33 72 39 68 44 67 L56 67 C61 68 67 72 70 80 L71 112 Z")
	s.draw(paper, "M31.4 112 L32 82 C35 75 40 71 45 70 L55 70 C60 71 65 75 68 82 L68.6 112 Z")
	// A waistcoat with braces.
	s.draw(coat, "M36 112 L38 74 L44 70 L50 86 L56 70 L62 74 L64 112 Z")
	s.draw(dark, "M36 104 L64 104 L64 107.6 L36 107.6 Z")
	s.fill(trim, circle(50, 92, 1.8))
	s.fill(trim, circle(50, 99, 1.8))
	s.draw(hair, "M38.5 46 L38 58 C40 62 43 61 44 58 L44 44 Z M61.5 46 L62 58 C60 62 57 61 56 58 L56 44 Z")
	head(s, 50, 52, hair)
	s.draw(dark, "M37 46 L45 25 C47 20 54 20 55 25 L63 46 C56 42 44 42 37 46 Z")
	s.draw(coat, "M40 42.6 L47 26 C48 23 52 23 53 26 L60 42.6 C55 40.4 45 40.4 40 42.6 Z")
	s.draw(trim, "M37 46 C44 41.6 56 41.6 63 46 L62 49 C55 45.4 45 45.4 38 49 Z")
	// The flute.
	s.pen(bark, 4, "M46 60 L71 70")
	s.pen(gold, 2.2, "M47 60.4 L70 69.6")
	s.fill(skin, circle(57, 65.5, 3))
	s.fill(skin, circle(65, 68.6, 3))
}
