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

// Rules shows the rules of a table: those in one minute, or first how the game differs from plain Sedma.
func (room *Room) Rules(ctx context.Context, in chat.Input, id string) chat.Reply {
	r, err := room.rulesOf(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Screen(r, screen.PressOf(view.ActHow, id), screen.PressOf(view.ActExact, id), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// howToPlay shows the rules of a table in one minute.
func (room *Room) howToPlay(ctx context.Context, in chat.Input, id string) chat.Reply {
	r, err := room.rulesOf(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Play(r, screen.PressOf(view.ActExact, id), in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
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

// rulesOf returns the rules of a table, which may play a single deal.
func (room *Room) rulesOf(ctx context.Context, id string) (game.Rules, error) {
	t, err := room.tables.Load(ctx, id)
	if t.Policy.OneDeal && t.Policy.Once {
		t.Rules.Target, t.Rules.Deals = 0, 1
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
	screen := rules.Screen(begin.Rules, screen.PressOf(actLearn, which), screen.PressOf(actRead, which), in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// The first words of presses that show how to play a game, and its exact rules. Their field is a preset, or usualGame.
const (
	actLearn = "learn"
	actRead  = "read"
)

// usualGame means the default rules for new tables of the home.
const usualGame = "usual"

// learn shows how to play a game.
func (room *Room) learn(ctx context.Context, in chat.Input, which string) chat.Reply {
	r, err := room.gameOf(ctx, in, which)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Play(r, screen.PressOf(actRead, which), in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
}

// read shows the exact rules of a game.
func (room *Room) read(ctx context.Context, in chat.Input, which string) chat.Reply {
	r, err := room.gameOf(ctx, in, which)
	if err != nil {
		return in.Refuse(err)
	}
	screen := rules.Exact(r, in.Catalogue())
	return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
}

// gameOf returns the rules of a preset, or of new tables of the home.
func (room *Room) gameOf(ctx context.Context, in chat.Input, which string) (game.Rules, error) {
	if which != usualGame {
		return game.Preset(which)
	}
	in.Args = nil
	begin, err := room.tables.Beginning(ctx, in)
	return begin.Rules, err
}

// readPress reads a press of actLearn or actRead.
func readPress(press string) (which string, err error) {
	_, f := screen.FieldsOf(press)
	which = f.Word()
	if err = f.End(); err == nil && which != usualGame && !slices.Contains(game.Presets(), which) {
		err = screen.ErrPress
	}
	return which, err
}
