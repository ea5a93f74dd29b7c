package tables

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Caller chooses whom a new table calls.
type Caller interface {
	// Call returns the people whom a new table with that family of games calls, and the
	// writes that note the call.
	Call(ctx context.Context, in chat.Input, home doc.Home, family string) ([]table.Player, []store.Write, error)
}

// Messages knows where a table's messages are.
type Messages interface {
	// TableLink returns the web address of a table's latest message in a chat of that home, or "". shown is the
	// document of the table's messages.
	TableLink(home, chat string, shown store.Doc) string
}

// Links makes personal links to the pages of tables.
type Links interface {
	// LinkNow returns the address of a player's personal link to the page of a table, or "".
	LinkNow(ctx context.Context, own table.Private) (string, error)
}

// Open opens a table in this chat. If settings is nil, the command's words and the
// home's defaults say what is played, and the host starts the match. Otherwise the match starts
// after table.CountDown. caller chooses whom the table calls.
func (ts *Tables) Open(ctx context.Context, in chat.Input, caller Caller, settings *doc.Default) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	home, err := ts.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	err = home.Opens(ctx, in)
	var begin doc.Default
	switch {
	case err != nil:
	case settings != nil:
		begin = *settings
	default:
		begin, err = ts.Beginning(ctx, in)
	}
	if err != nil {
		return in.Refuse(err)
	}
	person, err := ts.docs.Own(ctx, in.Player.ID)
	taken := home.Open[in.Chat.ID] != ""
	if err == nil && !taken {
		err = ts.RoomFor(ctx, person, in.Player.ID, "")
	}
	if err != nil {
		return in.Refuse(err)
	}
	host := person.WithSettings(in.TablePlayer())
	here := home.WithSettings(in.TableChat())
	here.Quiet = here.Quiet || here.Single // one message has no room for calls
	if in.Chat.Private {                   // a private chat has no other players who wait
		here.Quiet, begin.Limit = true, SoloLimit
	}
	opened := ""
	open := func() error {
		now := ts.docs.Now()
		t := table.New(doc.NewTableID(in.Chat.Home), in.Chat.Home, here, host, begin.Rules, ts.pace, begin.Limit, now)
		opened, t.Level, t.Policy.Uncounted = t.ID, begin.Level, t.Guest()
		var noted []store.Write
		if !here.Quiet && !taken {
			if t.Tell, noted, err = caller.Call(ctx, in, home, game.Family(begin.Rules.Preset)); err != nil {
				return err
			}
		}
		if settings != nil {
			t.Begins = now.Add(table.CountDown)
		}
		c, err := ts.Opening(ctx, &t, nil)
		if err != nil {
			return err
		}
		c.Writes = append(append(c.Writes, noted...), noteReply(in, t.ID, now)...)
		free, err := ts.Reserve(ctx, in.Player.ID, t.ID)
		if err != nil {
			return err
		}
		if err = ts.docs.Commit(ctx, in.Once, c); err != nil {
			free()
		}
		return err
	}
	err = doc.Retry(open)
	exists := doc.TableExists("")
	if errors.As(err, &exists) {
		freed, failed := ts.Free(ctx, in.Chat.Home, string(exists))
		if failed == nil && !freed {
			freed, failed = ts.endRematch(ctx, in.Player.ID, string(exists))
		}
		switch {
		case failed != nil:
			return in.Refuse(failed)
		case !freed:
			return ts.TableExists(ctx, in, string(exists))
		}
		taken = false
		err = doc.Retry(open)
	}
	if errors.As(err, &exists) { // somebody else was faster
		return ts.TableExists(ctx, in, string(exists))
	}
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.opened"), Echo: true, Table: opened}
}

// endRematch closes the lobby of a rematch if nobody but the player has pressed: the match is over, and the player wants
// another table instead. It reports whether the chat has room now.
func (ts *Tables) endRematch(ctx context.Context, player, id string) (ended bool, err error) {
	_, err = ts.Update(ctx, id, func(t table.Table) (table.Table, []table.Event, error) {
		others := slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID != player })
		if t.Phase != table.Lobby || t.MatchNo < 2 || others {
			return t, nil, doc.ErrSame
		}
		ended = true
		return table.Apply(t, table.Player{}, table.Close{Admin: true}, ts.Env())
	})
	if errors.Is(err, doc.ErrSame) {
		return false, nil
	}
	return ended && err == nil, err
}

// Free lets go of a home's open table if its document can't be read, so that its chats can open another one. It reports
// whether it did. The document stays as it is, for whoever runs the bot.
func (ts *Tables) Free(ctx context.Context, home, id string) (freed bool, err error) {
	if _, err := ts.Load(ctx, id); !doc.Unreadable(err) {
		return false, nil // it can be read, or another attempt may succeed
	}
	key := doc.HomeKey(home)
	err = ts.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var h doc.Home
		if err := doc.Decode(docs[0], &h); err != nil {
			return err
		}
		before := len(h.Open)
		maps.DeleteFunc(h.Open, func(_, open string) bool { return open == id })
		if freed = len(h.Open) < before; !freed {
			return doc.ErrSame
		}
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(h)}}
		if partition, ok := doc.TablePartition(id); ok && partition == key.Partition {
			c.Rows = []store.Row{{Board: doc.OpenBoard, Member: id, Delete: true}}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	if freed {
		ts.docs.Log.Warn("free the chats of a damaged table", "table", id)
	}
	return freed, nil
}

// TableExists replies that this chat already has a table. The reply links to the
// table if the platform supports links to messages. If the person can't join its lobby, the reply
// offers an AI's seat, or says what else they can do.
func (ts *Tables) TableExists(ctx context.Context, in chat.Input, id string) chat.Reply {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return in.Refuse(doc.ErrNoTable)
	}
	docs, err := ts.docs.Store.Get(ctx, keys[0], keys[1])
	if err != nil {
		return in.Refuse(err)
	}
	link := ts.messages.TableLink(in.Chat.Home, in.Chat.ID, docs[1])
	if t, err := ts.ReadTable(docs[0]); err == nil {
		env := ts.Env()
		_, _, full := table.Apply(t.Table, in.TablePlayer(), table.Join{Seat: -1}, env)
		if t.Phase == table.Playing || t.Phase == table.Pause || full != nil {
			home, err := ts.docs.Home(ctx, in.Chat.Home)
			if err != nil {
				return in.Refuse(err)
			}
			return tableTaken(in, t.Table, home, link, env.Now)
		}
	}
	screen := view.TableExists(link, in.Catalogue())
	return chat.Reply{Screen: &screen, Toast: in.Text("reply.table_exists"), Table: id}
}

// tableTaken replies that the person can't join the table in this chat: they sit there, a match is running, or no seat is
// free.
func tableTaken(in chat.Input, t table.Table, home doc.Home, link string, now time.Time) chat.Reply {
	what, can := in.Text("table.runs"), []string{in.Text("table.runs.play")}
	if t.Phase == table.Lobby {
		what = in.Text("refusal.full")
	}
	if _, told := home.Tell[in.Player.ID]; !told {
		can = append(can, in.Text("table.runs.tell"))
	}
	joins := ""
	if _, sits := t.Private(in.Player.ID); sits {
		what, can = in.Text("refusal.seated"), []string{in.Text("table.runs.close")}
		if t.Host == in.Player.ID || t.Stale(now) {
			can = []string{in.Text("table.runs.own")}
		}
	} else if t.Public().Joins {
		joins, what, can = t.ID, in.Text("table.runs.join"), can[1:]
	}
	screen := view.TableRuns(joins, link, what, in.Catalogue(), can...)
	return chat.Reply{Screen: &screen, Toast: what, Table: t.ID}
}
