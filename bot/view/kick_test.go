package view

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestAVoteIsOfferedIfItCanSucceed looks at tables of two and three players. A vote takes two
// others, and at a table of strangers nobody decides alone.
func TestAVoteIsOfferedIfItCanSucceed(t *testing.T) {
	t.Parallel()
	ids := []string{"x:ann", "x:ben", "x:cat"}
	for _, strangers := range []bool{false, true} {
		for people := 2; people <= 3; people++ {
			rules, _ := game.Preset("sedma-3p")
			now := time.Unix(1, 0)
			open := func(p table.Player) table.Table {
				if strangers {
					return table.NewStrangers("0123456789abc", "x:1", p, rules, 0, 0, now)
				}
				return table.New("0123456789abc", "x:1", table.Chat{ID: "x:1"}, p, rules, 0, 0, now)
			}
			tb := open(table.Player{ID: ids[0], Name: "Ann"})
			for _, id := range ids[1:people] {
				var err error
				if tb, _, err = table.Apply(tb, table.Player{ID: id, Name: id}, table.Join{Seat: -1}, table.Env{Now: now}); err != nil {
					t.Fatal(err)
				}
			}
			for _, who := range []Presser{{ID: ids[0]}, {ID: ids[1]}, {ID: ids[1], Manages: true}} {
				s := Kick(tb.PublicTo(who.ID), who, "", lang.For("en"))
				buttons := 0
				for _, row := range s.Rows {
					buttons += len(row)
				}
				want := 0
				if people == 3 || !strangers && (who.ID == ids[0] || who.Manages) {
					want = people - 1
				}
				text := string(screen.AppendWords(nil, s.Face, s.Blocks))
				if buttons != want || strings.Contains(text, "host") != (want > 0 && !strangers) {
					t.Errorf("strangers %v, %d people, %+v: %d buttons, want %d, below\n%s", strangers, people, who, buttons, want, text)
				}
			}
		}
	}
}

// A person whose data was deleted is named by seat, in the reader's language.
func TestATombstoneIsNamedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	stone := table.Tombstone(table.Gone+"1", 2)
	p := table.Public{Lasting: table.Lasting{Seats: []table.Seat{{Player: stone}}}}
	for language, want := range map[string]string{"cs": "Hráč 3", "hu": "3. játékos", "en": "Player 3"} {
		w := NewWriter(lang.For(language), "")
		w.Block(screen.Plain, SeatName(w, p, 0))
		if got := w.Screen.String(); got != want+"\n" {
			t.Errorf("%q", got)
		}
	}
}
