package face

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"sedmabot/game"
)

// Cards are 100 wide and cardHeight high, with corners of radius cardRadius.
const (
	cardHeight = 155
	cardRadius = 9
)

// drawCard draws a whole card. Without a card it draws a back.
func drawCard(s *sheet, f Face, c game.Card) {
	s.fill(edge, box(0, 0, 100, cardHeight, cardRadius))
	s.fill(paper, box(1.2, 1.2, 97.6, cardHeight-2.4, cardRadius-1.2))
	if c == 0 {
		drawBack(s)
		return
	}
	m := suitMark(f, c.Suit())
	if f.Like() == Plain {
		drawPlain(s, f, c, m)
		return
	}
	german := f.Like() == German
	corner := func(s *sheet) {
		write(s, m.dark, index(f, c), 13.6, 28.5, 31, 19)
		m.drawOn(s.at(3.4, 32.5, 0.2))
	}
	switch c.Rank() {
	case 'A':
		if german {
			drawDeuce(s, m)
		} else {
			drawAce(s, c, m)
		}
		corner(s)
		corner(s.turned(50, pipCentre))
	case 'K', 'O', 'Q', 'U', 'J':
		if german {
			drawGerman(s, c, m)
		} else {
			drawFrench(s, c, m)
			lower := s.turned(50, pipCentre)
			tab(lower, ink)
			corner(lower)
		}
		tab(s, ink)
		corner(s)
	default:
		corner(s)
		corner(s.turned(50, pipCentre))
		places := pips[c.Rank()]
		size := float32(26)
		if len(places) > 8 {
			size = 21
		}
		for _, p := range places {
			to := s.at(p.x, p.y, size/100)
			if !german && p.y > pipCentre+1 {
				to = to.turned(0, 0) // single-headed German packs have all marks upright
			}
			m.drawOn(to.at(-50, -50, 1))
		}
	}
}

// write writes a text on the base line y, centred at x, with the given size. If it is
// wider than width, it is squeezed.
func write(s *sheet, c color.RGBA, text string, x, y, size, width float32) {
	outline, w := letters(boldFont(), text)
	k := float32(1)
	if w*size > width {
		k = width / (w * size)
	}
	t := s.at(x-w*size*k/2, y, size)
	t.by(k, 0, 0, 1, 0, 0).fill(c, outline)
}

// These are the positions of the pips.
const (
	pipLeft, pipMiddle, pipRight = 35.5, 50, 64.5
	pipTop, pipBottom            = 24, cardHeight - 24
	pipCentre                    = float32(cardHeight) / 2
)

var pips = func() map[game.Rank][]point {
	row := func(y float32) []point { return []point{{pipLeft, y}, {pipRight, y}} }
	mid := func(y float32) []point { return []point{{pipMiddle, y}} }
	join := func(parts ...[]point) (out []point) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	const third = float32(pipBottom-pipTop) / 3
	const sixth = third / 2
	six := join(row(pipTop), row(pipCentre), row(pipBottom))
	eight := join(row(pipTop), row(pipTop+third), row(pipBottom-third), row(pipBottom))
	return map[game.Rank][]point{
		'2': join(mid(pipTop), mid(pipBottom)),
		'3': join(mid(pipTop), mid(pipCentre), mid(pipBottom)),
		'4': join(row(pipTop), row(pipBottom)),
		'5': join(row(pipTop), mid(pipCentre), row(pipBottom)),
		'6': six,
		'7': join(six, mid((pipTop+pipCentre)/2)),
		'8': join(six, mid((pipTop+pipCentre)/2), mid((pipBottom+pipCentre)/2)),
		'9': join(eight, mid(pipCentre)),
		'T': join(eight, mid(pipTop+sixth), mid(pipBottom-sixth)),
	}
}()

// drawAce draws a French ace: one large mark, that of spades in an ornament.
func drawAce(s *sheet, c game.Card, m mark) {
	const y = pipCentre
	if suitNames[c.Suit()][0] != "spades" {
		m.drawOn(s.at(50-26, y-26, 0.52))
		return
	}
	m.drawOn(s.at(50-31, y-33, 0.62))
	heart := s.at(50, y-2, 0.3)
	heart.fill(paper, circle(0, 10, 24))
	heart.fill(ink, circle(0, 10, 20))
	heart.by(1, 0, 0, -1, -50, 58).draw(paper, spadePath)
	for _, t := range []*sheet{s, s.by(-1, 0, 0, 1, 100, 0)} {
		t.pen(ink, 1.6, "M50 123 C38 123 26 118 24 108 C23 102 31 100 32 106 C32 110 27 110 28 107")
		t.pen(ink, 1.6, "M50 32 C40 32 32 34 29 40 C27 45 34 46 34 41")
	}
}

// drawDeuce draws the ace of a German pack, which is its deuce: two large marks on a
// stem that a ribbon winds around.
func drawDeuce(s *sheet, m mark) {
	const y = pipCentre
	s.pen(bark, 4.2, "M50 52 C46 66 54 88 50 104")
	s.pen(brown, 2, "M50 52 C46 66 54 88 50 104")
	m.drawOn(s.at(50-21, 17, 0.42))
	m.drawOn(s.turned(50, y).at(50-21, 17, 0.42))
	for _, t := range []*sheet{s, s.turned(50, y)} {
		t.pen(ink, 6.4, "M27 66 C38 58 44 72 50 77.5")
		t.pen(m.light, 4.4, "M27 66 C38 58 44 72 50 77.5")
		t.pen(ink, 5.4, "M27 66 C20 72 28 80 33 76")
		t.pen(m.light, 3.4, "M27 66 C20 72 28 80 33 76")
		t.fill(m.dark, circle(63, 66, 3))
		t.fill(m.dark, circle(71, 70, 2.2))
	}
	s.fill(ink, circle(50, y, 5.6))
	s.fill(m.light, circle(50, y, 4.4))
}

// moved returns the path, moved by (dx, dy).
func (p path) moved(dx, dy float32) path {
	out := make(path, len(p))
	for i, k := range p {
		for j := range k.p {
			k.p[j].x += dx
			k.p[j].y += dy
		}
		out[i] = k
	}
	return out
}

// drawPlain draws a very large rank with the mark below it. Both stay visible in a fan
// of cards.
func drawPlain(s *sheet, f Face, c game.Card, m mark) {
	write(s, m.dark, index(f, c), 26.5, 66, 80, 43)
	m.drawOn(s.at(3, 80, 0.56))
	turned := s.turned(50, pipCentre)
	write(turned, m.dark, index(f, c), 17, 31, 32, 24)
}

// drawBack draws a lattice with a seven in the middle.
func drawBack(s *sheet) {
	s.fill(navy, box(6, 6, 88, cardHeight-12, 5))
	s.fill(blue, frame(9, 9, 82, cardHeight-18, 4, 1.6))
	const right, down = 100 * 6 / 46.0, cardHeight * 6 / 71.0 // six pixels in the stock of a table, so that all diamonds are equal there
	for x := range 6 {
		for y := range 10 {
			s.fill(blue, parse("M0 -5 L4.6 0 L0 5 L-4.6 0 Z").moved(50+right*(float32(x)-2.5), pipCentre+down*(float32(y)-4.5)))
		}
	}
	const y = pipCentre
	s.fill(navy, circle(50, y, 24))
	s.fill(gold, circle(50, y, 21))
	s.fill(navy, circle(50, y, 18.6))
	write(s, gold, "7", 50, y+11, 31, 40)
}

// Look is a card as it lies in a picture.
type Look struct {
	Face  Face
	Card  game.Card // 0: a back
	Width int       // in pixels
	Dim   bool      // it cannot be played now, or lies there from the trick before
	Tilt  int       // in degrees, clockwise
	Lit   bool      // it has a frame, because it wins the trick
}

// These are the measures around a card, in pixels.
const (
	shadowX, shadowY = 2, 4
	litEdge          = 6 // width of the frame of a winning card
)

// Image returns the card with its shadow and transparent corners. The upper left
// corner of an untilted card would be at (0, 0), so the bounds may start below zero.
func (l Look) Image() *image.RGBA {
	w, h := l.Width, CardHeight(l.Width)
	sin, cos := math.Sincos(math.Abs(float64(l.Tilt)) * math.Pi / 180)
	out := 0
	if l.Lit {
		out = litEdge
	}
	fw, fh := float64(w+2*out), float64(h+2*out)
	mx := int(math.Ceil((fw*cos+fh*sin-float64(w))/2)) + 1
	my := int(math.Ceil((fw*sin+fh*cos-float64(h))/2)) + 1
	s := newSheet(w+2*mx+shadowX, h+2*my+shadowY, 1)
	middleX, middleY := float32(w)/2, float32(h)/2
	pixels := s.at(float32(mx), float32(my), 1)
	o, r := float32(out), float32(cardRadius*w)/100+float32(out)
	body := box(-o, -o, float32(w)+2*o, float32(h)+2*o, r)
	pixels.at(shadowX, shadowY, 1).tilted(middleX, middleY, float32(l.Tilt)).fill(color.RGBA{A: 255 / coverage}, body)
	pixels = pixels.tilted(middleX, middleY, float32(l.Tilt))
	if l.Lit {
		pixels.fill(amber, body)
	}
	card := *pixels.by(float32(w)/100, 0, 0, float32(h)/cardHeight, 0, 0)
	card.img = image.NewRGBA(s.img.Rect)
	drawCard(&card, l.Face, l.Card)
	// Figures reach beyond the edge, so the card is cut out.
	mask := card
	mask.img = image.NewRGBA(s.img.Rect)
	mask.fill(ink, box(0, 0, 100, cardHeight, cardRadius))
	draw.DrawMask(s.img, s.img.Rect, card.img, image.Point{}, mask.img, image.Point{}, draw.Over)
	if l.Dim {
		for i := 0; i < len(s.img.Pix); i += 4 {
			if p := s.img.Pix[i : i+4]; p[3] == 255 {
				c := dimmed(color.RGBA{p[0], p[1], p[2], 255})
				p[0], p[1], p[2] = c.R, c.G, c.B
			}
		}
	}
	s.img.Rect = s.img.Rect.Sub(image.Pt(mx, my))
	return s.img
}

// CardHeight returns the height of a card of the given width, in pixels.
func CardHeight(width int) int { return (width*cardHeight + 50) / 100 }
