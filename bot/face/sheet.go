package face

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// sheet is an image or an SVG drawing on which paths are filled. Drawing code uses its own units. The
// matrix converts them to pixels.
type sheet struct {
	svg    *svg // gets the paths instead of img; nil: img gets them
	img    *image.RGBA
	raster *vector.Rasterizer
	a, b   float32 // x of a pixel = a·x + c·y + ox, y of a pixel = d·x + b·y + oy
	c, d   float32
	ox, oy float32
}

func newSheet(w, h int, scale float32) *sheet {
	return &sheet{img: image.NewRGBA(image.Rect(0, 0, w, h)), raster: vector.NewRasterizer(w, h), a: scale, b: scale}
}

// by returns the same sheet in other units. New units become current units by the
// matrix a, c, d, b and the offset (ox, oy), as the sheet's own matrix makes pixels.
func (s *sheet) by(a, c, d, b, ox, oy float32) *sheet {
	t := *s
	t.a, t.c, t.ox = s.a*a+s.c*d, s.a*c+s.c*b, s.a*ox+s.c*oy+s.ox
	t.d, t.b, t.oy = s.d*a+s.b*d, s.d*c+s.b*b, s.d*ox+s.b*oy+s.oy
	return &t
}

// at returns the same sheet in other units: its (0, 0) is the current (x, y), and one
// unit is scale current units.
func (s *sheet) at(x, y, scale float32) *sheet { return s.by(scale, 0, 0, scale, x, y) }

// turned returns the same sheet, turned upside down around (x, y).
func (s *sheet) turned(x, y float32) *sheet { return s.by(-1, 0, 0, -1, 2*x, 2*y) }

// tilted returns the same sheet, turned clockwise by degrees around (x, y).
func (s *sheet) tilted(x, y, degrees float32) *sheet {
	sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
	u, v := float32(cos), float32(sin)
	return s.by(u, -v, v, u, x-u*x+v*y, y-v*x-u*y)
}

// put returns the pixel position of a point.
func (s *sheet) put(p point) (x, y float32) {
	return s.a*p.x + s.c*p.y + s.ox, s.d*p.x + s.b*p.y + s.oy
}

// fill fills a path with a colour.
func (s *sheet) fill(c color.RGBA, p path) {
	if s.svg != nil {
		s.svg.fill(s, c, p)
		return
	}
	area := s.bounds(p)
	if area.Empty() {
		return
	}
	s.raster.Reset(area.Dx(), area.Dy())
	t := *s
	t.ox, t.oy = s.ox-float32(area.Min.X), s.oy-float32(area.Min.Y)
	t.trace(s.raster, p)
	s.raster.DrawOp = draw.Over
	s.raster.Draw(s.img, area, image.NewUniform(c), image.Point{})
}

// trace adds a path to a rasterizer.
func (s *sheet) trace(to *vector.Rasterizer, p path) {
	for _, k := range p {
		x0, y0 := s.put(k.p[0])
		switch k.kind {
		case 'M':
			to.MoveTo(x0, y0)
		case 'L':
			to.LineTo(x0, y0)
		case 'C':
			x1, y1 := s.put(k.p[1])
			x2, y2 := s.put(k.p[2])
			to.CubeTo(x0, y0, x1, y1, x2, y2)
		case 'Z':
			to.ClosePath()
		}
	}
}

// bounds returns the pixels that a path can touch.
func (s *sheet) bounds(p path) image.Rectangle {
	x0, y0, x1, y1 := float32(1e6), float32(1e6), float32(-1e6), float32(-1e6)
	for _, k := range p {
		n := 1
		switch k.kind {
		case 'C':
			n = 3
		case 'Z':
			n = 0
		}
		for _, q := range k.p[:n] {
			x, y := s.put(q)
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	return image.Rect(int(x0)-2, int(y0)-2, int(x1)+2, int(y1)+2).Intersect(s.img.Bounds())
}

// draw fills a path in SVG notation.
func (s *sheet) draw(c color.RGBA, written string) { s.fill(c, parse(written)) }

// pen draws a stroke of width w along a path in SVG notation.
func (s *sheet) pen(c color.RGBA, w float32, written string) {
	p := parse(written)
	if s.svg != nil {
		s.svg.stroke(s, c, w, p)
		return
	}
	s.fill(c, line(p, w))
}

// stroke draws a stroke of width w along a path. area is the result of line.
func (s *sheet) stroke(c color.RGBA, w float32, p, area path) {
	if s.svg != nil {
		s.svg.stroke(s, c, w, p)
		return
	}
	s.fill(c, area)
}

// These are the fonts of all pictures. Go's own fonts have every letter of the bot's
// languages.
var (
	boldFont   = sync.OnceValue(func() *sfnt.Font { return font(gobold.TTF) })
	mediumFont = sync.OnceValue(func() *sfnt.Font { return font(gomedium.TTF) })
)

func font(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

// Letters returns the outline and the width of a text. Its line height is 1, and its
// base line is at y = 0.
func letters(f *sfnt.Font, text string) (path, float32) {
	var buf sfnt.Buffer
	var out path
	const em = 1000
	ppem := fixed.I(em)
	at := float32(0)
	narrow := float32(1)
	put := func(p fixed.Point26_6) point {
		return point{at + float32(p.X)*narrow/64/em, float32(p.Y) / 64 / em}
	}
	for _, r := range text {
		narrow = 1
		if r == '0' {
			r, narrow = 'O', 0.74 // the font's own zero has a stroke through it
		}
		i, err := f.GlyphIndex(&buf, r)
		if err != nil {
			panic(err)
		}
		segments, err := f.LoadGlyph(&buf, i, ppem, nil)
		if err != nil {
			panic(err)
		}
		var last point
		for n, k := range segments {
			switch k.Op {
			case sfnt.SegmentOpMoveTo:
				if n > 0 {
					out = append(out, stroke{kind: 'Z'})
				}
				last = put(k.Args[0])
				out = append(out, stroke{'M', [3]point{last}})
			case sfnt.SegmentOpLineTo:
				last = put(k.Args[0])
				out = append(out, stroke{'L', [3]point{last}})
			case sfnt.SegmentOpQuadTo:
				c, end := put(k.Args[0]), put(k.Args[1])
				third := func(a, b float32) float32 { return a + (b-a)*2/3 }
				out = append(out, stroke{'C', [3]point{
					{third(last.x, c.x), third(last.y, c.y)}, {third(end.x, c.x), third(end.y, c.y)}, end,
				}})
				last = end
			case sfnt.SegmentOpCubeTo:
				last = put(k.Args[2])
				out = append(out, stroke{'C', [3]point{put(k.Args[0]), put(k.Args[1]), last}})
			}
		}
		if len(segments) > 0 {
			out = append(out, stroke{kind: 'Z'})
		}
		advance, err := f.GlyphAdvance(&buf, i, ppem, 0)
		if err != nil {
			panic(err)
		}
		at += float32(advance) * narrow / 64 / em
	}
	return out, at
}
