package record_test

import (
	"fmt"

	"sedmabot/game/record"
)

// A position near the end of a deal, and what was played from it.
func Example() {
	r, err := record.Read([]byte(`{"rules":"sedma-2p","mode":"position","dealer":0,"leader":1,
		"hands":[["9h","Ka"],["9a","Tb"]],"stock":[],"actions":["1:9a","0:9h","1:stop","0:Ka","1:Tb"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := r.Replay()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, trick := range outcome.Deals[0].View.Tricks {
		fmt.Print("seat ", trick.Leader, " led:")
		for _, play := range trick.Plays {
			fmt.Print(" ", play.Card)
		}
		fmt.Println("; the winner was seat", trick.Winner)
	}
	fmt.Println("points:", outcome.Deals[0].Settlement.Points)
	// Output:
	// seat 1 led: 9a 9h; the winner was seat 0
	// seat 0 led: Ka Tb; the winner was seat 0
	// points: [20 0]
}
