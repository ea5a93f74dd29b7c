package doc

import (
	"math/rand/v2"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// TestEncodeTable plays two matches, after which one player's data is deleted. Each time, EncodeTable returns the same
// document from the state before as Encode does without it.
func TestEncodeTable(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	env := func() table.Env {
		e := table.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
		e.Seed[0], e.Seed[1] = byte(draw.Uint32()), byte(draw.Uint32())
		return e
	}
	eva, petr := table.Player{ID: "test:1", Name: "Eva"}, table.Player{ID: "test:2", Name: "Petr <&>"}
	lobby := table.New("k3", "test:home", table.Chat{ID: "test:chat"}, eva, r, 0, 0, env().Now)
	now := EncodeTable(&lobby, nil)
	copied := 0
	change := func(next table.Table, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		known := now
		now = EncodeTable(&next, known)
		if want := Encode(next); string(now.Data) != string(want) {
			t.Fatalf("%s\nwant\n%s", now.Data, want)
		}
		if same(now.past, known.past) && same(now.last, known.last) {
			copied++
		}
	}
	do := func(p table.Player, c table.Command) {
		t.Helper()
		next, _, err := table.Apply(now.Table, p, c, env())
		change(next, err)
	}
	match := func() {
		for now.Table.Phase != table.Over {
			s := now.Table
			if seat := s.Public().Turn; s.Phase == table.Playing {
				legal := s.Deal.View(seat).Legal
				do(s.Seats[seat].Player, table.Play{Deal: s.DealNo, Decision: s.Deal.Decisions(seat), Move: legal[draw.IntN(len(legal))]})
				continue
			}
			next, _, _ := table.Advance(s, env())
			change(next, nil)
		}
	}
	do(petr, table.Join{Seat: -1})
	do(eva, table.Start{})
	match()
	do(eva, table.Rematch{})
	do(petr, table.Rematch{})
	match()
	if copied < 50 {
		t.Errorf("both parts were copied in %d states", copied)
	}
	next, _ := table.Forget(now.Table, petr.ID, table.Gone+"1", env())
	change(next, nil)
	if again, err := DecodeTable(store.Doc{Version: 1, Data: now.Data}); err != nil || string(EncodeTable(&again.Table, nil).Data) != string(now.Data) {
		t.Errorf("read again, the table differs: %v", err)
	}
}

// same reports whether two parts are the same memory.
func same(a, b []byte) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }
