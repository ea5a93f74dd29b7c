package face

import (
	"crypto/sha256"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"sync"

	"sedmabot/game"
)

// Sprite is a file with the cards of a deck in a face, as an SVG drawing for web pages. It
// has a <symbol> for each kind of card, whose id is the card's name ("7h"), and one for a
// back ("back"). Each is 100 wide and 155 high.
type Sprite struct {
	Name string // ends in a hash of SVG, so that a browser may keep the file for good
	SVG  []byte
}

// sprites are the functions that draw the sprites, by the beginnings of their names. Each
// draws only once.
var sprites = func() map[string]func() Sprite {
	out := map[string]func() Sprite{}
	for f := range styles {
		for _, d := range []game.Deck{game.German32, game.French52} {
			begin := string(f) + "-" + string(d)
			out[begin] = sync.OnceValue(func() Sprite {
				data := svgCards(f, d)
				sum := sha256.Sum256(data)
				return Sprite{fmt.Sprintf("%s-%x.svg", begin, sum[:6]), data}
			})
		}
	}
	return out
}()

// SpriteOf returns the sprite of a deck in a face.
func SpriteOf(f Face, d game.Deck) Sprite {
	if d != game.German32 {
		d = game.French52 // two packs have the same kinds of cards as one
	}
	if _, ok := styles[f]; !ok {
		f = French
	}
	return sprites[string(f)+"-"+string(d)]()
}

// SpriteNamed returns the sprite of that name. It reports false if there is none.
func SpriteNamed(name string) (Sprite, bool) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || sprites[name[:i]] == nil {
		return Sprite{}, false
	}
	s := sprites[name[:i]]()
	return s, s.Name == name
}

// svgCards returns the drawing of a [Sprite].
func svgCards(f Face, d game.Deck) []byte {
	g := &svg{marks: map[string]bool{}}
	for _, c := range append([]game.Card{0}, game.Rules{Deck: d}.Pack()...) {
		id := "back"
		if c != 0 {
			id = c.String()
		}
		fmt.Fprintf(&g.body, `<symbol id="%s" viewBox="0 0 100 %d">`, id, cardHeight)
		drawCard(&sheet{svg: g, a: 1, b: 1}, f, c)
		g.enter("")
		g.body.WriteString("</symbol>")
	}
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg"><defs>` + g.defs.String() + `</defs>` + g.body.String() + `</svg>`)
}

// svg is an SVG drawing in the making.
type svg struct {
	defs, body strings.Builder
	marks      map[string]bool // those in defs
	matrix     string          // transform of the open group; "": no group is open
}

// fill draws a filled path.
func (g *svg) fill(s *sheet, c color.RGBA, p path) {
	g.enter(matrix(s))
	fmt.Fprintf(&g.body, `<path fill="%s" d="%s"/>`, hex(c), p.svg(digits(s)))
}

// stroke draws a stroke of width w along a path, with round ends.
func (g *svg) stroke(s *sheet, c color.RGBA, w float32, p path) {
	g.enter(matrix(s))
	fmt.Fprintf(&g.body, `<path fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-linejoin="round" d="%s"/>`,
		hex(c), number10(w, 2), p.svg(digits(s)))
}

// mark draws a suit mark. Its shape is in the file's defs only once.
func (g *svg) mark(s *sheet, m mark) {
	if !g.marks[m.name] {
		g.marks[m.name] = true
		alone := &svg{}
		m.draw(&sheet{svg: alone, a: 1, b: 1})
		alone.enter("")
		fmt.Fprintf(&g.defs, `<g id="%s">%s</g>`, m.name, alone.body.String())
	}
	g.enter("")
	fmt.Fprintf(&g.body, `<use href="#%s" transform="%s"/>`, m.name, matrix(s))
}

// enter opens the group of a transform, unless it is open. "": only the open group is closed.
func (g *svg) enter(transform string) {
	if transform == g.matrix {
		return
	}
	if g.matrix != "" {
		g.body.WriteString("</g>")
	}
	if g.matrix = transform; transform != "" {
		fmt.Fprintf(&g.body, `<g transform="%s">`, transform)
	}
}

// matrix returns the units of a sheet as an SVG transform.
func matrix(s *sheet) string {
	n := func(v float32) string { return number10(v, 3) }
	if s.a == s.b && s.c == 0 && s.d == 0 {
		return "translate(" + n(s.ox) + " " + n(s.oy) + ")scale(" + n(s.a) + ")"
	}
	return "matrix(" + n(s.a) + " " + n(s.d) + " " + n(s.c) + " " + n(s.b) + " " + n(s.ox) + " " + n(s.oy) + ")"
}

// digits returns how many digits after the point a coordinate needs in the units of a
// sheet. Letters are one unit high.
func digits(s *sheet) int {
	if math.Abs(float64(s.b)) > 4 {
		return 3
	}
	return 1
}

// svg returns the path in SVG notation, with so many digits after the point.
func (p path) svg(digits int) string {
	var b strings.Builder
	for _, k := range p {
		b.WriteByte(k.kind)
		n := map[byte]int{'M': 1, 'L': 1, 'C': 3}[k.kind]
		for i, q := range k.p[:n] {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(number10(q.x, digits) + " " + number10(q.y, digits))
		}
	}
	return b.String()
}

// number10 returns a number in decimal notation, rounded to so many digits after the point.
func number10(v float32, digits int) string {
	s := strconv.FormatFloat(float64(v), 'f', digits, 32)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
