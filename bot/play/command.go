package play

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Kick lets the AI play for another player. The command names that player by seat
// number or by name. If nobody matches, Kick shows a list of players to choose from.
func (room *Room) Kick(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	name := strings.TrimPrefix(strings.TrimSpace(in.Args["player"]), "@")
	who := chat.Plain(name)
	for i, s := range t.PublicTo(in.Player.ID).Seats { // names that the person doesn't know must not match
		if who != "" && s.Player.ID != "" && (who == strconv.Itoa(i+1) || who == chat.Plain(s.Player.Name)) {
			return room.Act(ctx, in, id, table.Kick{Seat: i})
		}
	}
	screen := view.Kick(t.PublicTo(in.Player.ID), presser(ctx, in, t), chat.CutTo(chat.CleanName(name), 40), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// Open opens a table in this chat.
func (room *Room) Open(ctx context.Context, in chat.Input) chat.Reply {
	return room.open(ctx, in, nil)
}

// OpenCounting opens a table in this chat whose match starts after table.CountDown. Its
// game is that of the settings.
func (room *Room) OpenCounting(ctx context.Context, in chat.Input, settings doc.Default) chat.Reply {
	return room.open(ctx, in, &settings)
}

// open opens a table in this chat. If it has no settings, the command's words and the
// home's defaults say what is played, and the host starts the match.
func (room *Room) open(ctx context.Context, in chat.Input, settings *doc.Default) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	home, err := room.docs.Home(ctx, in.Chat.Home)
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
		begin, err = room.Beginning(ctx, in)
	}
	if err != nil {
		return in.Refuse(err)
	}
	person, err := room.docs.Own(ctx, in.Player.ID)
	if err == nil && home.Open[in.Chat.ID] == "" {
		err = room.tables.RoomFor(ctx, person, in.Player.ID, "")
	}
	if err != nil {
		return in.Refuse(err)
	}
	host := person.Dress(in.TablePlayer())
	here := home.Dress(in.TableChat())
	if in.Chat.Private { // a private chat has no other players who wait
		here.Quiet, begin.Limit = true, tables.SoloLimit
	}
	err = doc.Retry(func() error {
		now := room.docs.Now()
		t := table.New(doc.NewTableID(in.Chat.Home), in.Chat.Home, here, host, begin.Rules, room.pace, begin.Limit, now)
		t.Level = begin.Level
		var noted []store.Write
		if !here.Quiet && home.Open[in.Chat.ID] == "" {
			if t.Tell, noted, err = room.Call(ctx, in, home, game.Family(begin.Rules.Preset)); err != nil {
				return err
			}
		}
		if settings != nil {
			t.Begins = now.Add(table.CountDown)
		}
		c, err := room.tables.Change(ctx, doc.Table{Table: table.Table{Phase: table.Closed}}, &t, nil)
		if err != nil {
			return err
		}
		c.Writes = append(c.Writes, noted...)
		c.Due = append(c.Due, store.Mark{ID: doc.TableName(t.ID), At: now})
		return room.docs.Commit(ctx, in.Once, c)
	})
	if exists := doc.TableExists(""); errors.As(err, &exists) {
		return room.TableStands(ctx, in, string(exists))
	}
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.opened"), Echo: true}
}

// TableStands replies that this chat already has a table. The reply links to the
// table if the platform supports links to messages. If the match is running, nobody can
// join it, so the reply says what else the person can do.
func (room *Room) TableStands(ctx context.Context, in chat.Input, id string) chat.Reply {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return in.Refuse(doc.ErrNoTable)
	}
	docs, err := room.docs.Store.Get(ctx, keys[0], keys[1])
	if err != nil {
		return in.Refuse(err)
	}
	var shown deliver.Shown
	if err := doc.Decode(docs[1], &shown); err != nil {
		shown = deliver.Shown{} // written by a newer schema: reply without a link
	}
	link, latest := "", -1
	for key, post := range shown.Posts {
		kind, number, _ := strings.Cut(strings.TrimPrefix(key, in.Chat.ID+" "), ":")
		no, err := strconv.Atoi(number)
		if err != nil || kind != "lobby" && kind != "deal" {
			continue
		}
		if kind == "lobby" {
			no = 0 // the lobby counts as older than any deal
		}
		if p := room.deliver.PlatformOf(post.Address); p != nil && no > latest {
			link, latest = p.Link(in.Chat.Home, post.Address), no
		}
	}
	if t, err := room.tables.ReadTable(docs[0]); err == nil && (t.Phase == table.Playing || t.Phase == table.Pause) {
		home, err := room.docs.Home(ctx, in.Chat.Home)
		if err != nil {
			return in.Refuse(err)
		}
		return matchRuns(in, t.Table, home, link)
	}
	screen := view.TableExists(link, in.Catalogue())
	return chat.Reply{Screen: &screen, Toast: in.Text("reply.table_exists")}
}

// matchRuns replies that a match is running in this chat.
func matchRuns(in chat.Input, t table.Table, home doc.Home, link string) chat.Reply {
	what, can := in.Text("table.runs"), []string{in.Text("table.runs.play")}
	if _, told := home.Tell[in.Player.ID]; !told {
		can = append(can, in.Text("table.runs.tell"))
	}
	if _, sits := t.Private(in.Player.ID); sits {
		what, can = in.Text("refusal.seated"), []string{in.Text("table.runs.close")}
	}
	screen := view.TableRuns(link, what, in.Catalogue(), can...)
	return chat.Reply{Screen: &screen, Toast: what}
}

// Hello greets a person who opened a private chat with the bot. It also sends them
// their hands from the tables where they sit.
func (room *Room) Hello(ctx context.Context, in chat.Input) chat.Reply {
	ids, err := room.tables.TablesOf(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	// A solo game is listed for this chat before the player's document names it.
	alone, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if alone != "" && !slices.Contains(ids, alone) {
		ids = append(ids, alone)
	}
	for _, id := range ids[max(0, len(ids)-tables.FewTables):] {
		if err := errors.Join(room.tables.Note(ctx, id, noteReached(in, room.docs.Now())), room.relearn(ctx, in, id)); err != nil {
			return in.Refuse(err)
		}
	}
	c := in.Catalogue()
	if id, ok := moreOf(in.Args["payload"]); ok {
		return room.More(ctx, in, id)
	}
	if id, ok := strings.CutPrefix(in.Args["payload"], view.SeatPayload); ok && !slices.Contains(ids, id) {
		return room.seat(ctx, in, id, len(ids))
	}
	screen := view.WithInvite(view.Hello(len(ids), c), room.deliver.Invite(in.Player.ID), c)
	return chat.Reply{Screen: &screen}
}

// seat joins a table for a person who followed a link to it. others is how many other tables they sit at.
func (room *Room) seat(ctx context.Context, in chat.Input, id string, others int) chat.Reply {
	reply := room.Act(ctx, in, id, table.Join{Seat: -1})
	sits := ""
	if reply.Outcome == chat.Done {
		sits = id
	}
	screen := view.Welcome(reply.Toast, sits, others, in.Catalogue())
	return chat.Reply{Screen: &screen, Outcome: reply.Outcome}
}

// noteReached returns an update which records that the bot can send the person private messages.
func noteReached(in chat.Input, now time.Time) func(*doc.Notes) {
	return func(n *doc.Notes) {
		if n.Reached == nil {
			n.Reached = map[string]time.Time{}
		}
		n.Reached[in.Player.ID] = now
	}
}

// Hands shows the person their hand at this chat's table. If the chat has none, it
// uses the table that they joined last.
func (room *Room) Hands(ctx context.Context, in chat.Input) chat.Reply {
	id, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if id == "" {
		ids, err := room.tables.TablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			id = ids[len(ids)-1]
		}
	}
	if id == "" {
		return chat.Reply{Toast: in.Text("reply.no_table")}
	}
	return room.Cards(ctx, in, id)
}
