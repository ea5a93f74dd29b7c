package bot

import (
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestEveryPageOfTheSettingsFits: in every language, for every game and for the
// longest ids of homes, each button of each page can be told from the others,
// and comes back as it was made.
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
	for _, e := range append(entriesOf(ownPrefs, playerDoc{}), view.Pref{}) {
		fits(view.Prefs{Home: home, Mine: true, Page: e.Name, Entries: entriesOf(ownPrefs, playerDoc{})})
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
			fits(view.Prefs{Home: home, Page: page, Entries: entriesOf(homePrefs, homeDoc{}), Begin: &begin})
		}
	}
}

// TestEveryValueOfTheSettingsComesBack: what is set is what is read, and the
// usual value is what stands when nothing was set.
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

// TestEveryZoneIsKnown: the zones that can be chosen are ones that this system knows.
func TestEveryZoneIsKnown(t *testing.T) {
	t.Parallel()
	for _, z := range zones {
		if _, err := time.LoadLocation(z.zone); err != nil {
			t.Error(err)
		}
	}
}

// TestSettingsOfAnotherHome: a made-up press neither reads the settings of a home
// nor enters its presser there; one on a page that he asked for in that home does,
// wherever the page stands.
func TestSettingsOfAnotherHome(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		const home = "test:group"
		r := inGroup(b, "ann", "settings", home)
		if r.Screen == nil {
			t.Fatalf("no settings: %+v", r)
		}
		press := func(player, data string) Reply {
			in := by(player)
			in.Chat = Chat{ID: "test:" + player, Home: "test:" + player, Private: true}
			in.Admin, in.Press = true, data // in his private chat everybody manages all
			return b.Handle(t.Context(), in)
		}
		for _, data := range []string{"mine:tell:on:" + home, "mine:page:all:" + home, "cfg:page:all:" + home, "cfg:lang:cs:" + home, "cfg:page:game:" + home} {
			if r := press("eve", data); r.Screen != nil || r.Outcome != Refused {
				t.Errorf("%s: Eve, who was never there, gets %+v", data, r)
			}
		}
		in := by("eve")
		in.Press = "mine:tell:on:"
		if r := b.Handle(t.Context(), in); r.Screen != nil || r.Outcome != Refused {
			t.Errorf("a button without a home, pressed in a group, gets %+v", r)
		}
		kept, err := b.docs.Home(t.Context(), home)
		if err != nil || len(kept.Tell) != 0 || kept.Lang != "" {
			t.Errorf("the home: %+v, %v", kept, err)
		}
		if r := press("ann", "mine:tell:on:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, gets %+v", r)
		}
		if r := press("ann", "cfg:page:all:"+home); r.Screen == nil {
			t.Errorf("Ann, who asked there, reads %+v", r)
		}
		if r := press("ann", "cfg:lang:cs:"+home); r.Screen != nil {
			t.Errorf("Ann, who does not manage it, sets %+v", r)
		}
		kept, err = b.docs.Home(t.Context(), home)
		if err != nil || len(kept.Tell) != 1 || kept.Lang != "" {
			t.Errorf("the home: %+v, %v", kept, err)
		}
	})
}

// TestHandsFollowTheApp: somebody whose app speaks another language now has his
// hand in it as soon as he opens his private chat or calls his cards up, unless he
// chose a language himself; a game alone follows as a whole.
func TestHandsFollowTheApp(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		speaks := func(player, language, command string) {
			in := by(player)
			in.Player.Lang, in.Command = language, command
			if command == "" {
				in.Press = view.Press{Action: view.ActCards, Table: theTable(t, b).ID}.String()
			} else {
				in.Chat = Chat{ID: in.Player.ID, Home: in.Player.ID, Private: true, Lang: language}
			}
			b.Handle(t.Context(), in)
		}
		seats := func() (out [2]string) {
			for i, s := range theTable(t, b).Seats[:2] {
				out[i] = s.Player.Lang
			}
			return out
		}
		running(t, b, func() { time.Sleep(time.Second) }) // the players' own documents name the table
		for _, step := range []struct {
			player, language, command string
			want                      [2]string
		}{
			{"ann", "cs", "hello", [2]string{"cs", "en"}},
			{"ben", "pl", "", [2]string{"cs", "pl"}},
			{"ben", "", "", [2]string{"cs", "pl"}}, // the platform does not say
			{"ann", "en", "", [2]string{"en", "pl"}},
		} {
			if speaks(step.player, step.language, step.command); seats() != step.want {
				t.Errorf("after %v the seats speak %v", step, seats())
			}
		}
		in := by("ann")
		in.Press = "mine:lang:de:" + in.Chat.Home
		b.Handle(t.Context(), in)
		if speaks("ann", "fi", "hello"); seats()[0] != "de" {
			t.Errorf("what Ann chose is %s now", seats()[0])
		}

		speaks("cat", "en", "solo")
		running(t, b, func() { time.Sleep(time.Second) })
		speaks("cat", "sk", "hello")
		home, err := b.docs.Home(t.Context(), "test:cat")
		if err != nil {
			t.Fatal(err)
		}
		alone, err := b.table(t.Context(), home.Open["test:cat"])
		if err != nil || alone.Chats[0].Lang != "sk" || alone.Seats[0].Player.Lang != "sk" {
			t.Errorf("her own game speaks %s, her hand %s: %v", alone.Chats[0].Lang, alone.Seats[0].Player.Lang, err)
		}
	})
}
