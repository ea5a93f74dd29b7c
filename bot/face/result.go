package face

import "image"

func (r Result) paint(to Painter, f Face) {
	const left, end = 44, 756
	to.Text(mist, cut(to, r.Title, end-left, 24, false), left, 54, 24, false)
	x := left
	if r.Won {
		star(to, amber, left+22, 91, 22)
		x += 60
	}
	to.Text(cream, cut(to, r.Headline, end-x, 40, true), x, 106, 40, true)
	to.Text(mist, cut(to, r.Detail, end-left, 27, false), left, 150, 27, false)

	rows := len(r.Rows)
	const row = 46
	tableTop := 500 - 30 - row*rows
	band := [2]int{174, tableTop - 40}
	width := min(84, (band[1]-band[0])*100/cardHeight)
	cardsW := 0
	if n := len(r.Cards); n > 0 {
		step := width * 11 / 20
		if len(r.Progress) == 0 {
			step = min(width+10, (end-left-width)/max(1, n-1))
		}
		for i, c := range r.Cards {
			to.Card(Look{Face: f, Card: c, Width: width}, left+i*step, band[0])
		}
		cardsW = step*(n-1) + width + 36
	}
	if len(r.Progress) > 0 {
		r.chart(to, image.Rect(left+cardsW, band[0], end, band[1]))
	}

	const column = 112
	edges := make([]int, len(r.Labels))
	for i := range r.Labels {
		edges[i] = end - 12 - column*(len(r.Labels)-1-i)
		right(to, mist, cut(to, r.Labels[i], column-8, 20, false), edges[i], tableTop-10, 20, false)
	}
	for i, line := range r.Rows {
		y := tableTop + i*row
		ground := shade
		if line.Won {
			ground = plate
		}
		to.Box(ground, left-12, y, end-left+24, row-6, 10)
		if line.Won {
			to.Box(amber, left-12, y, 6, row-6, 3)
		}
		sideMark(to, line.Side, left+16, y+row/2-3, 20)
		room := end - left - 60 - column*len(line.Cells) + 20
		to.Text(cream, cut(to, line.Names, room, 25, true), left+38, y+29, 25, true)
		for j, cell := range line.Cells {
			right(to, cream, cell, edges[j], y+29, 26, j == len(line.Cells)-1)
		}
	}
}

// chart draws the scores over the deals of the match.
func (r Result) chart(to Painter, area image.Rectangle) {
	high, low, deals := 1, 0, 0
	for _, scores := range r.Progress {
		deals = max(deals, len(scores))
		for _, n := range scores {
			high, low = max(high, n), min(low, n)
		}
	}
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	in := area.Inset(16)
	at := func(deal, n int) image.Point {
		return image.Pt(in.Min.X+in.Dx()*deal/max(1, deals), in.Max.Y-in.Dy()*(n-low)/(high-low))
	}
	to.Box(felt, in.Min.X, at(0, 0).Y-1, in.Dx(), 2, 0)
	for side, scores := range r.Progress {
		last := at(0, 0)
		for deal, n := range scores {
			next := at(deal+1, n)
			segment(to, sideColors[side%3], last, next)
			last = next
		}
		sideMark(to, r.Rows[side].Side, last.X, last.Y, 16)
	}
}
