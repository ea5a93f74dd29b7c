package face

import (
	"math"
	"strconv"
	"strings"
)

// point is a position in the units of the drawing: cards are 100 wide and cardHeight
// high, suit marks 100 by 100. y grows downwards.
type point struct{ x, y float32 }

// path is a list of closed outlines, made of cubic curves and lines.
type path []stroke

// stroke is one piece of a path. Its kind is the SVG letter.
type stroke struct {
	kind byte // 'M', 'L', 'C' or 'Z'
	p    [3]point
}

// parse parses a path in SVG notation: M, L, C, Q and Z with absolute numbers. It
// panics at anything else, because paths are constants of this package.
func parse(s string) path {
	var out path
	var kind byte
	var numbers []float32
	var at point
	take := func(n int) []float32 {
		head := numbers[:n]
		numbers = numbers[n:]
		return head
	}
	flush := func() {
		for kind != 0 && len(numbers) > 0 {
			switch kind {
			case 'M', 'L':
				n := take(2)
				at = point{n[0], n[1]}
				out = append(out, stroke{kind, [3]point{at}})
				kind = 'L'
			case 'C':
				n := take(6)
				at = point{n[4], n[5]}
				out = append(out, stroke{'C', [3]point{{n[0], n[1]}, {n[2], n[3]}, at}})
			case 'Q':
				n := take(4)
				c, end := point{n[0], n[1]}, point{n[2], n[3]}
				third := func(a, b float32) float32 { return a + (b-a)*2/3 }
				out = append(out, stroke{'C', [3]point{
					{third(at.x, c.x), third(at.y, c.y)}, {third(end.x, c.x), third(end.y, c.y)}, end,
				}})
				at = end
			}
		}
	}
	for _, word := range strings.Fields(s) {
		if c := word[0]; c >= 'A' {
			flush()
			kind, word = c, word[1:]
			if c == 'Z' {
				out = append(out, stroke{kind: 'Z'})
			}
			if word == "" {
				continue
			}
		}
		n, err := strconv.ParseFloat(word, 32)
		if err != nil {
			panic("face: path " + s)
		}
		numbers = append(numbers, float32(n))
	}
	flush()
	return out
}

// kappa is the length of a curve's handles for a quarter of a circle of radius 1.
const kappa = 0.5522848

// oval returns an ellipse around (x, y).
func oval(x, y, rx, ry float32) path { return roundRect(x-rx, y-ry, 2*rx, 2*ry, rx, ry) }

// circle returns a circle around (x, y).
func circle(x, y, r float32) path { return oval(x, y, r, r) }

// box returns a rectangle with corners rounded by radius r.
func box(x, y, w, h, r float32) path { return roundRect(x, y, w, h, r, r) }

func roundRect(x, y, w, h, rx, ry float32) path {
	kx, ky := rx*(1-kappa), ry*(1-kappa)
	r, b := x+w, y+h
	return path{
		{'M', [3]point{{x + rx, y}}},
		{'L', [3]point{{r - rx, y}}},
		{'C', [3]point{{r - kx, y}, {r, y + ky}, {r, y + ry}}},
		{'L', [3]point{{r, b - ry}}},
		{'C', [3]point{{r, b - ky}, {r - kx, b}, {r - rx, b}}},
		{'L', [3]point{{x + rx, b}}},
		{'C', [3]point{{x + kx, b}, {x, b - ky}, {x, b - ry}}},
		{'L', [3]point{{x, y + ry}}},
		{'C', [3]point{{x, y + ky}, {x + kx, y}, {x + rx, y}}},
		{kind: 'Z'},
	}
}

// frame returns the band of width w inside the edge of a box.
func frame(x, y, width, height, r, w float32) path {
	return append(box(x, y, width, height, r), reverse(box(x+w, y+w, width-2*w, height-2*w, max(0, r-w)))...)
}

// reverse returns a closed outline in the opposite direction, so that it cuts a hole.
func reverse(p path) path {
	out := path{{'M', [3]point{p[0].p[0]}}}
	ends := make([]point, len(p))
	for i, s := range p {
		switch s.kind {
		case 'C':
			ends[i] = s.p[2]
		case 'Z':
			ends[i] = ends[0]
		default:
			ends[i] = s.p[0]
		}
	}
	for i := len(p) - 1; i > 0; i-- {
		switch s := p[i]; s.kind {
		case 'C':
			out = append(out, stroke{'C', [3]point{s.p[1], s.p[0], ends[i-1]}})
		default:
			out = append(out, stroke{'L', [3]point{ends[i-1]}})
		}
	}
	return append(out, stroke{kind: 'Z'})
}

// line returns the outline of a stroke of width w along p, with round ends.
func line(p path, w float32) path {
	var out path
	r := w / 2
	var start, at point
	dot := func(c point) { out = append(out, circle(c.x, c.y, r)...) }
	to := func(end point) {
		dx, dy := end.x-at.x, end.y-at.y
		n := float32(math.Hypot(float64(dx), float64(dy)))
		if n == 0 {
			return
		}
		nx, ny := dy/n*r, -dx/n*r
		out = append(out,
			stroke{'M', [3]point{{at.x + nx, at.y + ny}}}, stroke{'L', [3]point{{end.x + nx, end.y + ny}}},
			stroke{'L', [3]point{{end.x - nx, end.y - ny}}}, stroke{'L', [3]point{{at.x - nx, at.y - ny}}}, stroke{kind: 'Z'})
		dot(end)
		at = end
	}
	for _, s := range p {
		switch s.kind {
		case 'M':
			start, at = s.p[0], s.p[0]
			dot(at)
		case 'L':
			to(s.p[0])
		case 'C':
			a := at
			const pieces = 12
			for i := 1; i <= pieces; i++ {
				t := float32(i) / pieces
				u := 1 - t
				b0, b1, b2, b3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				to(point{
					b0*a.x + b1*s.p[0].x + b2*s.p[1].x + b3*s.p[2].x,
					b0*a.y + b1*s.p[0].y + b2*s.p[1].y + b3*s.p[2].y,
				})
			}
		case 'Z':
			to(start)
		}
	}
	return out
}
