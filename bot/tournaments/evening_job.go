package tournaments

import (
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// tendEvenings runs the job of a home's evenings. It begins those that are due, updates
// their messages, and enters the others in the platform's calendar.
func (room *Room) tendEvenings(ctx context.Context, id string, job store.Job, ends time.Time) error {
	keys, ok := eveningsKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	messages, err := room.deliver.Notices(ctx, keys[1])
	if err != nil {
		return err
	}
	e, err := room.advanceEvenings(ctx, id)
	if errors.Is(err, errEveningOver) {
		return doc.ErrNoTable
	}
	if err != nil {
		return err
	}
	home, err := room.docs.Home(ctx, e.Home)
	if err != nil {
		return err
	}
	if room.docs.Now().Add(work.Showing + work.Delivery).After(ends) {
		return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now())
	}
	now := room.docs.Now()
	at := table.Table{ID: id, Home: e.Home, Phase: table.Playing, DealNo: e.Runs}
	asked := map[string]table.Player{}
	for _, v := range slices.Concat(e.Past, e.List) {
		asked[v.Lobby.Chat.ID] = v.Lobby.Host
		if !slices.Contains(at.Chats, v.Lobby.Chat) {
			at.Chats = append(at.Chats, v.Lobby.Chat)
		}
	}
	expires := time.Time{}
	if len(at.Chats) == 0 {
		at.Phase, expires = table.Closed, now.Add(doc.KeepClosed)
	}
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	next := room.deliver.ShowNotices(limited, messages, at, e.posts(zoneOf(home), now), asked, func(from, to string) error {
		return room.moveEvenings(ctx, id, from, to)
	})
	again := room.enterEvents(limited, e)
	cancel()
	return room.queue.Complete(ctx, store.Change{
		Partition: job.Partition, Done: &job, Next: work.Earlier(work.Earlier(e.next(now), again), next), Writes: messages.Writes(expires),
	}, ends)
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

// The entries in a platform's calendar.
const (
	eventLength = 2 * time.Hour    // how long the calendar says that an evening lasts
	eventSoon   = 10 * time.Minute // an evening that begins sooner isn't entered
)

// enterEvents enters the evenings in the platform's calendar, and removes those that don't
// take place. It returns when to try again, or zero if everything is done. It does nothing if
// the platform has no calendar, or if the bot may not write in it.
func (room *Room) enterEvents(ctx context.Context, e Evenings) (next time.Time) {
	calendar := room.deliver.Abilities(e.Home).Calendar
	if calendar == nil {
		return time.Time{}
	}
	now := room.docs.Now()
	note := func(v Evening, change func(*Evening), err error) {
		fault, after := deliver.FaultOf(err)
		if err != nil && fault == chat.Retry {
			next = work.Earlier(next, now.Add(max(after, time.Minute)))
			return
		}
		if err := room.noteEvent(ctx, e.Home, v, change); err != nil {
			room.docs.Log.Warn("note an event of the calendar", "err", err)
		}
	}
	for _, v := range e.List {
		if v.Plain || v.Event != "" || v.At.Before(now.Add(eventSoon)) || v.Opens.After(now) {
			continue
		}
		c := lang.For(v.Lobby.Chat.Lang)
		id, err := calendar.PutEvent(ctx, chat.Event{
			Home: e.Home, Chat: v.Lobby.Chat.ID, Name: eveningTitle(v.Lobby.view(), c), About: c.Text("cup.how"), Start: v.At, End: v.At.Add(eventLength),
		})
		note(v, func(v *Evening) { v.Event, v.Plain = id, err != nil }, err)
	}
	for _, v := range e.Past {
		if v.Unkept {
			note(v, func(v *Evening) { v.Unkept = false }, calendar.DropEvent(ctx, e.Home, v.Event))
		}
	}
	return next
}

// noteEvent lets change record in an evening that its entry in the calendar has changed.
func (room *Room) noteEvent(ctx context.Context, home string, v Evening, change func(*Evening)) error {
	keys, _ := eveningsKeys(eveningsID(home))
	return room.docs.Update(ctx, "", keys[:1], func(docs []store.Doc, c *store.Change) error {
		var e Evenings
		if err := doc.Decode(docs[0], &e); err != nil {
			return err
		}
		for _, list := range [][]Evening{e.List, e.Past} {
			for i := range list {
				if own := &list[i]; own.No == v.No && own.At.Equal(v.At) {
					change(own)
					if own.Event != "" && own.Result == EveningOffResult && v.Event == "" {
						own.Unkept = true // someone called it off meanwhile
						c.Due = []store.Mark{{ID: keys[0].Name, At: c.Now}}
					}
					c.Writes = []store.Write{e.write(docs[0].Version)}
					return nil
				}
			}
		}
		return doc.ErrSame
	})
}
