package review

import (
	"cmp"
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// A hint is doubted in one deal for so many worlds, which takes about a tenth of a second. On a busy machine it isn't doubted.
const (
	doubtWorlds  = 10
	doubtTimeout = time.Second / 2
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
		quick, end := context.WithTimeout(ctx, doubtTimeout)
		defer end()
		if doubted, late := ai.Doubt(quick, private.View, t.Before(), why, room.thinkers.Worlds/doubtWorlds); err == nil && late == nil {
			why = doubted
		}
	})
	if thought != nil || err != nil {
		return in.Refuse(doc.ErrBusy)
	}
	move := cmp.Or(why.Better, choices[best].Move)
	return chat.Reply{Toast: Hint(private, move, view.Reason(why)), Alert: true, About: view.PressFor(private, move)}
}
