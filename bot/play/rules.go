package play

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
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
	return rules(in, t.Rules)
}

// HomeRules shows the default rules for new tables of a home.
func (room *Room) HomeRules(in chat.Input, home doc.Home) chat.Reply {
	begin, err := home.Beginning()
	if err != nil {
		return in.Refuse(err)
	}
	return rules(in, begin.Rules)
}

func rules(in chat.Input, r game.Rules) chat.Reply {
	screen := view.Rules(r, in.Catalogue())
	return chat.Reply{Screen: &screen}
}
