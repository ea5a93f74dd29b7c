package game_test

import (
	"fmt"

	"sedmabot/game"
)

// A deal, played to its end: everyone plays the first of their legal moves.
func Example() {
	rules, err := game.Preset("sedma-4p")
	if err != nil {
		fmt.Println(err)
		return
	}
	match := game.NewMatch(rules, 0)
	deck := game.Shuffle(rules.Pack(), [32]byte{1}) // a seed; in earnest it is random
	deal, err := game.Deal(rules, deck, match.Dealer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("seat", deal.Turn(), "leads, and may play", deal.Legal())
	for !deal.Over() {
		if deal, err = game.Apply(deal, deal.Turn(), deal.Legal()[0]); err != nil {
			fmt.Println(err)
			return
		}
	}
	result, _ := deal.Result()
	match, settled := match.Settle(result)
	fmt.Println("points of the sides:", settled.Points)
	fmt.Println("stakes of the sides:", settled.ScoreDelta)
	fmt.Println("the next dealer:", match.Dealer)
	// Output:
	// seat 1 leads, and may play [9b 7h Th 8a]
	// points of the sides: [0 90]
	// stakes of the sides: [0 3]
	// the next dealer: 2
}

// A move that the rules forbid is refused, with the rule as the error.
func ExampleApply() {
	rules, _ := game.Preset("sedma-2p")
	deal, err := game.Deal(rules, rules.Pack(), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = game.Apply(deal, 0, deal.Legal()[0])
	fmt.Println(err)
	_, err = game.Apply(deal, 1, game.Stop)
	fmt.Println(err)
	// Output:
	// it is another seat's turn
	// the trick can't be stopped now
}
