package view

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// TestWhateverIsChosenFits lets the host press any buttons in the settings. The next
// screen always fits every platform, and none of its choices is refused, whether the table has seats for more people or not.
func TestWhateverIsChosenFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := table.New("0123456789abcdef", "test:home", table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: rapid.SampledFrom(lang.Languages()).Draw(t, "chat")}},
			eva, mustGame(t, rapid.SampledFrom([]string{"sedma-4p", "hola-6p"}).Draw(t, "game")), 0, table.DefaultLimit, noon)
		people := rapid.IntRange(1, tb.Rules.Players).Draw(t, "people")
		for i := 1; i < people; i++ {
			p := table.Player{ID: fmt.Sprint("test:guest", i), Name: "Guest"}
			next, _, err := table.Apply(tb, p, table.Join{Seat: -1}, table.Env{Now: noon})
			if err != nil {
				t.Fatal(err)
			}
			tb = next
		}
		for range rapid.IntRange(1, 12).Draw(t, "presses") {
			screen := chatPosts(tb.Public(), tb.Chats[0], nil)[0].Screen
			check(t, "settings", screen)
			var offered []Press
			for _, row := range append(screen.MenuRows(), screen.Rows...) {
				for _, b := range row {
					if b.Press == "join:"+tb.ID && people == tb.Rules.Players {
						t.Fatal("a full lobby offers a seat")
					}
					if p, err := ParsePress(b.Press); err == nil && !b.Off && (p.Action == ActSet || p.Action == ActAI) {
						offered = append(offered, p)
					}
				}
			}
			p := rapid.SampledFrom(offered).Draw(t, "press")
			var command table.Command = table.AddAI{}
			if p.Action == ActSet {
				command = table.Choose{What: p.What, Value: p.Value}
			}
			next, _, err := table.Apply(tb, eva, command, table.Env{Now: noon})
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			tb = next
		}
	})
}

func mustGame(t rapid.TB, preset string) game.Rules {
	t.Helper()
	r := gametest.Preset(t, preset)
	return r
}

// TestEveryChoiceHasAName checks in every language that each choice in the settings of
// any preset has a text. It also checks that the values of a rule have different
// texts.
func TestEveryChoiceHasAName(t *testing.T) {
	t.Parallel()
	for _, language := range lang.Languages() {
		c := lang.For(language)
		named := func(key string) {
			t.Helper()
			if !c.Has(key) {
				t.Errorf("%s: no text for %s", language, key)
			}
		}
		for _, family := range game.Families() {
			named("game." + family)
		}
		for _, preset := range game.Presets() {
			for _, h := range game.HouseRules(mustGame(t, preset)) {
				named("house." + h.Name)
				for _, value := range h.Values {
					if h.Name != "end" {
						named("house." + h.Name + "." + value)
					}
				}
			}
		}
	}
}
