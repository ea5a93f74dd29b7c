package review

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

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
		choices, best, why, err = ai.Explain(ctx, private.View, t.Before(), room.thinkers.Worlds, 0)
	})
	if thought != nil || err != nil {
		return in.Refuse(doc.ErrBusy)
	}
	move := choices[best].Move
	return chat.Reply{Toast: Hint(private, move, view.Reason(why)), Alert: true, About: view.PressFor(private, move)}
}
