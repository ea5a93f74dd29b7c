package view

import (
	"testing"

	"sedmabot/game"
	"sedmabot/game/table"
)

// Each of two equal cards in a double pack has a button with unique data.
func TestEqualCardsHaveButtonsOfTheirOwn(t *testing.T) {
	t.Parallel()
	eight := game.NewCard('8', 'c')
	p := table.Private{Public: table.Public{Lasting: table.Lasting{ID: "d123", DealNo: 1, HasDeal: true, Phase: table.Playing, Seats: make([]table.Seat, 6)}}}
	p.View = game.View{Hand: []game.Card{eight, eight}, Legal: []game.Move{game.PlayCard(eight)}, Decisions: make([]int, 6)}
	row := handRows(PrivateWriter(p), p)[0]
	if len(row) != 2 || row[0].Press == row[1].Press || row[0].Off || row[1].Off {
		t.Fatalf("two equal cards are shown as %+v", row)
	}
	second, err := ParsePress(row[1].Press)
	if err != nil || second.Action != ActPlace || second.Place != 2 {
		t.Errorf("the second plays %+v, %v", second, err)
	}
}
