package play

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// rulesOptions are the options of the command that shows the rules of a game.
func rulesOptions() []chat.Option {
	return []chat.Option{
		{Name: "game", Choices: game.Families(), Names: "game."},
		{Name: "players", Kind: chat.OptionNumber, Choices: []string{"2", "3", "4", "6"}},
		{Name: "rules", Complete: true},
	}
}

// Feature returns the commands, buttons and documents of tables.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: room.commands(), Buttons: room.buttons(), Kinds: room.kinds(), Courses: room.courses,
		HomeSettings: []doc.Setting[doc.Home]{
			{Name: "openers", Group: screen.GroupMay, Order: 50, Choices: []string{"all", "admins"}, Field: doc.Text(func(h *doc.Home) *string { return &h.Openers })},
		},
	}
}

func (room *Room) commands() []doc.Command {
	at := func(c chat.Command, f func(ctx context.Context, in chat.Input, id string) chat.Reply) doc.Command {
		return doc.Command{Command: c, At: func(ctx context.Context, in chat.Input, at doc.Place) chat.Reply { return f(ctx, in, at.Table) }}
	}
	give := func(c chat.Command, command table.Command) doc.Command {
		return at(c, func(ctx context.Context, in chat.Input, id string) chat.Reply {
			return room.tables.Act(ctx, in, id, command)
		})
	}
	return []doc.Command{
		{Command: chat.Command{Order: 10, Name: "new", AnyOrder: true, Options: tables.GameOptions()}, Do: room.Open, Complete: tables.Suggest},
		give(chat.Command{Order: 30, Name: "join", Spare: true, Group: "table"}, table.Join{Seat: -1}),
		give(chat.Command{Order: 40, Name: "leave", Spare: true}, table.Leave{}),
		give(chat.Command{Order: 50, Name: "start", Spare: true, Other: "begin"}, table.Start{}),
		{Command: chat.Command{Order: 60, Name: "solo", AnyOrder: true, Private: true, Ephemeral: true, Options: tables.GameOptions()}, Do: room.Solo, Complete: tables.Suggest},
		{Command: chat.Command{Order: 70, Name: "tutorial", Private: true, Ephemeral: true}, Do: room.Lesson},
		{Command: chat.Command{Order: 100, Name: "hand", Private: true, Ephemeral: true}, Do: room.Hands},
		{Command: chat.Command{Order: 110, Name: "table", Masked: true, Spare: true, Group: "table", In: "show", Other: "refresh"}, At: func(ctx context.Context, in chat.Input, at doc.Place) chat.Reply {
			if why := chat.Unfit(in); why != "" {
				return chat.Reply{Toast: why, Outcome: chat.Refused}
			}
			return room.tables.Act(ctx, in, at.Table, table.Bump{Chat: at.Chat})
		}},
		{Command: chat.Command{Order: 160, Name: "rules", Masked: true, AnyOrder: true, Private: true, Ephemeral: true, Options: rulesOptions()}, Bare: true, Complete: tables.Suggest, At: func(ctx context.Context, in chat.Input, at doc.Place) chat.Reply {
			if at.Table == "" || len(chat.ArgWords(in, rulesOptions())) > 0 {
				return room.GameRules(ctx, in)
			}
			return room.Rules(ctx, in, at.Table)
		}},
		{Command: chat.Command{Order: 190, Name: "share", Spare: true, Group: "table", Ephemeral: true, Options: []chat.Option{{Name: "code", Kind: chat.OptionText}}}, Do: room.ShareTable},
		at(chat.Command{Order: 200, Name: "kick", Masked: true, Spare: true, Ephemeral: true, Options: []chat.Option{{Name: "player", Kind: chat.OptionText}}}, room.Kick),
		give(chat.Command{Order: 210, Name: "pause", Spare: true, Ephemeral: true}, table.Rest{}),
		give(chat.Command{Order: 220, Name: "close", Masked: true, Spare: true, Group: "table"}, table.Close{}),
		{Command: chat.Command{Name: "hello", Unlisted: true}, Do: room.Hello},
		{Command: chat.Command{Name: "invite", Unlisted: true}, Do: room.Invite},
	}
}

func (room *Room) buttons() map[string]doc.Button {
	// give applies a command to the table that the button names.
	give := func(know doc.Know, make func(p view.Press) table.Command) doc.Button {
		return doc.Pressed(know, view.ParsePress, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
			return room.tables.Act(ctx, in, p.Table, make(p))
		}).OnPage()
	}
	always := func(c table.Command) func(view.Press) table.Command {
		return func(view.Press) table.Command { return c }
	}
	return map[string]doc.Button{
		view.ActJoin: give(0, always(table.Join{Seat: -1})),
		view.ActSit: give(0, func(p view.Press) table.Command {
			return table.Join{Seat: p.Place}
		}),
		view.ActLeave:   give(0, always(table.Leave{})),
		view.ActQuit:    give(0, always(tables.Quit{})),
		view.ActSure:    give(doc.Settle, sureCommand),
		view.ActAI:      give(0, always(table.AddAI{})),
		view.ActUnAI:    give(0, always(table.RemoveAI{})),
		view.ActStart:   give(0, always(table.Start{})).Beginning(),
		view.ActBack:    give(0, always(table.Back{})),
		view.ActRematch: give(0, always(table.Rematch{})).Beginning(),
		view.ActShorter: give(0, always(table.Rematch{Shorter: true})).Beginning(),
		view.ActSeries: give(0, func(p view.Press) table.Command {
			return table.Rematch{Best: p.Place}
		}).Beginning(),
		view.ActLast:   give(0, always(table.LastDeal{})),
		view.ActRest:   give(0, always(table.Rest{})),
		view.ActResume: give(0, always(table.Resume{})),
		view.ActPlay: give(0, func(p view.Press) table.Command {
			return table.Play{Deal: p.Deal, Decision: p.Turn, Move: p.Move}
		}),
		view.ActPlace: give(0, func(p view.Press) table.Command {
			return table.PlayPlace{Deal: p.Deal, Ply: p.Turn, Place: p.Place, Move: p.Move}
		}),
		view.ActSet: doc.Pressed(0, view.ParsePress, func(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
			if p.What == view.ChooseForm {
				return room.tables.Act(ctx, in, p.Table, table.ChooseHouse{Values: in.Fields})
			}
			return room.tables.Act(ctx, in, p.Table, table.Choose{What: p.What, Value: p.Value})
		}).OnPage(),
		view.ActKick: give(doc.Settle, func(p view.Press) table.Command {
			return table.Kick{Seat: p.Place, Mark: p.What}
		}),
		view.ActClose: give(doc.Settle, always(table.Close{})),

		view.ActCards: doc.Named(0, func(ctx context.Context, in chat.Input, id string) chat.Reply {
			return room.tables.Cards(ctx, in, id)
		}).OnPage(),
		view.ActRules:   doc.Named(doc.Settings, room.Rules).OnPage(),
		view.ActHow:     doc.Named(doc.Settings, room.howToPlay).OnPage(),
		view.ActExact:   doc.Named(doc.Settings, room.exactRules).OnPage(),
		actLearn:        doc.Pressed(doc.Everything, readPress, room.learn),
		actRead:         doc.Pressed(doc.Everything, readPress, room.read),
		view.ActMore:    doc.Named(doc.Everything, room.More).OnPage(),
		view.ActProof:   doc.Named(doc.Settings, room.Proof).OnPage(),
		view.ActBump:    doc.Named(doc.Settle, room.Bump).OnPage(),
		view.ActDefault: doc.Named(doc.Everything, room.SetDefault).OnPage(),
		view.ActLesson:  doc.Plain(room.Lesson).AtDoor().Beginning(),
		view.ActSolo:    doc.Plain(room.Solo).AtDoor().Beginning(),
		view.ActPost:    doc.Pressed(doc.Everything, sharePress, room.SharePressed),
		view.ActWarm:    doc.Named(doc.Everything, room.WarmUp).Beginning(),
		view.ActNew:     doc.Plain(room.Open).AtDoor().Beginning(),
	}
}

// sureCommand returns the command of a press that answers view.Ask.
func sureCommand(p view.Press) table.Command {
	switch p.What {
	case view.ActLeave:
		return tables.Sure{Command: table.Leave{}}
	case view.ActClose:
		return tables.Sure{Command: table.Close{}}
	default:
		return tables.Sure{Command: table.LastDeal{}}
	}
}
