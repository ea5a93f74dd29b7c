package discord_test

import (
	"strings"
	"testing"

	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
)

// lobbyID returns the lobby in the channel, and the id of its table.
func (w *world) lobbyID() (lobby discordtest.Message, id string) {
	w.Until("the lobby", func() bool {
		for _, lobby = range w.ann.Sees(w.channel) {
			if !lobby.Ephemeral && len(lobby.Buttons) > 0 {
				return true
			}
		}
		return false
	})
	return lobby, strings.Split(lobby.Buttons[0].CustomID, ":")[1]
}

// offers waits until the lobby's menu has an option.
func (w *world) offers(option string) {
	w.Until("the lobby offers "+option, func() bool {
		m, _ := w.lobbyID()
		return strings.Contains(m.String(), "{"+option+"}")
	})
}

// The host gets the house rules in a modal, at most five at a time, with the current choices. All answers are one change.
// Behind the modal are the buttons of the same page.
func TestHouseRulesInAModal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	c := lang.For("en")
	w.ann.Slash(w.channel, "new", map[string]any{"rules": "sedma-2p-tricks"}).Wait() // whose deals can end in a tie
	lobby, id := w.lobbyID()
	w.ann.Press(lobby, "set:"+id+":scoring:stakes").Wait()
	page := func(name string) *discordtest.Form { return w.ann.Press(lobby, "set:"+id+":page:"+name).Form() }

	first := page("house")
	if first == nil || first.Title != c.Text("tab.house")+" 1/2" || len(first.Components) != 4 {
		t.Fatalf("the first house rules: %+v", first)
	}
	w.Until("the page of the house rules", func() bool {
		for _, lobby = range w.ann.Sees(w.channel) {
			if len(lobby.Menus) > 0 {
				return true
			}
		}
		return false
	})
	if second := page("tie"); second == nil || second.Title != c.Text("tab.house")+" 2/2" || second.Field(c.Text("house.tie")) == nil || second.Field(c.Text("house.burn")) != nil {
		t.Fatalf("the house rules after a choice of the tie: %+v", second)
	}
	if other := page("limit"); other != nil {
		t.Errorf("the turn limit: %+v", other)
	}
	burn := first.Field(c.Text("house.burn"))
	if burn == nil || len(burn.Component.Options) != 5 || !burn.Component.Options[0].Default {
		t.Fatalf("the field of a rule: %+v", burn)
	}

	first.Submit(map[string]string{c.Text("house.burn"): c.Text("house.burn.1"), c.Text("house.burned_game"): c.Text("house.burned_game.2")}).Wait()
	w.offers("● Four of a kind wins at…: 1 stake")
	w.offers("● Four of a kind in hand wins: 2")
	if again := page("burn"); again.Field(c.Text("house.burn")).Component.Options[0].Default {
		t.Errorf("the field after the choice: %+v", again)
	}

	if form := w.bob.Press(lobby, "set:"+id+":page:house").Form(); form != nil {
		t.Errorf("someone who isn't the host gets %+v", form)
	}
}

// A rule that is on or off is a checkbox, a few choices are radio buttons, and more are a menu.
func TestFieldsOfAModal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	c := lang.For("en")
	w.ann.Slash(w.channel, "new", map[string]any{"rules": "osmova-2p"}).Wait()
	lobby, id := w.lobbyID()
	form := w.ann.Press(lobby, "set:"+id+":page:seven_led_beats_eight").Form()
	if form == nil {
		t.Fatal("no modal")
	}
	const radio, checkbox = 21, 23
	eight, last := form.Field(c.Text("house.seven_led_beats_eight")), form.Field(c.Text("house.final_seven"))
	if eight == nil || eight.Component.Type != checkbox || !eight.Component.Default || last == nil || last.Component.Type != radio {
		t.Fatalf("the modal: %+v", form)
	}
	form.Submit(map[string]string{c.Text("house.seven_led_beats_eight"): "false", c.Text("house.final_seven"): c.Text("house.final_seven.loses")}).Wait()
	w.offers(c.Text("house.changed", "rule", c.Text("house.value", "rule", c.Text("house.final_seven"), "value", c.Text("house.final_seven.loses"))))
	form = w.ann.Press(lobby, "set:"+id+":page:seven_led_beats_eight").Form()
	if eight := form.Field(c.Text("house.seven_led_beats_eight")); eight.Component.Default {
		t.Errorf("the rule is on: %+v", eight)
	}
}

// The settings of a server have the same modal. Only those who may change them get it.
func TestHouseRulesOfNewTablesInAModal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	c := lang.For("en")
	open := func(p *discordtest.Person) (discordtest.Message, *discordtest.Form) {
		m, _ := p.Slash(w.channel, "settings", nil).Wait()
		return m, p.Press(m, "cfg:page:house:discord:"+w.guild.ID).Form()
	}
	if _, form := open(w.bob); form != nil {
		t.Errorf("a guest gets %+v", form)
	}
	_, form := open(w.ann)
	if form == nil {
		t.Fatal("no modal")
	}
	m, _ := form.Submit(map[string]string{c.Text("house.burn"): c.Text("house.burn.1")}).Wait()
	if want := c.Text("house.burn.1"); !m.Ephemeral || !strings.Contains(m.String(), want) {
		t.Errorf("instead of %q: %v", want, m)
	}
	m, _ = w.ann.Press(m, "cfg:page:in-tables:discord:"+w.guild.ID).Wait()
	if want := c.Text("house.value", "rule", c.Text("house.burn"), "value", c.Text("house.burn.1")); !strings.Contains(m.Text, want) {
		t.Errorf("instead of %q: %v", want, m)
	}
}

// If Discord refuses a modal, the person gets the buttons. The next press is asked with a modal again.
func TestModalsThatDiscordRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	m, _ := w.ann.Slash(w.channel, "settings", nil).Wait()
	w.Fail(discordtest.Fault{Method: "POST", Path: "/interactions/", Times: 1, Status: 400, Code: 50035})
	w.Forgive()
	press := w.ann.Press(m, "cfg:page:house:discord:"+w.guild.ID)
	if page, _ := press.Wait(); press.Form() != nil || len(page.Menus) != 1 || len(page.Menus[0].Options) < 3 {
		t.Errorf("without a modal: %v", page)
	}
	if w.ann.Press(m, "cfg:page:house:discord:"+w.guild.ID).Form() == nil {
		t.Error("nobody gets a modal because Discord refused one")
	}
}
