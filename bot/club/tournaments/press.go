package tournaments

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Open asks the person, alone, before it posts a tournament in this chat, and says what it would post. If the home
// already has an open one, its message is sent again at the bottom of its chat.
func (room *Room) Open(ctx context.Context, in chat.Input) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text("reply.cup_private"), Outcome: chat.Refused}
	}
	if err := room.docs.Ask(ctx, in); err != nil {
		return in.Refuse(err)
	}
	return room.open(ctx, in, false)
}

// open opens a tournament in this chat, as the words of the command say. If the person isn't sure, it only asks them.
func (room *Room) open(ctx context.Context, in chat.Input, sure bool) chat.Reply {
	var reply chat.Reply
	err := doc.Retry(func() (err error) {
		reply, err = room.tryOpen(ctx, in, sure)
		return err
	})
	if err != nil {
		return in.Refuse(err)
	}
	return reply
}

func (room *Room) tryOpen(ctx context.Context, in chat.Input, sure bool) (chat.Reply, error) {
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(in.Chat.Home), doc.PlayerKey(in.Player.ID))
	if err != nil {
		return chat.Reply{}, err
	}
	var home doc.Home
	var own doc.Player
	if err := errors.Join(doc.Decode(docs[0], &home), doc.Decode(docs[1], &own)); err != nil {
		return chat.Reply{}, err
	}
	if own.Erasing {
		return chat.Reply{}, doc.ErrErasing
	}
	now := room.docs.Now()
	if home.Tournament != "" {
		err := room.update(ctx, in.Once, home.Tournament, bump)
		if err == nil {
			return chat.Reply{Toast: in.Text("reply.cup_stands"), Echo: true}, nil
		}
		if !errors.Is(err, errTournamentOver) {
			return chat.Reply{}, err
		}
	}
	if err := home.Opens(ctx, in); err != nil {
		return chat.Reply{}, err
	}
	d, err := lobbyOf(in, home, own)
	if err != nil {
		return chat.Reply{}, err
	}
	if !sure {
		screen := askFirst(d.view(), in.Args["kind"], in.Args["game"], in.Catalogue())
		return chat.Reply{Screen: &screen}, nil
	}
	d.ID, d.Due = doc.NewTableID(in.Chat.Home), now.Add(lobbyLasts)
	home.Tournament = d.ID
	err = room.docs.Commit(ctx, in.Once, store.Change{
		Partition: store.Partition(d.Home), Now: now,
		Writes: []store.Write{d.write(0, now), {Name: doc.HomeName(d.Home), Expect: docs[0].Version, Data: doc.Encode(home)}},
		Due:    []store.Mark{{ID: doc.TournamentName(d.ID), At: now}},
	})
	return chat.Reply{Toast: in.Text("reply.cup_opened"), Echo: true}, err
}

// lobbyOf returns a new tournament as the command asks for it. It has no id yet.
func lobbyOf(in chat.Input, home doc.Home, own doc.Player) (Tournament, error) {
	begin, err := home.Beginning()
	if err != nil {
		return Tournament{}, err
	}
	d := Tournament{
		Home: in.Chat.Home, Chat: home.WithSettings(in.TableChat()), Host: own.WithSettings(in.TablePlayer()), Stage: StageLobby,
		Pairs: true, Rules: begin.Rules, Limit: begin.Limit, Deals: defaultDeals,
	}
	if d.Limit <= 0 {
		d.Limit = table.DefaultLimit // a time limit is required, so that an absent player doesn't block the tournament
	}
	if family := in.Args["game"]; family != "" {
		if d.Pairs = table.TournamentGame(family, 2) != nil; !d.Pairs && table.TournamentGame(family, 1) == nil {
			return Tournament{}, table.ErrNoChoice
		}
		d.Rules = *table.TournamentGame(family, d.perSide())
	}
	kind := in.Args["kind"]
	d.setKind(kind == "pairs" || kind == "" && d.Pairs)
	if _, err := table.TournamentRules(d.Rules, d.Deals); err != nil {
		d.Rules = *table.TournamentGame(game.Family(table.DefaultPreset), d.perSide())
	}
	return d, nil
}

// Load loads a tournament. It returns errTournamentOver if there is none with that id.
func (room *Room) Load(ctx context.Context, id string) (d Tournament, version int64, err error) {
	keys, ok := tournamentKeys(id)
	version, err = room.load(ctx, keys, ok, &d, errTournamentOver)
	return d, version, err
}

// load loads the document with the first key into v. It returns the error over if there is
// no such document. ok reports whether the keys are valid.
func (room *Room) load(ctx context.Context, keys []store.Key, ok bool, v any, over error) (version int64, err error) {
	if !ok {
		return 0, chat.ErrForged
	}
	version, err = room.docs.Get(ctx, keys[0], v)
	if err == nil && version == 0 {
		err = over
	}
	return version, err
}

// commitTournament commits a tournament and makes its job due. If event isn't "", a repeat of the
// same event commits nothing.
func (room *Room) commitTournament(ctx context.Context, event string, d Tournament, version int64) error {
	now := room.docs.Now()
	return room.docs.Commit(ctx, event, store.Change{
		Partition: store.Partition(d.Home), Now: now,
		Writes: []store.Write{d.write(version, now)}, Due: []store.Mark{{ID: doc.TournamentName(d.ID), At: now}},
	})
}

// update loads a tournament, lets step change it, and commits it; it retries after conflicts.
// If step returns doc.ErrSame, nothing is committed. step may run several times, so it must
// have no side effects.
func (room *Room) update(ctx context.Context, event, id string, step func(*Tournament) error) error {
	err := doc.Retry(func() error {
		d, version, err := room.Load(ctx, id)
		if err == nil {
			err = step(&d)
		}
		if err != nil {
			return err
		}
		return room.commitTournament(ctx, event, d, version)
	})
	if errors.Is(err, doc.ErrSame) {
		return nil
	}
	return err
}

// forEveryone lists the presses on a tournament's message that are open to everyone.
var forEveryone = []string{"join", "partner", "leave"}

// organises reports whether a person may manage the tournament, because they opened it or
// may manage its home.
func (d Tournament) organises(ctx context.Context, in chat.Input) (bool, error) {
	d.passHost() // an earlier version left it with somebody whose data was deleted
	switch {
	case in.Player.ID == d.Host.ID:
		return true, nil
	case in.Chat.Home != d.Home || d.Ended():
		return false, nil
	}
	return in.MayManage(ctx, d.Home)
}

// pressed handles a press on a tournament's message, or on the question of Open.
func (room *Room) pressed(ctx context.Context, in chat.Input, p press) chat.Reply {
	if p.what == TournamentOpen {
		return room.confirmed(ctx, in, p.value)
	}
	own, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	var reply chat.Reply
	err = room.update(ctx, in.Once, p.id, func(d *Tournament) (err error) {
		r, read := room.readOnly(ctx, in, *d, p)
		if reply = r; read {
			return doc.ErrSame
		}
		press := request{what: p.what, value: p.value, player: own.WithSettings(in.TablePlayer()), now: room.docs.Now()}
		if !slices.Contains(forEveryone, p.what) {
			if press.organises, err = d.organises(ctx, in); err != nil {
				return err
			}
		}
		key, err := d.do(press)
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

// confirmed opens a tournament, as the person has confirmed. value is that of the press: see askFirst.
func (room *Room) confirmed(ctx context.Context, in chat.Input, value string) chat.Reply {
	kind, family, named := strings.Cut(value, "-")
	if !slices.Contains(TournamentKinds, kind) || named && !slices.Contains(table.TournamentGames(), family) {
		return in.Refuse(chat.ErrForged)
	}
	there, err := room.docs.Where(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	there.Args = map[string]string{"kind": kind, "game": family}
	reply := room.open(ctx, there, true)
	if reply.Outcome == chat.Done {
		said := view.Said(reply.Toast, in.Catalogue())
		reply.Screen, reply.Replace = &said, true // the button has done its work
	}
	return reply
}

// readOnly answers presses that change nothing. It returns false for any other press.
func (room *Room) readOnly(ctx context.Context, in chat.Input, d Tournament, p press) (chat.Reply, bool) {
	i := d.entrant(in.Player.ID)
	switch {
	case p.what == "cards":
		if id := d.tableOf(i); id != "" {
			return room.tables.Cards(ctx, in, id), true
		}
		return in.Refuse(errTournamentNoTable), true
	case p.what == "places" || p.what == "tables":
		from, _ := strconv.Atoi(p.value)
		screen := EntrantsPage(d.view(), p.what, from, func(e int) bool { return e == i }, in.Catalogue())
		return chat.Reply{Screen: &screen, Replace: true}, true
	case p.what == "partner" && p.value == "list":
		if d.Ended() {
			return in.Refuse(errTournamentOver), true
		}
		others, err := d.seek(d.view(), in.Player.ID)
		if err != nil {
			return in.Refuse(err), true
		}
		screen := AskPartners(others, in.Catalogue())
		return chat.Reply{Screen: &screen}, true
	case p.what == "off" && p.value == "ask" && (!d.lobby() || d.people() > 0):
		organises, err := d.organises(ctx, in)
		switch {
		case d.Ended():
			err = errTournamentOver
		case err == nil && !organises:
			err = errTournamentHost
		}
		if err != nil {
			return in.Refuse(err), true
		}
		screen := AskOff(d.view(), in.Catalogue())
		return chat.Reply{Screen: &screen}, true
	}
	return chat.Reply{}, false
}

// seek returns a view for a list of the others who look for a partner.
func (d Tournament) seek(t TournamentView, player string) (TournamentView, error) {
	err := error(errTournamentNobody)
	for i, e := range d.Entrants {
		if t.Entrants[i].Waiting = d.waits(e) && e.here()[0].ID != player; t.Entrants[i].Waiting {
			err = nil
		}
	}
	return t, err
}

// tableOf returns the id of an entrant's table in the current round, or "".
func (d Tournament) tableOf(entrant int) string {
	if d.Stage != StageRound || entrant < 0 {
		return ""
	}
	for i, t := range d.Swiss.Rounds[len(d.Swiss.Rounds)-1].Tables {
		if slices.Contains(t.Sides[:], entrant) {
			return d.Tables[i]
		}
	}
	return ""
}

// Unsealed returns nil if the reader may see a match. While the match's round is still being
// played with the same cards, only its players may; for others it returns errTournamentSealed.
func (room *Room) Unsealed(ctx context.Context, m doc.Match, reader string) error {
	if m.Tournament == "" || m.SeatOf(reader) >= 0 {
		return nil
	}
	d, _, err := room.Load(ctx, m.Tournament)
	switch {
	case errors.Is(err, errTournamentOver):
		return nil
	case err == nil && d.Stage == StageRound && len(d.Swiss.Rounds) == m.Round:
		return errTournamentSealed
	}
	return err
}
