package face

import (
	"image"
	"math"
	"slices"
	"strconv"
)

// These are the measures of a result's picture.
const (
	resultLeft = 44
	resultEnd  = 756
	bandTop    = 172 // upper edge of the curve, or of the points of a single deal
	bandHigh   = 228
	decideX    = 420 // left edge of the deciding trick
	personRow  = 54
	sideGap    = 8 // between the rows of two sides
	labelsHigh = 40
)

// height returns the height of the picture.
func (r Result) height() int {
	high := bandTop + labelsHigh + 24
	if r.full() {
		high += bandHigh
	} else {
		high += bandHigh * 3 / 4 // of the decoration
	}
	for _, row := range r.Rows {
		high += personRow*len(row.People) + sideGap
	}
	return high
}

// full reports whether the picture has a band with the curve, the points or the deciding trick.
func (r Result) full() bool { return len(r.Progress) > 0 || len(r.Large) > 0 || r.Decisive != nil }

func (r Result) paint(to Painter, f Face) {
	const left, end = resultLeft, resultEnd
	band := image.Rect(left, bandTop, end, bandTop+bandHigh)
	text := 572
	if r.full() {
		r.art(to, f, image.Pt(672, 92), 62)
	} else {
		band.Max.Y = bandTop + bandHigh*3/4
		text = end
		r.art(to, f, image.Pt(400, (band.Min.Y+band.Max.Y)/2), 90)
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
	size = 28
	for size > 22 && to.Width(r.Detail, size, false) > text-left {
		size -= 2
	}
	to.Text(mist, cut(to, r.Detail, text-left, size, false), left, 148, size, false)

	rest := band
	if r.Decisive != nil && (len(r.Progress) > 0 || len(r.Large) > 0) {
		rest.Min.X, band.Max.X = decideX, decideX-16
	}
	if r.Decisive != nil {
		r.Decisive.paint(to, f, rest)
	}
	switch {
	case len(r.Large) > 0:
		r.large(to, band)
	case len(r.Progress) > 0:
		r.curve(to, band)
	}
	r.table(to, f, band.Max.Y+labelsHigh)
}

// large writes the points of the only deal, the winner's first, each with the mark of its side.
func (r Result) large(to Painter, area image.Rectangle) {
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	const gap = 64
	size, width := 112, 0
	for ; size > 40; size -= 4 {
		width = gap * (len(r.Large) - 1)
		for _, n := range r.Large {
			width += to.Width(strconv.Itoa(n), size, true)
		}
		if width <= area.Dx()-40 {
			break
		}
	}
	x, base := (area.Min.X+area.Max.X-width)/2, area.Min.Y+area.Dy()/2+size/4
	for i, n := range r.Large {
		number := strconv.Itoa(n)
		wide := to.Width(number, size, true)
		ink := mist
		if r.Won && i == 0 {
			ink = cream
		}
		to.Text(ink, number, x, base, size, true)
		sideMark(to, r.Sides[i], x+wide/2, base+30, 22)
		x += wide
		if i < len(r.Large)-1 {
			centred(to, mist, ":", x+gap/2, base-size/12, size*3/4, true)
			x += gap
		}
	}
	fitted(to, mist, r.Label, (area.Min.X+area.Max.X)/2, area.Min.Y+34, area.Dx()-20, 23, 18, true)
}

// table draws the rows: for each side its players and its score, and for each player their best trick, rating and streak.
func (r Result) table(to Painter, f Face, top int) {
	const left, end, score = resultLeft, resultEnd, 96
	widths := [...]int{150, 138, 96}
	edge := end - 8
	if len(r.Rows) > 0 && r.Rows[0].Score != "" {
		if len(r.Large) == 0 {
			right(to, mist, cut(to, r.Label, score, 20, false), edge, top-10, 20, false)
		}
		edge -= score
	}
	var starts [len(widths)]int
	for i, label := range slices.Backward(r.Columns[:]) {
		if label == "" {
			continue
		}
		edge -= widths[i]
		starts[i] = edge
		size := 20
		for size > 16 && to.Width(label, size, false) > widths[i]-8 {
			size--
		}
		to.Text(mist, cut(to, label, widths[i]-8, size, false), edge, top-10, size, false)
	}
	y := top
	for _, row := range r.Rows {
		high := personRow * len(row.People)
		ground := shade
		if row.Won {
			ground = plate
		}
		to.Box(ground, left-12, y, end-left+24, high, 10)
		if row.Won {
			to.Box(amber, left-12, y, 6, high, 3)
		}
		right(to, cream, row.Score, end-8, y+high/2+12, 36, true)
		for _, p := range row.People {
			middle := y + personRow/2
			sideMark(to, row.Side, left+16, middle, 20)
			room, size := edge-left-50, 25
			for size > 20 && to.Width(p.Name, size, true) > room {
				size--
			}
			to.Text(cream, cut(to, p.Name, room, size, true), left+38, middle+9, size, true)
			if p.Card != 0 && r.Columns[0] != "" {
				const width = 30
				to.Card(Look{Face: f, Card: p.Card, Width: width}, starts[0], middle-CardHeight(width)/2)
				to.Text(cream, strconv.Itoa(p.Points), starts[0]+width+12, middle+9, 25, true)
			}
			if p.Rating != "" && r.Columns[1] != "" {
				to.Text(cream, p.Rating, starts[1], middle+9, 25, true)
				to.Text(mist, p.By, starts[1]+to.Width(p.Rating, 25, true)+8, middle+9, 21, false)
			}
			if r.Columns[2] != "" {
				to.Text(cream, p.Streak, starts[2], middle+9, 25, true)
			}
			y += personRow
		}
		y += sideGap
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

// paint draws the trick: a column of cards for each player, under their name if it has room. The cards of later rounds
// lie lower and leave the corners of earlier ones free.
func (d DecisiveTrick) paint(to Painter, f Face, area image.Rectangle) {
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	middle := (area.Min.X + area.Max.X) / 2
	fitted(to, cream, d.Title, middle, area.Min.Y+29, area.Dx()-20, 23, 18, true)
	if len(d.Cards) == 0 {
		return
	}
	foot := area.Max.Y
	if d.Caption != "" {
		fitted(to, cream, d.Caption, middle, area.Max.Y-14, area.Dx()-20, 23, 17, true)
		foot -= 34
	}
	places, columns, rounds := d.places()
	const pad, high = 16, cardHeight // of cards that are 100 wide
	room := foot - 34 - area.Min.Y - 46
	width := min(72, (area.Dy()-120)*100/cardHeight, (area.Dx()-2*pad)/columns-4)
	corner, drop := 40, 0 // the height of a corner with its rank, of a card that is 100 wide
	if f.Like() == Plain {
		corner = 50
	}
	if rounds > 1 {
		width = min(width, room*100/(high+(rounds-1)*corner))
		drop = min(width*64/100, (room-CardHeight(width))/(rounds-1))
	}
	step := min(width+12, (area.Dx()-2*pad-width)/max(1, columns-1))
	if rounds > 1 {
		step = min(120, (area.Dx()-2*pad)/columns) // names need the room
	}
	left := (area.Min.X + area.Max.X - width - step*(columns-1)) / 2
	top := (area.Min.Y + 40 + foot - 34 - CardHeight(width) - drop*(rounds-1)) / 2
	at := func(i int) image.Point { return image.Pt(left+step*places[i].X, top+drop*places[i].Y) }
	named := make([]bool, columns)
	for i, c := range d.Cards {
		p, won := at(i), i == d.Winning
		look := Look{Face: f, Card: c, Width: width, Lit: won}
		if rounds == 1 {
			look.Tilt = tilts[i%len(tilts)]
		}
		to.Card(look, p.X, p.Y)
		if slices.Contains(d.Dark, i) {
			darkMark(to, f, p.X, p.Y, width)
		}
		column := places[i].X
		winner := d.Winning >= 0 && d.Winning < len(places) && places[d.Winning].X == column
		if i < len(d.Names) && !named[column] {
			named[column] = true
			ink := mist
			if winner {
				ink = straw
			}
			fitted(to, ink, d.Names[i], p.X+width/2, foot-12, step-4, 20, 16, winner)
		}
	}
	if d.Winning < 0 || d.Winning >= len(d.Cards) {
		return
	}
	p := at(d.Winning).Add(image.Pt(6, CardHeight(width)-6))
	if slices.Contains(places, places[d.Winning].Add(image.Pt(0, 1))) { // covered by the next round
		p = at(d.Winning).Add(image.Pt(width-2, drop/2))
	}
	disc(to, rail, p.X, p.Y, 16)
	disc(to, amber, p.X, p.Y, 14)
	star(to, ink, p.X, p.Y, 9)
}

// places returns the column and the round of each card, and how many columns and rounds there are.
func (d DecisiveTrick) places() (places []image.Point, columns, rounds int) {
	if len(d.Seats) != len(d.Cards) {
		for i := range d.Cards {
			places = append(places, image.Pt(i, 0))
		}
		return places, len(d.Cards), 1
	}
	var seats []int
	cards := map[int]int{}
	for _, seat := range d.Seats {
		column := slices.Index(seats, seat)
		if column < 0 {
			column, seats = len(seats), append(seats, seat)
		}
		places = append(places, image.Pt(column, cards[seat]))
		cards[seat]++
		rounds = max(rounds, cards[seat])
	}
	return places, len(seats), rounds
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
