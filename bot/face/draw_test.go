package face

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"slices"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
)

var (
	faces = []Face{French, German, Czech, Plain, PlainGerman, Slovak, Hungarian, Skat}
	decks = []game.Deck{game.German32, game.French52, game.French104}
)

// kinds returns the different cards of a pack.
func kinds(d game.Deck) []game.Card {
	cards := (game.Rules{Deck: d}).Pack()
	slices.Sort(cards)
	return slices.Compact(cards)
}

// visions are how people see colours, as matrices on linear RGB. Those of colour
// blindness are from G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
// Transactions on Visualization and Computer Graphics 15 (2009), severity 1.0
// (https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html).
// Grey is the luminance of sRGB, as in ITU-R BT.709.
var visions = map[string][3][3]float64{
	"grey":         {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// linear is the light of each value of an sRGB channel.
var linear = func() (out [256]float64) {
	for i := range out {
		if v := float64(i) / 255; v <= 0.04045 {
			out[i] = v / 12.92
		} else {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}()

// seen returns the points of a picture as somebody sees them, in sRGB.
func seen(img *image.RGBA, m [3][3]float64) [][3]uint8 {
	known := map[[3]uint8][3]uint8{}
	out := make([][3]uint8, len(img.Pix)/4)
	for i := range out {
		key := [3]uint8(img.Pix[4*i : 4*i+3])
		if i > 0 && key == [3]uint8(img.Pix[4*i-4:4*i-1]) {
			out[i] = out[i-1]
			continue
		}
		v, ok := known[key]
		if !ok {
			for j, row := range m {
				light := 0.0
				for k, part := range row {
					light += part * linear[key[k]]
				}
				light = min(1, max(0, light))
				if light <= 0.0031308 {
					v[j] = uint8(255*12.92*light + 0.5)
				} else {
					v[j] = uint8(255*(1.055*math.Pow(light, 1/2.4)-0.055) + 0.5)
				}
			}
			known[key] = v
		}
		out[i] = v
	}
	return out
}

// differing returns the share of points that clearly differ, in percent, and the share
// of those in the left two fifths of a picture of that width. Clearly is a third of
// the way from black to white. It stops counting when both shares are great enough.
func differing(a, b [][3]uint8, width int, enough, enoughLeft float64) (whole, left float64) {
	all, some := 0, 0
	n := float64(len(a)) / 100
	for i, p := range a {
		if i%width == 0 && float64(all)/n >= enough && float64(some)/n >= enoughLeft {
			break
		}
		q := b[i]
		if p == q {
			continue
		}
		dr, dg, db := int(p[0])-int(q[0]), int(p[1])-int(q[1]), int(p[2])-int(q[2])
		if dr*dr+dg*dg+db*db > 3*85*85 {
			all++
			if i%width < width*2/5 {
				some++
			}
		}
	}
	return float64(all) / n, float64(some) / n
}

// TestCardsAreToldApartByEveryone compares all pairs of cards of a deck in each face, as
// large as in hands and on tables, without colours and as people with the three common
// kinds of colour blindness see them. Whole cards differ in 1.3 % of their points, and
// the left parts that other cards leave free in 0.3 %. The short form draws them as small as
// in hands, and of a face that is like another one only the cards with other letters.
func TestCardsAreToldApartByEveryone(t *testing.T) {
	t.Parallel()
	clocktest.Unraced(t)
	widths := []int{80}
	if long {
		widths = append(widths, 132)
	}
	for _, f := range faces {
		for _, d := range decks[:2] {
			cards := append(kinds(d), 0)
			if !long && f != f.Like() {
				cards = slices.DeleteFunc(cards, func(c game.Card) bool { return Text(f, c) == Text(f.Like(), c) })
			}
			for _, width := range widths {
				var drawn []*image.RGBA
				for _, c := range cards {
					drawn = append(drawn, Look{Face: f, Card: c, Width: width}.Image())
				}
				stride := drawn[0].Rect.Dx()
				for name, m := range visions {
					var all [][][3]uint8
					for _, img := range drawn {
						all = append(all, seen(img, m))
					}
					for i, a := range all {
						for j, b := range all[:i] {
							share, left := differing(a, b, stride, 1.3, 0.3)
							if share < 1.3 || left < 0.3 {
								t.Errorf("%s, %d pixels, %s: %s and %s differ in %.2f %% of the points, their left parts in %.2f %%", f, width, name, cards[i], cards[j], share, left)
							}
						}
					}
				}
			}
		}
	}
}

// TestCourtCardsAreTwelveFigures draws the figures of each deck in the same colours:
// still any two of them clearly differ in 8 % of the points.
func TestCourtCardsAreTwelveFigures(t *testing.T) {
	t.Parallel()
	for deck, names := range map[string][2][]string{
		"german": {{"K", "O", "U"}, {"acorns", "leaves", "hearts", "bells"}},
		"french": {{"K", "Q", "J"}, {"clubs", "spades", "hearts", "diamonds"}},
	} {
		var all [][][3]uint8
		var written []string
		for _, rank := range names[0] {
			for _, suit := range names[1] {
				s := newSheet(100, 155, 1)
				if deck == "french" {
					s = newSheet(100, 77, 1)
				}
				s.fill(tint, box(0, 0, 100, 155, 0))
				colors := robes(suitMark(German, 'h'))
				s.figure(deck+"-"+rank+"-"+suit, colors)
				all, written = append(all, seen(s.img, visions["grey"])), append(written, rank+" of "+suit)
			}
		}
		if len(all) != 12 {
			t.Fatalf("%d figures", len(all))
		}
		for i, a := range all {
			for j, b := range all[:i] {
				if n, _ := differing(a, b, 100, 8, 0); n < 8 {
					t.Errorf("%s: %s and %s differ in %.1f %% of the points", deck, written[i], written[j], n)
				}
			}
		}
	}
}

// TestMarksBelowTheMiddle checks that a French card with marks in pairs looks the same
// upside down, and that all marks of a German card are upright.
func TestMarksBelowTheMiddle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"4h": true, "Ts": true, "Kh": true, "Qc": true, "Jd": true, "8l": false, "Th": false, "Kb": false} {
		f := French
		if !want {
			f = German
		}
		s := newSheet(300, 465, 3)
		drawCard(s, f, cardsOf(t, text)[0])
		size, wrong := s.img.Rect.Size(), 0
		for y := range size.Y {
			for x := range size.X {
				a, b := s.img.RGBAAt(x, y), s.img.RGBAAt(size.X-1-x, size.Y-1-y)
				if max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B)) > 100 {
					wrong++
				}
			}
		}
		if same := wrong < size.X*size.Y/40; same != want {
			t.Errorf("%s in face %s differs upside down in %d of %d points", text, f, wrong, size.X*size.Y)
		}
	}
}

// TestEveryCardHasAnEmoji draws the emojis of all faces. Of a face that is like another one
// but for some letters, it draws those with these letters.
func TestEveryCardHasAnEmoji(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws all cards")
	}
	for _, f := range faces {
		seen := map[string]string{}
		check := func(name string, data []byte) {
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s %s: %v", f, name, err)
			}
			if size := img.Bounds().Size(); size != (image.Point{EmojiSize, EmojiSize}) || len(data) > 256<<10 {
				t.Errorf("%s %s: %v, %d bytes", f, name, size, len(data))
			}
			if other, ok := seen[string(data)]; ok {
				t.Errorf("%s: %s and %s look the same", f, name, other)
			}
			seen[string(data)] = name
		}
		for _, d := range decks[:2] {
			clear(seen) // an acorn of one pack is a club of another
			for _, c := range append(kinds(d), 0) {
				if long || f == f.Like() || Text(f, c) != Text(f.Like(), c) {
					check(c.String(), Emoji(f, c))
				}
			}
		}
	}
}
