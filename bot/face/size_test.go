package face

import (
	"math/rand/v2"
	"testing"

	"sedmabot/game"
)

// match returns pictures of a table as a match of four people shows it: at each human
// turn, and at the end of each trick. Every fourth trick has a second round.
func match(f Face, deck game.Deck) (out []Picture) {
	random := rand.New(rand.NewPCG(0, 1))
	cards := kinds(deck)
	for trick := range 8 {
		var plays []Play
		most := 4
		if trick%4 == 3 {
			most = 8
		}
		for n := range most + 1 {
			seats := []Seat{{Name: "Ann"}, {Name: "Kateřina", Side: 1}, {Name: "Dan", Dealer: true}, {Name: "Maximilian", Side: 1}}
			seats[(trick+n)%4].Turn, seats[trick%4].Leads = true, true
			table := &Table{
				Seats: seats, Plays: plays, Winning: n - 1, Stock: 16 - 2*trick, Labels: [2]string{"Points", "Score"}, Dealer: "D", Leads: "leads",
				Sides: []Side{{10 * trick, 4}, {20, 7}}, Headline: "Kateřina's turn", Detail: "Ann is winning · 20 points in the trick",
			}
			out = append(out, Picture{Face: f, Table: table})
			plays = append(plays[:len(plays):len(plays)], Play{(trick + n) % 4, cards[random.IntN(len(cards))]})
		}
	}
	return out
}

// TestPicturesOfAMatchAreSmall checks that pictures load fast on slow connections. A
// picture has at most 64 kB, and 22 kB on average over a match. A face that is like another
// one but for some letters has pictures of the same size.
func TestPicturesOfAMatchAreSmall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws whole matches")
	}
	for _, f := range faces {
		if !long && f != f.Like() {
			continue
		}
		deck := game.German32
		if f.Suits() == French {
			deck = game.French52
		}
		e := NewEasel()
		sum, most, n := 0, 0, 0
		for _, p := range match(f, deck) {
			size := len(e.PNG(p))
			sum, most, n = sum+size, max(most, size), n+1
		}
		t.Logf("%s: %d pictures, %d bytes on average, %d at most", f, n, sum/n, most)
		if sum/n > 22<<10 || most > 64<<10 {
			t.Errorf("%s: %d bytes on average, %d at most", f, sum/n, most)
		}
	}
}
