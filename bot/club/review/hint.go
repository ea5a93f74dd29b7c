package review

import (
	"cmp"
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// A hint is doubted in one deal for so many worlds, which takes about a tenth of a second.
const hintWorlds = 5

// Hint shows a solo player the move that the AI would make in their place, and why.
func (room *Room) Hint(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	private, seated := t.Private(in.Player.ID)
	switch {
	case !seated:
		return in.Refuse(table.ErrStranger)
	case t.Policy.NoHints:
		return in.Refuse(t.Policy.Refusal)
	case !private.Alone():
		return in.Refuse(chat.ErrForged)
	case t.Phase != table.Playing:
		return in.Refuse(table.ErrNotPlaying)
	case private.Turn != private.Seat:
		return in.Refuse(table.ErrNotTurn)
	}
	ctx, cancel := context.WithTimeout(ctx, work.WhyTimeout)
	defer cancel()
	var choices []ai.Choice
	var best int
	var why ai.Reason
	thought := room.thinkers.Take(ctx, func(context.Context) {
		if choices, best, why, err = ai.Explain(ctx, private.View, t.Before(), room.thinkers.Worlds, 0); err == nil {
			why, err = ai.Doubt(ctx, private.View, t.Before(), why, room.thinkers.Worlds/hintWorlds)
		}
	})
	if thought != nil || err != nil {
		return in.Refuse(doc.ErrBusy)
	}
	move := cmp.Or(why.Better, choices[best].Move)
	return chat.Reply{Toast: Hint(private, move, view.Reason(why)), Alert: true, About: view.PressFor(private, move)}
}
