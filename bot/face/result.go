package face

import (
	"image"
	"math"
	"slices"
	"strconv"
)

// These are the measures of a result's picture.
const (
	resultH   = 560
	resultRow = 46
	bandTop   = 172 // upper edge of the curve
	decideX   = 420 // left edge of the deciding trick
)

func (r Result) paint(to Painter, f Face) {
	const left, end = 44, 756
	tableTop := resultH - 26 - resultRow*len(r.Rows)
	band := image.Rect(left, bandTop, end, tableTop-34)
	text := end
	if len(r.Progress) > 0 || r.Decisive != nil {
		text = 556
		r.art(to, f, image.Pt(660, 92), 62)
	} else {
		r.art(to, f, image.Pt(400, (band.Min.Y+band.Max.Y)/2), 108)
	}
	to.Text(mist, cut(to, r.Title, text-left, 24, false), left, 50, 24, false)
	x := left
	if r.Won {
		star(to, amber, left+22, 89, 22)
		x += 60
	}
	size := 42
	for size > 30 && to.Width(r.Headline, size, true) > text-x {
		size -= 2
	}
	to.Text(cream, cut(to, r.Headline, text-x, size, true), x, 104, size, true)
	to.Text(mist, cut(to, r.Detail, text-left, 28, false), left, 148, 28, false)

	if r.Decisive != nil {
		r.Decisive.paint(to, f, image.Rect(decideX, band.Min.Y, band.Max.X, band.Max.Y))
		band.Max.X = decideX - 16
	}
	if len(r.Progress) > 0 {
		r.curve(to, band)
	}
	r.table(to, tableTop)
}

// table draws a row for each side.
func (r Result) table(to Painter, top int) {
	const left, end, column = 44, 756, 112
	edges := make([]int, len(r.Labels))
	for i := range r.Labels {
		edges[i] = end - 12 - column*(len(r.Labels)-1-i)
		right(to, mist, cut(to, r.Labels[i], column-8, 21, false), edges[i], top-9, 21, false)
	}
	for i, line := range r.Rows {
		y := top + i*resultRow
		ground := shade
		if line.Won {
			ground = plate
		}
		to.Box(ground, left-12, y, end-left+24, resultRow-6, 10)
		if line.Won {
			to.Box(amber, left-12, y, 6, resultRow-6, 3)
		}
		sideMark(to, line.Side, left+16, y+resultRow/2-3, 20)
		room := end - left - 60 - column*len(line.Cells) + 20
		to.Text(cream, cut(to, line.Names, room, 25, true), left+38, y+29, 25, true)
		for j, cell := range line.Cells {
			right(to, cream, cell, edges[j], y+29, 26, j == len(line.Cells)-1)
		}
	}
}

// curve draws the scores after each deal. The numbers of deals are below it, the
// scores on the left, and each side's last score on the right.
func (r Result) curve(to Painter, area image.Rectangle) {
	high, low, deals := 1, 0, 1
	for _, scores := range r.Progress {
		deals = max(deals, len(scores))
		for _, n := range scores {
			high, low = max(high, n), min(low, n)
		}
	}
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	numbers := 0
	for _, n := range []int{low, high} {
		numbers = max(numbers, to.Width(strconv.Itoa(n), 24, true))
	}
	in := image.Rect(area.Min.X+numbers+20, area.Min.Y+20, area.Max.X-numbers-34, area.Max.Y-36)
	at := func(deal, n int) image.Point {
		return image.Pt(in.Min.X+in.Dx()*deal/deals, in.Max.Y-in.Dy()*(n-low)/(high-low))
	}
	marks := []int{low, high}
	switch middle := (high + low) / 2; {
	case low < 0:
		marks = append(marks, 0)
	case middle > low && middle < high:
		marks = append(marks, middle)
	}
	for _, n := range marks {
		y := at(0, n).Y
		to.Box(felt, in.Min.X, y-1, in.Dx(), 2, 0)
		right(to, mist, strconv.Itoa(n), in.Min.X-8, y+7, 20, false)
	}
	step := max(1, (deals*to.Width("00", 20, false)*3/2+in.Dx()-1)/in.Dx())
	for deal := deals; deal > 0; deal -= step {
		x := at(deal, low).X
		to.Box(mist, x-1, in.Max.Y+1, 2, 6, 0)
		centred(to, mist, strconv.Itoa(deal), x, area.Max.Y-8, 20, false)
	}
	ends := make([]image.Point, len(r.Progress))
	for side, scores := range r.Progress {
		last := at(0, 0)
		for deal, n := range scores {
			next := at(deal+1, n)
			segment(to, sideColors[side%3], last, next)
			last = next
		}
		ends[side] = last
	}
	order := make([]int, len(ends))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return ends[a].Y - ends[b].Y })
	above := -100
	for _, side := range order {
		p := ends[side]
		sideMark(to, r.Rows[side].Side, p.X, p.Y, 18)
		if scores := r.Progress[side]; len(scores) > 0 {
			above = max(above+24, p.Y) // numbers of equal scores are one below the other
			to.Text(sideColors[side%3], strconv.Itoa(scores[len(scores)-1]), p.X+16, above+8, 24, true)
		}
	}
}

// paint draws the trick with the names of those who played it. If there is no room for
// all names, only the winner's is drawn.
func (d DecisiveTrick) paint(to Painter, f Face, area image.Rectangle) {
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	fitted(to, cream, d.Title, (area.Min.X+area.Max.X)/2, area.Min.Y+29, area.Dx()-20, 23, 18, true)
	n := len(d.Cards)
	if n == 0 {
		return
	}
	const pad = 16
	width := min(72, (area.Dy()-90)*100/cardHeight)
	step := min(width+12, (area.Dx()-2*pad-width)/max(1, n-1))
	left := (area.Min.X + area.Max.X - width - step*(n-1)) / 2
	top := (area.Min.Y + 40 + area.Max.Y - 34 - CardHeight(width)) / 2
	for i, c := range d.Cards {
		x := left + step*i
		to.Card(Look{Face: f, Card: c, Width: width, Tilt: tilts[i%len(tilts)], Lit: i == d.Winning}, x, top)
		if i < len(d.Names) && step > width {
			ink := mist
			if i == d.Winning {
				ink = amber
			}
			fitted(to, ink, d.Names[i], x+width/2, area.Max.Y-12, step-4, 20, 16, i == d.Winning)
		}
	}
	if d.Winning < 0 || d.Winning >= n {
		return
	}
	x, y := left+step*d.Winning+6, top+CardHeight(width)-6
	disc(to, rail, x, y, 16)
	disc(to, amber, x, y, 14)
	star(to, ink, x, y, 9)
	if step <= width && d.Winning < len(d.Names) {
		fitted(to, amber, d.Names[d.Winning], (area.Min.X+area.Max.X)/2, area.Max.Y-12, area.Dx()-2*pad, 22, 18, true)
	}
}

// art draws a decoration around a point, for cards of the given width: cards in one of
// several arrangements, a wreath, pennants, or fireworks.
func (r Result) art(to Painter, f Face, at image.Point, width int) {
	kinds := []func(){
		func() { wreath(to, at, width) }, func() { pennants(to, at, width) }, func() { fireworks(to, at, width) },
	}
	if cards := r.Cards; len(cards) > 0 {
		cards = cards[:min(4, len(cards))]
		n := len(cards)
		lay := func(step, lift, turn int) func() {
			return func() {
				for i, c := range cards {
					k := 2*i - n + 1 // from -(n-1) to n-1
					x, y := at.X-width/2+k*step*width/200, at.Y-CardHeight(width)/2+k*k*lift*width/600
					to.Card(Look{Face: f, Card: c, Width: width, Tilt: turn * k}, x, y)
				}
			}
		}
		scattered := func() {
			for i, c := range cards {
				turn := [...]int{-14, 9, -5, 16}[i]
				dy := [...]int{8, -12, 10, -8}[i]
				to.Card(Look{Face: f, Card: c, Width: width, Tilt: turn}, at.X-width/2+(2*i-n+1)*width*2/5, at.Y-CardHeight(width)/2+dy*width/100)
			}
		}
		kinds = append(kinds, lay(46, 8, 6), lay(76, 0, 2), scattered)
	}
	i := r.Art % len(kinds)
	if i < 0 {
		i += len(kinds)
	}
	kinds[len(kinds)-1-i]() // cards first, as nearly all results have some
}

// around returns the point at a distance from p, by the angle in degrees clockwise
// from the top.
func around(p image.Point, degrees, distance float64) image.Point {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return image.Pt(p.X+int(math.Round(distance*sin)), p.Y-int(math.Round(distance*cos)))
}

// wreath draws a crown within two branches of leaves.
func wreath(to Painter, at image.Point, width int) {
	radius := float64(width)
	for i := range 9 {
		for _, side := range []float64{-1, 1} {
			angle := side * (24 + 17*float64(i))
			base := around(at, angle+side*8, radius*0.86)
			for _, out := range []float64{0.66, 1.08} {
				tip := around(at, angle-side*8, radius*out)
				a, b := around(base, angle-side*70, radius*0.1), around(tip, angle+side*100, radius*0.12)
				to.Polygon(amber, base, a, tip, b)
			}
		}
	}
	star(to, amber, at.X, at.Y, width*2/5)
}

// pennants draws two lines of pennants in the colours of the sides.
func pennants(to Painter, at image.Point, width int) {
	n, size := 5, width/2
	for line := range 2 {
		for i := range n {
			k := 2*i - n + 1
			x, y := at.X+k*size/2, at.Y-size*3/2+line*size*3/2-k*k*size/40
			to.Polygon(sideColors[(i+line)%3], image.Pt(x-size*2/5, y), image.Pt(x+size*2/5, y), image.Pt(x, y+size))
			segment(to, cream, image.Pt(x-size/2, y), image.Pt(x+size/2, y))
		}
	}
}

// fireworks draws three bursts of rays.
func fireworks(to Painter, at image.Point, width int) {
	for i, burst := range [][3]int{{-55, 12, 52}, {10, -32, 62}, {66, 26, 46}} {
		middle := image.Pt(at.X+burst[0]*width/62, at.Y+burst[1]*width/62)
		for ray := range 12 {
			angle := float64(30 * ray)
			length := float64(burst[2]*width) / 62 * (0.8 + 0.2*float64(ray%2))
			segment(to, sideColors[i], around(middle, angle, length*0.4), around(middle, angle, length*0.8))
			tip := around(middle, angle, length)
			disc(to, amber, tip.X, tip.Y, max(2, width/24))
		}
	}
}
