package tournaments

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Command opens a tournament, or plans one if the words name a time. Without words, it also lists the planned ones.
func (room *Room) Command(ctx context.Context, in chat.Input) chat.Reply {
	if in.Args["when"] != "" || in.Args["repeat"] != "" {
		return room.Evening(ctx, in)
	}
	reply := room.Open(ctx, in)
	if in.Chat.Private || in.Args["kind"] != "" || in.Args["game"] != "" || reply.Outcome == chat.Failed {
		return reply
	}
	home, err := room.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	list, n, err := room.listEvenings(ctx, in, home)
	switch {
	case err != nil:
		return in.Refuse(err)
	case reply.Screen != nil:
		list.Blocks, list.Rows = append(reply.Screen.Blocks, list.Blocks...), append(reply.Screen.Rows, list.Rows...)
	case n == 0:
		return reply
	default:
		list.Blocks = append(view.Said(reply.Toast, in.Catalogue()).Blocks, list.Blocks...)
	}
	reply.Screen = &list
	return reply
}

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
		list, _, err := room.listEvenings(ctx, in, home)
		if err != nil {
			return in.Refuse(err)
		}
		return chat.Reply{Screen: &list}
	}
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	at, clock, err := parseWhen(when, in.Catalogue(), zoneOf(home), room.docs.Now())
	if errors.Is(err, errEveningWhen) {
		return chat.Reply{Toast: in.Text("reply.evening_when", "day", strings.ToLower(in.Catalogue().Text("day.5"))), Outcome: chat.Refused}
	}
	if err == nil {
		err = room.docs.Ask(ctx, in)
	}
	var v Evening
	if err == nil {
		v, err = room.evening(ctx, in, home, plan{at: at, clock: clock, weekly: weekly || in.Args["repeat"] == "weekly"})
	}
	if err != nil {
		return in.Refuse(err)
	}
	lobby := v.Lobby
	lobby.ID = eveningsID(in.Chat.Home)
	planned := EveningView{TournamentView: lobby.view(), At: at.In(zoneOf(home)), Weekly: v.Weekly}
	question := planned.ask(planOf(in.Args["kind"], in.Args["game"], v).String(), in.Catalogue())
	return chat.Reply{Screen: &question}
}

// plan is what a press on the question of Evening carries.
type plan struct {
	at         time.Time
	clock      int    // see Evening.Clock
	kind, game string // as the command has them
	weekly     bool
}

func planOf(kind, game string, v Evening) plan { return plan{v.At, v.Clock, kind, game, v.Weekly} }

// String returns the plan as the value of a press: the time in seconds since 1970, a letter each for the kind and the
// repeat, the minutes of the clock unless they are 0, and the game.
func (p plan) String() string {
	kind, repeat := "a", "o"
	if p.kind != "" {
		kind = p.kind[:1]
	}
	if p.weekly {
		repeat = "w"
	}
	if p.clock > 0 {
		repeat += strconv.Itoa(p.clock)
	}
	return strconv.FormatInt(p.at.Unix(), 36) + "-" + kind + repeat + "-" + p.game
}

// parsePlan parses what String returned.
func parsePlan(s string) (p plan, ok bool) {
	f := strings.SplitN(s, "-", 3)
	if len(f) != 3 || len(f[1]) < 2 {
		return p, false
	}
	at, err := strconv.ParseInt(f[0], 36, 64)
	p = plan{at: time.Unix(at, 0), game: f[2], weekly: f[1][1] == 'w'}
	p.clock, _ = strconv.Atoi(f[1][2:])
	if p.clock < 0 || p.clock >= 24*60 {
		return p, false
	}
	for _, kind := range TournamentKinds {
		if kind[0] == f[1][0] {
			p.kind = kind
		}
	}
	return p, err == nil && p.String() == s
}

// planned plans an evening, as the person has confirmed.
func (room *Room) planned(ctx context.Context, in chat.Input, p press) chat.Reply {
	there, err := room.docs.Where(ctx, in)
	wish, ok := parsePlan(p.value)
	if err == nil && (!ok || p.id != eveningsID(there.Chat.Home) || wish.game != "" && !slices.Contains(table.TournamentGames(), wish.game)) {
		err = chat.ErrForged
	}
	var home doc.Home
	if err == nil {
		home, err = room.docs.Home(ctx, there.Chat.Home)
	}
	if now := room.docs.Now(); err == nil && (!wish.at.After(now) || wish.at.After(now.Add(farthest))) {
		err = errEveningOver
	}
	if err == nil {
		there.Args = map[string]string{"kind": wish.kind, "game": wish.game}
		err = room.plan(ctx, there, home, wish)
	}
	if err != nil {
		return in.Refuse(err)
	}
	said := view.Said(in.Text("reply.evening_planned"), in.Catalogue())
	return chat.Reply{Toast: in.Text("reply.evening_planned"), Echo: true, Screen: &said, Replace: true}
}

// evening returns the evening that the person asks for. Only someone who manages the chat may plan a weekly one, because
// it writes to the chat every week.
func (room *Room) evening(ctx context.Context, in chat.Input, home doc.Home, wish plan) (Evening, error) {
	v := Evening{At: wish.at, Clock: wish.clock, Weekly: wish.weekly, Opens: room.docs.Now()}
	err := home.Opens(ctx, in)
	if err == nil && v.Weekly {
		var manages bool
		if manages, err = in.MayManage(ctx, in.Chat.Home); err == nil && !manages {
			err = chat.ErrAdmin
		}
	}
	own, ownErr := room.docs.Own(ctx, in.Player.ID)
	if err = errors.Join(err, ownErr); err != nil {
		return v, err
	}
	v.Lobby, err = lobbyOf(in, home, own)
	return v, err
}

// plan adds an evening.
func (room *Room) plan(ctx context.Context, in chat.Input, home doc.Home, wish plan) error {
	v, err := room.evening(ctx, in, home, wish)
	if err != nil {
		return err
	}
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

// listEvenings lists the coming evenings. n is how many there are.
func (room *Room) listEvenings(ctx context.Context, in chat.Input, home doc.Home) (list screen.Screen, n int, err error) {
	e, _, err := room.loadEvenings(ctx, eveningsID(in.Chat.Home))
	if err != nil && !errors.Is(err, errEveningOver) {
		return list, 0, err
	}
	plan := in.Text("evening.plan", "day", strings.ToLower(in.Catalogue().Text("day.5")), "weekly", in.Text("word.weekly"), "zone", zoneOf(home).String())
	return eveningList(e.views(e.List, zoneOf(home)), plan, in.Catalogue()), len(e.List), nil
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
	if p.what == eveningPlan {
		return room.planned(ctx, in, p)
	}
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
			key, err = v.Lobby.do(request{what: p.what, value: value, player: own.WithSettings(in.TablePlayer()), now: room.docs.Now()})
		case "off", "skip", "stop":
			organises, err := v.Lobby.organises(ctx, in)
			switch {
			case err != nil:
				return err
			case !organises:
				return errTournamentHost
			case p.what == "off" && (v.Weekly || v.Lobby.people() > 0):
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
	others, err := v.Lobby.seek(shown.TournamentView, in.Player.ID)
	if err != nil {
		return chat.Reply{}, err
	}
	shown.TournamentView = others
	screen := askEveningPartners(shown, in.Catalogue())
	return chat.Reply{Screen: &screen}, nil
}

// forgetEvenings takes the person out of a home's evenings. If the home is being deleted,
// its evenings are deleted too.
func (room *Room) forgetEvenings(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var e Evenings
	if err := doc.Decode(stored, &e); err != nil {
		return false, err
	}
	_, id := doc.KindAndRest(stored.Key.Name)
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

func (e Evenings) about(x *doc.Export, _ string) {
	for _, v := range slices.Concat(e.List, e.Past) {
		if i := v.Lobby.entrant(x.Player); i >= 0 || v.Lobby.Host.ID == x.Player {
			x.Add("evenings", eveningExport{
				Evening: strconv.Itoa(v.No), Home: e.Home, At: v.At.UTC().Format("2006-01-02T15:04:05Z07:00"), Entrant: i + 1, Planned: v.Lobby.Host.ID == x.Player,
			})
		}
	}
}
