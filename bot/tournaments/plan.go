package tournaments

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Evening plans a tournament at a set time, or lists those of this home.
func (room *Room) Evening(ctx context.Context, in chat.Input) chat.Reply {
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text("reply.cup_private"), Outcome: chat.Refused}
	}
	home, err := room.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	when, weekly := cutWeekly(in.Args["when"], in.Catalogue())
	if when == "" {
		return room.listEvenings(ctx, in, home)
	}
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	at, err := parseWhen(when, in.Catalogue(), zoneOf(home), room.docs.Now())
	if errors.Is(err, errEveningWhen) {
		return chat.Reply{Toast: in.Text("reply.evening_when", "day", strings.ToLower(in.Catalogue().Text("day.5"))), Outcome: chat.Refused}
	}
	if err == nil {
		err = room.plan(ctx, in, home, Evening{At: at, Weekly: weekly || in.Args["repeat"] == "weekly"})
	}
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.evening_planned"), Echo: true}
}

// plan adds an evening. Only someone who manages the chat may plan a weekly one, because
// it writes to the chat every week.
func (room *Room) plan(ctx context.Context, in chat.Input, home doc.Home, v Evening) error {
	err := home.Opens(ctx, in)
	if err == nil && v.Weekly {
		var manages bool
		if manages, err = in.MayManage(ctx, in.Chat.Home); err == nil && !manages {
			err = chat.ErrAdmin
		}
	}
	own, ownErr := room.docs.Own(ctx, in.Player.ID)
	if err = errors.Join(err, ownErr); err != nil {
		return err
	}
	v.Lobby, err = lobbyOf(in, home, own)
	if err != nil {
		return err
	}
	v.Opens = room.docs.Now()
	return room.updateEvenings(ctx, in.Once, eveningsID(in.Chat.Home), func(e *Evenings) error {
		if len(e.List) >= maxEvenings {
			return errEveningMost
		}
		e.Home = in.Chat.Home
		e.Last++
		v.No = e.Last
		e.List = append(slices.Clip(e.List), v)
		return nil
	})
}

// listEvenings replies with the coming evenings.
func (room *Room) listEvenings(ctx context.Context, in chat.Input, home doc.Home) chat.Reply {
	e, _, err := room.loadEvenings(ctx, eveningsID(in.Chat.Home))
	if err != nil && !errors.Is(err, errEveningOver) {
		return in.Refuse(err)
	}
	plan := in.Text("evening.plan", "day", strings.ToLower(in.Catalogue().Text("day.5")), "weekly", in.Text("word.weekly"), "zone", zoneOf(home).String())
	screen := eveningList(e.views(e.List, zoneOf(home)), plan, in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// loadEvenings loads a home's evenings. It returns errEveningOver if there are none.
func (room *Room) loadEvenings(ctx context.Context, id string) (e Evenings, version int64, err error) {
	keys, ok := eveningsKeys(id)
	version, err = room.load(ctx, keys, ok, &e, errEveningOver)
	return e, version, err
}

// updateEvenings loads a home's evenings, lets step change them, and commits them; it
// retries after conflicts. If step returns doc.ErrSame, nothing is committed. step may run
// several times, so it must have no side effects.
func (room *Room) updateEvenings(ctx context.Context, event, id string, step func(*Evenings) error) error {
	keys, ok := eveningsKeys(id)
	if !ok {
		return chat.ErrForged
	}
	return room.docs.Update(ctx, event, keys[:1], func(docs []store.Doc, c *store.Change) error {
		var e Evenings
		if err := doc.Decode(docs[0], &e); err != nil {
			return err
		}
		if err := step(&e); err != nil {
			return err
		}
		c.Writes = []store.Write{e.write(docs[0].Version)}
		c.Due = []store.Mark{{ID: eveningsName(id), At: c.Now}}
		return nil
	})
}

// eveningPressed handles a press on the message of an evening, or in the list of evenings.
func (room *Room) eveningPressed(ctx context.Context, in chat.Input, p press) chat.Reply {
	no, at, value, ok := ParseEvening(p.value)
	if !ok {
		return in.Refuse(chat.ErrForged)
	}
	own, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	var reply chat.Reply
	err = room.updateEvenings(ctx, in.Once, p.id, func(e *Evenings) error {
		reply = chat.Reply{}
		i := e.find(no, at)
		if i < 0 {
			return errEveningOver
		}
		e.List = slices.Clone(e.List)
		v := &e.List[i]
		home, err := room.docs.Home(ctx, e.Home)
		if err != nil {
			return err
		}
		key := ""
		switch p.what {
		case "join", "leave", "partner":
			if p.what == "partner" && value == "" {
				reply, err = pickPartner(in, *v, e.views(e.List, zoneOf(home))[i])
				return cmp.Or(err, doc.ErrSame)
			}
			key, err = v.Lobby.do(cupPress{what: p.what, value: value, player: own.Dress(in.TablePlayer()), now: room.docs.Now()})
		case "off", "skip", "stop":
			organises, err := v.Lobby.organises(ctx, in)
			switch {
			case err != nil:
				return err
			case !organises:
				return errCupHost
			case p.what == "off":
				screen := askEveningOff(e.views(e.List, zoneOf(home))[i], in.Catalogue())
				reply.Screen = &screen
				return doc.ErrSame
			}
			key = "reply.evening_off"
			e.settle(i, EveningOffResult, p.what == "skip" && v.Weekly, zoneOf(home), room.docs.Now())
		default:
			return chat.ErrForged
		}
		if key != "" {
			reply.Toast = in.Text(key)
		}
		return err
	})
	if err != nil {
		return in.Refuse(err)
	}
	return reply
}

// pickPartner replies with a list of the people who are looking for a partner.
func pickPartner(in chat.Input, v Evening, shown EveningView) (chat.Reply, error) {
	if !slices.ContainsFunc(v.Lobby.Entrants, func(e cupEntrant) bool { return v.Lobby.waits(e) && e.Players[0].ID != in.Player.ID }) {
		return chat.Reply{}, errCupNobody
	}
	screen := askEveningPartners(shown, in.Catalogue())
	return chat.Reply{Screen: &screen}, nil
}

// restoreEvenings makes the job of the restored evenings due.
func restoreEvenings(r *doc.Restored, stored store.Doc) error {
	var e Evenings
	if err := doc.Decode(stored, &e); err != nil {
		return err
	}
	return doc.RestoreDue(r, stored)
}

// forgetEvenings takes the person out of a home's evenings. If the home is being deleted,
// its evenings are deleted too.
func (room *Room) forgetEvenings(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var e Evenings
	if err := doc.Decode(stored, &e); err != nil {
		return false, err
	}
	_, id, _ := strings.Cut(stored.Key.Name, ":")
	if e.Home == s.Home {
		return true, room.docs.Store.Commit(ctx, store.Change{
			Partition: stored.Key.Partition, Now: room.docs.Now(),
			Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(id), Expect: store.Any}},
		})
	}
	if s.Player == "" || !e.forget(s.Player, s.Gone(e.Home)) {
		return false, nil
	}
	return true, room.docs.Commit(ctx, "", store.Change{
		Partition: stored.Key.Partition, Now: room.docs.Now(),
		Writes: []store.Write{e.write(stored.Version)}, Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
	})
}

// eveningExport is an evening that a person planned or signed up for, in the export of
// their data.
type eveningExport struct {
	Evening string `json:"evening"`
	Home    string `json:"home"`
	At      string `json:"at"`
	Entrant int    `json:"entrant,omitempty"` // the person's place among the entrants, from 1; 0: none
	Planned bool   `json:"planned,omitempty"`
}

func exportEvenings(x *doc.Export, stored store.Doc) error {
	var e Evenings
	if err := doc.Decode(stored, &e); err != nil {
		return err
	}
	for _, v := range slices.Concat(e.List, e.Past) {
		if i := v.Lobby.entrant(x.Player); i >= 0 || v.Lobby.Host.ID == x.Player {
			x.Add("evenings", eveningExport{
				Evening: strconv.Itoa(v.No), Home: e.Home, At: v.At.UTC().Format("2006-01-02T15:04:05Z07:00"), Entrant: i + 1, Planned: v.Lobby.Host.ID == x.Player,
			})
		}
	}
	return nil
}
