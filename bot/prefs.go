package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// pref is one entry of the settings that D keeps. Its words are in the
// catalogues: see view.Pref. Another entry is one more value in the list.
type pref[D any] struct {
	name   string
	values []string // what can be chosen, the usual one first
	get    func(D) string
	set    func(*D, string)
}

// usual is what stands for "as it is unless somebody sets it".
const usual = "auto"

// unsaid is the tag of a language that the platform does not tell.
const unsaid = "und"

// languages are the values of a language entry.
func languages() []string { return append([]string{usual}, lang.Languages()...) }

var faces = []string{usual, "german", "french", "plain"}

// The values of a switch.
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

// unusual is a value as documents keep it.
func unusual(v string) string {
	if v == usual {
		return ""
	}
	return v
}

// zones are the time zones that can be chosen: the countries of these games.
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
var homePrefs = []pref[homeDoc]{
	{"lang", languages(), func(d homeDoc) string { return cmp.Or(d.Lang, usual) }, func(d *homeDoc, v string) { d.Lang = unusual(v) }},
	{"face", faces, func(d homeDoc) string { return cmp.Or(d.Face, usual) }, func(d *homeDoc, v string) { d.Face = unusual(v) }},
	{"pictures", []string{prefOn, prefOff}, func(d homeDoc) string { return onOff(!d.Words) }, func(d *homeDoc, v string) { d.Words = v == prefOff }},
	{"zone", zoneNames(), func(d homeDoc) string {
		for _, z := range zones {
			if z.zone == d.Zone {
				return z.name
			}
		}
		return zones[0].name
	}, func(d *homeDoc, v string) {
		for _, z := range zones {
			if z.name == v {
				d.Zone = z.zone
			}
		}
	}},
	{"openers", []string{"all", "admins"}, func(d homeDoc) string { return cmp.Or(d.Openers, "all") }, func(d *homeDoc, v string) {
		if d.Openers = v; v == "all" {
			d.Openers = ""
		}
	}},
	{"calls", []string{prefOn, prefOff}, func(d homeDoc) string { return onOff(!d.Quiet) }, func(d *homeDoc, v string) { d.Quiet = v == prefOff }},
	{"keep", []string{"180", "30", "365"}, func(d homeDoc) string { return strconv.Itoa(cmp.Or(d.Keep, 180)) }, func(d *homeDoc, v string) {
		d.Keep, _ = strconv.Atoi(v)
		if d.Keep == 180 {
			d.Keep = 0
		}
	}},
	{"season", []string{"3", "1", "6", "12"}, func(d homeDoc) string { return strconv.Itoa(cmp.Or(d.Season, defaultSeason)) }, func(d *homeDoc, v string) {
		d.Season, _ = strconv.Atoi(v)
		if d.Season == defaultSeason {
			d.Season = 0
		}
	}},
}

// ownPrefs are the settings of a person.
var ownPrefs = []pref[playerDoc]{
	{"lang", languages(), func(d playerDoc) string { return cmp.Or(d.Lang, usual) }, func(d *playerDoc, v string) { d.Lang = unusual(v) }},
	{"face", faces, func(d playerDoc) string { return cmp.Or(d.Face, usual) }, func(d *playerDoc, v string) { d.Face = unusual(v) }},
	{"pictures", []string{prefOn, prefOff}, func(d playerDoc) string { return onOff(!d.Words) }, func(d *playerDoc, v string) { d.Words = v == prefOff }},
	{"calls", []string{prefOn, prefOff}, func(d playerDoc) string { return onOff(!d.Quiet) }, func(d *playerDoc, v string) { d.Quiet = v == prefOff }},
	{"way", []string{"message", "button"}, func(d playerDoc) string {
		if d.OnCall {
			return "button"
		}
		return "message"
	}, func(d *playerDoc, v string) { d.OnCall = v == "button" }},
}

// put sets an entry; it reports false if there is none of that name with that value.
func put[D any](all []pref[D], doc *D, name, value string) bool {
	i := slices.IndexFunc(all, func(p pref[D]) bool { return p.name == name && slices.Contains(p.values, value) })
	if i >= 0 {
		all[i].set(doc, value)
	}
	return i >= 0
}

// entriesOf are entries as a screen shows them.
func entriesOf[D any](all []pref[D], doc D) []view.Pref {
	var out []view.Pref
	for _, p := range all {
		out = append(out, view.Pref{Name: p.name, Value: p.get(doc), Values: p.values})
	}
	return out
}

// prefs shows the settings: a person's own, or for those who manage the chat its own.
func (b *Bot) prefs(ctx context.Context, in Input) Reply {
	p := view.Press{Action: view.ActMine, What: "page", Value: view.PrefsList, Home: in.Chat.Home}
	var own playerDoc
	if !in.Chat.Private {
		manages, err := in.MayManage(ctx, in.Chat.Home)
		if err != nil {
			return in.Refuse(err)
		}
		if manages {
			p.Action = view.ActHome
		}
	}
	err := set(ctx, b.docs, "", playerKey(in.Player.ID), &own, func() error {
		if in.Chat.Private || own.Asked == in.Chat.Home {
			return errSame
		}
		own.Asked = in.Chat.Home
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	reply := b.pref(ctx, in, p)
	reply.Replace = false
	return reply
}

// pref does one press in the settings: on a page of the home where it was pressed,
// of one that the presser manages, or of the one in which they asked for the page.
// A page in the person's private chat names no home.
func (b *Bot) pref(ctx context.Context, in Input, p view.Press) Reply {
	if p.Home == "" {
		if !in.Chat.Private {
			return b.docs.Known(ctx, in).Refuse(errForged)
		}
		p.Home = in.Chat.Home
	}
	if p.Home != in.Chat.Home {
		own, err := b.docs.Own(ctx, in.Player.ID)
		mayRead := err == nil && own.Asked == p.Home
		if err == nil && !mayRead && p.Action == view.ActHome {
			mayRead, err = in.MayManage(ctx, p.Home)
		}
		if err == nil && !mayRead {
			err = errForged
		}
		if err != nil {
			return b.docs.Known(ctx, in).Refuse(err)
		}
	}
	if p.Action == view.ActMine {
		return b.ownPref(ctx, in, p)
	}
	return b.homePref(ctx, in, p)
}

// ownPref sets one of the person's own settings, or shows a page of them.
func (b *Bot) ownPref(ctx context.Context, in Input, p view.Press) Reply {
	if p.What == "tell" {
		if _, err := b.docs.Own(ctx, in.Player.ID); err != nil {
			return in.Refuse(err)
		}
		if err := b.tellOf(ctx, in, p); err != nil {
			return in.Refuse(err)
		}
		p.What, p.Value = "page", view.PrefsList
	}
	var doc playerDoc
	err := set(ctx, b.docs, in.Once, playerKey(in.Player.ID), &doc, func() error {
		if p.What == "page" {
			return errSame
		}
		if doc.Erasing {
			return errErasing
		}
		doc.Locale = cmp.Or(in.Player.Lang, unsaid)
		if !put(ownPrefs, &doc, p.What, p.Value) {
			return errForged
		}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	page := view.Prefs{Home: p.Home, Mine: true, Page: pageOf(p), Entries: entriesOf(ownPrefs, doc)}
	if in.Chat.Private && p.Home == in.Chat.Home {
		page.Home = "" // there is nobody but him
	} else if home, err := b.docs.Home(ctx, p.Home); err == nil {
		_, told := home.Tell[in.Player.ID]
		page.Entries = append(page.Entries, view.Pref{Name: "tell", Value: onOff(told), Values: []string{prefOff, prefOn}})
	}
	screen := page.Screen(lang.For(cmp.Or(doc.Lang, in.Player.Lang), in.Chat.Lang))
	return Reply{Screen: &screen, Replace: true}
}

// errListeners refuses one more person who wants to hear of new tables.
var errListeners = NewLimit("listeners", mostListeners)

// tellOf has a home tell the person of new tables, or no more.
func (b *Bot) tellOf(ctx context.Context, in Input, p view.Press) error {
	var home homeDoc
	return set(ctx, b.docs, in.Once, homeKey(p.Home), &home, func() error {
		switch {
		case p.Value == prefOff:
			delete(home.Tell, in.Player.ID)
		case p.Value != prefOn:
			return errForged
		case len(home.Tell) >= mostListeners:
			return errListeners
		default:
			if home.Tell == nil {
				home.Tell = map[string]string{}
			}
			home.Tell[in.Player.ID] = cleanName(in.Player.Name)
		}
		return nil
	})
}

// homePref sets one of a home's settings, for those who manage it, or shows a
// page of them.
func (b *Bot) homePref(ctx context.Context, in Input, p view.Press) Reply {
	manages, err := in.MayManage(ctx, p.Home)
	if err != nil {
		return b.docs.Known(ctx, in).Refuse(err)
	}
	var doc homeDoc
	var begin table.Table
	err = set(ctx, b.docs, in.Once, homeKey(p.Home), &doc, func() error {
		from, err := doc.beginning()
		if err != nil {
			return err
		}
		begin = table.New("0", p.Home, table.Chat{ID: p.Home}, table.Player{ID: in.Player.ID}, from.Rules, 0, from.Limit, b.docs.Now())
		begin.Level = from.Level
		if p.What == "page" {
			return errSame
		}
		if !manages {
			return errAdmin
		}
		if p.Home == in.Chat.Home {
			doc.Locale = cmp.Or(in.Chat.Lang, unsaid)
		}
		if put(homePrefs, &doc, p.What, p.Value) {
			return nil
		}
		begin, _, err = table.Apply(begin, table.Player{ID: in.Player.ID}, table.Choose{What: p.What, Value: p.Value}, b.env())
		doc.Default = &homeDefault{Rules: begin.Rules, Limit: begin.Limit, Level: begin.Level}
		return err
	})
	if err != nil {
		return b.docs.Known(ctx, in).Refuse(err)
	}
	public := begin.Public()
	page := view.Prefs{Home: p.Home, Fixed: !manages, Page: cmp.Or(pageOf(p), string(begin.Page)), Entries: entriesOf(homePrefs, doc), Begin: &public}
	in = b.docs.Known(ctx, in)
	screen := page.Screen(in.Catalogue())
	return Reply{Screen: &screen, Replace: true}
}

// pageOf is the page that a press asks for; "" after a choice.
func pageOf(p view.Press) string {
	if p.What == "page" && p.Value != view.PrefsList {
		return p.Value
	}
	return ""
}

// errSame: nothing has to be written.
var errSame = errors.New("nothing changed")

// set loads a document of settings into doc, lets step change it and commits
// it, once for an event unless that is "", and makes the job of the same name due,
// which brings the change to the open tables.
func set[D any](ctx context.Context, d *Docs, event string, key store.Key, doc *D, step func() error) error {
	for range attempts {
		docs, err := d.Store.Get(ctx, key)
		if err != nil {
			return err
		}
		*doc = *new(D)
		if err := decode(docs[0], doc); err != nil {
			return err
		}
		if err := step(); errors.Is(err, errSame) {
			return nil
		} else if err != nil {
			return err
		}
		now := d.Now()
		err = d.CommitOnce(ctx, event, store.Change{
			Partition: key.Partition,
			Writes:    []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: encode(doc)}},
			Due:       []store.Mark{{ID: key.Name, At: now}},
			Now:       now,
		})
		if err == nil {
			d.Nudge()
			return nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return errBusy
}

// tendPlayer brings what a person set to the tables at which he sits.
func (b *Bot) tendPlayer(ctx context.Context, player string, job store.Job, _ time.Time) error {
	doc, err := b.docs.Own(ctx, player)
	if errors.Is(err, errErasing) {
		err = errNoTable // nothing is brought anywhere any more
	}
	if err != nil {
		return err
	}
	for _, id := range doc.Tables {
		err := b.bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
			own, seated := t.Private(player)
			if !seated {
				return table.Player{}, nil, false
			}
			now := own.Seats[own.Seat].Player
			then := now
			then.Lang = cmp.Or(doc.Locale, then.Lang)
			then = doc.dress(then)
			return then, table.Know{}, then != now
		})
		if err != nil {
			return err
		}
	}
	return b.docs.Store.Release(ctx, job, b.docs.Now(), time.Time{})
}

// tendHome brings what was set for a home to its open tables and its tournament.
func (b *Bot) tendHome(ctx context.Context, home string, job store.Job, _ time.Time) error {
	doc, err := b.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	for chat, id := range doc.Open {
		err := b.bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
			i := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return c.ID == chat })
			if i < 0 {
				return table.Player{}, nil, false
			}
			then := doc.dressAgain(t.Chats[i])
			return table.Player{}, table.Dress{Chat: chat, Lang: then.Lang, Face: then.Face, Quiet: then.Quiet, Words: then.Words}, then != t.Chats[i]
		})
		if err != nil {
			return err
		}
	}
	if err := b.dressCup(ctx, doc); err != nil {
		return err
	}
	return b.docs.Store.Release(ctx, job, b.docs.Now(), time.Time{})
}

// bring gives a table a command, if it needs one. A table that is gone, or that
// cannot be read, is left alone.
func (b *Bot) bring(ctx context.Context, id string, needs func(table.Table) (table.Player, table.Command, bool)) error {
	_, err := b.update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		player, command, changed := needs(t)
		if !changed {
			return t, nil, errSame
		}
		return table.Apply(t, player, command, b.env())
	})
	var refused table.Refusal
	if errors.Is(err, errSame) || errors.Is(err, errNoTable) || errors.Is(err, errNewer) || unreadable(err) || errors.As(err, &refused) {
		return nil
	}
	return err
}
