package ai_test

import (
	"fmt"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// A move for a seat is asked for with that seat's view: the AI isn't given the other hands.
func Example() {
	rules, err := game.Preset("sedma-2p")
	if err != nil {
		fmt.Println(err)
		return
	}
	deal, err := game.Deal(rules, game.Shuffle(rules.Pack(), [32]byte{1}), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	view := deal.View(deal.Turn())
	fmt.Println("seat", view.Seat, "has", view.Hand, "and plays", ai.Think("hard", view))
	// Output: seat 1 has [9b 7h Al 9a] and plays 9a
}
