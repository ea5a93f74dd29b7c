package view

import (
	"fmt"
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

// TestMoreHasRoomForEveryButton shows More to everyone at tables of each size, of friends and of strangers, with each button
// that it may have. Platforms take five rows.
func TestMoreHasRoomForEveryButton(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-2p", "sedma-3p", "sedma-4p", "hola-6p"} {
		rules, err := game.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		for _, strangers := range []bool{false, true} {
			now := time.Unix(1, 0)
			player := func(i int) table.Player { return table.Player{ID: fmt.Sprint("x:", i), Name: strings.Repeat("W", 30)} }
			tb := table.New("0123456789abc", "x:1", table.Chat{ID: "x:1"}, player(0), rules, 0, 0, now)
			if strangers {
				tb = table.NewStrangers("0123456789abc", "x:1", player(0), rules, 0, 0, now)
			}
			do := func(p table.Player, c table.Command) {
				t.Helper()
				if tb, _, err = table.Apply(tb, p, c, table.Env{Now: now}); err != nil {
					t.Fatal(err)
				}
			}
			for i := 1; i < rules.Players; i++ {
				do(player(i), table.Join{Seat: -1})
			}
			do(player(0), table.Start{})
			for resting := range 2 {
				tb.Resting = resting > 0
				for i := range rules.Players + 1 {
					for _, manages := range []bool{false, true} {
						who := Presser{ID: player(i).ID, Chat: tb.Chats[0].ID, Manages: manages}
						where := fmt.Sprint(preset, strangers, tb.Resting, who)
						s := More(tb.PublicTo(who.ID), who, lang.For("de"))
						check(t, where, s)
						said := 0
						for _, row := range s.Rows {
							for _, b := range row {
								if strings.HasPrefix(b.Press, ActMeet+":") {
									said++
								}
							}
						}
						if want := len(table.Phrases) + 1; i < rules.Players && strangers && said != want {
							t.Errorf("%s: %d buttons about strangers, want %d", where, said, want)
						}
					}
				}
			}
		}
	}
}
