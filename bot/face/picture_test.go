package face

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
)

var (
	update = flag.Bool("update", false, "draw the golden pictures again")
	long   = os.Getenv("SEDMABOT_TEST_LONG") == "1"
)

// golden compares a picture with testdata/<name>.png, point by point. A few points may
// differ slightly, because machines round differently.
func golden(t *testing.T, name string, data []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := decode(t, old), decode(t, data)
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s is %v, want %v (-update draws it anew)", name, got.Bounds(), want.Bounds())
	}
	size := got.Bounds().Size()
	wrong := 0
	for y := range size.Y {
		for x := range size.X {
			a, b := color.RGBAModel.Convert(want.At(x, y)).(color.RGBA), color.RGBAModel.Convert(got.At(x, y)).(color.RGBA)
			if max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B)) > 40 {
				wrong++
			}
		}
	}
	if wrong > size.X*size.Y/2000 {
		t.Errorf("%s differs in %d points (-update draws it anew)", name, wrong)
	}
}

func apart(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }

func decode(t rapid.TB, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestFacesGolden compares every card of every pack in every face with its golden
// picture. If a face is like another one but for some letters, its picture has only the
// cards with these letters.
func TestFacesGolden(t *testing.T) {
	t.Parallel()
	const columns, width = 9, 48
	for _, f := range faces {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			cards := kinds(game.German32)
			if f.Suits() != German {
				cards = append(cards[:0:0], kinds(game.French52)...)
			}
			cards = slices.DeleteFunc(cards, func(c game.Card) bool { return f != f.Like() && Text(f, c) == Text(f.Like(), c) })
			cards = append(cards, 0)
			high := CardHeight(width)
			c := newCanvas()
			c.size(NewEasel(), columns*(width+6)+6, (len(cards)+columns-1)/columns*(high+6)+6)
			c.Box(felt, 0, 0, c.w, c.h, 0)
			for i, card := range cards {
				c.Card(Look{Face: f, Card: card, Width: width}, 6+i%columns*(width+6), 6+i/columns*(high+6))
			}
			golden(t, string(f), c.encode())
		})
	}
}

func TestPicturesGolden(t *testing.T) {
	t.Parallel()
	e := NewEasel()
	for name, p := range samples(t) {
		golden(t, name, e.PNG(p))
	}
}

// TestPicturesAreDrawnAtOnce draws each picture in several goroutines. They share an easel
// whose caches are empty, and all files are as if drawn alone.
func TestPicturesAreDrawnAtOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	e := NewEasel()
	var group sync.WaitGroup
	for name, p := range samples(t) {
		want := NewEasel().PNG(p)
		for range 3 {
			group.Go(func() {
				if !bytes.Equal(e.PNG(p), want) {
					t.Errorf("%s differs if others are drawn meanwhile", name)
				}
			})
		}
	}
	group.Wait()
}

// TestFilesHoldWhatWasPainted checks the encoder with another decoder.
func TestFilesHoldWhatWasPainted(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	check := func(t rapid.TB, c *canvas) {
		want := bytes.Clone(c.pix)
		img := decode(t, c.encode()).(*image.Paletted)
		for y := range c.h {
			for x := range c.w {
				if p := palette()[want[y*c.stride+1+x]]; img.At(x, y) != p {
					t.Fatalf("(%d, %d) is %v, want %v", x, y, img.At(x, y), p)
				}
			}
		}
	}
	for _, p := range samples(t) {
		c := newCanvas()
		c.size(NewEasel(), p.Size().X, p.Size().Y)
		p.Paint(c)
		check(t, c)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := newCanvas()
		c.size(nil, rapid.IntRange(1, 300).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height"))
		colors := rapid.IntRange(1, len(palette())).Draw(t, "colours")
		skew := rapid.IntRange(1, 40).Draw(t, "skew")
		seed := rapid.Uint32().Draw(t, "seed")
		for y := range c.h {
			row := c.row(y)
			for x := range row {
				seed = seed*1664525 + 1013904223
				switch {
				case seed>>8%uint32(skew) != 0 && x > 0:
					row[x] = row[x-1]
				case seed>>16%3 == 0 && y > 0:
					row[x] = c.row(y - 1)[x]
				default:
					row[x] = uint8(int(seed>>16) * int(seed>>24) % colors)
				}
			}
		}
		check(t, c)
	})
}

func TestPictureCost(t *testing.T) {
	e := NewEasel()
	p := samples(t)["table4"]
	size := len(e.PNG(p))
	allocs := testing.AllocsPerRun(20, func() { e.PNG(p) })
	if size > 64<<10 || allocs > 200 {
		t.Errorf("a table's picture is %d bytes and costs %v allocations", size, allocs)
	}
}

func TestNamesAreCutToTheirPlate(t *testing.T) {
	t.Parallel()
	c := newCanvas()
	c.size(NewEasel(), 10, 10)
	for text, want := range map[string]string{"Eva": "Eva", "Kateřina Nováková": "Kateřina N…"} {
		got := cut(c, text, 150, lineSize, true)
		if got != want || c.Width(got, lineSize, true) > 150 {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"Žofie Łęcka": true, "Олена Їжак": true, "Ö Ő Ű ñ": true, "张伟": false, "Eva 🎉": false, " ": false, "": false} {
		if got := Legible(text); got != want {
			t.Errorf("Legible(%q) is %v", text, got)
		}
	}
}

// TestAnEaselKeepsLittle draws more cards and letters than an easel caches. It keeps at most
// maxGlyphs letters, and at most 32 MB of cards.
func TestAnEaselKeepsLittle(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws hundreds of cards")
	}
	e := NewEasel()
	c := newCanvas()
	c.size(e, 200, 300)
	n := 0
	for _, card := range kinds(game.French52) {
		for tilt := range maxSprites/52 + 1 {
			c.Card(Look{Face: Plain, Card: card, Width: 104, Tilt: tilt}, 0, 0)
			n++
		}
	}
	held := 0
	for _, s := range e.cards.All() {
		held += len(s.pix) + len(s.alpha)
	}
	if len(e.cards.All()) != maxSprites || n <= maxSprites || held > 32<<20 {
		t.Errorf("of %d cards %d are kept, in %d bytes", n, len(e.cards.All()), held)
	}
	for size := 10; size < 60; size++ {
		for r := 'A'; r < 'Z'; r++ {
			c.Text(ink, string(r)+string(r+32), 0, 40, size, size%2 == 0)
		}
	}
	if size := len(e.glyphs.All()); size > maxGlyphs {
		t.Errorf("%d letters are kept", size)
	}
}

func BenchmarkCourtCard(b *testing.B) {
	l := Look{Face: German, Card: cardsOf(b, "Ka")[0], Width: 94, Tilt: 3}
	for b.Loop() {
		l.Image()
	}
}
