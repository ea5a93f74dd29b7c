package view

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/table"
)

func TestDataScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		all := ""
		for _, s := range []screen.Screen{Privacy(c), MyData(c), EraseSure(c), Erasing(c), Erased(c), MyDataFile([]byte("{}"), c)} {
			all += screentest.Words(t, s) + "\n"
		}
		screentest.Golden(t, language, "mydata", all)
		for _, what := range []string{DataExport, DataDelete, DataErase, DataKeep} {
			p := Press{Action: ActData, What: what}
			if got, err := ParsePress(p.String()); err != nil || got != p {
				t.Errorf("%s: %v, %v", p, got, err)
			}
		}
	})
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
