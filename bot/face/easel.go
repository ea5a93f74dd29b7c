package face

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"

	"sedmabot/bot/cache"
)

// Painter draws the shapes of a picture. Later shapes cover earlier ones. All measures
// are pixels, and y grows downwards.
type Painter interface {
	// Box fills a rectangle with corners rounded by radius r.
	Box(c color.RGBA, x, y, w, h, r int)
	// Polygon fills the polygon with these corners.
	Polygon(c color.RGBA, points ...image.Point)
	// Card draws a card. If it isn't tilted, its upper left corner is at (x, y); otherwise it has the same centre.
	Card(l Look, x, y int)
	// Text writes a line of letters with the line height size. It starts at x, on the base line y.
	Text(c color.RGBA, text string, x, y, size int, bold bool)
	// Width returns the width of such a line.
	Width(text string, size int, bold bool) int
}

// Easel draws pictures and caches the cards and letters in them. It is safe for
// concurrent use: several pictures can be drawn at once.
type Easel struct {
	cards   cache.Cache[Look, *sprite]
	glyphs  cache.Cache[glyphKey, *glyph]
	corners cache.Cache[int, *corner]    // by radius
	mixes   [256]atomic.Pointer[mixture] // by the colour that is painted

	free  sync.Pool // pool of *canvas
	drawn drawn
}

// NewEasel returns an easel with empty caches.
func NewEasel() *Easel {
	return &Easel{free: sync.Pool{New: func() any { return newCanvas() }}}
}

// coverage is the highest level of a mask: 0 shows the ground, coverage the shape, and
// levels between mix the two.
const coverage = 4

// maxGlyphs is the maximum number of cached letters, about 500 bytes each.
const maxGlyphs = 4000

// maxSprites is the maximum number of cached cards, about 30 kB each.
const maxSprites = 500

// maxCorners is the maximum number of cached corners, about 1 kB each.
const maxCorners = 100

// sprite is a card in colours of the palette. Its edges and its shadow are partly
// transparent.
type sprite struct {
	at    image.Rectangle // relative to the card's position
	pix   []uint8
	alpha []uint8 // coverage of each pixel
	solid []span  // by row: the longest run of pixels that are fully covered
}

// span is a run of pixels in a row, from the first one to the one after the last.
type span struct{ from, to int }

// mixture is a table of mixed colours: for each ground and each coverage by one colour.
type mixture [256][coverage + 1]uint8

// corner is the upper left quarter of a disc.
type corner struct {
	mask []uint8 // coverage of each pixel
	in   []int   // by row: the first pixel that is fully covered
}

type glyphKey struct {
	bold bool
	size int
	r    rune
}

type glyph struct {
	x, y, w, h int // bounds of the mask, relative to where it is written
	mask       []uint8
	advance    int
}

// canvas is a picture that is being drawn.
type canvas struct {
	*Easel
	w, h   int
	stride int     // distance from row to row in pix
	pix    []uint8 // rows in PNG format: a filter byte, which is 0, then the pixels
	line   []uint8 // a row of one colour
	raster *vector.Rasterizer
	alpha  *image.Alpha
	coder  deflater
	file   []byte
}

// newCanvas returns an empty canvas.
func newCanvas() *canvas {
	return &canvas{raster: vector.NewRasterizer(1, 1), alpha: image.NewAlpha(image.Rect(0, 0, 64, 64))}
}

// size resizes the canvas for a new picture of easel e. Its pixels are not cleared.
func (c *canvas) size(e *Easel, w, h int) {
	c.Easel, c.w, c.h, c.stride = e, w, h, w+1
	if n := c.stride * h; cap(c.pix) < n {
		c.pix = make([]uint8, n)
	}
	c.pix = c.pix[:c.stride*h]
	if cap(c.line) < w {
		c.line = make([]uint8, w)
	}
	c.line = c.line[:w]
	for y := range h {
		c.pix[y*c.stride] = 0
	}
}

// Row returns the pixels of a row.
func (c *canvas) row(y int) []uint8 { return c.pix[y*c.stride+1 : (y+1)*c.stride] }

// mix returns the mixtures of all colours with colour fg.
func (e *Easel) mix(fg uint8) *mixture {
	if t := e.mixes[fg].Load(); t != nil {
		return t
	}
	p := palette()
	t := new(mixture)
	for bg := range p {
		for n := range coverage + 1 {
			t[bg][n] = near(between(p[bg].(color.RGBA), p[fg].(color.RGBA), n, coverage))
		}
		t[bg][0], t[bg][coverage] = uint8(bg), fg
	}
	e.mixes[fg].Store(t) // another goroutine may have stored an equal table meanwhile
	return t
}

// cover paints a mask in colour fg at (x, y).
func (c *canvas) cover(fg color.RGBA, mask []uint8, x, y, w, h int) {
	t := c.mix(near(fg))
	seen := image.Rect(x, y, x+w, y+h).Intersect(image.Rect(0, 0, c.w, c.h))
	for row := seen.Min.Y; row < seen.Max.Y; row++ {
		line := c.row(row)[seen.Min.X:seen.Max.X]
		from := (row-y)*w + seen.Min.X - x
		for i, n := range mask[from : from+len(line)] {
			if n > 0 {
				line[i] = t[line[i]][n]
			}
		}
	}
}

func (c *canvas) Box(fg color.RGBA, x, y, w, h, r int) {
	at := near(fg)
	r = min(r, w/2, h/2)
	full := c.line[:min(max(0, w), c.w)]
	for i := range full {
		full[i] = at
	}
	var round *corner
	if r > 0 {
		round = c.corner(r)
	}
	t := c.mix(at)
	for row := max(0, -y); row < min(h, c.h-y); row++ {
		line, in := c.row(y+row), 0
		if edge := min(row, h-1-row); edge < r {
			in = round.in[edge]
			for i, n := range round.mask[edge*r : edge*r+in] {
				for _, col := range [2]int{x + i, x + w - 1 - i} {
					if col >= 0 && col < c.w {
						line[col] = t[line[col]][n]
					}
				}
			}
		}
		if from, to := max(0, x+in), min(c.w, x+w-in); from < to {
			copy(line[from:to], full)
		}
	}
}

// corner returns the upper left quarter of a disc of radius r.
func (e *Easel) corner(r int) *corner {
	if round, ok := e.corners.Get(r); ok {
		return round
	}
	const fine = 8
	round := &corner{mask: make([]uint8, r*r), in: make([]int, r)}
	for y := range r {
		for x := range r {
			n := 0
			for i := range fine * fine {
				dx, dy := float64(r)-float64(x)-(float64(i%fine)+0.5)/fine, float64(r)-float64(y)-(float64(i/fine)+0.5)/fine
				if dx*dx+dy*dy <= float64(r*r) {
					n++
				}
			}
			level := (n*coverage + fine*fine/2) / (fine * fine)
			round.mask[y*r+x] = uint8(level)
			if level < coverage {
				round.in[y] = x + 1 // coverage only grows towards the centre
			}
		}
	}
	e.corners.Put(r, round, maxCorners)
	return round
}

func (c *canvas) Polygon(fg color.RGBA, points ...image.Point) {
	area := image.Rectangle{points[0], points[0]}
	for _, p := range points {
		area.Min.X, area.Min.Y = min(area.Min.X, p.X), min(area.Min.Y, p.Y)
		area.Max.X, area.Max.Y = max(area.Max.X, p.X), max(area.Max.Y, p.Y)
	}
	w, h := area.Dx(), area.Dy()
	if w == 0 || h == 0 {
		return
	}
	c.raster.Reset(w, h)
	for i, p := range points {
		x, y := float32(p.X-area.Min.X), float32(p.Y-area.Min.Y)
		if i == 0 {
			c.raster.MoveTo(x, y)
		} else {
			c.raster.LineTo(x, y)
		}
	}
	c.raster.ClosePath()
	mask := c.rasterize(w, h)
	c.cover(fg, mask, area.Min.X, area.Min.Y, w, h)
}

// rasterize returns the mask of the rasterizer's paths. The next call overwrites it.
func (c *canvas) rasterize(w, h int) []uint8 {
	if need := w * h; cap(c.alpha.Pix) < need {
		c.alpha.Pix = make([]uint8, need)
	}
	c.alpha.Pix, c.alpha.Stride, c.alpha.Rect = c.alpha.Pix[:w*h], w, image.Rect(0, 0, w, h)
	clear(c.alpha.Pix)
	c.raster.Draw(c.alpha, c.alpha.Rect, image.Opaque, image.Point{})
	for i, a := range c.alpha.Pix {
		c.alpha.Pix[i] = shadeOf(a)
	}
	return c.alpha.Pix
}

func shadeOf(a uint8) uint8 { return uint8((int(a)*coverage + 127) / 255) }

func (c *canvas) Card(l Look, x, y int) {
	s := c.sprite(l)
	at := s.at.Add(image.Pt(x, y))
	seen := at.Intersect(image.Rect(0, 0, c.w, c.h))
	for row := seen.Min.Y; row < seen.Max.Y; row++ {
		line := c.row(row)[seen.Min.X:seen.Max.X]
		left := seen.Min.X - at.Min.X
		from := (row-at.Min.Y)*at.Dx() + left
		pix, alpha := s.pix[from:from+len(line)], s.alpha[from:from+len(line)]
		solid := s.solid[row-at.Min.Y]
		a := min(max(0, solid.from-left), len(line))
		b := min(max(a, solid.to-left), len(line))
		c.blend(line[:a], pix, alpha)
		copy(line[a:b], pix[a:b])
		c.blend(line[b:], pix[b:], alpha[b:])
	}
}

// blend paints pixels of partial coverage over a line.
func (c *canvas) blend(line, pix, alpha []uint8) {
	for i, ground := range line {
		if n := alpha[i]; n > 0 {
			line[i] = c.mix(pix[i])[ground][n]
		}
	}
}

func (e *Easel) sprite(l Look) *sprite {
	if s, ok := e.cards.Get(l); ok {
		return s
	}
	img := l.Image()
	n := img.Rect.Dx() * img.Rect.Dy()
	s := &sprite{at: img.Rect, pix: make([]uint8, n), alpha: make([]uint8, n), solid: make([]span, img.Rect.Dy())}
	known := map[color.RGBA]uint8{}
	for i := range s.pix {
		p := img.Pix[4*i : 4*i+4]
		a := int(p[3])
		s.alpha[i] = shadeOf(p[3])
		if a == 0 {
			continue
		}
		full := color.RGBA{uint8(int(p[0]) * 255 / a), uint8(int(p[1]) * 255 / a), uint8(int(p[2]) * 255 / a), 255}
		at, ok := known[full]
		if !ok {
			at = near(full)
			known[full] = at
		}
		s.pix[i] = at
	}
	for y := range s.solid {
		s.solid[y] = solid(s.alpha[y*img.Rect.Dx() : (y+1)*img.Rect.Dx()])
	}
	e.cards.Put(l, s, maxSprites)
	return s
}

// solid returns the longest run of pixels that are fully covered.
func solid(alpha []uint8) (longest span) {
	from := 0
	for i, n := range alpha {
		if n < coverage {
			from = i + 1
		} else if i+1-from > longest.to-longest.from {
			longest = span{from, i + 1}
		}
	}
	return longest
}

func (c *canvas) Text(fg color.RGBA, text string, x, y, size int, bold bool) {
	for _, r := range text {
		g := c.glyph(glyphKey{bold, size, r})
		c.cover(fg, g.mask, x+g.x, y+g.y, g.w, g.h)
		x += g.advance
	}
}

func (c *canvas) Width(text string, size int, bold bool) int {
	w := 0
	for _, r := range text {
		w += c.glyph(glyphKey{bold, size, r}).advance
	}
	return w
}

func (c *canvas) glyph(k glyphKey) *glyph {
	if g, ok := c.glyphs.Get(k); ok {
		return g
	}
	f := mediumFont()
	if k.bold {
		f = boldFont()
	}
	outline, width := letters(f, string(k.r))
	g := &glyph{advance: int(width*float32(k.size) + 0.5)}
	s := &sheet{img: image.NewRGBA(image.Rect(-4*k.size, -4*k.size, 4*k.size, 4*k.size)), a: float32(k.size), b: float32(k.size)}
	if area := s.bounds(outline); len(outline) > 0 && !area.Empty() {
		g.x, g.y, g.w, g.h = area.Min.X, area.Min.Y, area.Dx(), area.Dy()
		c.raster.Reset(g.w, g.h)
		s.ox, s.oy = -float32(g.x), -float32(g.y)
		s.trace(c.raster, outline)
		g.mask = slices.Clone(c.rasterize(g.w, g.h))
	}
	c.glyphs.Put(k, g, maxGlyphs)
	return g
}

// Legible reports whether a picture can show the text: the font has all its letters,
// and the text is not blank.
func Legible(text string) bool {
	for i, r := range text {
		if r < ' ' || r > '~' { // the font has all letters in between
			return drawable(text[i:]) && strings.TrimSpace(text) != ""
		}
	}
	return strings.TrimSpace(text) != ""
}

// drawable reports whether the font has all letters of the text.
func drawable(text string) bool {
	var buf sfnt.Buffer
	for _, r := range text {
		i, err := mediumFont().GlyphIndex(&buf, r)
		if err != nil || i == 0 {
			return false
		}
	}
	return true
}

// Cut shortens a text to a width in pixels.
func cut(to Painter, text string, width, size int, bold bool) string {
	if to.Width(text, size, bold) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if short := strings.TrimSpace(string(runes[:n])) + "…"; to.Width(short, size, bold) <= width {
			return short
		}
	}
	return "…"
}
