package face

import (
	"image"
	"image/color"
	"testing"

	"sedmabot/bot/clocktest"
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

// TestADecidingTrickOfManyCards paints the trick that decided a match, with up to six players and four rounds: the cards
// of each player lie below their name, and none hides another player's, or the rank of an earlier one.
func TestADecidingTrickOfManyCards(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	names := []string{"Ann", "Ben", "Cat", "Dan", "Eva", "Flo"}
	pack := kinds(game.French52)
	for _, f := range []Face{French, German, Plain} {
		for _, n := range []int{2, 3, 4, 6} {
			for rounds := 1; rounds <= 4; rounds++ {
				d := &DecisiveTrick{Title: "Last trick", Caption: "30 points", Winning: rounds / 2 * n}
				for i := range n * rounds {
					d.Cards, d.Names, d.Seats = append(d.Cards, pack[i]), append(d.Names, names[i%n]), append(d.Seats, i%n)
				}
				p := Picture{Face: f, Result: &Result{Large: []int{70, 20}, Sides: []int{0, 1}, Decisive: d}}
				c := newCanvas()
				c.size(NewEasel(), 800, p.Result.height())
				r := &recorder{c, map[game.Card]image.Rectangle{}, map[string]image.Point{}}
				p.Paint(r)
				for i, card := range d.Cards {
					at := r.cards[card]
					if i != d.Winning && !at.In(image.Rect(decideX, bandTop+34, resultEnd, r.texts["30 points"].Y-24)) {
						t.Errorf("%s, %d seats, %d rounds: %s lies at %v", f, n, rounds, card, at)
					}
					if near := r.texts[d.Names[i]]; near.X < at.Min.X || near.X > at.Max.X || near.Y < at.Max.Y-at.Dy()/4 {
						t.Errorf("%s, %d seats, %d rounds: %s lies at %v, %s is at %v", f, n, rounds, card, at, d.Names[i], near)
					}
					for j, other := range d.Cards[:i] {
						if j == d.Winning || i == d.Winning {
							continue // its frame reaches over the cards beside it
						}
						was := r.cards[other]
						if d.Seats[j] != d.Seats[i] && rounds > 1 && was.Overlaps(at) {
							t.Errorf("%s, %d seats, %d rounds: %s covers another player's %s", f, n, rounds, card, other)
						}
						if free := at.Min.Y - was.Min.Y; d.Seats[j] == d.Seats[i] && free < at.Dx()*33/100 {
							t.Errorf("%s, %d seats, %d rounds: %s leaves %d pixels of %s free", f, n, rounds, card, free, other)
						}
					}
				}
			}
		}
	}
}
