package face

import (
	_ "embed"
	"image/color"
	"maps"
	"strconv"
	"strings"
	"sync"

	"sedmabot/game"
)

//go:embed art/figures.txt
var figuresText string

// step is a line of a drawing: a shape, another drawing, or a name for a colour.
type step struct {
	color string // what is filled, or the name that gets another meaning
	means string // "": this is no change of a name
	shape path
	width float32 // of the pen that follows the shape; 0: the shape is filled
	edge  path    // area of the pen, or of the outline below a filled shape; nil: no outline
	use   string  // "": this is no other drawing
	x, y  float32
	scale float32
	flip  bool
}

// outlineWidth is the width of the dark outline of a shape, half of it outside.
const outlineWidth = 2

// drawings returns the drawings of art/figures.txt by name. The file says how it is
// written.
var drawings = sync.OnceValue(func() map[string][]step {
	out := map[string][]step{}
	name := ""
	for row := range strings.Lines(figuresText) {
		words := strings.Fields(row)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		number := func(i int) float32 {
			n, err := strconv.ParseFloat(words[i], 32)
			if err != nil {
				panic("face: " + row)
			}
			return float32(n)
		}
		rest := func(from int) path { return parse(strings.Join(words[from:], " ")) }
		var s step
		switch words[0] {
		case "draw":
			name = words[1]
			continue
		case "let":
			s = step{color: words[1], means: words[2]}
		case "use":
			s = step{use: words[1], x: number(2), y: number(3), scale: number(4), flip: len(words) > 5}
		case "pen":
			s = step{color: words[2], shape: rest(3), width: number(1)}
			s.edge = line(s.shape, s.width)
		default:
			filled, outlined := strings.CutPrefix(words[0], "+")
			s = step{color: filled, shape: rest(1)}
			if outlined {
				s.edge = line(s.shape, outlineWidth)
			}
		}
		out[name] = append(out[name], s)
	}
	return out
})

// inks are the colours that drawings name.
var inks = map[string]color.RGBA{
	"paper": paper, "ink": ink, "red": red, "wine": wine, "green": green, "forest": forest, "gold": gold, "bronze": bronze,
	"brown": brown, "bark": bark, "blue": blue, "navy": navy, "skin": skin, "silver": silver,
	"steel": steel, "flesh": flesh, "blush": blush, "hay": hay, "rust": rust, "glass": glass,
}

// figure draws the drawing of that name. It panics if there is none, because the names
// are constants of this package.
func (s *sheet) figure(name string, colors map[string]color.RGBA) {
	steps, ok := drawings()[name]
	if !ok {
		panic("face: no drawing " + name)
	}
	colors = maps.Clone(colors)
	for _, k := range steps {
		c, known := colors[k.color]
		switch {
		case k.use != "":
			to := s.at(k.x, k.y, k.scale)
			if k.flip {
				to = to.by(-1, 0, 0, 1, 0, 0)
			}
			to.figure(k.use, colors)
		case k.means != "":
			colors[k.color] = colors[k.means]
		case !known:
			panic("face: no colour " + k.color)
		case k.width > 0:
			s.stroke(c, k.width, k.shape, k.edge)
		default:
			if k.edge != nil {
				s.stroke(ink, outlineWidth, k.shape, k.edge)
			}
			s.fill(c, k.shape)
		}
	}
}

// robes returns the colours of a figure: those of all drawings, and the coat and its
// trim by the mark.
func robes(m mark) map[string]color.RGBA {
	out := maps.Clone(inks)
	out["hair"], out["coat"], out["dark"], out["trim"] = bark, blue, navy, gold
	switch m.light {
	case red:
		out["coat"], out["dark"] = red, wine
	case green:
		out["coat"], out["dark"] = green, forest
	case gold:
		out["coat"], out["dark"], out["trim"] = gold, bronze, red
	case brown:
		out["coat"], out["dark"] = brown, bark
	}
	return out
}

// suitNames are the suits in the names of drawings, by their letters.
var suitNames = map[game.Suit][2]string{
	'a': {"clubs", "acorns"}, 'c': {"clubs", "acorns"}, 'l': {"spades", "leaves"}, 's': {"spades", "leaves"},
	'h': {"hearts", "hearts"}, 'b': {"diamonds", "bells"}, 'd': {"diamonds", "bells"},
}

// These are the measures of a court card: a coloured ground, and tabs of paper for the
// indexes.
const (
	courtIn = 4.5
	tabW    = 24.5
	tabH    = 55
)

// tab draws the ground of an index.
func tab(s *sheet, dark color.RGBA) {
	s.fill(dark, box(-8, -8, tabW+8, tabH+8, 7))
	s.fill(paper, box(-8, -8, tabW+6.8, tabH+6.8, 6))
	s.fill(edge, frame(0, 0, 100, cardHeight, cardRadius, 1.2))
}

// drawFrench draws a jack, queen or king. The lower half is the upper one upside down.
func drawFrench(s *sheet, c game.Card, m mark) {
	s.fill(tint, box(courtIn, courtIn, 100-2*courtIn, cardHeight-2*courtIn, 5))
	rank := map[game.Rank]string{'K': "K", 'Q': "Q", 'O': "Q", 'J': "J", 'U': "J"}[c.Rank()]
	half := func(s *sheet) {
		s.figure("french-"+rank+"-"+suitNames[c.Suit()][0], robes(m))
		m.drawOn(s.at(25.6, 7, 0.13))
	}
	half(s)
	half(s.turned(50, pipCentre))
	s.fill(gold, box(courtIn, pipCentre-1.6, 100-2*courtIn, 3.2, 0))
	s.fill(ink, box(courtIn, pipCentre-2, 100-2*courtIn, 0.9, 0))
	s.fill(ink, box(courtIn, pipCentre+1.1, 100-2*courtIn, 0.9, 0))
	border(s)
}

// border covers what a figure has outside the ground, and frames the ground.
func border(s *sheet) {
	s.fill(paper, frame(1.2, 1.2, 97.6, cardHeight-2.4, cardRadius-1.2, courtIn-1.2))
	s.fill(ink, frame(courtIn, courtIn, 100-2*courtIn, cardHeight-2*courtIn, 5, 0.9))
}

// drawGerman draws one figure. A king has a mark on either side of the crown. The over
// (svršek) has its mark at the top, the under (spodek) at the bottom.
func drawGerman(s *sheet, c game.Card, m mark) {
	s.fill(tint, box(courtIn, courtIn, 100-2*courtIn, cardHeight-2*courtIn, 5))
	rank := map[game.Rank]string{'K': "K", 'Q': "O", 'O': "O", 'J': "U", 'U': "U"}[c.Rank()]
	s.figure("german-"+rank+"-"+suitNames[c.Suit()][1], robes(m))
	border(s)
	shield := func(x, y, size float32) {
		s.fill(ink, box(x-3, y-3, size+6, size+6, 5))
		s.fill(paper, box(x-2, y-2, size+4, size+4, 4))
		m.drawOn(s.at(x, y, size/100))
	}
	switch rank {
	case "K":
		m.drawOn(s.at(26, 8, 0.17))
		m.drawOn(s.at(77, 8, 0.17))
	case "O":
		shield(68, 8.5, 24)
	default:
		shield(8.5, cardHeight-8.5-28, 28)
	}
}
