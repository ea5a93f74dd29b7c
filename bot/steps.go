package bot

import (
	"context"
	"fmt"

	"sedmabot/bot/view"
)

// Step is one step of a finished match.
type Step struct {
	Deal, No int // its deal, from 1, and its number in the deal, from 0
	Screen   view.Screen
}

// Steps are all steps of a finished match, as the replay shows them to who asks,
// with what the coach says of his choices, for those who look at a match as a
// whole. The error of a match that is not there, or not for him, is ErrNoMatch.
func (b *Bot) Steps(ctx context.Context, in Input, id string) ([]Step, error) {
	table, no, ok := parseMatchID(id)
	if !ok {
		return nil, ErrNoMatch
	}
	m, r, err := b.matchRecord(ctx, in, view.Press{Table: table, Match: no})
	if err != nil {
		return nil, err
	}
	out, err := r.Replay()
	if err != nil {
		return nil, fmt.Errorf("replay a match: %w", err)
	}
	seen, seat := m.seen(table, no, in.Player.ID), m.seatOf(in.Player.ID)
	coach, _, err := b.coachOf(ctx, table, no)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for deal := range r.Deals {
		for step := 0; ; step++ {
			v, err := stepOf(seen, r, out, deal+1, step)
			if err != nil {
				return nil, fmt.Errorf("replay a deal: %w", err)
			}
			if v.Played = seat >= 0; v.Played {
				v.Thoughts = coach.at(seat, v.Deal, v.Step)
			}
			steps = append(steps, Step{Deal: deal + 1, No: step, Screen: v.Screen(in.Catalogue())})
			if step == v.Steps {
				break
			}
		}
	}
	return steps, nil
}
