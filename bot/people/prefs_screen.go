package people

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Entry is an entry of the settings with its current value. Catalogues have its name
// under "pref.<name>" and its values under "pref.<name>.<value>".
type Entry struct {
	Name   string
	Group  screen.Group
	Value  string
	Values []string
	Label  func(c *lang.Catalogue, value string) string // returns the name of a value; nil: the catalogue has it
}

// SettingsPage is a page of the settings of a person or of a home.
type SettingsPage struct {
	Home    string // the home; for a person's settings: the home where they were opened, or "" for none
	Mine    bool   // the reader's own, not the home's
	Fixed   bool   // the reader may see the settings but not change them
	Page    string // the entry whose values are offered, or groupPage of a group; "": the first page
	Entries []Entry
	Trouble string        // key of a text that says why the entry of the page has no effect, or ""
	Own     bool          // the home has chosen how new tables begin
	Begin   *table.Public // of a home, on its page of the settings: the lobby with the defaults for new tables
}

func (p SettingsPage) button(label, what, value string) screen.Button {
	press := press{word: actHome, what: what, value: value, home: p.Home}
	if p.Mine {
		press.word = actMine
	}
	return screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: press.String()}
}

// The names of pages.
const (
	listPage = "all" // the first page
	inGroup  = "in-" // before the name of a group
)

// groupPage returns the name of the page of a group.
func groupPage(g screen.Group) string {
	if g == screen.GroupNone {
		return ""
	}
	return inGroup + string(g)
}

// The most that a page shows, apart from its title.
const (
	LinesLimit   = 6
	ButtonsLimit = 8
)

// Screen shows the page. Pages name what differs from the default. The first page of a person's settings has the entries
// that are in no group, and the groups. That of a home's settings has the groups.
func (p SettingsPage) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	name, part := p.part()
	if values := p.values(w, name); len(values.Options) > 1 && !p.Fixed {
		p.showValues(w, name, values, part)
		return w.Screen
	}
	group := screen.GroupNone
	if g, ok := strings.CutPrefix(name, inGroup); ok && len(p.items(w, screen.Group(g))) > 0 {
		group = screen.Group(g)
	}
	p.showGroup(w, group)
	return w.Screen
}

// part returns the entry whose values the page offers, and the part of them that is asked for, from 1. 0 is the part with the
// current value.
func (p SettingsPage) part() (name string, part int) {
	if i := strings.LastIndexByte(p.Page, '-'); i > 0 {
		if part, err := strconv.Atoi(p.Page[i+1:]); err == nil && part > 0 {
			return p.Page[:i], part
		}
	}
	return p.Page, 0
}

// name returns the name of a group, or that of the settings as a whole.
func (p SettingsPage) name(w *view.Writer, g screen.Group) string {
	switch {
	case g == screen.GroupNone && p.Mine:
		return w.Text("prefs.mine")
	case g == screen.GroupNone:
		return w.Text("prefs.home")
	case p.Mine:
		return w.Text("prefs.mine." + string(g))
	default:
		return w.Text("prefs.home." + string(g))
	}
}

// item is a setting's line on a page of settings. Its button opens the page of the values.
type item struct {
	page, name, value string
	changed           bool // the value isn't the default
}

// items returns the lines of a group.
func (p SettingsPage) items(w *view.Writer, g screen.Group) (all []item) {
	if g == screen.GroupTables && p.Begin != nil {
		begin := view.DefaultsOf(p.Home, *p.Begin, "", w.Catalogue)
		plain, err := game.Preset(p.Begin.Rules.Preset)
		changed := func(is bool) bool { return p.Own && err == nil && is }
		all = append(all, item{string(table.GamePage), w.Text("tab.game"), screen.GameName(w.Catalogue, p.Begin.Rules), changed(plain.Preset != table.DefaultPreset)})
		if length := begin.Length(); length != "" {
			all = append(all, item{"end", w.Text("menu.length"), length, changed(game.Length(p.Begin.Rules) != game.Length(plain))})
		}
		level, house := cmp.Or(p.Begin.Level, table.DefaultLevel), begin.House(w)
		all = append(all,
			item{string(table.LimitPage), w.Text("tab.limit"), view.LimitValue(w.Catalogue, p.Begin.Limit), changed(p.Begin.Limit != table.DefaultLimit)},
			item{string(table.LevelPage), w.Text("tab.level"), w.Text("level." + level), changed(level != table.DefaultLevel)},
			item{string(table.HousePage), w.Text("tab.house"), house, changed(house != w.Text("prefs.house.none"))},
		)
	}
	for _, e := range p.Entries {
		if e.Group == g {
			all = append(all, item{e.Name, w.Text("pref." + e.Name), e.label(w.Catalogue, e.Value), e.Value != e.Values[0]})
		}
	}
	return all
}

// showGroup shows the buttons of a group, and without a group also those of the groups. It names the values that differ from
// the default; readers who may not change them see all of the group.
func (p SettingsPage) showGroup(w *view.Writer, g screen.Group) {
	title := [][]screen.Span{screen.Text(p.name(w, screen.GroupNone))}
	if g != screen.GroupNone {
		title = append(title, screen.Text(p.name(w, g)))
	}
	w.Block(screen.Title, screen.Dots(title...))
	var lines [][]screen.Span
	var buttons []screen.Button
	show := func(i item) {
		if i.changed && len(lines) < LinesLimit || p.Fixed && g != screen.GroupNone {
			lines = append(lines, w.Spans("house.value", "rule", i.name, "value", screen.Bold(i.value)))
		}
	}
	for _, i := range p.items(w, g) {
		show(i)
		if !p.Fixed {
			buttons = append(buttons, p.button(i.name, "page", i.page))
		}
	}
	if g == screen.GroupNone {
		for _, g := range screen.Groups() {
			items := p.items(w, g)
			if len(items) == 0 {
				continue
			}
			for _, i := range items {
				show(i)
			}
			buttons = append(buttons, p.button(p.name(w, g), "page", groupPage(g)))
		}
	}
	w.Block(screen.Plain, lines...)
	if p.Fixed && g != screen.GroupNone {
		w.Say(screen.Small, "prefs.fixed")
	}
	w.Screen.Rows = rowsOf(buttons)
	switch {
	case g != screen.GroupNone:
		w.Row(p.button(w.Text("prefs.back"), "page", listPage))
	case p.Home != "":
		key := "prefs.to.mine"
		if p.Mine {
			key = "prefs.to.home"
		}
		w.Row(SettingsPage{Home: p.Home, Mine: !p.Mine}.button(w.Text(key), "page", listPage))
	}
}

// rowsOf returns buttons in at most four rows.
func rowsOf(buttons []screen.Button) [][]screen.Button {
	rows := screen.Packed(buttons)
	if len(rows) > 4 {
		rows = slices.Collect(slices.Chunk(buttons, 2))
	}
	return rows
}

// showValues offers the values of an entry.
func (p SettingsPage) showValues(w *view.Writer, name string, values screen.Menu, part int) {
	w.Block(screen.Title, screen.Dots(screen.Text(p.name(w, screen.GroupNone)), screen.Text(values.Label)))
	back := groupPage(screen.GroupTables)
	if e, ok := p.entry(name); ok {
		back = groupPage(e.Group)
	} else {
		view.DefaultsOf(p.Home, *p.Begin, name, w.Catalogue).SayGame(w)
		if slices.ContainsFunc(table.HouseRules(p.Begin.Rules), func(h game.House) bool { return h.Name == name }) && name != "end" {
			back = string(table.HousePage)
		}
	}
	if name == "face" {
		p.legend(w)
	}
	if p.Trouble != "" {
		w.Block(screen.Quote, screen.Text(w.Text(p.Trouble)))
	}
	values.Part = p.partOf(w, name, values, part)
	w.Screen.Menus = append(w.Screen.Menus, values)
	w.Row(p.button(w.Text("prefs.back"), "page", cmp.Or(back, listPage)))
}

// partOf returns some of the values with a button to the next ones, or nil if all of them fit a page.
func (p SettingsPage) partOf(w *view.Writer, name string, values screen.Menu, part int) []screen.Button {
	n := len(values.Options)
	if n < ButtonsLimit {
		return nil // with the way back
	}
	parts := (n + ButtonsLimit - 3) / (ButtonsLimit - 2)
	size := (n + parts - 1) / parts
	if part == 0 {
		part = max(0, values.Chosen)/size + 1
	}
	part = min(part, parts)
	next := part%parts + 1
	shown := slices.Clone(values.Options[(part-1)*size : min(n, part*size)])
	return append(shown, p.button(w.Text("button.more"), "page", name+"-"+strconv.Itoa(next)))
}

// legend explains the letters of plain cards to those who chose them.
func (p SettingsPage) legend(w *view.Writer) {
	if e, ok := p.entry("face"); ok && e.Value == string(face.Plain) {
		w.Block(screen.Small, view.Legend(w, face.For(face.Plain, w.Catalogue.Code(), game.German32)))
	}
}

// entry returns the entry with a name.
func (p SettingsPage) entry(name string) (Entry, bool) {
	i := slices.IndexFunc(p.Entries, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return p.Entries[i], true
}

// label returns the name of one of the entry's values.
func (e Entry) label(c *lang.Catalogue, value string) string {
	if e.Label != nil {
		return e.Label(c, value)
	}
	return c.Text("pref." + e.Name + "." + value)
}

// values returns the choice among the values of an entry, which is empty if there is no such entry.
func (p SettingsPage) values(w *view.Writer, name string) screen.Menu {
	e, ok := p.entry(name)
	if !ok {
		if p.Begin == nil {
			return screen.Menu{}
		}
		return view.DefaultsOf(p.Home, *p.Begin, name, w.Catalogue).Menu(w)
	}
	m := screen.Menu{Label: screen.Cut(w.Text("pref."+e.Name), screen.LabelLength), Chosen: slices.Index(e.Values, e.Value)}
	for _, v := range e.Values {
		m.Options = append(m.Options, p.button(e.label(w.Catalogue, v), e.Name, v))
	}
	return m
}
