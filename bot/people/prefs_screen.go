package people

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Pref is an entry of the settings with its current value. Catalogues have its name
// under "pref.<name>" and its values under "pref.<name>.<value>".
type Entry struct {
	Name   string
	Value  string
	Values []string
	Label  func(c *lang.Catalogue, value string) string // returns the name of a value; nil: the catalogue has it
}

// Prefs is a page of the settings of a person or of a home.
type SettingsPage struct {
	Home    string // the home; for a person's settings: the home where they were opened, or "" for none
	Mine    bool   // the reader's own, not the home's
	Fixed   bool   // the reader may see the settings but not change them
	Page    string // the entry whose values are offered; "": the list of all entries
	Entries []Entry
	Trouble string        // key of a text that says why the entry of the page has no effect, or ""
	Begin   *table.Public // of a home, on its page of the settings: the lobby with the defaults for new tables
}

func (p SettingsPage) button(label, what, value string) screen.Button {
	press := press{word: actHome, what: what, value: value, home: p.Home}
	if p.Mine {
		press.word = actMine
	}
	return screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: press.String()}
}

// PrefsList is the name of the page that lists all entries.
const listPage = "all"

// Screen shows the page.
func (p SettingsPage) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	key := "prefs.home"
	if p.Mine {
		key = "prefs.mine"
	}
	w.Say(screen.Title, key)
	lines, all := p.entries(w)
	if p.Page == "" || p.Fixed { // the page of an entry shows its values as choices
		w.Block(screen.Plain, lines...)
		if p.Begin != nil {
			w.Block(screen.Small, view.DefaultsOf(p.Home, *p.Begin, "", c).Lines(w)...)
		}
	}
	if (p.Page == "" || p.Page == "face") && slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Name == "face" && e.Value == string(face.Plain) }) {
		w.Block(screen.Small, view.Legend(w, face.For(face.Plain, c.Code(), game.German32)))
	}
	if p.Begin != nil && p.Page != "" && !p.isEntry(p.Page) {
		view.DefaultsOf(p.Home, *p.Begin, p.Page, c).SayGame(w)
	}
	if p.Fixed {
		w.Say(screen.Small, "prefs.fixed")
	} else if m := p.menu(w, all); len(m.Options) > 1 {
		if p.Page != "" {
			w.Block(screen.Plain, screen.Bold(m.Label))
			if p.Trouble != "" {
				w.Block(screen.Quote, screen.Text(w.Text(p.Trouble)))
			}
		}
		w.Screen.Menus = append(w.Screen.Menus, m)
	}
	var row []screen.Button
	if p.Page != "" && !p.Fixed {
		row = append(row, p.button(w.Text("prefs.back"), "page", listPage))
	}
	if p.Home != "" {
		other := SettingsPage{Home: p.Home, Mine: !p.Mine}
		key := "prefs.to.home"
		if other.Mine {
			key = "prefs.to.mine"
		}
		row = append(row, other.button(w.Text(key), "page", listPage))
	}
	w.Row(row...)
	return w.Screen
}

// isEntry reports whether a page belongs to one of the entries.
func (p SettingsPage) isEntry(page string) bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Name == page })
}

// entries returns all entries: a line for each with its current value, and a button to its
// page.
func (p SettingsPage) entries(w *view.Writer) (lines [][]screen.Span, all []screen.Button) {
	add := func(name, label, value string) {
		lines = append(lines, w.Spans("house.value", "rule", label, "value", value))
		all = append(all, p.button(label, "page", name))
	}
	if p.Begin != nil {
		add(string(table.GamePage), w.Text("pref.game"), screen.GameName(w.Catalogue, p.Begin.Rules))
		if length := view.DefaultsOf(p.Home, *p.Begin, "", w.Catalogue).Length(); length != "" {
			add("end", w.Text("menu.length"), length)
		}
		add(string(table.LimitPage), w.Text("tab.limit"), view.LimitValue(w.Catalogue, p.Begin.Limit))
		all = append(all, p.button(w.Text("tab.house"), "page", string(table.HousePage)))
	}
	for _, e := range p.Entries {
		add(e.Name, w.Text("pref."+e.Name), e.label(w.Catalogue, e.Value))
	}
	return lines, all
}

// label returns the name of one of the entry's values.
func (e Entry) label(c *lang.Catalogue, value string) string {
	if e.Label != nil {
		return e.Label(c, value)
	}
	return c.Text("pref." + e.Name + "." + value)
}

// menu offers the entries, or the values of one of them.
func (p SettingsPage) menu(w *view.Writer, all []screen.Button) screen.Menu {
	if p.Page == "" {
		return screen.Menu{Label: screen.Cut(w.Text("prefs.change"), screen.LabelLength), Options: all, Chosen: -1}
	}
	for _, e := range p.Entries {
		if e.Name != p.Page {
			continue
		}
		m := screen.Menu{Label: screen.Cut(w.Text("pref."+e.Name), screen.LabelLength), Chosen: slices.Index(e.Values, e.Value)}
		for _, v := range e.Values {
			m.Options = append(m.Options, p.button(e.label(w.Catalogue, v), e.Name, v))
		}
		return m
	}
	if p.Begin == nil {
		return screen.Menu{}
	}
	return view.DefaultsOf(p.Home, *p.Begin, p.Page, w.Catalogue).Menu(w)
}
