package face

import (
	"image"
	"image/color"
	"testing"

	"sedmabot/game"
)

// recorder notes where cards and texts are painted.
type recorder struct {
	*canvas
	cards map[game.Card]image.Rectangle
	texts map[string]image.Point
}

func (r *recorder) Card(l Look, x, y int) {
	if l.Card != 0 {
		r.cards[l.Card] = l.Image().Rect.Add(image.Pt(x, y))
	}
}

func (r *recorder) Text(c color.RGBA, text string, x, y, size int, bold bool) {
	r.texts[text] = image.Pt(x+r.Width(text, size, bold)/2, y)
}

// TestCardsLieInFrontOfTheirPlayers paints tricks of up to four rounds, and eight with
// two players: each card lies on the felt beside its player's plate, and no card
// touches one of another player. Each card leaves a fifth of the earlier one free, where its rank is.
func TestCardsLieInFrontOfTheirPlayers(t *testing.T) {
	t.Parallel()
	names := []string{"Ann", "Ben", "Cat", "Dan", "Eva", "Flo"}
	pack := kinds(game.French52)
	for _, n := range []int{2, 3, 4, 6} {
		for rounds := 1; rounds*n <= 24 && rounds <= 8 && (rounds <= 4 || n == 2); rounds++ {
			table := Table{Winning: 0, Headline: "Ann's turn", Detail: "10 points", Labels: [2]string{"Points", "Score"}, Sides: make([]Side, 2)}
			for i := range n {
				table.Seats = append(table.Seats, Seat{Name: names[i], Side: i % 2})
			}
			for i := range n * rounds {
				table.Plays = append(table.Plays, Play{i % n, pack[i]})
			}
			c := newCanvas()
			c.size(NewEasel(), 800, tableH)
			r := &recorder{c, map[game.Card]image.Rectangle{}, map[string]image.Point{}}
			Picture{Face: French, Table: &table}.Paint(r)
			if r.texts["Ann's turn"].X != 400 || r.texts["10 points"].X != 400 {
				t.Errorf("%d seats: the headline is missing in %v", n, r.texts)
			}
			for i, p := range table.Plays {
				at := r.cards[p.Card]
				if !at.In(image.Rect(rim, bandH, 800-rim, tableH-rim)) {
					t.Errorf("%d seats, %d rounds: %s lies at %v", n, rounds, p.Card, at)
				}
				if near := r.texts[names[p.Seat]]; near.X < at.Min.X-250 || near.X > at.Max.X+250 || near.Y < at.Min.Y-60 || near.Y > at.Max.Y+60 {
					t.Errorf("%d seats, %d rounds: %s lies at %v, %s is at %v", n, rounds, p.Card, at, names[p.Seat], near)
				}
				for _, q := range table.Plays[:i] {
					other := r.cards[q.Card]
					if q.Seat != p.Seat && other.Overlaps(at) {
						t.Errorf("%d seats, %d rounds: %s of %s covers %s of %s", n, rounds, p.Card, names[p.Seat], q.Card, names[q.Seat])
					}
					if q.Seat == p.Seat && at.Min.X-other.Min.X < at.Dx()/5 {
						t.Errorf("%d seats, %d rounds: %s leaves %d pixels of %s free", n, rounds, p.Card, at.Min.X-other.Min.X, q.Card)
					}
				}
			}
		}
	}
}
