package deliver

import (
	"sync"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/table"
)

// Two workers may have the same table for a moment, after a lease is lost. Then neither changes the posts that the other
// one reads. The race detector checks it.
func TestTwoWorkersShareThePast(t *testing.T) {
	t.Parallel()
	d := New(nil, nil, nil, nil, nil)
	var all sync.WaitGroup
	for _, preset := range []string{"sedma-4p", "sedma-2p"} {
		rules, err := game.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		p := table.New("k3", "test:home", table.Chat{ID: "test:home"}, table.Player{ID: "test:ann", Name: "Ann"}, rules, 0, table.DefaultLimit, time.Time{}).Public()
		all.Go(func() {
			for range 20000 {
				d.past(p)
			}
		})
	}
	all.Wait()
}
