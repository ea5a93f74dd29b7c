package people

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// unsaid is the language tag for a language that the platform does not report.
const unsaid = "und"

// usual is the choice to follow the chat or the person's app.
const usual = "auto"

// languages returns the choices of a language.
func languages() []string { return append([]string{usual}, lang.Languages()...) }

var faces = []string{usual, "german", "french", "plain"}

// languageName returns the Label of a language setting. key has the text of usual.
func languageName(key string) func(c *lang.Catalogue, choice string) string {
	return func(c *lang.Catalogue, choice string) string {
		if choice == usual {
			return c.Text(key)
		}
		return lang.For(choice).Text("language")
	}
}

// zones are the available time zones: those of countries where these games are played.
var zones = []struct{ name, zone string }{
	{"utc", "UTC"}, {"cz", "Europe/Prague"}, {"sk", "Europe/Bratislava"}, {"hu", "Europe/Budapest"}, {"ro", "Europe/Bucharest"},
	{"ua", "Europe/Kyiv"}, {"fi", "Europe/Helsinki"}, {"pl", "Europe/Warsaw"}, {"de", "Europe/Berlin"}, {"hr", "Europe/Zagreb"}, {"rs", "Europe/Belgrade"},
}

func zoneNames() []string {
	var names []string
	for _, z := range zones {
		names = append(names, z.name)
	}
	return names
}

// zoneField has the IANA name of a time zone in the field that at returns.
func zoneField[D any](at func(d *D) *string) doc.Field[D] {
	return doc.Field[D]{
		Get: func(d D) string {
			for _, z := range zones {
				if z.zone == *at(&d) {
					return z.name
				}
			}
			return ""
		},
		Set: func(d *D, choice string) {
			*at(d) = ""
			for _, z := range zones {
				if z.name == choice {
					*at(d) = z.zone
				}
			}
		},
	}
}

// homeSettings are the settings of how a home's messages look.
func homeSettings() []doc.Setting[doc.Home] {
	return []doc.Setting[doc.Home]{
		{Name: "lang", Group: screen.GroupLook, Order: 10, Choices: languages(), Label: languageName("pref.lang.home"), Field: doc.Text(func(h *doc.Home) *string { return &h.Lang })},
		{Name: "face", Group: screen.GroupLook, Order: 20, Choices: faces, Field: doc.Text(func(h *doc.Home) *string { return &h.Face })},
		{Name: "pictures", Group: screen.GroupLook, Order: 30, Choices: []string{doc.On, doc.Off}, Field: doc.Flag(doc.Off, func(h *doc.Home) *bool { return &h.NoPictures })},
		{Name: "zone", Group: screen.GroupLook, Order: 40, Choices: zoneNames(), Field: zoneField(func(h *doc.Home) *string { return &h.Zone })},
		{Name: "calls", Group: screen.GroupPosts, Order: 70, Choices: []string{doc.On, doc.Off}, Field: doc.Flag(doc.Off, func(h *doc.Home) *bool { return &h.Quiet })},
	}
}

// ownSettings are the settings of how a person sees tables.
func ownSettings() []doc.Setting[doc.Player] {
	return []doc.Setting[doc.Player]{
		{Name: "lang", Order: 10, Choices: languages(), Label: languageName("pref.lang.auto"), Field: doc.Text(func(p *doc.Player) *string { return &p.Lang })},
		{Name: "face", Order: 20, Choices: faces, Field: doc.Text(func(p *doc.Player) *string { return &p.Face })},
		{Name: "pictures", Order: 30, Choices: []string{doc.On, doc.Off}, Field: doc.Flag(doc.Off, func(p *doc.Player) *bool { return &p.NoPictures })},
		{Name: "speed", Order: 35, Choices: []string{"normal", string(table.Slow), string(table.Fast), string(table.AtOnce)}, Field: speedField},
		{Name: "calls", Group: screen.GroupPosts, Order: 40, Choices: []string{doc.On, doc.Off}, Field: doc.Flag(doc.Off, func(p *doc.Player) *bool { return &p.Quiet })},
		{Name: "zone", Group: screen.GroupPosts, Order: 45, Choices: append([]string{usual}, zoneNames()...), Field: zoneField(func(p *doc.Player) *string { return &p.Zone })},
		{Name: "way", Group: screen.GroupPosts, Order: 50, Choices: []string{"message", "button"}, Field: doc.Flag("button", func(p *doc.Player) *bool { return &p.OnCall })},
	}
}

// speedField has how fast the AI plays for a person.
var speedField = doc.Field[doc.Player]{
	Get: func(p doc.Player) string { return string(p.Speed) },
	Set: func(p *doc.Player, choice string) { p.Speed = table.Speed(choice) },
}

// Settings are all settings that the rooms give, in the order of the lists.
type Settings struct {
	Home []doc.Setting[doc.Home]
	Own  []doc.Setting[doc.Player]
}

// named returns the setting of that name of a home or a person. It returns false if there is none, or if it isn't offered.
func named[D any](all []doc.Setting[D], name, id string) (doc.Setting[D], bool) {
	i := slices.IndexFunc(all, func(s doc.Setting[D]) bool { return s.Name == name && (s.Offered == nil || s.Offered(id)) })
	if i < 0 {
		return doc.Setting[D]{}, false
	}
	return all[i], true
}

// settingEntries returns the settings in the form that screens use. Those in other documents are there only if kept has
// their choices.
func settingEntries[D any](all []doc.Setting[D], id string, d D, kept map[*doc.Keeper]map[string]string) []Entry {
	var out []Entry
	for _, s := range all {
		if _, offered := named(all, s.Name, id); !offered {
			continue
		}
		e := Entry{Name: s.Name, Group: s.Group, Values: s.Choices, Label: s.Label}
		if s.Keeper == nil {
			e.Value = s.Of(d)
		} else {
			e.Value = kept[s.Keeper][s.Name]
		}
		if e.Value != "" {
			out = append(out, e)
		}
	}
	return out
}

// settingsKeptElsewhere reads the settings that are in other documents. Those that can't be read are left out.
func settingsKeptElsewhere[D any](ctx context.Context, all []doc.Setting[D], home, player string) map[*doc.Keeper]map[string]string {
	kept := map[*doc.Keeper]map[string]string{}
	for _, s := range all {
		if _, read := kept[s.Keeper]; s.Keeper == nil || read {
			continue
		}
		if choices, err := s.Keeper.Read(ctx, home, player); err == nil {
			kept[s.Keeper] = choices
		}
	}
	return kept
}

// troubleOf returns the key of a text that says why the setting of a page has no effect, or "".
func troubleOf[D any](ctx context.Context, all []doc.Setting[D], page, id string, d D) string {
	if s, found := named(all, page, id); found && s.Trouble != nil {
		return s.Trouble(ctx, id, d)
	}
	return ""
}

// changed does what follows from a change of a document with settings.
func changed[D any](ctx context.Context, all []doc.Setting[D], id string, d D) error {
	for _, s := range all {
		if s.Changed != nil {
			if err := s.Changed(ctx, id, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// Prefs shows the person's own settings, which lead to those of the home. To a masked person it shows those of the home.
func (room *Room) Prefs(ctx context.Context, in chat.Input) chat.Reply {
	return room.open(ctx, in, press{word: actMine, what: "page", value: listPage, home: in.Chat.Home})
}

// words gives the presser words instead of pictures, and shows that setting.
func (room *Room) words(ctx context.Context, in chat.Input) chat.Reply {
	return room.open(ctx, in, press{word: actMine, what: "pictures", value: doc.Off, home: in.Chat.Home})
}

// open shows the settings after a press, in a message of their own.
func (room *Room) open(ctx context.Context, in chat.Input, p press) chat.Reply {
	if in.Masked { // nobody's own settings
		p.word = actHome
	} else if err := room.docs.Ask(ctx, in); err != nil {
		return in.Refuse(err)
	}
	reply := room.Pref(ctx, in, p)
	reply.Replace = false
	return reply
}

// Pref handles one button press in the settings. The page may belong to the home where
// the button was pressed, or where the person opened the settings last. A page of a
// home's settings may also belong to another home that the person manages. If the page
// names no home, it is for the person's private chat.
func (room *Room) Pref(ctx context.Context, in chat.Input, p press) chat.Reply {
	if p.home == "" {
		if !in.Chat.Private {
			return room.docs.Known(ctx, in).Refuse(chat.ErrForged)
		}
		p.home = in.Chat.Home
	}
	if p.home != in.Chat.Home {
		own, err := room.docs.Own(ctx, in.Player.ID)
		mayRead := err == nil && own.Asked == p.home
		if err == nil && !mayRead && p.word == actHome {
			mayRead, err = in.MayManage(ctx, p.home)
		}
		if err == nil && !mayRead {
			err = chat.ErrForged
		}
		if err != nil {
			return room.docs.Known(ctx, in).Refuse(err)
		}
	}
	if p.word == actMine {
		return room.ownPref(ctx, in, p)
	}
	return room.homePref(ctx, in, p)
}

// ownPref changes one of the person's own settings and shows the page, or only shows a page.
func (room *Room) ownPref(ctx context.Context, in chat.Input, p press) chat.Reply {
	all := room.Settings().Own
	setting, found := named(all, p.what, in.Player.ID)
	var err error
	if found && setting.Check != nil {
		err = setting.Check(ctx, in.Player.ID, p.value)
	}
	if found && setting.Keeper != nil && err == nil {
		err = setting.Keeper.Set(ctx, in, p.home, p.what, p.value)
		p.what, p.value = "page", groupPage(setting.Group)
	}
	if err != nil {
		return in.Refuse(err)
	}
	var person doc.Player
	err = doc.Set(ctx, room.docs, in.Once, doc.PlayerKey(in.Player.ID), &person, func() error {
		if p.what == "page" {
			return doc.ErrSame
		}
		if person.Erasing {
			return doc.ErrErasing
		}
		person.Locale = cmp.Or(in.Player.Lang, unsaid)
		if !found {
			return chat.ErrForged
		}
		return setting.Choose(&person, p.value)
	})
	if err != nil {
		return in.Refuse(err)
	}
	page := SettingsPage{Home: p.home, Mine: true, Page: cmp.Or(pageOf(p), groupPage(setting.Group))}
	var kept map[*doc.Keeper]map[string]string
	if in.Chat.Private && p.home == in.Chat.Home {
		page.Home = "" // a private chat belongs to nobody else
	} else {
		kept = settingsKeptElsewhere(ctx, all, p.home, in.Player.ID)
	}
	page.Entries = settingEntries(all, in.Player.ID, person, kept)
	page.Trouble = troubleOf(ctx, all, page.Page, in.Player.ID, person)
	screen := page.Screen(lang.For(cmp.Or(person.Lang, in.Player.Lang), in.Chat.Lang))
	return chat.Reply{Screen: &screen, Replace: true}
}

// looks are the settings that a person can choose on the page of a table, because the page shows them at once.
var looks = []string{"lang", "face"}

// look changes one of the person's looks.
func (room *Room) look(ctx context.Context, in chat.Input, l look) chat.Reply {
	setting, found := named(room.Settings().Own, l.what, in.Player.ID)
	if !found || !slices.Contains(looks, l.what) {
		return in.Refuse(chat.ErrForged)
	}
	var person doc.Player
	err := doc.Set(ctx, room.docs, in.Once, doc.PlayerKey(in.Player.ID), &person, func() error {
		if person.Erasing {
			return doc.ErrErasing
		}
		person.Locale = cmp.Or(in.Player.Lang, unsaid)
		return setting.Choose(&person, l.value)
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{}
}

// homePref changes one of a home's settings if the person manages the home, and shows
// the page. It can also only show a page.
func (room *Room) homePref(ctx context.Context, in chat.Input, p press) chat.Reply {
	manages, err := in.MayManage(ctx, p.home)
	if err != nil {
		return room.docs.Known(ctx, in).Refuse(err)
	}
	all := room.Settings().Home
	setting, found := named(all, p.what, p.home)
	if found && setting.Check != nil && manages {
		err = setting.Check(ctx, p.home, p.value)
	}
	if found && setting.Keeper != nil && err == nil {
		if err = chat.ErrAdmin; manages {
			err = setting.Keeper.Set(ctx, in, p.home, p.what, p.value)
		}
		p.what, p.value = "page", groupPage(setting.Group)
	}
	if err != nil {
		return room.docs.Known(ctx, in).Refuse(err)
	}
	var home doc.Home
	var begin table.Table
	err = doc.Set(ctx, room.docs, in.Once, doc.HomeKey(p.home), &home, func() error {
		from, err := home.First()
		if err != nil {
			return err
		}
		begin = table.New("0", p.home, table.Chat{ID: p.home}, table.Player{ID: in.Player.ID}, from.Rules, 0, from.Limit, room.docs.Now())
		begin.Level = from.Level
		if p.what == "page" {
			return doc.ErrSame
		}
		if !manages {
			return chat.ErrAdmin
		}
		if p.home == in.Chat.Home {
			home.Locale = cmp.Or(in.Chat.Lang, unsaid)
		}
		if found {
			return setting.Choose(&home, p.value)
		}
		var choice table.Command = table.Choose{What: p.what, Value: p.value}
		if p.what == view.ChooseForm {
			choice = table.ChooseHouse{Values: in.Fields}
		}
		begin, _, err = table.Apply(begin, table.Player{ID: in.Player.ID}, choice, room.tables.Env())
		home.Default = &doc.Default{Rules: begin.Rules, Limit: begin.Limit, Level: begin.Level}
		return err
	})
	if err != nil {
		return room.docs.Known(ctx, in).Refuse(err)
	}
	public := begin.Public()
	entries := settingEntries(all, p.home, home, settingsKeptElsewhere(ctx, all, p.home, in.Player.ID))
	page := SettingsPage{Home: p.home, Fixed: !manages, Page: cmp.Or(pageOf(p), groupPage(setting.Group), afterChoice(p, begin)), Entries: entries, Own: !home.Default.IsZero(), Begin: &public}
	page.Trouble = troubleOf(ctx, all, page.Page, p.home, home)
	c := room.docs.Known(ctx, in).Catalogue()
	screen := page.Screen(c)
	reply := chat.Reply{Screen: &screen, Replace: true}
	if manages && p.what == "page" {
		reply.Form = view.DefaultsOf(p.home, public, "", c).Form(p.value)
	}
	return reply
}

// pageOf returns the page that a button opens. It returns "" for the first page, and if the button sets a value.
func pageOf(p press) string {
	if p.what == "page" && p.value != listPage {
		return p.value
	}
	return ""
}

// afterChoice returns the page after a choice of how new tables begin: the next question about the game, the house rules
// after one of them, or the group. It returns "" if the press only opens the first page.
func afterChoice(p press, begin table.Table) string {
	if p.what == "page" {
		return ""
	}
	if begin.Page == table.SeatsPage || begin.Page == table.SettingsPage || p.what == "end" {
		return groupPage(screen.GroupTables)
	}
	return string(begin.Page)
}

// tendPlayer runs the job that copies a person's settings to the tables where they sit.
func (room *Room) tendPlayer(ctx context.Context, player string, job store.Job, _ time.Time) error {
	person, err := room.docs.Own(ctx, player)
	if errors.Is(err, doc.ErrErasing) {
		err = doc.ErrNoTable // the person's data is being deleted, so there is nothing to copy
	}
	if err != nil {
		return err
	}
	for _, id := range person.Tables {
		err := room.tables.Bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
			own, seated := t.Private(player)
			if !seated {
				return table.Player{}, nil, false
			}
			now := own.Seats[own.Seat].Player
			then := person.Refresh(now)
			return then, table.Know{}, then != now
		})
		if err != nil {
			return err
		}
	}
	if err := changed(ctx, room.Settings().Own, player, person); err != nil {
		return err
	}
	return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{})
}

// tendHome runs the job that copies a home's settings to its open tables and its tournament.
func (room *Room) tendHome(ctx context.Context, home string, job store.Job, _ time.Time) error {
	doc, err := room.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	for chat, id := range doc.Open {
		err := room.tables.Bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
			i := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return c.ID == chat })
			if i < 0 {
				return table.Player{}, nil, false
			}
			then := doc.Refresh(t.Chats[i])
			return table.Player{}, table.SetChat{Chat: chat, Settings: then.ChatSettings}, then != t.Chats[i]
		})
		if err != nil {
			return err
		}
	}
	if err := room.Tournaments.CopySettings(ctx, doc); err != nil {
		return err
	}
	if err := changed(ctx, room.Settings().Home, home, doc); err != nil {
		return err
	}
	return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{})
}
