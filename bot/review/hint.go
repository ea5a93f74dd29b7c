package review

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// hintWithin is the timeout for computing a hint.
const hintWithin = 2 * time.Second

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
	var best int
	var why ai.Reason
	thought := room.thinkers.Take(ctx, func(context.Context) {
		choices, best, why, err = ai.Explain(ctx, private.View, t.Before(), room.thinkers.Worlds, 0)
	})
	if thought != nil || err != nil {
		return in.Refuse(doc.ErrBusy)
	}
	move := choices[best].Move
	return chat.Reply{Toast: Hint(private, move, reason(why)), Alert: true, About: view.PressFor(private, move)}
}

// reason converts the AI's reason to the form that screens use.
func reason(r ai.Reason) view.Reason {
	return view.Reason{
		Cause: string(r.Cause), Better: r.Better, Other: r.Other, Cards: r.Cards, Points: r.Points, Than: r.Than,
		Missing: r.Missing, Sure: r.Sure, Own: r.Own, Several: r.Several,
	}
}
