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
	list := p.list(false)
	entries := 0
	for _, open := range list {
		p.press(t, open)
		if !strings.HasPrefix(nameIn(open), "in-") {
			entries++
			p.values(t, open, false)
			p.press(t, "mine:page:all:")
		} else {
			for _, entry := range p.list(true) {
				if nameIn(entry) != "all" {
					entries++
					p.press(t, entry)
					p.values(t, entry, true)
					p.press(t, open)
					p.list(true)
				}
			}
			p.press(t, "mine:page:all:")
		}
		if again := p.list(false); !slices.Equal(again, list) {
			t.Errorf("the settings offer %q, then %q", list, again)
		}
	}
	if entries < 5 {
		t.Errorf("there are %d settings", entries)
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

// nameIn returns the page that a button opens.
func nameIn(data string) string { return strings.Split(data, ":")[2] }

// values makes each choice of the entry whose page is open, in all parts of the page.
func (p Private) values(t *testing.T, open string, group bool) {
	t.Helper()
	entry := nameIn(open)
	seen := map[string]bool{}
	for len(seen) < 100 {
		offers := p.page(entry)
		if i := slices.IndexFunc(offers, func(data string) bool { return !seen[data] }); i >= 0 {
			seen[offers[i]] = true
			p.press(t, offers[i])
			p.list(group)
			p.press(t, open)
			continue
		}
		_, buttons := p.Shown()
		i := slices.IndexFunc(buttons, func(data string) bool { return strings.HasPrefix(data, "mine:page:"+entry+"-") && !seen[data] })
		if i < 0 {
			return
		}
		seen[buttons[i]] = true
		p.press(t, buttons[i])
		p.Until("the settings offer other values of "+entry, func() bool { _, now := p.Shown(); return !slices.Equal(now, buttons) })
	}
	t.Errorf("%s has no end of values", entry)
}

// page waits until the settings offer the values of an entry and returns their buttons.
func (p Private) page(entry string) []string {
	return p.offers(entry, func(buttons []string) bool {
		return slices.ContainsFunc(buttons, func(data string) bool { return strings.HasPrefix(data, "mine:"+entry+":") })
	})
}

// list waits until the settings offer the entries of a group, or of the first page, and returns their buttons.
func (p Private) list(group bool) []string {
	return p.offers("page", func(buttons []string) bool {
		back := slices.ContainsFunc(buttons, func(data string) bool { return strings.HasPrefix(data, "mine:page:all:") })
		return back == group && !slices.ContainsFunc(buttons, func(data string) bool {
			return strings.HasPrefix(data, "mine:") && !strings.HasPrefix(data, "mine:page:")
		})
	})
}

// offers waits until the buttons are as ok says. It returns those that begin like the presses of a page or an entry.
func (p Private) offers(what string, ok func(buttons []string) bool) (found []string) {
	p.Until("the settings offer "+what, func() bool {
		_, buttons := p.Shown()
		if !ok(buttons) {
			return false
		}
		found = slices.DeleteFunc(buttons, func(data string) bool { return !strings.HasPrefix(data, "mine:"+what+":") })
		return true
	})
	return found
}

func (p Private) press(t *testing.T, data string) {
	t.Helper()
	if failure := p.Press(data); failure != "" {
		t.Fatalf("%s: %s", data, failure)
	}
}
