package face

import (
	"bytes"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zlib"
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
// concurrent use.
type Easel struct {
	mu     sync.Mutex // guards all fields except free and drawn
	cards  cache.Cache[Look, *sprite]
	glyphs cache.Cache[glyphKey, *glyph]
	mixes  [256]*[256][coverage + 1]uint8
	round  map[int][]uint8
	raster *vector.Rasterizer
	alpha  *image.Alpha

	free  sync.Pool // pool of *canvas
	drawn drawn
}

// NewEasel returns an easel with empty caches.
func NewEasel() *Easel {
	return &Easel{
		round:  map[int][]uint8{},
		raster: vector.NewRasterizer(1, 1), alpha: image.NewAlpha(image.Rect(0, 0, 64, 64)),
		free: sync.Pool{New: func() any { return newCanvas() }},
	}
}

// coverage is the highest level of a mask: 0 shows the ground, coverage the shape, and
// levels between mix the two.
const coverage = 4

// mostGlyphs is the maximum number of cached letters, about 500 bytes each.
const mostGlyphs = 4000

// mostSprites is the maximum number of cached cards, about 30 kB each.
const mostSprites = 500

// sprite is a card in colours of the palette. Its edges and its shadow are partly
// transparent.
type sprite struct {
	at    image.Rectangle // relative to the card's position
	pix   []uint8
	alpha []uint8 // coverage of each pixel
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
	zlib   *zlib.Writer
	data   bytes.Buffer // compressed pix
	file   []byte
}

// newCanvas returns an empty canvas.
func newCanvas() *canvas {
	w, err := zlib.NewWriterLevel(nil, 6)
	if err != nil {
		panic(err) // cannot fail: 6 is a valid level
	}
	return &canvas{zlib: w}
}

// size resizes the canvas for a new picture of easel e. Its pixels are not cleared.
func (c *canvas) size(e *Easel, w, h int) {
	c.Easel, c.w, c.h, c.stride = e, w, h, w+1
	if n := c.stride * h; cap(c.pix) < n {
		c.pix = make([]uint8, n)
	}
	c.pix = c.pix[:c.stride*h]
	for y := range h {
		c.pix[y*c.stride] = 0
	}
}

// row returns the pixels of a row.
func (c *canvas) row(y int) []uint8 { return c.pix[y*c.stride+1 : (y+1)*c.stride] }

// mix returns a table of mixed colours: for each ground and each coverage by colour
// fg.
func (e *Easel) mix(fg uint8) *[256][coverage + 1]uint8 {
	if e.mixes[fg] == nil {
		p := palette()
		t := new([256][coverage + 1]uint8)
		for bg := range p {
			for n := range coverage + 1 {
				t[bg][n] = near(between(p[bg].(color.RGBA), p[fg].(color.RGBA), n, coverage))
			}
			t[bg][0], t[bg][coverage] = uint8(bg), fg
		}
		e.mixes[fg] = t
	}
	return e.mixes[fg]
}

// cover paints a mask in colour fg at (x, y).
func (c *canvas) cover(fg color.RGBA, mask []uint8, x, y, w, h int) {
	t := c.mix(near(fg))
	for row := max(0, -y); row < h && y+row < c.h; row++ {
		line := c.row(y + row)
		for col := max(0, -x); col < w && x+col < c.w; col++ {
			if n := mask[row*w+col]; n > 0 {
				line[x+col] = t[line[x+col]][n]
			}
		}
	}
}

func (c *canvas) Box(fg color.RGBA, x, y, w, h, r int) {
	at := near(fg)
	r = min(r, w/2, h/2)
	for row := max(0, y); row < min(c.h, y+h); row++ {
		in := 0
		if row < y+r || row >= y+h-r {
			in = r
		}
		from, to := max(0, x+in), min(c.w, x+w-in)
		line := c.row(row)
		for i := from; i < to; i++ {
			line[i] = at
		}
	}
	if r == 0 {
		return
	}
	t := c.mix(at)
	corner := c.corner(r)
	for i, n := range corner {
		dx, dy := i%r, i/r
		for _, p := range [4]image.Point{{x + dx, y + dy}, {x + w - 1 - dx, y + dy}, {x + dx, y + h - 1 - dy}, {x + w - 1 - dx, y + h - 1 - dy}} {
			if p.X >= 0 && p.Y >= 0 && p.X < c.w && p.Y < c.h {
				at := &c.row(p.Y)[p.X]
				*at = t[*at][n]
			}
		}
	}
}

// corner returns the mask of the upper left quarter of a circle.
func (e *Easel) corner(r int) []uint8 {
	if m := e.round[r]; m != nil {
		return m
	}
	const fine = 8
	m := make([]uint8, r*r)
	for y := range r {
		for x := range r {
			n := 0
			for i := range fine * fine {
				dx, dy := float64(r)-float64(x)-(float64(i%fine)+0.5)/fine, float64(r)-float64(y)-(float64(i/fine)+0.5)/fine
				if dx*dx+dy*dy <= float64(r*r) {
					n++
				}
			}
			m[y*r+x] = uint8((n*coverage + fine*fine/2) / (fine * fine))
		}
	}
	e.round[r] = m
	return m
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
func (e *Easel) rasterize(w, h int) []uint8 {
	if need := w * h; cap(e.alpha.Pix) < need {
		e.alpha.Pix = make([]uint8, need)
	}
	e.alpha.Pix, e.alpha.Stride, e.alpha.Rect = e.alpha.Pix[:w*h], w, image.Rect(0, 0, w, h)
	clear(e.alpha.Pix)
	e.raster.Draw(e.alpha, e.alpha.Rect, image.Opaque, image.Point{})
	for i, a := range e.alpha.Pix {
		e.alpha.Pix[i] = shadeOf(a)
	}
	return e.alpha.Pix
}

func shadeOf(a uint8) uint8 { return uint8((int(a)*coverage + 127) / 255) }

func (c *canvas) Card(l Look, x, y int) {
	s := c.sprite(l)
	at := s.at.Add(image.Pt(x, y))
	seen := at.Intersect(image.Rect(0, 0, c.w, c.h))
	for row := seen.Min.Y; row < seen.Max.Y; row++ {
		line := c.row(row)[seen.Min.X:seen.Max.X]
		from := (row-at.Min.Y)*at.Dx() + seen.Min.X - at.Min.X
		pix, alpha := s.pix[from:from+len(line)], s.alpha[from:from+len(line)]
		for i, n := range alpha {
			switch n {
			case 0:
			case coverage:
				line[i] = pix[i]
			default:
				line[i] = c.mix(pix[i])[line[i]][n]
			}
		}
	}
}

func (e *Easel) sprite(l Look) *sprite {
	if s, ok := e.cards.Get(l); ok {
		return s
	}
	img := l.Image()
	n := img.Rect.Dx() * img.Rect.Dy()
	s := &sprite{at: img.Rect, pix: make([]uint8, n), alpha: make([]uint8, n)}
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
	e.cards.Put(l, s, mostSprites)
	return s
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

func (e *Easel) glyph(k glyphKey) *glyph {
	if g, ok := e.glyphs.Get(k); ok {
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
		e.raster.Reset(g.w, g.h)
		s.ox, s.oy = -float32(g.x), -float32(g.y)
		s.trace(e.raster, outline)
		g.mask = slices.Clone(e.rasterize(g.w, g.h))
	}
	e.glyphs.Put(k, g, mostGlyphs)
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

// cut shortens a text to a width in pixels.
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
