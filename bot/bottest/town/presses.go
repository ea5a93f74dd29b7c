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

// PressOut plays the match of the only table in a store to its end, in virtual time. Whoever's turn it is presses a button
// think after the last change; 0 is like somebody who presses as fast as they can. press gets the person's id and what the
// button sends.
func PressOut(t *testing.T, from store.Store, think time.Duration, press func(player, data string)) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	for {
		pause := think
		if pause == 0 {
			pause = 20*time.Millisecond + time.Duration(random.IntN(180))*time.Millisecond
		}
		time.Sleep(pause)
		tb := OnlyTable(t, from)
		if tb.Phase == table.Over {
			return
		}
		seat := tb.Public().Turn
		if tb.Phase != table.Playing || seat < 0 || tb.Seats[seat].AI != "" || time.Since(tb.Since) < pause {
			continue
		}
		v := tb.Deal.View(seat)
		move := ai.Amateur.Try(context.Background(), v, 0, 0)
		press(tb.Seats[seat].Player.ID, view.Press{Action: view.ActPlay, Table: tb.ID, Deal: tb.DealNo, Turn: v.Decisions[seat], Move: move}.String())
	}
}
