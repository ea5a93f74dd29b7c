package bottest

import (
	"slices"
	"strings"
	"testing"
)

// Private is a person's private chat with the whole bot, on an adapter over a fake of its platform.
type Private struct {
	Home string // id of the private chat

	AskElsewhere func() // sends /settings in a group chat and waits for the answer
	Ask          func() // sends /settings in the private chat
	// Press presses a button of the newest settings there and returns the line that the person got. data is the
	// button's data.
	Press func(data string) string
	// Shown returns the text of the newest settings there and the data of their buttons.
	Shown func() (text string, buttons []string)
	// Until waits until ok returns true. If that takes too long, the test fails.
	Until func(what string, ok func() bool)
}

// PrivateSettings opens a person's settings in the private chat. It presses every button of every page, and then
// buttons as in older messages. Each press must show its page or make its choice.
func PrivateSettings(t *testing.T, p Private) {
	t.Helper()
	p.AskElsewhere() // the bot remembers that chat
	p.Ask()
	list := p.page("page")
	for _, open := range list {
		entry := strings.Split(open, ":")[2]
		p.press(t, open)
		for _, button := range p.page(entry) {
			p.press(t, button)
			p.page("page")
			p.press(t, open)
			p.page(entry)
		}
		p.press(t, "mine:page:all:")
		if again := p.page("page"); len(list) < 5 || !slices.Equal(again, list) {
			t.Errorf("the settings offer %q, then %q", list, again)
		}
	}
	for _, older := range []struct{ home, language, title string }{{"", "cs", "Tvoje nastavení"}, {p.Home, "en", "Your settings"}} {
		p.press(t, "mine:page:lang:"+older.home)
		p.page("lang")
		p.press(t, "mine:lang:"+older.language+":"+older.home)
		p.Until("the settings in "+older.language, func() bool { text, _ := p.Shown(); return strings.Contains(text, older.title) })
		p.press(t, "mine:page:all:"+older.home)
	}
	for _, forged := range []string{"cfg:page:all:", "cfg:lang:cs:", "mine:lang:xx:"} {
		if p.Press(forged) == "" {
			t.Errorf("%s is not refused", forged)
		}
	}
}

// page waits until the settings offer the values of an entry and returns their buttons. For "page", it waits for the
// list of entries.
func (p Private) page(entry string) (offers []string) {
	p.Until("the settings offer "+entry, func() bool {
		_, buttons := p.Shown()
		offers = slices.DeleteFunc(buttons, func(data string) bool { return !strings.HasPrefix(data, "mine:"+entry+":") })
		return len(offers) > 1
	})
	return offers
}

func (p Private) press(t *testing.T, data string) {
	t.Helper()
	if failure := p.Press(data); failure != "" {
		t.Fatalf("%s: %s", data, failure)
	}
}
