package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// command does a command. Commands about a table mean the one that is open in
// this chat; in a private chat, the tables at which the person sits.
func (b *Bot) command(ctx context.Context, in Input) Reply {
	switch in.Command {
	case "new":
		return b.open(ctx, in)
	case "solo":
		return b.solo(ctx, in)
	case "tutorial":
		return b.lesson(ctx, in)
	case "daily":
		return b.daily(ctx, in)
	case "help":
		return b.help(in)
	case "hello":
		return b.hello(ctx, in)
	case "leaderboard":
		return b.boardCommand(ctx, in)
	case "stats":
		return b.stats(ctx, in)
	case "hand":
		return b.hands(ctx, in)
	case "replay":
		return b.replay(ctx, in)
	case "settings":
		return b.prefs(ctx, in)
	case "share":
		return b.share(ctx, in)
	case "privacy":
		screen := view.Privacy(in.Catalogue())
		return Reply{Screen: &screen}
	case "mydata":
		return b.mydata(ctx, in, strings.ToLower(strings.TrimSpace(in.Args["what"])))
	case "tournament":
		return b.openCup(ctx, in)
	}
	home, err := b.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	id, chat := home.Open[in.Chat.ID], in.Chat.ID
	if id == "" && in.Chat.Private {
		ids, err := b.tablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			id, chat = ids[len(ids)-1], in.Player.ID
		}
	}
	if in.Command == "rules" && id == "" {
		begin, err := home.beginning()
		if err != nil {
			return in.Refuse(err)
		}
		return b.rulesReply(in, begin.Rules)
	}
	if id == "" {
		return Reply{Toast: in.Text("reply.no_table")}
	}
	switch in.Command {
	case "join":
		return b.act(ctx, in, id, table.Join{Seat: -1})
	case "leave":
		return b.act(ctx, in, id, table.Leave{})
	case "start":
		return b.act(ctx, in, id, table.Start{})
	case "table":
		if why := unfit(in); why != "" {
			return Reply{Toast: why, Outcome: Refused}
		}
		return b.act(ctx, in, id, table.Bump{Chat: chat})
	case "close":
		return b.act(ctx, in, id, table.Close{})
	case "rules":
		return b.rules(ctx, in, id)
	case "kick":
		return b.kick(ctx, in, id)
	case "pause":
		return b.act(ctx, in, id, table.Rest{})
	}
	return Reply{Toast: in.Text("reply.unknown_command")}
}

// kick has the AI play for somebody, whom the command names by his seat's
// number or by his name, or offers everybody.
func (b *Bot) kick(ctx context.Context, in Input, id string) Reply {
	t, err := b.table(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	name := strings.TrimPrefix(strings.TrimSpace(in.Args["player"]), "@")
	who := plain(name)
	for i, s := range t.Seats {
		if who != "" && s.Player.ID != "" && (who == strconv.Itoa(i+1) || who == plain(s.Player.Name)) {
			return b.act(ctx, in, id, table.Kick{Seat: i})
		}
	}
	screen := view.Kick(t.Public(), in.Player.ID, cutTo(cleanName(name), 40), in.Catalogue())
	return Reply{Screen: &screen}
}

// help says how it goes, with the commands as this platform spells them.
func (b *Bot) help(in Input) Reply {
	c := in.Catalogue()
	var lines [][2]string
	if p := b.platformOf(Address(in.Player.ID)); p != nil {
		for _, command := range Commands {
			lines = append(lines, [2]string{p.Spelling(command, c.Code()), c.Text("cmd." + command.Name)})
		}
	}
	screen := view.Help(c, lines...)
	return Reply{Screen: &screen}
}

// openTable is the table that is open in a chat, or "".
func (b *Bot) openTable(ctx context.Context, chat Chat) (string, error) {
	home, err := b.docs.Home(ctx, chat.Home)
	return home.Open[chat.ID], err
}

// unfit says why no table can be kept in this chat, or nothing if one can.
func unfit(in Input) string {
	c := in.Catalogue()
	if in.Chat.Visit {
		return c.Text("reply.visit")
	}
	switch {
	case len(in.Lacks) == 0:
		return ""
	case in.Lacks[0] == Locked:
		return c.Text("reply.locked")
	case in.Lacks[0] == Uninvited:
		return c.Text("reply.uninvited")
	}
	var names []string
	for _, name := range in.Lacks {
		names = append(names, c.Text("permission."+name))
	}
	return c.Text("reply.lacks", "permissions", strings.Join(names, ", "))
}

// open opens a table in this chat.
func (b *Bot) open(ctx context.Context, in Input) Reply {
	if why := unfit(in); why != "" {
		return Reply{Toast: why, Outcome: Refused}
	}
	home, err := b.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	err = home.opens(ctx, in)
	var begin homeDefault
	if err == nil {
		begin, err = home.beginning()
	}
	if err == nil {
		begin, err = asked(words(in), begin, in.Catalogue())
	}
	if err != nil {
		return in.Refuse(err)
	}
	doc, err := b.docs.Own(ctx, in.Player.ID)
	if err == nil && home.Open[in.Chat.ID] == "" {
		err = b.roomFor(ctx, doc, in.Player.ID, "")
	}
	if err != nil {
		return in.Refuse(err)
	}
	host := doc.dress(in.TablePlayer())
	chat := home.dress(table.Chat{ID: in.Chat.ID, Lang: in.Chat.Lang})
	if in.Chat.Private { // nobody waits for him there
		chat.Quiet, begin.Limit = true, soloLimit
	}
	for range attempts {
		now := b.docs.Now()
		t := table.New(newTableID(in.Chat.Home), in.Chat.Home, chat, host, begin.Rules, b.pace, begin.Limit, now)
		t.Level = begin.Level
		t.Tell = home.listeners(in.Player.ID)
		c, err := b.change(ctx, loaded{Table: table.Table{Phase: table.Closed}}, &t, nil)
		if exists := tableExists(""); errors.As(err, &exists) {
			return b.tableStands(ctx, in, string(exists))
		}
		if err != nil {
			return in.Refuse(err)
		}
		c.Due = append(c.Due, store.Mark{ID: tableName(t.ID), At: now})
		switch err := b.docs.CommitOnce(ctx, in.Once, c); {
		case err == nil:
			b.docs.Nudge()
			return Reply{Toast: in.Text("reply.opened"), Echo: true}
		case !errors.Is(err, store.ErrConflict):
			return in.Refuse(err)
		}
	}
	return in.Refuse(errBusy)
}

// tableStands says that this chat has a table, with a link to it where the
// platform has links.
func (b *Bot) tableStands(ctx context.Context, in Input, id string) Reply {
	keys, ok := tableKeys(id)
	if !ok {
		return in.Refuse(errNoTable)
	}
	docs, err := b.docs.Store.Get(ctx, keys[1])
	if err != nil {
		return in.Refuse(err)
	}
	var shown shownDoc
	if err := decode(docs[0], &shown); err != nil {
		shown = shownDoc{} // of a newer schema: there is no link then
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
		if p := b.platformOf(post.Address); p != nil && no > latest {
			link, latest = p.Link(in.Chat.Home, post.Address), no
		}
	}
	screen := view.TableExists(id, link, in.Catalogue())
	return Reply{Screen: &screen, Toast: in.Text("reply.table_exists")}
}

// hello greets somebody who opened a private chat with the bot, and brings the
// hands of the tables at which he sits.
func (b *Bot) hello(ctx context.Context, in Input) Reply {
	ids, err := b.tablesOf(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	// A game alone stands in this chat before his own document names it.
	alone, err := b.openTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if alone != "" && !slices.Contains(ids, alone) {
		ids = append(ids, alone)
	}
	for _, id := range ids[max(0, len(ids)-fewTables):] {
		if err := errors.Join(b.note(ctx, id, noteReached(in, b.docs.Now())), b.relearn(ctx, in, id)); err != nil {
			return in.Refuse(err)
		}
	}
	c := in.Catalogue()
	if id, ok := strings.CutPrefix(in.Args["payload"], view.SeatPayload); ok && !slices.Contains(ids, id) {
		return b.seat(ctx, in, id, len(ids))
	}
	screen := view.Hello(len(ids), c)
	return Reply{Screen: &screen}
}

// seat lets somebody who came by a link to a table sit down there, who sits at so many others.
func (b *Bot) seat(ctx context.Context, in Input, id string, others int) Reply {
	said := b.act(ctx, in, id, table.Join{Seat: -1})
	sits := ""
	if said.Outcome == Done {
		sits = id
	}
	screen := view.Welcome(said.Toast, sits, others, in.Catalogue())
	return Reply{Screen: &screen, Outcome: said.Outcome}
}

// noteReached notes that the person can be written to in private.
func noteReached(in Input, now time.Time) func(*notesDoc) {
	return func(n *notesDoc) {
		if n.Reached == nil {
			n.Reached = map[string]time.Time{}
		}
		n.Reached[in.Player.ID] = now
	}
}

// tablesOf are the tables at which a player sits, the latest last. His document
// may name others too, where a process died between that document and the
// table's: they go from it here.
func (b *Bot) tablesOf(ctx context.Context, player string) ([]string, error) {
	doc, err := b.docs.Own(ctx, player)
	if err != nil || len(doc.Tables) == 0 {
		return nil, err
	}
	var ids []string
	for some := range slices.Chunk(doc.Tables, fewTables) { // so that few tables are in memory at a time
		var keys []store.Key
		for _, id := range some {
			own, _ := tableKeys(id)
			keys = append(keys, own[0])
		}
		docs, err := b.docs.Store.Get(ctx, keys...)
		if err != nil {
			return nil, err
		}
		for i, id := range some {
			t, err := b.readTable(docs[i])
			if err != nil {
				continue // of a newer schema
			}
			if _, sits := t.Private(player); docs[i].Version == 0 || !sits || done(t.Phase) {
				if err := b.indexPlayer(ctx, player, id, false, false); err != nil {
					return nil, err
				}
				continue
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// hands shows the person his hand: at this chat's table, or in a private chat
// at the table where he sat down last.
func (b *Bot) hands(ctx context.Context, in Input) Reply {
	id, err := b.openTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if id == "" {
		ids, err := b.tablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			id = ids[len(ids)-1]
		}
	}
	if id == "" {
		return Reply{Toast: in.Text("reply.no_table")}
	}
	return b.cards(ctx, in, id)
}
