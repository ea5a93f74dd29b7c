package tournaments

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// tendEvenings runs the job of a home's evenings. It begins those that are due, and updates
// their messages.
func (room *Room) tendEvenings(ctx context.Context, id string, job store.Job, ends time.Time) error {
	keys, ok := eveningsKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	return room.deliver.Tend(ctx, room.queue, job, ends, keys[1], func() (n deliver.Notice, err error) {
		e, err := room.advanceEvenings(ctx, id)
		if errors.Is(err, errEveningOver) {
			return n, doc.ErrNoTable
		}
		if err != nil {
			return n, err
		}
		home, err := room.docs.Home(ctx, e.Home)
		now := room.docs.Now()
		n = deliver.Notice{
			Messages: deliver.Messages{ID: id, Stage: strconv.Itoa(e.Runs)},
			Posts:    e.posts(zoneOf(home), now), Asked: map[string]table.Player{}, Due: e.next(now),
			Moved: func(from, to string) error { return room.moveEvenings(ctx, id, from, to) },
		}
		for _, v := range slices.Concat(e.Past, e.List) {
			n.Asked[v.Lobby.Chat.ID] = v.Lobby.Host
			if !slices.Contains(n.Chats, v.Lobby.Chat) {
				n.Chats = append(n.Chats, v.Lobby.Chat)
			}
		}
		if len(n.Chats) == 0 {
			n.Expires = now.Add(doc.KeepClosed)
		}
		return n, err
	})
}

// moveEvenings updates a home's evenings after a chat got a new id.
func (room *Room) moveEvenings(ctx context.Context, id, from, to string) error {
	if err := room.tables.Migrate(ctx, from, to); err != nil {
		return err
	}
	return room.updateEvenings(ctx, "", id, func(e *Evenings) error {
		found := false
		for _, list := range [][]Evening{e.List, e.Past} {
			for i := range list {
				if list[i].Lobby.Chat.ID == from {
					list[i].Lobby.Chat.ID, found = to, true
				}
			}
		}
		if !found {
			return doc.ErrSame
		}
		return nil
	})
}

// advanceEvenings begins the evenings that are due, and commits each one together with its
// tournament. It returns the evenings after the last commit.
func (room *Room) advanceEvenings(ctx context.Context, id string) (Evenings, error) {
	for range 2 * doc.Attempts {
		e, version, err := room.loadEvenings(ctx, id)
		if err != nil {
			return e, err
		}
		now := room.docs.Now()
		c := store.Change{Partition: store.Partition(e.Home), Now: now}
		changed := e.prune(now)
		if i := slices.IndexFunc(e.List, func(v Evening) bool { return !v.At.After(now) }); i >= 0 {
			if err := room.begin(ctx, &e, i, &c); err != nil {
				return e, err
			}
			changed = true
		}
		if !changed {
			return e, nil
		}
		c.Writes = append(c.Writes, e.write(version))
		if err := room.docs.Commit(ctx, "", c); err != nil && !errors.Is(err, store.ErrConflict) {
			return e, err
		}
		if len(e.List)+len(e.Past) == 0 {
			return e, nil
		}
	}
	return Evenings{}, doc.ErrBusy
}

// begin begins an evening's tournament with the people who signed up, and adds it to c. If
// it can't, the evening's result says why.
func (room *Room) begin(ctx context.Context, e *Evenings, i int, c *store.Change) error {
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(e.Home))
	if err != nil {
		return err
	}
	var home doc.Home
	if err := doc.Decode(docs[0], &home); err != nil {
		return err
	}
	busy := false
	var empty *store.Write // ends a tournament that nobody has entered, to make room for this one
	if home.Tournament != "" {
		open, version, err := room.Load(ctx, home.Tournament)
		if err != nil && !errors.Is(err, errTournamentOver) {
			return err
		}
		busy = err == nil && !open.Ended()
		if busy && open.lobby() && len(open.Entrants) == 0 {
			open.end(StageOff, c.Now)
			w := open.write(version, c.Now)
			busy, empty = false, &w
		}
	}
	v := e.List[i]
	d := v.Lobby
	d.ID, d.Chat = doc.NewTableID(e.Home), home.Refresh(d.Chat)
	result := EveningBegun
	switch {
	case c.Now.Sub(v.At) > tooLate:
		result = EveningLate
	case busy:
		result = EveningBusy
	case d.start(c.Now) != nil:
		result = EveningFew
	default:
		if empty != nil {
			c.Writes = append(c.Writes, *empty)
			c.Due = append(c.Due, store.Mark{ID: empty.Name, At: c.Now})
		}
		home.Tournament = d.ID
		c.Writes = append(c.Writes, d.write(0, c.Now), store.Write{Name: doc.HomeName(e.Home), Expect: docs[0].Version, Data: doc.Encode(home)})
		c.Due = append(c.Due, store.Mark{ID: doc.TournamentName(d.ID), At: c.Now})
	}
	e.settle(i, result, v.Weekly, zoneOf(home), c.Now)
	return nil
}
