package bot

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/people"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
	"sedmabot/store"
)

// defaults returns settings as screens show them if nobody has changed them.
func defaults[D any](all []doc.Setting[D]) []people.Entry {
	var out []people.Entry
	for _, s := range all {
		out = append(out, people.Entry{Name: s.Name, Group: s.Group, Value: s.Choices[0], Values: s.Choices, Label: s.Label})
	}
	return out
}

// TestEverySettingHasAGroup checks that each setting is on a screen of the settings, whose name every language has.
func TestEverySettingHasAGroup(t *testing.T) {
	t.Parallel()
	all := settingsOf(declared(nil).features())
	for of, entries := range map[string][]people.Entry{"prefs.home.": defaults(all.Home), "prefs.mine.": defaults(all.Own)} {
		for _, e := range entries {
			front := e.Group == screen.GroupNone && of == "prefs.mine."
			for _, code := range lang.Languages() {
				if !front && (!slices.Contains(screen.Groups(), e.Group) || !lang.For(code).Has(of+string(e.Group))) {
					t.Errorf("%s: no screen has the setting %s of the group %q", code, e.Name, e.Group)
				}
			}
		}
	}
}

// TestTheHelpDoesWhatItSays presses each button of the help, and one that an earlier version had.
func TestTheHelpDoesWhatItSays(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		in := by("ann")
		in.Command = "help"
		help := b.Handle(t.Context(), in)
		if help.Screen == nil || len(slices.Concat(help.Screen.Rows...)) > people.ButtonsLimit {
			t.Fatalf("the help: %+v", help)
		}
		shown := map[string]string{"leaderboard": "Leaderboard: ", "rules": "Rules: ", "settings": "Your settings"}
		for _, button := range slices.Concat(help.Screen.Rows...) {
			in := by("ann")
			in.Press = button.Press
			reply := b.Handle(t.Context(), in)
			if reply.Outcome != chat.Done {
				t.Errorf("%s: %+v", button.Label, reply)
			}
			if _, name, _ := strings.Cut(in.Press, ":"); shown[name] != "" && (reply.Screen == nil || !strings.Contains(reply.Screen.String(), shown[name])) {
				t.Errorf("%s shows %v", button.Label, reply.Screen)
			}
		}
		in.Command, in.Press = "", "help:play"
		if reply := b.Handle(t.Context(), in); reply.Screen == nil || !reply.Replace || reply.Screen.String() != help.Screen.String() {
			t.Errorf("an old page of the help shows %+v", reply)
		}
	})
}

// TestEveryPageOfTheSettingsFits checks each settings page in every language, for every
// game, with the longest home id. Buttons must be unique and short enough, and their
// press data must parse back to the same home. No value is listed both in the text and
// as a choice. No page has more than six lines and eight buttons.
func TestEveryPageOfTheSettingsFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("every screen takes long under the race detector, and one goroutine looks at them all")
	}
	const home = "discord:12345678901234567890"
	bot := declared(nil)
	fits := func(p people.SettingsPage) {
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
					_, value, named := strings.Cut(b.Label, ": ")
					if !named && !strings.Contains(b.Press, ":page:") {
						value = b.Label
					}
					if value != "" && slices.Contains(texts, value) {
						t.Errorf("%s %s: the value %q is listed twice:\n%s", code, p.Page, value, s)
					}
				}
			}
			lines := 0
			for _, b := range s.Blocks {
				if b.Look != screen.Title {
					lines += strings.Count(screen.Screen{Blocks: []screen.Block{b}}.String(), "\n")
				}
			}
			shown := slices.Concat(slices.Concat(s.MenuRows(), s.Rows)...)
			if lines > people.LinesLimit || len(shown) > people.ButtonsLimit || len(s.Rows) > 5 {
				t.Errorf("%s %s: %d lines, %d buttons in %d rows:\n%s", code, p.Page, lines, len(shown), len(s.Rows), s)
			}
			rows := s.Rows
			for _, m := range s.Menus {
				for _, b := range m.Part {
					if utf8.RuneCountInString(b.Label) > 34 {
						t.Errorf("%s %s: the button %q", code, p.Page, b.Label)
					}
				}
				if len(m.Options) > 25 || len(m.Options) < 2 {
					t.Errorf("%s %s: a menu of %d", code, p.Page, len(m.Options))
				}
				rows = append(rows, m.Options)
			}
			for _, row := range rows {
				for _, b := range row {
					if _, _, err := bot.read(b.Press); err != nil || !strings.HasSuffix(b.Press, ":"+home) || utf8.RuneCountInString(b.Label) > 34 || labels[b.Label] || presses[b.Press] {
						t.Errorf("%s %s: the button %q carries %q: %v", code, p.Page, b.Label, b.Press, err)
					}
					labels[b.Label], presses[b.Press] = true, true
				}
			}
		}
	}
	all := settingsOf(declared(nil).features())
	groups := []string{""}
	for _, g := range screen.Groups() {
		groups = append(groups, "in-"+string(g))
	}
	own := defaults(all.Own)
	pages := slices.Clone(groups)
	for _, e := range own {
		pages = append(pages, e.Name)
	}
	for _, page := range pages {
		for _, plain := range []bool{false, true} { // the letters of plain cards are explained
			entries := slices.Clone(own)
			for i, e := range entries {
				if e.Name == "face" && plain {
					entries[i].Value = string(face.Plain)
				}
			}
			fits(people.SettingsPage{Home: home, Mine: true, Page: page, Entries: entries})
		}
	}
	for _, preset := range game.Presets() {
		r := gametest.Preset(t, preset)
		begin := table.New("0", home, table.Chat{}, table.Player{ID: "x"}, r, 0, table.DefaultLimit, time.Time{}).Public()
		pages := append(slices.Clone(groups), "game", "players", "house", "limit", "level")
		for _, h := range table.HouseRules(r) {
			pages = append(pages, h.Name)
		}
		for _, e := range all.Home {
			pages = append(pages, e.Name)
		}
		for _, page := range pages {
			if page == "players" && len(game.FamilyPlayers(game.Family(preset))) < 2 {
				continue
			}
			for _, fixed := range []bool{false, true} {
				fits(people.SettingsPage{Home: home, Page: page, Fixed: fixed, Entries: defaults(all.Home), Begin: &begin})
			}
		}
	}
}

// TestEverySettingIsOffered checks that the rooms give exactly the settings that the catalogues have texts for, and that
// each choice of each setting has a text.
func TestEverySettingIsOffered(t *testing.T) {
	t.Parallel()
	all := settingsOf(declared(nil).features())
	for _, code := range lang.Languages() {
		c := lang.For(code)
		texts := c.Under("pref.")
		for _, e := range append(defaults(all.Home), defaults(all.Own)...) {
			if !c.Has("pref." + e.Name) {
				t.Errorf("%s: the setting %s has no name", code, e.Name)
			}
			for _, choice := range e.Values {
				if text := e.Label; text != nil && text(c, choice) == "" || text == nil && !c.Has("pref."+e.Name+"."+choice) {
					t.Errorf("%s: the choice %s of %s has no text", code, choice, e.Name)
				}
			}
			for key := range texts {
				if key == e.Name || strings.HasPrefix(key, e.Name+".") {
					delete(texts, key)
				}
			}
		}
		for key := range texts {
			t.Errorf("%s: no room has the setting of pref.%s", code, key)
		}
	}
}

// TestEveryChoiceComesBack checks that a document returns each choice of its settings, also after it was stored. The
// choices differ, and no other is taken. A setting that nobody has changed has its default.
func TestEveryChoiceComesBack(t *testing.T) {
	t.Parallel()
	all := settingsOf(declared(nil).features())
	fresh := doc.Setting[doc.Home]{Name: "fresh", Choices: []string{"a", "b", "c"}, Field: doc.Stored("fresh")}
	comesBack(t, append(all.Home, fresh))
	comesBack(t, all.Own)
}

func comesBack[D any](t *testing.T, all []doc.Setting[D]) {
	t.Helper()
	var d D
	for _, s := range all {
		if s.Keeper != nil {
			continue // the tests of its room change it
		}
		if got := s.Of(d); got != s.Choices[0] {
			t.Errorf("%s: the default is %s, %s is the first", s.Name, got, s.Choices[0])
		}
		for _, choice := range append(slices.Clone(s.Choices), s.Choices[0]) {
			err := s.Choose(&d, choice)
			var stored D
			if err == nil {
				err = doc.Decode(store.Doc{Version: 1, Data: doc.Encode(d)}, &stored)
			}
			if err != nil || s.Of(stored) != choice {
				t.Errorf("%s: after the choice of %s it is %s: %v", s.Name, choice, s.Of(stored), err)
			}
		}
		if s.Choose(&d, "none") == nil {
			t.Errorf("%s: took a choice that is not offered", s.Name)
		}
	}
}
