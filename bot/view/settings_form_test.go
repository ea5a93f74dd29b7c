package view

import (
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// The forms of every game and language have the game's own house rules, each once and with its current choice. They fit
// the platforms that have forms.
func TestFormsOfHouseRules(t *testing.T) {
	t.Parallel()
	for _, preset := range game.Presets() {
		rules := mustGame(t, preset)
		begin := table.New("0123456789abcdef", "test:home", table.Chat{}, eva, rules, 0, table.DefaultLimit, time.Time{}).Public()
		want := map[string]string{}
		for _, h := range table.HouseRules(rules) {
			if h.Name != "end" {
				want[h.Name] = h.Value
			}
		}
		for _, code := range lang.Languages() {
			forms := map[string]*screen.Form{}
			for name := range want {
				f := HouseForm(begin, name, lang.For(code))
				if f == nil {
					t.Fatalf("%s: no form for %s", preset, name)
				}
				forms[f.Title] = f
			}
			has := map[string]string{}
			for _, f := range forms {
				if p, err := ParsePress(f.Press); err != nil || p.Action != ActSet || p.Table != begin.ID || p.What != ChooseForm {
					t.Errorf("%s: the press %s: %v", preset, f.Press, err)
				}
				if n := utf8.RuneCountInString(f.Title); n == 0 || n > screen.FormLabel || len(f.Fields) == 0 || len(f.Fields) > screen.FormFields {
					t.Errorf("%s %s: %d fields under %q", code, preset, len(f.Fields), f.Title)
				}
				labels := map[string]bool{}
				for _, field := range f.Fields {
					if n := utf8.RuneCountInString(field.Label); n == 0 || n > screen.FormLabel || labels[field.Label] || len(field.Choices) < 2 || len(field.Choices) > screen.FormChoices {
						t.Errorf("%s %s: the field %+v", code, preset, field)
					}
					labels[field.Label] = true
					has[field.Name] = ""
					if field.Chosen >= 0 {
						has[field.Name] = field.Choices[field.Chosen].Value
					}
				}
			}
			for name, value := range want {
				if got, ok := has[name]; !ok || got != value {
					t.Errorf("%s %s: %s is %q, not %q", code, preset, name, got, value)
				}
			}
			if len(has) != len(want) {
				t.Errorf("%s %s: the forms have %v", code, preset, has)
			}
		}
		if f := HouseForm(begin, "limit", lang.For("en")); f != nil {
			t.Errorf("%s: the turn limit has %+v", preset, f)
		}
	}
}
