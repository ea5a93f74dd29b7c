package view

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/game/table"
)

func TestDataScreens(t *testing.T) {
	t.Parallel()
	for _, language := range lang.Languages() {
		c := lang.For(language)
		all := ""
		for _, s := range []Screen{Privacy(c), MyData(c), EraseSure(c), Erasing(c), Erased(c), MyDataFile([]byte("{}"), c)} {
			all += s.String() + "\n"
		}
		golden(t, "mydata."+language, all)
		for _, what := range []string{DataExport, DataDelete, DataErase} {
			p := Press{Action: ActData, What: what}
			if got, err := ParsePress(p.String()); err != nil || got != p {
				t.Errorf("%s: %v, %v", p, got, err)
			}
		}
	}
}

// Somebody whose data was deleted is called by his seat, in the reader's language.
func TestATombstoneIsNamedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := newWriter(lang.For("cs"), "")
	stone := table.Tombstone(table.Gone+"1", 2)
	w.block(Plain, []Span{{Kind: SpanPerson, Person: person(stone)}})
	if got := w.screen.String(); got != "Hráč 3\n" {
		t.Errorf("%q", got)
	}
}
