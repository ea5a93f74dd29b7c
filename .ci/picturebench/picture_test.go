// Package picturebench compares how fast the bot draws a table's picture with how fast github.com/fogleman/gg and
// image/png draw the same picture. It is a separate module, so that the bot does not depend on gg.
package picturebench

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"

	"sedmabot/bot/face"
	"sedmabot/game"
)

func picture(t testing.TB) face.Picture {
	var plays []face.Play
	for i, text := range []string{"7h", "Ua", "Al", "Ob", "Tb", "7l"} {
		c, err := game.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		plays = append(plays, face.Play{Seat: (i + 1) % 4, Card: c})
	}
	return face.Picture{Face: face.German, Table: &face.Table{
		Seats:    []face.Seat{{Name: "Eva", Turn: true}, {Name: "Kateřina Nováková", Side: 1}, {Name: "Žofie", Dealer: true}, {Name: "AI 4", Side: 1}},
		Headline: "Eva: continue or stop?", Detail: "Žofie is winning · 30 points in the trick",
		Plays: plays, Winning: 5, Stock: 12, Labels: [2]string{"Points", "Score"}, Dealer: "D", Sides: []face.Side{{Points: 30, Score: 4}, {Points: 20, Score: 7}},
	}}
}

type fontKey struct {
	size int
	bold bool
}

// painter draws with gg. Like the bot, it makes fonts and cards only once.
type painter struct {
	*gg.Context
	fonts map[fontKey]font.Face
	cards map[face.Look]*image.RGBA
}

func (p *painter) Box(c color.RGBA, x, y, w, h, r int) {
	p.SetColor(c)
	p.DrawRoundedRectangle(float64(x), float64(y), float64(w), float64(h), float64(r))
	p.Fill()
}

func (p *painter) Polygon(c color.RGBA, points ...image.Point) {
	p.SetColor(c)
	for _, q := range points {
		p.LineTo(float64(q.X), float64(q.Y))
	}
	p.ClosePath()
	p.Fill()
}

func (p *painter) Card(l face.Look, x, y int) {
	if p.cards[l] == nil {
		p.cards[l] = l.Image()
	}
	p.DrawImage(p.cards[l], x, y)
}

func (p *painter) font(size int, bold bool) font.Face {
	k := fontKey{size, bold}
	if p.fonts[k] == nil {
		ttf := gomedium.TTF
		if bold {
			ttf = gobold.TTF
		}
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic(err)
		}
		p.fonts[k], err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72})
		if err != nil {
			panic(err)
		}
	}
	return p.fonts[k]
}

func (p *painter) Text(c color.RGBA, text string, x, y, size int, bold bool) {
	p.SetColor(c)
	p.SetFontFace(p.font(size, bold))
	p.DrawString(text, float64(x), float64(y))
}

func (p *painter) Width(text string, size int, bold bool) int {
	p.SetFontFace(p.font(size, bold))
	w, _ := p.MeasureString(text)
	return int(w + 0.5)
}

// byGG returns the picture drawn by gg and the default PNG encoder.
func byGG(p *painter, pic face.Picture) []byte {
	size := pic.Size()
	p.Context = gg.NewContext(size.X, size.Y)
	pic.Paint(p)
	var b bytes.Buffer
	if err := png.Encode(&b, p.Image()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// cost is what one picture costs on average.
type cost struct {
	time          time.Duration // of the processor, so that other programs count little
	bytes, allocs uint64
}

// measure returns the cost of draw, which it calls n times.
func measure(n int, draw func()) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := processor()
	for range n {
		draw()
	}
	took := processor() - start
	runtime.ReadMemStats(&after)
	return cost{took / time.Duration(n), (after.TotalAlloc - before.TotalAlloc) / uint64(n), (after.Mallocs - before.Mallocs) / uint64(n)}
}

// processor returns the processor time of this process so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestTablePicture checks the promised speed. The bot must be at least 25 times as fast. Its files may be at most 0.6
// times as large, and at most 64 kB. A picture may take at most 64 kB of memory in 200 allocations.
func TestTablePicture(t *testing.T) {
	pic := picture(t)
	easel := face.NewEasel()
	other := &painter{fonts: map[fontKey]font.Face{}, cards: map[face.Look]*image.RGBA{}}
	mine, theirs := easel.PNG(pic), byGG(other, pic)
	same(t, mine, theirs)

	// The two take turns, and the cheapest run of each counts.
	var us, them cost
	for i := range 3 {
		a, b := measure(200, func() { easel.PNG(pic) }), measure(10, func() { byGG(other, pic) })
		if i == 0 || a.time < us.time {
			us = a
		}
		if i == 0 || b.time < them.time {
			them = b
		}
	}
	speed := float64(them.time) / float64(us.time)
	bytes := float64(len(mine)) / float64(len(theirs))
	t.Logf("sedmabot: %v, %d B allocated, %d allocations, a file of %d B", us.time, us.bytes, us.allocs, len(mine))
	t.Logf("gg:       %v, %d B allocated, %d allocations, a file of %d B", them.time, them.bytes, them.allocs, len(theirs))
	t.Logf("%.1f times as fast, %.2f of the bytes", speed, bytes)
	if speed < 25 {
		t.Errorf("only %.1f times as fast", speed)
	}
	if bytes > 0.6 {
		t.Errorf("%.2f of the bytes", bytes)
	}
	if us.bytes > 64<<10 || len(mine) > 64<<10 || us.allocs > 200 {
		t.Error("too much memory")
	}
}

// same checks that the two pictures differ only a little, at letters and edges.
func same(t *testing.T, a, b []byte) {
	x, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	size := x.Bounds().Size()
	far := 0
	for i := range size.X * size.Y {
		p, _, _, _ := x.At(i%size.X, i/size.X).RGBA()
		q, _, _, _ := y.At(i%size.X, i/size.X).RGBA()
		if max(p, q)-min(p, q) > 0x4000 {
			far++
		}
	}
	t.Logf("%.2f%% of the points differ by more than a quarter", 100*float64(far)/float64(size.X*size.Y))
	if far > size.X*size.Y/50 {
		t.Error("it is not the same picture")
	}
}
