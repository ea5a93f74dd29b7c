package review

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// hintWithin is the timeout for computing a hint.
const hintWithin = 2 * time.Second

// Hint shows a solo player the move that the AI would make in their place.
func (room *Room) Hint(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	private, seated := t.Private(in.Player.ID)
	switch {
	case !seated:
		return in.Refuse(table.ErrStranger)
	case t.Daily != nil:
		return in.Refuse(table.ErrDaily)
	case !private.Alone():
		return in.Refuse(chat.ErrForged)
	case t.Phase != table.Playing:
		return in.Refuse(table.ErrNotPlaying)
	case private.Turn != private.Seat:
		return in.Refuse(table.ErrNotTurn)
	}
	ctx, cancel := context.WithTimeout(ctx, hintWithin)
	defer cancel()
	var choices []ai.Choice
	thought := room.thinkers.Take(ctx, func(context.Context) { choices, err = ai.Values(ctx, private.View, t.Before(), room.thinkers.Worlds) })
	if thought != nil || err != nil {
		return in.Refuse(doc.ErrBusy)
	}
	best := slices.MaxFunc(choices, func(a, b ai.Choice) int { return cmp.Compare(a.Score, b.Score) })
	return chat.Reply{Toast: view.Hint(private, best.Move, advice(choices)), Alert: true}
}

// advice converts the AI's choices to the form that screens use.
func advice(choices []ai.Choice) []view.Advice {
	out := make([]view.Advice, len(choices))
	for i, c := range choices {
		out[i] = view.Advice(c)
	}
	return out
}
