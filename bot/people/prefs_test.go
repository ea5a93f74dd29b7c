package people

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// The settings of a person begin with the person's own entries, and those of a chat with its groups. Each group has its
// entries with their values, and a long choice is cut into parts.
func TestSettingsScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		rules := gametest.Preset(t, table.DefaultPreset)
		begin := table.New("0", "test:home", table.Chat{}, table.Player{ID: "x"}, rules, 0, table.DefaultLimit, time.Time{}).Public()
		var all []screen.Screen
		for _, page := range []string{"", groupPage(screen.GroupPosts), "lang", "lang-2", "face"} {
			var own doc.Player
			own.Face = "plain"
			all = append(all, SettingsPage{Home: "test:home", Mine: true, Page: page, Entries: settingEntries(ownSettings(), "test:ann", own, nil)}.Screen(lang.For(language)))
		}
		for _, page := range []string{"", groupPage(screen.GroupTables), groupPage(screen.GroupLook), "game", "house", "burn"} {
			all = append(all, SettingsPage{Home: "test:home", Page: page, Entries: settingEntries(homeSettings(), "test:home", doc.Home{}, nil), Begin: &begin}.Screen(lang.For(language)))
		}
		all = append(all, SettingsPage{Home: "test:home", Page: groupPage(screen.GroupLook), Fixed: true, Entries: settingEntries(homeSettings(), "test:home", doc.Home{}, nil), Begin: &begin}.Screen(lang.For(language)))
		screentest.Golden(t, language, "settings", screentest.Words(t, all...))
	})
}

// A person's language is usually that of their app. A chat has no app: its language is found
// automatically.
func TestTheUsualLanguageOfAChat(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]SettingsPage{
		"as in my app": {Mine: true, Page: "lang", Entries: settingEntries(ownSettings(), "test:ann", doc.Player{}, nil)},
		"automatic":    {Page: "lang", Entries: settingEntries(homeSettings(), "test:home", doc.Home{}, nil)},
	} {
		if m := p.Screen(lang.For("en")).Menus[0]; m.Options[m.Chosen].Label != want {
			t.Errorf("the usual language isn't %q: %+v", want, m)
		}
	}
}

// The settings explain the letters of plain cards to those who chose them.
func TestTheSettingsExplainPlainCards(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{
		"en": "J jack · Q queen · K king · A ace · c clubs · s spades · h hearts · d diamonds",
		"cs": "Sp spodek · Sv svršek · K král · E eso · a žaludy · l zelené · h červené · b kule",
	} {
		for _, choice := range []string{"plain", "german"} {
			var own doc.Player
			own.Face = choice
			p := SettingsPage{Mine: true, Page: "face", Entries: settingEntries(ownSettings(), "test:ann", own, nil)}
			if got := p.Screen(lang.For(language)).String(); strings.Contains(got, want) != (choice == "plain") {
				t.Errorf("%s: the settings say:\n%s", language, got)
			}
		}
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
