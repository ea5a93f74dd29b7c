package view

import (
	"testing"

	"sedmabot/bot/lang"
)

// TestPagesOfABoardHaveButtonsOfTheirOwn checks that no two buttons of a page have the
// same data, because a platform refuses such a message. It also checks that page
// buttons lead to existing rows.
func TestPagesOfABoardHaveButtonsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, 10, 11, 25} {
		for turn := 0; turn <= total; turn += 5 {
			for _, place := range []int{0, 1} {
				l := Ladder{Press: Press{Action: ActLadder, What: "week", Value: "all", Place: place, Turn: turn}, Total: total, Size: 10, Hall: true}
				seen := map[string]bool{}
				for _, row := range Board(l, lang.For("en")).Rows {
					for _, b := range row {
						if seen[b.Press] {
							t.Errorf("%d rows, from %d: %q twice", total, turn, b.Press)
						}
						seen[b.Press] = true
						p, err := ParsePress(b.Press)
						if err != nil || p.Turn < 0 || p.Turn > total {
							t.Errorf("%d rows, from %d: %q leads to row %d, %v", total, turn, b.Press, p.Turn, err)
						}
					}
				}
			}
		}
	}
}
