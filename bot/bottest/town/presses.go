package town

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// OnlyTable returns the only table in a store, or a zero value if there is none.
func OnlyTable(t *testing.T, from store.Store) (tb table.Table) {
	t.Helper()
	for part := range store.Partitions {
		docs, _, err := from.Scan(t.Context(), part, "table:", "")
		if err != nil || len(docs) == 0 {
			continue
		}
		doc := struct{ D *table.Table }{&tb}
		if err := json.Unmarshal(docs[0].Data, &doc); err != nil {
			t.Fatal(err)
		}
	}
	return tb
}

// Pace is how long people think before a press, from the last change on.
type Pace struct{ Least, Most time.Duration }

// The paces of people who press as fast as they can, who know the game, and who do other things beside it.
var (
	Hasty  = Pace{20 * time.Millisecond, 200 * time.Millisecond}
	Steady = Pace{1500 * time.Millisecond, 3 * time.Second}
	Slow   = Pace{10 * time.Second, 10*time.Second + 1}
)

// PressOut plays the match of the only table in a store to its end, in virtual time. Whoever's turn it is presses a button
// at their pace. press gets the person's id and what the button sends.
func PressOut(t *testing.T, from store.Store, pace Pace, press func(player, data string)) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	draw := func() time.Duration { return pace.Least + time.Duration(random.Int64N(int64(pace.Most-pace.Least))) }
	for pause := draw(); ; {
		tb := OnlyTable(t, from)
		if tb.Phase == table.Over {
			return
		}
		seat := tb.Public().Turn
		if tb.Phase != table.Playing || seat < 0 || tb.Seats[seat].AI != "" {
			time.Sleep(pace.Least)
			continue
		}
		if rest := time.Until(tb.Since.Add(pause)); rest > 0 {
			time.Sleep(rest)
			continue
		}
		v := tb.Deal.View(seat)
		move := ai.Amateur.Try(context.Background(), v, 0, 0)
		press(tb.Seats[seat].Player.ID, view.Press{Action: view.ActPlay, Table: tb.ID, Deal: tb.DealNo, Turn: v.Decisions[seat], Move: move}.String())
		time.Sleep(pace.Least) // it may be handled after press returned
		pause = draw()
	}
}
