package people

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// pref is one setting in documents of type D. Its texts are in the catalogues: see
// view.Pref. To add a setting, add a value to homePrefs or ownPrefs.
type pref[D any] struct {
	name   string
	values []string // allowed values, the default first
	get    func(D) string
	Set    func(*D, string)
}

// usual is the value of a setting that nobody has changed. Documents store it as "".
const usual = "auto"

// unsaid is the language tag for a language that the platform does not report.
const unsaid = "und"

// languages returns the values of a language setting.
func languages() []string { return append([]string{usual}, lang.Languages()...) }

var faces = []string{usual, "german", "french", "plain"}

// The values of an on/off setting.
const (
	prefOn  = "on"
	prefOff = "off"
)

func onOff(on bool) string {
	if on {
		return prefOn
	}
	return prefOff
}

// unusual returns a setting's value as documents store it: "" instead of "auto".
func unusual(v string) string {
	if v == usual {
		return ""
	}
	return v
}

// zones are the available time zones: those of countries where these games are played.
var zones = []struct{ name, zone string }{
	{"utc", ""}, {"cz", "Europe/Prague"}, {"sk", "Europe/Bratislava"}, {"hu", "Europe/Budapest"}, {"ro", "Europe/Bucharest"},
	{"ua", "Europe/Kyiv"}, {"fi", "Europe/Helsinki"}, {"pl", "Europe/Warsaw"}, {"de", "Europe/Berlin"}, {"hr", "Europe/Zagreb"}, {"rs", "Europe/Belgrade"},
}

func zoneNames() []string {
	var names []string
	for _, z := range zones {
		names = append(names, z.name)
	}
	return names
}

// homePrefs are the settings of a home.
var homePrefs = []pref[doc.Home]{
	{"lang", languages(), func(d doc.Home) string { return cmp.Or(d.Lang, usual) }, func(d *doc.Home, v string) { d.Lang = unusual(v) }},
	{"face", faces, func(d doc.Home) string { return cmp.Or(d.Face, usual) }, func(d *doc.Home, v string) { d.Face = unusual(v) }},
	{"pictures", []string{prefOn, prefOff}, func(d doc.Home) string { return onOff(!d.NoPictures) }, func(d *doc.Home, v string) { d.NoPictures = v == prefOff }},
	{"zone", zoneNames(), func(d doc.Home) string {
		for _, z := range zones {
			if z.zone == d.Zone {
				return z.name
			}
		}
		return zones[0].name
	}, func(d *doc.Home, v string) {
		for _, z := range zones {
			if z.name == v {
				d.Zone = z.zone
			}
		}
	}},
	{"openers", []string{"all", "admins"}, func(d doc.Home) string { return cmp.Or(d.Openers, "all") }, func(d *doc.Home, v string) {
		if d.Openers = v; v == "all" {
			d.Openers = ""
		}
	}},
	{"strangers", []string{prefOff, prefOn}, func(d doc.Home) string { return onOff(d.Strangers) }, func(d *doc.Home, v string) { d.Strangers = v == prefOn }},
	{"calls", []string{prefOn, prefOff}, func(d doc.Home) string { return onOff(!d.Quiet) }, func(d *doc.Home, v string) { d.Quiet = v == prefOff }},
	{"keep", []string{"180", "30", "365"}, func(d doc.Home) string { return strconv.Itoa(cmp.Or(d.Keep, 180)) }, func(d *doc.Home, v string) {
		d.Keep, _ = strconv.Atoi(v)
		if d.Keep == 180 {
			d.Keep = 0
		}
	}},
	{"season", []string{"3", "1", "6", "12"}, func(d doc.Home) string { return strconv.Itoa(cmp.Or(d.Season, league.DefaultSeason)) }, func(d *doc.Home, v string) {
		d.Season, _ = strconv.Atoi(v)
		if d.Season == league.DefaultSeason {
			d.Season = 0
		}
	}},
	{"puzzles", []string{prefOff, prefOn}, func(d doc.Home) string { return onOff(d.Puzzles) }, func(d *doc.Home, v string) { d.Puzzles = v == prefOn }},
	{"marks", []string{prefOff, prefOn}, func(d doc.Home) string { return onOff(d.Marks) }, func(d *doc.Home, v string) { d.Marks = v == prefOn }},
}

// latePref is the setting of a home that delays what spectators see on the table's page.
var latePref = pref[doc.Home]{"late", []string{prefOff, prefOn}, func(d doc.Home) string { return onOff(d.Late) }, func(d *doc.Home, v string) { d.Late = v == prefOn }}

// homePrefs returns the settings of a home. Those of pages are there only if tables have
// pages.
func (room *Room) homePrefs() []pref[doc.Home] {
	if !room.Pages {
		return homePrefs
	}
	return append(slices.Clone(homePrefs), latePref)
}

// ownPrefs are the settings of a person.
var ownPrefs = []pref[doc.Player]{
	{"lang", languages(), func(d doc.Player) string { return cmp.Or(d.Lang, usual) }, func(d *doc.Player, v string) { d.Lang = unusual(v) }},
	{"face", faces, func(d doc.Player) string { return cmp.Or(d.Face, usual) }, func(d *doc.Player, v string) { d.Face = unusual(v) }},
	{"pictures", []string{prefOn, prefOff}, func(d doc.Player) string { return onOff(!d.NoPictures) }, func(d *doc.Player, v string) { d.NoPictures = v == prefOff }},
	{"calls", []string{prefOn, prefOff}, func(d doc.Player) string { return onOff(!d.Quiet) }, func(d *doc.Player, v string) { d.Quiet = v == prefOff }},
	{"way", []string{"message", "button"}, func(d doc.Player) string {
		if d.OnCall {
			return "button"
		}
		return "message"
	}, func(d *doc.Player, v string) { d.OnCall = v == "button" }},
	{"seen", []string{doc.SeenNo, doc.SeenYes}, func(d doc.Player) string { return cmp.Or(d.Seen, doc.SeenNo) }, func(d *doc.Player, v string) { d.Seen = v }},
}

// put changes a setting. It reports whether a setting of that name allows the value.
func put[D any](all []pref[D], doc *D, name, value string) bool {
	i := slices.IndexFunc(all, func(p pref[D]) bool { return p.name == name && slices.Contains(p.values, value) })
	if i >= 0 {
		all[i].Set(doc, value)
	}
	return i >= 0
}

// entriesOf returns the settings in the form that screens use.
func entriesOf[D any](all []pref[D], doc D) []view.Pref {
	var out []view.Pref
	for _, p := range all {
		out = append(out, view.Pref{Name: p.name, Value: p.get(doc), Values: p.values})
	}
	return out
}

// Prefs shows the settings. Outside private chats, people who manage the home see the
// home's settings. Everyone else sees their own.
func (room *Room) Prefs(ctx context.Context, in chat.Input) chat.Reply {
	p := view.Press{Action: view.ActMine, What: "page", Value: view.PrefsList, Home: in.Chat.Home}
	var own doc.Player
	if !in.Chat.Private {
		manages, err := in.MayManage(ctx, in.Chat.Home)
		if err != nil {
			return in.Refuse(err)
		}
		if manages {
			p.Action = view.ActHome
		}
	}
	err := doc.Set(ctx, room.docs, "", doc.PlayerKey(in.Player.ID), &own, func() error {
		if in.Chat.Private || own.Asked == in.Chat.Home && own.AskedIn == in.Chat.ID {
			return doc.ErrSame
		}
		own.Asked, own.AskedIn = in.Chat.Home, in.Chat.ID
		return nil
	})
	if err != nil {
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
func (room *Room) Pref(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	if p.Home == "" {
		if !in.Chat.Private {
			return room.docs.Known(ctx, in).Refuse(chat.ErrForged)
		}
		p.Home = in.Chat.Home
	}
	if p.Home != in.Chat.Home {
		own, err := room.docs.Own(ctx, in.Player.ID)
		mayRead := err == nil && own.Asked == p.Home
		if err == nil && !mayRead && p.Action == view.ActHome {
			mayRead, err = in.MayManage(ctx, p.Home)
		}
		if err == nil && !mayRead {
			err = chat.ErrForged
		}
		if err != nil {
			return room.docs.Known(ctx, in).Refuse(err)
		}
	}
	if p.Action == view.ActMine {
		return room.ownPref(ctx, in, p)
	}
	return room.homePref(ctx, in, p)
}

// tellPrefs are a person's settings about new tables in a home.
var tellPrefs = []string{"tell", "tell_game", "tell_quiet"}

// postedPrefs are a home's settings about what is posted there.
var postedPrefs = []string{"morning", "weekly"}

// ownPref changes one of the person's own settings and shows the page, or only shows a page.
func (room *Room) ownPref(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	if slices.Contains(tellPrefs, p.What) {
		if err := room.News.Set(ctx, in, p.Home, p.What, p.Value); err != nil {
			return in.Refuse(err)
		}
		p.What, p.Value = "page", view.PrefsList
	}
	var person doc.Player
	err := doc.Set(ctx, room.docs, in.Once, doc.PlayerKey(in.Player.ID), &person, func() error {
		if p.What == "page" {
			return doc.ErrSame
		}
		if person.Erasing {
			return doc.ErrErasing
		}
		person.Locale = cmp.Or(in.Player.Lang, unsaid)
		if !put(ownPrefs, &person, p.What, p.Value) {
			return chat.ErrForged
		}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	page := view.Prefs{Home: p.Home, Mine: true, Page: pageOf(p), Entries: entriesOf(ownPrefs, person)}
	if in.Chat.Private && p.Home == in.Chat.Home {
		page.Home = "" // a private chat belongs to nobody else
	} else if told, err := room.News.Prefs(ctx, p.Home, in.Player.ID); err == nil {
		page.Entries = append(page.Entries, told...)
	}
	screen := page.Screen(lang.For(cmp.Or(person.Lang, in.Player.Lang), in.Chat.Lang))
	return chat.Reply{Screen: &screen, Replace: true}
}

// Seen handles the buttons under the boards over all chats. They ask whether people of
// other chats may see the person's name.
func (room *Room) Seen(ctx context.Context, in chat.Input, value string) error {
	var person doc.Player
	return doc.Set(ctx, room.docs, in.Once, doc.PlayerKey(in.Player.ID), &person, func() error {
		if person.Erasing {
			return doc.ErrErasing
		}
		if person.Seen == value {
			return doc.ErrSame
		}
		if !put(ownPrefs, &person, "seen", value) {
			return chat.ErrForged
		}
		return nil
	})
}

// homePref changes one of a home's settings if the person manages the home, and shows
// the page. It can also only show a page.
func (room *Room) homePref(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	manages, err := in.MayManage(ctx, p.Home)
	if err != nil {
		return room.docs.Known(ctx, in).Refuse(err)
	}
	if slices.Contains(postedPrefs, p.What) {
		err := error(chat.ErrAdmin)
		if manages {
			err = room.News.SetPosted(ctx, in, p.Home, p.What, p.Value)
		}
		if err != nil {
			return room.docs.Known(ctx, in).Refuse(err)
		}
		p.What, p.Value = "page", view.PrefsList
	}
	if manages && p.What == "marks" && p.Value == prefOn {
		if err := room.Marks.May(ctx, p.Home); err != nil {
			return room.docs.Known(ctx, in).Refuse(err)
		}
	}
	var home doc.Home
	var begin table.Table
	err = doc.Set(ctx, room.docs, in.Once, doc.HomeKey(p.Home), &home, func() error {
		from, err := home.Beginning()
		if err != nil {
			return err
		}
		begin = table.New("0", p.Home, table.Chat{ID: p.Home}, table.Player{ID: in.Player.ID}, from.Rules, 0, from.Limit, room.docs.Now())
		begin.Level = from.Level
		if p.What == "page" {
			return doc.ErrSame
		}
		if !manages {
			return chat.ErrAdmin
		}
		if p.Home == in.Chat.Home {
			home.Locale = cmp.Or(in.Chat.Lang, unsaid)
		}
		if put(room.homePrefs(), &home, p.What, p.Value) {
			return nil
		}
		begin, _, err = table.Apply(begin, table.Player{ID: in.Player.ID}, table.Choose{What: p.What, Value: p.Value}, room.tables.Env())
		home.Default = &doc.Default{Rules: begin.Rules, Limit: begin.Limit, Level: begin.Level}
		return err
	})
	if err != nil {
		return room.docs.Known(ctx, in).Refuse(err)
	}
	public := begin.Public()
	page := view.Prefs{Home: p.Home, Fixed: !manages, Page: cmp.Or(pageOf(p), string(begin.Page)), Entries: entriesOf(room.homePrefs(), home), Begin: &public}
	if posted, err := room.News.Posted(ctx, p.Home); err == nil {
		page.Entries = append(page.Entries, posted...)
	}
	in = room.docs.Known(ctx, in)
	if page.Page == "marks" && home.Marks {
		page.Trouble = room.Marks.Trouble(ctx, p.Home).Key()
	}
	screen := page.Screen(in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: true}
}

// pageOf returns the page that a button opens. It returns "" for the list of pages, and
// if the button sets a value.
func pageOf(p view.Press) string {
	if p.What == "page" && p.Value != view.PrefsList {
		return p.Value
	}
	return ""
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
			then := person.DressAgain(now)
			return then, table.Know{}, then != now
		})
		if err != nil {
			return err
		}
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
			then := doc.DressAgain(t.Chats[i])
			return table.Player{}, table.Dress{Chat: chat, Settings: then.ChatSettings}, then != t.Chats[i]
		})
		if err != nil {
			return err
		}
	}
	if err := room.Tournaments.Dress(ctx, doc); err != nil {
		return err
	}
	if err := room.Marks.Wake(ctx, home, doc); err != nil {
		return err
	}
	return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{})
}
