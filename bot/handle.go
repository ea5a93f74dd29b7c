package bot

import (
	"context"
	"strings"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// buttonRoute is the handler of one kind of button.
type buttonRoute struct {
	know know
	do   func(ctx context.Context, in chat.Input, p view.Press) chat.Reply
}

// commandRoute is the handler of one command. Either do or at is set.
type commandRoute struct {
	do func(ctx context.Context, in chat.Input) chat.Reply
	at func(ctx context.Context, in chat.Input, at place) chat.Reply // for commands about a table
}

// place is the table that a command is about.
type place struct {
	table string // the table's id; "": no table
	chat  string // the chat with the table's messages: this one, or the person's private chat
}

// know is a set of facts to look up about an input before a room handles it.
type know uint8

const (
	settle   know = 1 << iota // the home of the chat, which may be stored under a former id
	settings                  // the settings of the person and the home
	all      = settle | settings
)

// actionTable returns the handlers of all buttons.
func (b *Bot) actionTable() map[view.Action]buttonRoute {
	// give applies a command to the table that the button names.
	give := func(know know, make func(p view.Press) table.Command) buttonRoute {
		return buttonRoute{know, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
			return b.tables.Act(ctx, in, p.Table, make(p))
		}}
	}
	always := func(c table.Command) func(view.Press) table.Command {
		return func(view.Press) table.Command { return c }
	}
	// named calls a handler that needs nothing of the press but the table's id.
	named := func(know know, do func(ctx context.Context, in chat.Input, id string) chat.Reply) buttonRoute {
		return buttonRoute{know, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply { return do(ctx, in, p.Table) }}
	}
	plain := func(do func(ctx context.Context, in chat.Input) chat.Reply) buttonRoute {
		return buttonRoute{all, func(ctx context.Context, in chat.Input, _ view.Press) chat.Reply { return do(ctx, in) }}
	}
	return map[view.Action]buttonRoute{
		view.ActJoin:    give(0, always(table.Join{Seat: -1})),
		view.ActLeave:   give(0, always(table.Leave{})),
		view.ActQuit:    give(0, always(tables.Quit{})),
		view.ActAI:      give(0, always(table.AddAI{})),
		view.ActUnAI:    give(0, always(table.RemoveAI{})),
		view.ActStart:   give(0, always(table.Start{})),
		view.ActBack:    give(0, always(table.Back{})),
		view.ActRematch: give(0, always(table.Rematch{})),
		view.ActShorter: give(0, always(table.Rematch{Shorter: true})),
		view.ActLast:    give(0, always(table.LastDeal{})),
		view.ActRest:    give(0, always(table.Rest{})),
		view.ActResume:  give(0, always(table.Resume{})),
		view.ActPlay: give(0, func(p view.Press) table.Command {
			return table.Play{Deal: p.Deal, Decision: p.Turn, Move: p.Move}
		}),
		view.ActPlace: give(0, func(p view.Press) table.Command {
			return table.PlayPlace{Deal: p.Deal, Ply: p.Turn, Place: p.Place, Move: p.Move}
		}),
		view.ActSet: give(0, func(p view.Press) table.Command {
			return table.Choose{What: p.What, Value: p.Value}
		}),
		view.ActKick: give(settle, func(p view.Press) table.Command {
			return table.Kick{Seat: p.Place}
		}),
		view.ActClose: give(settle, always(table.Close{})),

		view.ActCards:   named(0, b.tables.Cards),
		view.ActHint:    named(0, b.review.Hint),
		view.ActRules:   named(settings, b.play.Rules),
		view.ActMore:    named(all, b.play.More),
		view.ActProof:   named(settings, b.play.Proof),
		view.ActBump:    named(settle, b.play.Bump),
		view.ActDefault: named(all, b.play.SetDefault),
		view.ActLesson:  plain(b.play.Lesson),
		view.ActTell:    {all, b.news.Flip},
		view.ActHush:    {all, b.news.Hush},
		view.ActSilence: {all, b.news.Silence},
		view.ActNew:     plain(b.play.Open),
		view.ActNow:     plain(b.meet.Play),
		view.ActMeet:    {all, b.meet.Press},
		view.ActMine:    {settle, b.people.Pref},
		view.ActHome:    {settle, b.people.Pref},
		view.ActData: {all, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
			return b.people.MyData(ctx, in, p.What)
		}},
		view.ActBoard:   plain(b.boards.Command),
		view.ActLadder:  {all, b.boards.Ladder},
		view.ActHall:    {all, b.boards.Hall},
		view.ActSeen:    b.seen(doc.SeenYes),
		view.ActUnseen:  b.seen(doc.SeenNo),
		view.ActDaily:   {all, b.daily.Press},
		view.ActDay:     {all, b.daily.Press},
		view.ActCup:     {all, b.cup.Press},
		view.ActPuzzle:  {all, b.puzzle.Press},
		view.ActEvening: {all, b.cup.EveningPress},
		view.ActFeats:   {settings, b.feats},
		view.ActCoach:   {settings, b.review.Coach},
		view.ActReplay:  {all, b.review.Step},
		view.ActDeals:   {all, b.review.Step},
		view.ActRecord:  {all, b.review.Step},
	}
}

// commandTable returns the handlers of all commands.
func (b *Bot) commandTable() map[string]commandRoute {
	do := func(f func(ctx context.Context, in chat.Input) chat.Reply) commandRoute { return commandRoute{do: f} }
	at := func(f func(ctx context.Context, in chat.Input, id string) chat.Reply) commandRoute {
		return commandRoute{at: func(ctx context.Context, in chat.Input, at place) chat.Reply { return f(ctx, in, at.table) }}
	}
	give := func(c table.Command) commandRoute {
		return commandRoute{at: func(ctx context.Context, in chat.Input, at place) chat.Reply {
			return b.tables.Act(ctx, in, at.table, c)
		}}
	}
	return map[string]commandRoute{
		"new":         do(b.play.Open),
		"play":        do(b.meet.Play),
		"solo":        do(b.play.Solo),
		"tutorial":    do(b.play.Lesson),
		"daily":       do(b.daily.Command),
		"puzzle":      do(b.puzzle.Command),
		"help":        do(b.help),
		"hello":       do(b.hello),
		"invite":      do(b.play.Invite),
		"leaderboard": do(b.boards.Command),
		"stats":       do(b.boards.Stats),
		"hand":        do(b.play.Hands),
		"replay":      do(b.review.Command),
		"settings":    do(b.people.Prefs),
		"share":       do(b.play.ShareTable),
		"tournament":  do(b.cup.Open),
		"evening":     do(b.cup.Evening),
		"privacy":     do(b.privacy),
		"mydata": do(func(ctx context.Context, in chat.Input) chat.Reply {
			return b.people.MyData(ctx, in, strings.ToLower(strings.TrimSpace(in.Args["what"])))
		}),

		"join":  give(table.Join{Seat: -1}),
		"leave": give(table.Leave{}),
		"start": give(table.Start{}),
		"pause": give(table.Rest{}),
		"close": give(table.Close{}),
		"kick":  at(b.play.Kick),
		"rules": {at: func(ctx context.Context, in chat.Input, at place) chat.Reply {
			if at.table == "" || len(chat.ArgWords(in)) > 0 {
				return b.play.GameRules(ctx, in)
			}
			return b.play.Rules(ctx, in, at.table)
		}},
		"table": {at: func(ctx context.Context, in chat.Input, at place) chat.Reply {
			if why := chat.Unfit(in); why != "" {
				return chat.Reply{Toast: why, Outcome: chat.Refused}
			}
			return b.tables.Act(ctx, in, at.table, table.Bump{Chat: at.chat})
		}},
	}
}

// Handle processes the action of one person and returns the reply to them. It never
// fails: the reply's text reports any error.
func (b *Bot) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if p := b.deliver.PlatformOf(chat.Address(in.Player.ID)); p != nil {
		in.Spelling = p.Spelling
	}
	b.queue.Idle.Begin()
	defer b.queue.Idle.End()
	ctx, end := b.docs.Observe.Input(ctx, in)
	reply := b.answer(ctx, in)
	end(reply)
	if reply.Err != nil {
		b.docs.Log.Error("answer a player", "command", in.Command, "err", reply.Err)
	}
	return reply
}

func (b *Bot) answer(ctx context.Context, in chat.Input) chat.Reply {
	if in.Former != "" {
		return b.upkeep.Moved(ctx, in)
	}
	if in.Presence != 0 {
		reply := b.upkeep.Presence(ctx, in)
		if in.Presence != chat.Removed && reply.Outcome == chat.Done {
			reply = b.people.Present(ctx, in)
		}
		return reply
	}
	if ok, notify := b.throttle.pass(in.Player.ID, in.Command != "", b.docs.Now()); notify {
		return chat.Reply{Toast: in.Text("reply.too_fast"), Outcome: chat.Limited}
	} else if !ok {
		return chat.Reply{Outcome: chat.Limited}
	}
	if in.Command != "" {
		return b.command(ctx, in)
	}
	p, err := view.ParsePress(in.Press)
	if err != nil {
		return in.Refuse(chat.ErrForged)
	}
	act, ok := b.actions[p.Action]
	if !ok {
		return in.Refuse(chat.ErrForged)
	}
	if act.know&settle != 0 {
		if in, err = b.docs.Settled(ctx, in); err != nil {
			return in.Refuse(err)
		}
	}
	if act.know&settings != 0 {
		in = b.docs.Known(ctx, in)
	}
	return act.do(ctx, in, p)
}

// command answers a command. A command about a table applies to the table that is
// open in this chat. In a private chat without one, it applies to the latest table at
// which the person has a seat.
func (b *Bot) command(ctx context.Context, in chat.Input) chat.Reply {
	in, err := b.docs.Settled(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	in = b.docs.Known(ctx, in)
	command := b.commands[in.Command]
	if command.do != nil {
		return command.do(ctx, in)
	}
	home, err := b.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	at := place{table: home.Open[in.Chat.ID], chat: in.Chat.ID}
	if at.table == "" && in.Chat.Private {
		ids, err := b.tables.TablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			at.table, at.chat = ids[len(ids)-1], in.Player.ID
		}
	}
	switch {
	case at.table == "" && in.Command != "rules":
		return chat.Reply{Toast: in.Text("reply.no_table")}
	case command.at == nil:
		return chat.Reply{Toast: in.Text("reply.unknown_command")}
	}
	return command.at(ctx, in, at)
}

// seen returns the handler of a button that says whether people of other chats may see the
// presser's name. The reply is the board with the button.
func (b *Bot) seen(value string) buttonRoute {
	return buttonRoute{all, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
		if err := b.people.Seen(ctx, in, value); err != nil {
			return in.Refuse(err)
		}
		p.Action = view.ActLadder
		return b.boards.Ladder(ctx, in, p)
	}}
}

// Complete suggests values for the option that the person is typing.
func (b *Bot) Complete(ctx context.Context, in chat.Input) []chat.Suggestion {
	return b.play.Complete(ctx, in)
}

// help replies with a list of the commands, in the spelling of the person's platform.
func (b *Bot) help(_ context.Context, in chat.Input) chat.Reply {
	c := in.Catalogue()
	var lines [][2]string
	if in.Spelling != nil {
		for _, command := range chat.Commands {
			lines = append(lines, [2]string{in.Spelling(command, c.Code()), c.Text("cmd." + command.Name)})
		}
	}
	screen := view.Help(c, lines...)
	if in.Chat.Private {
		screen = view.WithInvite(screen, b.deliver.Invite(in.Player.ID), c)
	}
	return chat.Reply{Screen: &screen}
}

// hello greets a person who opened a private chat with the bot. A link to a deal of the day
// leads there.
func (b *Bot) hello(ctx context.Context, in chat.Input) chat.Reply {
	reply := b.play.Hello(ctx, in)
	if home, ok := view.DailyHome(in.Args["payload"]); ok && reply.Outcome == chat.Done {
		return b.daily.Visit(ctx, in, home)
	}
	return reply
}

// privacy replies with a summary of the data that is kept about a person.
func (b *Bot) privacy(_ context.Context, in chat.Input) chat.Reply {
	screen := view.Privacy(in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// feats explains the achievements of a match's players.
func (*Bot) feats(_ context.Context, in chat.Input, p view.Press) chat.Reply {
	screen := view.Feats(strings.Split(p.What, "-"), in.Catalogue())
	reply := chat.Reply{Screen: &screen}
	if words := strings.TrimSpace(screen.String()); utf8.RuneCountInString(words) <= chat.ToastLimit {
		reply.Toast, reply.Alert = words, true
	}
	return reply
}
