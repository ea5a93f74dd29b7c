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
	"sedmabot/game/table"
	"sedmabot/store"
)

// Kick has the AI play for somebody, whom the command names by his seat's
// number or by his name, or offers everybody.
func (room *Room) Kick(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	name := strings.TrimPrefix(strings.TrimSpace(in.Args["player"]), "@")
	who := chat.Plain(name)
	for i, s := range t.Seats {
		if who != "" && s.Player.ID != "" && (who == strconv.Itoa(i+1) || who == chat.Plain(s.Player.Name)) {
			return room.Act(ctx, in, id, table.Kick{Seat: i})
		}
	}
	screen := view.Kick(t.Public(), in.Player.ID, chat.CutTo(chat.CleanName(name), 40), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// Open opens a table in this chat.
func (room *Room) Open(ctx context.Context, in chat.Input) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	home, err := room.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	err = home.Opens(ctx, in)
	var begin doc.Default
	if err == nil {
		begin, err = home.Beginning()
	}
	if err == nil {
		begin, err = asked(chat.ArgWords(in), begin, in.Catalogue())
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
	if in.Chat.Private { // nobody waits for him there
		here.Quiet, begin.Limit = true, tables.SoloLimit
	}
	err = doc.Retry(func() error {
		now := room.docs.Now()
		t := table.New(doc.NewTableID(in.Chat.Home), in.Chat.Home, here, host, begin.Rules, room.pace, begin.Limit, now)
		t.Level = begin.Level
		t.Tell = home.Listeners(in.Player.ID)
		c, err := room.tables.Change(ctx, doc.Table{Table: table.Table{Phase: table.Closed}}, &t, nil)
		if err != nil {
			return err
		}
		c.Due = append(c.Due, store.Mark{ID: doc.TableName(t.ID), At: now})
		return room.docs.Commit(ctx, in.Once, c)
	})
	if exists := doc.TableExists(""); errors.As(err, &exists) {
		return room.tableStands(ctx, in, string(exists))
	}
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.opened"), Echo: true}
}

// tableStands says that this chat has a table, with a link to it where the
// platform has links.
func (room *Room) tableStands(ctx context.Context, in chat.Input, id string) chat.Reply {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return in.Refuse(doc.ErrNoTable)
	}
	docs, err := room.docs.Store.Get(ctx, keys[1])
	if err != nil {
		return in.Refuse(err)
	}
	var shown deliver.Shown
	if err := doc.Decode(docs[0], &shown); err != nil {
		shown = deliver.Shown{} // of a newer schema: there is no link then
	}
	link, latest := "", -1
	for key, post := range shown.Posts {
		kind, number, _ := strings.Cut(strings.TrimPrefix(key, in.Chat.ID+" "), ":")
		no, err := strconv.Atoi(number)
		if err != nil || kind != "lobby" && kind != "deal" {
			continue
		}
		if kind == "lobby" {
			no = 0 // before all deals
		}
		if p := room.deliver.PlatformOf(post.Address); p != nil && no > latest {
			link, latest = p.Link(in.Chat.Home, post.Address), no
		}
	}
	screen := view.TableExists(id, link, in.Catalogue())
	return chat.Reply{Screen: &screen, Toast: in.Text("reply.table_exists")}
}

// Hello greets somebody who opened a private chat with the bot, and brings the
// hands of the tables at which he sits.
func (room *Room) Hello(ctx context.Context, in chat.Input) chat.Reply {
	ids, err := room.tables.TablesOf(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	// A game alone stands in this chat before his own document names it.
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
	if id, ok := strings.CutPrefix(in.Args["payload"], view.SeatPayload); ok && !slices.Contains(ids, id) {
		return room.seat(ctx, in, id, len(ids))
	}
	screen := view.Hello(len(ids), c)
	return chat.Reply{Screen: &screen}
}

// seat lets somebody who came by a link to a table sit down there, who sits at so many others.
func (room *Room) seat(ctx context.Context, in chat.Input, id string, others int) chat.Reply {
	said := room.Act(ctx, in, id, table.Join{Seat: -1})
	sits := ""
	if said.Outcome == chat.Done {
		sits = id
	}
	screen := view.Welcome(said.Toast, sits, others, in.Catalogue())
	return chat.Reply{Screen: &screen, Outcome: said.Outcome}
}

// noteReached notes that the person can be written to in private.
func noteReached(in chat.Input, now time.Time) func(*doc.Notes) {
	return func(n *doc.Notes) {
		if n.Reached == nil {
			n.Reached = map[string]time.Time{}
		}
		n.Reached[in.Player.ID] = now
	}
}

// Hands shows the person his hand: at this chat's table, or in a private chat
// at the table where he sat down last.
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
