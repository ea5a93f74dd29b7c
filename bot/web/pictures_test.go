package web_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
)

var update = flag.Bool("update", false, "write the golden pictures")

// picturesOfThePage checks that the page looks as in the golden pictures, which show twelve of its states small: at the sizes of
// phones and of a desktop, with a large text, in forced colours and in the dark. axe-core finds no fault in them; see
// TestThePageForEverybody.
func picturesOfThePage(t *testing.T, ctx context.Context) {
	t.Helper()
	axe := browser.Axe(t)
	for _, state := range []struct {
		name           string
		width, height  int64
		players, cards int
		turn           int
		prefer         []string
		script         string // what else is done
	}{
		{name: "upright", width: 390, height: 844, players: 4, cards: 2},
		{name: "waiting", width: 390, height: 844, players: 4, cards: 1, turn: 1},
		{name: "six", width: 390, height: 844, players: 6, cards: 1},
		{name: "three", width: 390, height: 844, players: 3, cards: 1},
		{name: "sideways", width: 844, height: 390, players: 4, cards: 2},
		{name: "desktop", width: 1280, height: 800, players: 4, cards: 2},
		{name: "two", width: 1280, height: 800, players: 2, cards: 1},
		{name: "small", width: 320, height: 640, players: 4, cards: 2},
		{name: "large-text", width: 390, height: 844, players: 4, cards: 1, script: `document.documentElement.style.fontSize = "200%"`},
		{name: "forced", width: 1280, height: 800, players: 4, cards: 1, prefer: []string{"forced-colors", "active"}},
		{name: "dark", width: 390, height: 844, players: 4, cards: 2, prefer: []string{"prefers-color-scheme", "dark"}},
		{name: "settings", width: 390, height: 844, players: 4, cards: 1, script: `document.querySelector("[data-tool=gear]").click()`},
	} {
		browser.Do(t, ctx, chromedp.EmulateViewport(state.width, state.height, chromedp.EmulateTouch))
		browser.Prefer(t, ctx, append([]string{"prefers-reduced-motion", "reduce"}, state.prefer...)...)
		browser.Eval(t, ctx, dressed(state.players, state.cards, state.turn))
		browser.Until(t, ctx, fmt.Sprintf(drawn, state.players, state.players*state.cards, state.turn))
		browser.Eval(t, ctx, "(() => {"+state.script+"})()")
		compare(t, ctx, state.name)
		if axe != "" {
			if faults := browser.Faults(t, ctx, axe); faults != "" {
				t.Errorf("%s:\n%s", state.name, faults)
			}
		}
		browser.Eval(t, ctx, `(document.documentElement.style.fontSize = "", 0)`)
	}
	browser.Do(t, ctx, chromedp.Click(".shut"))
}

// These are the tolerances of compare: how far colours may be apart, and how much of a picture may be further apart. Other
// fonts stay within them, and a part that is missing or elsewhere doesn't.
const (
	block     = 10 // pixels of a page, in each direction, that are one of the golden picture
	apart     = 60 // of 255
	different = 0.04
)

// compare compares the page with its golden picture.
func compare(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	browser.Shot(t, ctx, "picture-"+name)
	got, file := shrink(whole), filepath.Join("testdata", "pictures", name+".png")
	if *update {
		var b bytes.Buffer
		if err := png.Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(golden))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s is %v, want %v", name, got.Bounds(), want.Bounds())
	}
	n, size := 0, got.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			if distance(got.At(x, y), want.At(x, y)) > apart {
				n++
			}
		}
	}
	if share := float64(n) / float64(size.X*size.Y); share > different {
		t.Errorf("%.1f %% of %s look different; SEDMABOT_TEST_SHOTS=FOLDER keeps the picture, and -update accepts it", 100*share, name)
	}
}

// distance returns the greatest difference of two colours' channels, of 255.
func distance(a, b color.Color) int {
	far := 0
	r, g, u, _ := a.RGBA()
	s, h, v, _ := b.RGBA()
	for _, pair := range [][2]uint32{{r, s}, {g, h}, {u, v}} {
		d := int(pair[0]>>8) - int(pair[1]>>8)
		far = max(far, d, -d)
	}
	return far
}

// shrink returns a picture whose pixels are the averages of blocks.
func shrink(m image.Image) *image.RGBA {
	size := m.Bounds().Size().Div(block)
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var sum [3]uint32
			for i := range block * block {
				r, g, b, _ := m.At(x*block+i%block, y*block+i/block).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / (block * block)), uint8(sum[1] / (block * block)), uint8(sum[2] / (block * block)), 255})
		}
	}
	return out
}
