package face

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"slices"
	"time"
)

// Frame is a picture of an animation, and how long it is shown.
type Frame struct {
	Picture Picture
	Shown   time.Duration // in steps of 10 ms
}

// GIF returns the frames as an animation without an end. All pictures must have the same size. After
// the first frame, the file holds only the points that change.
func (e *Easel) GIF(frames []Frame) ([]byte, error) {
	drawn := make([]*image.Paletted, len(frames))
	var used [256]bool
	for i, f := range frames {
		img, err := png.Decode(bytes.NewReader(e.PNG(f.Picture)))
		if err != nil {
			return nil, fmt.Errorf("draw frame %d: %w", i, err)
		}
		drawn[i] = img.(*image.Paletted)
		for _, at := range drawn[i].Pix {
			used[at] = true
		}
	}
	colors := slices.Clone(palette())
	for len(colors) < len(used) {
		colors = append(colors, color.RGBA{A: 255})
	}
	same := slices.Index(used[:], false) // the index of transparent points, which stay as they were; -1: no colour is free
	if same >= 0 {
		colors[same] = color.RGBA{}
	}
	var out gif.GIF
	for i, f := range frames {
		part := &image.Paletted{Pix: slices.Clone(drawn[i].Pix), Stride: drawn[i].Stride, Rect: drawn[i].Rect, Palette: colors}
		delay := int(f.Shown / (10 * time.Millisecond))
		if i > 0 {
			if part = changed(part, drawn[i-1], same); part.Rect.Empty() {
				out.Delay[len(out.Delay)-1] += delay
				continue
			}
		}
		out.Image, out.Delay, out.Disposal = append(out.Image, part), append(out.Delay, delay), append(out.Disposal, gif.DisposalNone)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &out); err != nil {
		return nil, fmt.Errorf("write an animation: %w", err)
	}
	return b.Bytes(), nil
}

// changed returns the part of now that differs from before. Its points that don't differ get the index same, unless that is
// negative.
func changed(now, before *image.Paletted, same int) *image.Paletted {
	var part image.Rectangle
	for at, old := range before.Pix {
		if now.Pix[at] != old {
			x, y := at%now.Stride, at/now.Stride
			part = part.Union(image.Rect(x, y, x+1, y+1))
		} else if same >= 0 {
			now.Pix[at] = uint8(same)
		}
	}
	return now.SubImage(part).(*image.Paletted)
}
