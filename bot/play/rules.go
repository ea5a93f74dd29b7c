package play

import (
	"context"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
)

// Rules shows the rules of a table in one minute.
func (room *Room) Rules(ctx context.Context, in chat.Input, id string) chat.Reply {
	r, err := room.rulesOf(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Screen(r, screen.PressOf(view.ActExact, id), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// exactRules shows the exact rules of a table.
func (room *Room) exactRules(ctx context.Context, in chat.Input, id string) chat.Reply {
	r, err := room.rulesOf(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Exact(r, in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
}

// rulesOf returns the rules of a table. A deal of the day is a single deal.
func (room *Room) rulesOf(ctx context.Context, id string) (game.Rules, error) {
	t, err := room.tables.Load(ctx, id)
	if t.Daily != nil {
		t.Rules.Target, t.Rules.Hands = 0, 1
	}
	return t.Rules, err
}

// GameRules shows the rules of the game that the command's words name. Without words, it
// shows the default rules for new tables of the home.
func (room *Room) GameRules(ctx context.Context, in chat.Input) chat.Reply {
	begin, err := room.tables.Beginning(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	which := usualGame
	if len(chat.ArgWords(in, rulesOptions())) > 0 {
		which = begin.Rules.Preset
		if begin.Rules, err = game.Preset(which); err != nil {
			return in.Refuse(err)
		}
	}
	screen := rules.Screen(begin.Rules, screen.PressOf(actRead, which), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// actRead is the first word of the press that shows the exact rules of a game. Its field is a preset, or usualGame.
const actRead = "read"

// usualGame means the default rules for new tables of the home.
const usualGame = "usual"

// read shows the exact rules of a game.
func (room *Room) read(ctx context.Context, in chat.Input, which string) chat.Reply {
	r, err := game.Preset(which)
	if which == usualGame {
		in.Args = nil
		begin, failed := room.tables.Beginning(ctx, in)
		r, err = begin.Rules, failed
	}
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Exact(r, in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
}

// readPress reads a press of actRead.
func readPress(press string) (which string, err error) {
	_, f := screen.FieldsOf(press)
	which = f.Word()
	if err = f.End(); err == nil && which != usualGame && !slices.Contains(game.Presets(), which) {
		err = screen.ErrPress
	}
	return which, err
}
