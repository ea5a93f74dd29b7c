package face

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
)

// Chart shows how numbers, such as ratings, changed over time: 800 by 440 pixels.
type Chart struct {
	Title  string
	Detail string // label for the numbers
	Lines  []Line // at most 3
}

// Line is one line of a chart.
type Line struct {
	Name   string
	Points []int // at least 2, the newest last
}

func (c Chart) paint(to Painter) {
	const left, end = 44, 756
	to.Text(cream, cut(to, c.Title, end-left, 34, true), left, 56, 34, true)
	to.Text(mist, cut(to, c.Detail, end-left, 22, false), left, 90, 22, false)
	var all []int
	for _, line := range c.Lines {
		all = append(all, line.Points...)
	}
	if len(all) == 0 {
		return
	}
	area := image.Rect(left, 110, end, 420-36*len(c.Lines))
	low, high := slices.Min(all), slices.Max(all)
	if high == low {
		high, low = high+1, low-1
	}
	to.Box(shade, area.Min.X, area.Min.Y, area.Dx(), area.Dy(), 10)
	in := image.Rect(area.Min.X+82, area.Min.Y+18, area.Max.X-24, area.Max.Y-18)
	for _, n := range []int{high, (high + low) / 2, low} {
		y := in.Max.Y - in.Dy()*(n-low)/(high-low)
		to.Box(felt, in.Min.X, y-1, in.Dx(), 2, 0)
		right(to, mist, strconv.Itoa(n), in.Min.X-12, y+7, 20, false)
	}
	longest := 2
	for _, line := range c.Lines {
		longest = max(longest, len(line.Points))
	}
	for i, line := range c.Lines {
		var last image.Point
		for at, n := range line.Points {
			// All lines end at the right edge, so their newest points are in the same column.
			step := longest - len(line.Points) + at
			next := image.Pt(in.Min.X+in.Dx()*step/(longest-1), in.Max.Y-in.Dy()*(n-low)/(high-low))
			if at > 0 {
				segment(to, sideColors[i%3], last, next)
			}
			last = next
		}
		sideMark(to, i, last.X, last.Y, 18)
		y := area.Max.Y + 32 + 36*i
		sideMark(to, i, left+16, y-8, 20)
		to.Text(cream, cut(to, line.Name, end-left-180, 25, true), left+40, y, 25, true)
		right(to, cream, strconv.Itoa(line.Points[len(line.Points)-1]), end-12, y, 26, true)
	}
}

// segment draws a thick straight line.
func segment(to Painter, c color.RGBA, from, till image.Point) {
	dx, dy := float64(till.X-from.X), float64(till.Y-from.Y)
	k := 2.4 / max(1, math.Hypot(dx, dy))
	nx, ny := int(math.Round(-dy*k)), int(math.Round(dx*k))
	to.Polygon(c, image.Pt(from.X+nx, from.Y+ny), image.Pt(till.X+nx, till.Y+ny), image.Pt(till.X-nx, till.Y-ny), image.Pt(from.X-nx, from.Y-ny))
}
