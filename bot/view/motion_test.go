package view

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/game/table"
)

// TestTheREADMEShowsADealInMotion draws the animation of the README: every picture of a
// table during one deal of the match, in at most 400 kB and between 10 and 25 seconds.
func TestTheREADMEShowsADealInMotion(t *testing.T) {
	t.Parallel()
	frames, delays := dealFrames(t)
	file := filepath.Join("..", "..", ".github", "pictures", "deal.gif")
	if *update {
		if err := os.WriteFile(file, animation(t, frames, delays), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(was.Delay, delays) {
		t.Fatalf("%s has frames of %v, want %v hundredths of a second (-update draws it again)", file, was.Delay, delays)
	}
	canvas := image.NewRGBA(frames[0].Rect)
	for i, part := range was.Image {
		draw.Draw(canvas, part.Rect, part, part.Rect.Min, draw.Over)
		if !alike(canvas, frames[i]) {
			t.Errorf("frame %d of %s shows something else than the bot (-update draws it again)", i, file)
		}
	}
	total := 0
	for _, n := range delays {
		total += n
	}
	t.Logf("%d frames, %.1f seconds, %d bytes", len(frames), float64(total)/100, len(data))
	if len(data) > 400_000 || total < 1000 || total > 2500 {
		t.Errorf("%s has %d bytes and takes %.1f seconds", file, len(data), float64(total)/100)
	}
}

// dealFrames plays the fifth deal of the match. It returns each picture of the table,
// and how long it is shown, in hundredths of a second.
func dealFrames(t *testing.T) (frames []*image.Paletted, delays []int) {
	s, easel := prettyMatch(t), face.NewEasel()
	s.until(func(p table.Public) bool { return len(p.Past) == 4 && p.Phase == table.Playing })
	var last face.Picture
	for {
		if p := pictureOf(s, "deal:"); !reflect.DeepEqual(p, last) {
			last = p
			img, err := png.Decode(bytes.NewReader(easel.PNG(p)))
			if err != nil {
				t.Fatal(err)
			}
			delay := 50
			if len(frames) == 0 || p.Table.Past {
				delay = 90 // so that a finished trick can be read
			}
			frames, delays = append(frames, img.(*image.Paletted)), append(delays, delay)
		}
		if s.table.Phase != table.Playing {
			delays[len(delays)-1] = 400
			return frames, delays
		}
		s.turn()
	}
}

// animation returns an endless GIF. After the first frame, it holds only the points that
// change.
func animation(t *testing.T, frames []*image.Paletted, delays []int) []byte {
	colors := slices.Clone(frames[0].Palette)
	var used [256]bool
	for _, f := range frames {
		for _, at := range f.Pix {
			used[at] = true
		}
	}
	for len(colors) < len(used) {
		colors = append(colors, color.RGBA{A: 255})
	}
	same := slices.Index(used[:], false) // the transparent colour: the point stays as it was
	if same < 0 {
		t.Fatal("the frames use all 256 colours, so none is free to be transparent")
	}
	colors[same] = color.RGBA{}
	out := gif.GIF{Delay: delays, Config: image.Config{ColorModel: colors, Width: frames[0].Rect.Dx(), Height: frames[0].Rect.Dy()}}
	for i, f := range frames {
		part := &image.Paletted{Pix: slices.Clone(f.Pix), Stride: f.Stride, Rect: f.Rect, Palette: colors}
		if i > 0 {
			var changed image.Rectangle
			for at, old := range frames[i-1].Pix {
				if part.Pix[at] == old {
					part.Pix[at] = uint8(same)
					continue
				}
				x, y := at%f.Stride, at/f.Stride
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
			part = part.SubImage(changed).(*image.Paletted)
		}
		out.Image, out.Disposal = append(out.Image, part), append(out.Disposal, gif.DisposalNone)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &out); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
