package play

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
)

// Rules shows the exact rules of a table.
func (room *Room) Rules(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	if t.Daily != nil {
		t.Rules.Target, t.Rules.Hands = 0, 1 // a deal of the day is a single deal
	}
	return shown(in, t.Rules)
}

// GameRules shows the rules of the game that the command's words name. Without words, it
// shows the default rules for new tables of the home.
func (room *Room) GameRules(ctx context.Context, in chat.Input) chat.Reply {
	begin, err := room.tables.Beginning(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	return shown(in, begin.Rules)
}

func shown(in chat.Input, r game.Rules) chat.Reply {
	screen := rules.Screen(r, in.Catalogue())
	return chat.Reply{Screen: &screen}
}
