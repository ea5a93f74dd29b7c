package meet

import (
	"context"
	"errors"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Refusals of Play.
var (
	errWaiting = chat.NewRefusal("meet_waiting") // the person already waits for strangers
	errPlaying = chat.NewRefusal("meet_playing") // the person already plays with strangers
)

// Play gives the person a seat: see the package comment. The command's words choose the game
// of a new table.
func (room *Room) Play(ctx context.Context, in chat.Input) chat.Reply {
	return room.play(ctx, in, func() (doc.Default, error) { return room.tables.Beginning(ctx, in) })
}

// again does the same as Play, with the game of a finished match.
func (room *Room) again(ctx context.Context, in chat.Input, id string) chat.Reply {
	return room.play(ctx, in, func() (doc.Default, error) {
		t, err := room.tables.Load(ctx, id)
		if errors.Is(err, doc.ErrNoTable) {
			return room.tables.Beginning(ctx, in) // the table is no longer stored
		}
		limit := t.Limit
		if t.PublicTo(in.Player.ID).Alone() {
			limit = table.DefaultLimit // a player who is alone may take longer
		}
		return doc.Default{Rules: t.Rules, Limit: limit, Level: t.Level}, err
	})
}

func (room *Room) play(ctx context.Context, in chat.Input, settings func() (doc.Default, error)) chat.Reply {
	home, err := room.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	if open := home.Open[in.Chat.ID]; open != "" && !in.Chat.Private {
		switch freed, err := room.tables.Free(ctx, in.Chat.Home, open); {
		case err != nil:
			return in.Refuse(err)
		case !freed:
			return room.sit(ctx, in, open)
		}
	}
	begin, err := settings()
	if err != nil {
		return in.Refuse(err)
	}
	if in.Chat.Private || home.Strangers {
		return room.meet(ctx, in, begin)
	}
	begin.Rules = short(begin.Rules)
	return room.tables.Open(ctx, in, room, &begin)
}

// short returns the rules with the length of a match that nobody has agreed on: first to three, or in games that have no
// such length the shortest one of several deals.
func short(r game.Rules) game.Rules {
	lengths := game.Lengths(r)
	length := "t3"
	if !slices.Contains(lengths, length) && len(lengths) > 1 {
		length = lengths[1]
	}
	if shorter, err := game.WithLength(r, length); err == nil {
		return shorter
	}
	return r
}

// sit gives the person a seat at the chat's open table, if it is in its lobby and they named
// no other game.
func (room *Room) sit(ctx context.Context, in chat.Input, open string) chat.Reply {
	t, err := room.tables.Load(ctx, open)
	if err != nil {
		return in.Refuse(err)
	}
	wanted, err := tables.Wants(in, t.Rules)
	if err != nil {
		return in.Refuse(err)
	}
	if _, sits := t.Private(in.Player.ID); (t.Phase != table.Lobby || !wanted) && !sits {
		return room.tables.TableExists(ctx, in, open)
	}
	reply := room.tables.Act(ctx, in, open, table.Join{Seat: -1})
	if reply.Outcome == chat.Done {
		reply.Table = open
	}
	return reply
}

// meet seats the person with people from other chats: at the first table of the queue
// that suits them, or at a new one.
func (room *Room) meet(ctx context.Context, in chat.Input, settings doc.Default) chat.Reply {
	person, err := room.docs.Own(ctx, in.Player.ID)
	if err == nil {
		err = room.busy(ctx, in.Player.ID)
	}
	if err == nil {
		err = room.tables.RoomFor(ctx, person, in.Player.ID, "")
	}
	if err != nil {
		return in.Refuse(err)
	}
	player := person.WithSettings(in.TablePlayer())
	in.Player.Lang = player.Lang
	rules, err := game.Preset(settings.Rules.Preset)
	if err != nil {
		rules, err = game.Preset(table.DefaultPreset)
	}
	if err != nil {
		return in.Refuse(err)
	}
	rules = short(rules) // strangers play the plain game, not a chat's own rules, so that more of them meet
	key := queueKey(rules)
	id, joined := "", false
	err = doc.Retry(func() error {
		docs, err := room.docs.Store.Get(ctx, key)
		if err != nil {
			return err
		}
		var q Queue
		if err := doc.Decode(docs[0], &q); err != nil {
			return err
		}
		now := room.docs.Now().Round(0)
		q.prune(now)
		for _, w := range q.Waiting {
			if joined, err = room.join(ctx, in, player, w.Table); err != nil || joined {
				id = w.Table
				return err
			}
		}
		t := table.NewStrangers(doc.NewTableID(league.Strangers), league.Strangers, player, rules, room.pace, table.DefaultLimit, now)
		id = t.ID
		c, err := room.tables.Opening(ctx, &t, nil)
		if err != nil {
			return err
		}
		q.Waiting = append(q.Waiting, Waiting{Table: id, Until: t.Begins})
		c.Writes = append(c.Writes, store.Write{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(q)})
		if keys, ok := doc.TableKeys(id); ok && in.Page { // the worker that shows the table finds their page open
			var notes doc.Notes
			notes.Saw(player.ID, 0, now)
			c.Writes = append(c.Writes, doc.WriteOf(store.Doc{Key: keys[2]}, notes, now))
		}
		c.Due = append(c.Due, store.Mark{ID: key.Name, At: q.Waiting[0].Until})
		return room.docs.Commit(ctx, in.Once, c)
	})
	if err != nil {
		return in.Refuse(err)
	}
	text := "meet.waiting"
	if joined {
		text = "meet.joined"
	}
	toast := in.Text(text, "game", screen.GameName(in.Catalogue(), rules))
	if in.Chat.Private {
		return chat.Reply{Toast: toast, Echo: true, Table: id}
	}
	screen := meeting(toast, in.Catalogue())
	return chat.Reply{Screen: &screen, Toast: toast, Table: id}
}

// busy returns an error if the person waits for strangers, or plays with them.
func (room *Room) busy(ctx context.Context, player string) error {
	ids, err := room.tables.TablesOf(ctx, player)
	if err != nil {
		return err
	}
	for _, id := range ids {
		t, err := room.tables.Load(ctx, id)
		if err != nil {
			continue // unreadable here, perhaps of a newer schema
		}
		seat := slices.IndexFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == player && !s.Left })
		switch {
		case !t.Policy.Masked || seat < 0:
		case t.Phase == table.Lobby:
			return errWaiting
		default:
			return errPlaying
		}
	}
	return nil
}

// join seats a player at a table of the queue. It returns false if the table no longer waits,
// or if the player and someone at the table don't want to be paired.
func (room *Room) join(ctx context.Context, in chat.Input, player table.Player, id string) (bool, error) {
	t, err := room.tables.Load(ctx, id)
	if errors.Is(err, doc.ErrNoTable) || errors.Is(err, doc.ErrNewer) || doc.Unreadable(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if t.Phase == table.Lobby && slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == player.ID }) {
		return false, errWaiting
	}
	apart, err := room.apart(ctx, player.ID, t)
	if err != nil || apart {
		return false, err
	}
	if in.Page {
		if err := room.tables.Note(ctx, id, func(n *doc.Notes) { n.Saw(player.ID, 0, room.docs.Now()) }); err != nil {
			return false, err
		}
	}
	_, err = room.tables.UpdateWith(ctx, id, player.ID, in.Once, func(now table.Table, own doc.Player) (table.Table, []table.Event, error) {
		if !slices.EqualFunc(now.Seats, t.Seats, func(a, b table.Seat) bool { return a.Player.ID == b.Player.ID }) {
			return now, nil, store.ErrConflict // someone came meanwhile: do they want to be paired?
		}
		if now.Phase != table.Lobby {
			return now, nil, table.ErrNotLobby
		}
		return table.Apply(now, own.WithSettings(in.TablePlayer()), table.Join{Seat: -1}, room.tables.Env())
	})
	var refused table.Refusal
	if errors.As(err, &refused) || errors.Is(err, doc.ErrNoTable) {
		return false, nil
	}
	if errors.Is(err, doc.ErrBusy) {
		return false, store.ErrConflict // load the queue and the table again
	}
	return err == nil, err
}

// Press handles a button of a table of strangers, and "Play again" under a result.
func (room *Room) Press(ctx context.Context, in chat.Input, p press) chat.Reply {
	switch p.what {
	case view.MeetAgain:
		return room.again(ctx, in, p.table)
	case view.MeetSay:
		reply := room.tables.Act(ctx, in, p.table, table.Say{Phrase: p.value})
		if reply.Outcome == chat.Done {
			reply.Toast = in.Text("meet.said")
		}
		return reply
	case view.MeetApart:
		return room.setApart(ctx, in, p)
	}
	return in.Refuse(chat.ErrForged)
}
