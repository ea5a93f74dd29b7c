package people

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestEveryPageOfTheSettingsFits checks each settings page in every language, for every
// game, with the longest home id. Buttons must be unique and short enough, and their
// press data must parse back to the same home. No value is listed both in the text and
// as a choice.
func TestEveryPageOfTheSettingsFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("every screen takes long under the race detector, and one goroutine looks at them all")
	}
	const home = "discord:12345678901234567890"
	fits := func(p view.Prefs) {
		t.Helper()
		for _, code := range lang.Languages() {
			s := p.Screen(lang.For(code))
			labels, presses := map[string]bool{}, map[string]bool{}
			texts := strings.FieldsFunc(screen.Screen{Blocks: s.Blocks}.String(), func(r rune) bool { return strings.ContainsRune("\n:;·", r) })
			for i := range texts {
				texts[i] = strings.TrimSpace(texts[i])
			}
			for _, m := range s.Menus {
				for _, b := range m.Options {
					press, _ := view.ParsePress(b.Press)
					_, value, named := strings.Cut(b.Label, ": ")
					if !named && press.What != "page" {
						value = b.Label
					}
					if value != "" && slices.Contains(texts, value) {
						t.Errorf("%s %s: the value %q is listed twice:\n%s", code, p.Page, value, s)
					}
				}
			}
			rows := s.Rows
			for _, m := range s.Menus {
				if len(m.Options) > 25 || len(m.Options) < 2 {
					t.Errorf("%s %s: a menu of %d", code, p.Page, len(m.Options))
				}
				rows = append(rows, m.Options)
			}
			for _, row := range rows {
				for _, b := range row {
					press, err := view.ParsePress(b.Press)
					if err != nil || press.Home != home || utf8.RuneCountInString(b.Label) > 34 || labels[b.Label] || presses[b.Press] {
						t.Errorf("%s %s: the button %q carries %q: %v", code, p.Page, b.Label, b.Press, err)
					}
					labels[b.Label], presses[b.Press] = true, true
				}
			}
		}
	}
	for _, e := range append(entriesOf(ownPrefs, doc.Player{}), view.Pref{}) {
		fits(view.Prefs{Home: home, Mine: true, Page: e.Name, Entries: entriesOf(ownPrefs, doc.Player{})})
	}
	for _, preset := range game.Presets() {
		r, err := game.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		begin := table.New("0", home, table.Chat{}, table.Player{ID: "x"}, r, 0, table.DefaultLimit, time.Time{}).Public()
		pages := []string{"", "game", "players", "variant", "house", "limit"}
		for _, h := range table.HouseRules(r) {
			pages = append(pages, h.Name)
		}
		for _, e := range homePrefs {
			pages = append(pages, e.name)
		}
		for _, page := range pages {
			if page == "players" && len(game.FamilyPlayers(game.Family(preset))) < 2 || page == "variant" && len(game.FamilyPresets(game.Family(preset), r.Players)) < 2 {
				continue
			}
			fits(view.Prefs{Home: home, Page: page, Entries: entriesOf(homePrefs, doc.Home{}), Begin: &begin})
		}
	}
}

// TestEveryValueOfTheSettingsComesBack checks that each setting returns the value that
// was set, and that an unset one returns its default.
func TestEveryValueOfTheSettingsComesBack(t *testing.T) {
	t.Parallel()
	comesBack(t, homePrefs)
	comesBack(t, ownPrefs)
}

func comesBack[D any](t *testing.T, all []pref[D]) {
	var doc D
	for _, p := range all {
		if got := p.get(doc); got != p.values[0] {
			t.Errorf("%s: %s stands, %s is the first", p.name, got, p.values[0])
		}
		for _, v := range p.values {
			if !put(all, &doc, p.name, v) || p.get(doc) != v {
				t.Errorf("%s: set to %s, it is %s", p.name, v, p.get(doc))
			}
			for _, code := range lang.Languages() {
				if key := "pref." + p.name + "." + v; p.name != "lang" && !lang.For(code).Has(key) {
					t.Errorf("%s: no text for %s", code, key)
				}
			}
		}
		if put(all, &doc, p.name, "none") {
			t.Errorf("%s: took a value that is not offered", p.name)
		}
		put(all, &doc, p.name, p.values[0])
	}
}

// TestEveryZoneIsKnown checks that the system knows every time zone in the settings.
func TestEveryZoneIsKnown(t *testing.T) {
	t.Parallel()
	for _, z := range zones {
		if _, err := time.LoadLocation(z.zone); err != nil {
			t.Error(err)
		}
	}
}
