package review

import (
	"context"
	"fmt"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Steps returns all steps of a finished match, as the replay shows them to the reader.
// It is for callers that show a whole match at once. If the reader played in the match,
// the steps include the coach's analysis of their choices, if it is complete within a second. If
// the match doesn't exist or the reader may not see it, the error is ErrNoMatch.
func (room *Room) Steps(ctx context.Context, in chat.Input, id string) ([]chat.Step, error) {
	table, no, ok := doc.ParseMatchID(id)
	if !ok {
		return nil, chat.ErrNoMatch
	}
	m, r, err := room.Record(ctx, in, table, no, "")
	if err != nil {
		return nil, err
	}
	out, err := r.Replay()
	if err != nil {
		return nil, fmt.Errorf("replay a match: %w", err)
	}
	seen, seat := matchFor(m, table, no, in.Player.ID), m.SeatOf(in.Player.ID)
	var o opinion
	if seat >= 0 {
		if o, err = room.awaited(ctx, table, no, in.Player.ID, seat); err != nil {
			return nil, err
		}
	}
	var steps []chat.Step
	for deal := range r.Deals {
		thoughts, err := o.thoughts(m, r, out, deal+1)
		if err != nil {
			return nil, err
		}
		d, err := dealOf(seen, r, out, deal+1)
		if err != nil {
			return nil, fmt.Errorf("replay a deal: %w", err)
		}
		for step := range d.states {
			v := d.at(step)
			if seat >= 0 {
				remarked(&v, o, thoughts)
			}
			shown := chat.Step{Deal: deal + 1, No: step, Screen: v.Screen(in.Catalogue())}
			for _, t := range v.Thoughts {
				again := retry{table: table, match: no, deal: t.Deal, action: t.Action}
				shown.Choices = append(shown.Choices, chat.StepChoice{Expects: t.best()[0].Score - t.Cost(), Cost: t.Cost(), Retry: again.String()})
			}
			steps = append(steps, shown)
		}
	}
	return steps, nil
}
