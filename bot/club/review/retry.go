package review

import (
	"context"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

// retry shows a position of a finished match again, from a choice of the presser on. The presser plays on against the
// AI, as often as they like. Nothing is stored, so it counts nowhere.
func (room *Room) retry(ctx context.Context, in chat.Input, p retry) chat.Reply {
	m, r, err := room.record(ctx, in, p.table, p.match, "", true)
	if err != nil {
		return in.Refuse(err)
	}
	seat := m.SeatOf(in.Player.ID)
	if seat < 0 {
		return in.Refuse(errNotPlayed)
	}
	out, err := r.Replay()
	if err != nil {
		return in.Refuse(err)
	}
	if p.deal < 1 || p.deal > len(r.Deals) {
		return in.Refuse(chat.ErrForged)
	}
	ctx, cancel := context.WithTimeout(ctx, work.WhyTimeout)
	defer cancel()
	before := matchBefore(r, out, p.deal-1)
	var s game.State
	var since int
	busy := room.thinkers.Take(ctx, func(context.Context) {
		s, since, err = room.playOn(ctx, p, seat, r, out, before)
	})
	switch {
	case busy != nil || ctx.Err() != nil:
		return in.Refuse(doc.ErrBusy)
	case err != nil:
		return in.Refuse(err)
	}
	t := Retry{Match: matchFor(m, p.table, p.match, in.Player.ID), Deal: p.deal, Totals: before.Scores, View: s.View(seat), Since: since, press: p}
	if s.Over() {
		result, _ := s.Result()
		after, score := before.Settle(result)
		t.Now = &table.Past{No: p.deal, Result: result, Score: score, Totals: after.Scores, Pool: after.Pool, Held: after.Abeyance, Tricks: t.View.Tricks}
		t.Then = out.Deals[p.deal-1].Settlement
		then, _ := out.Deals[p.deal-1].State.Result()
		t.Played = result.End == game.EndPlayed && then.End == game.EndPlayed
	}
	if in.Page && p.moves == "" {
		if t.Advice, err = room.advice(ctx, in.Player.ID, seat, p, m, r, out); err != nil {
			return in.Refuse(err)
		}
	}
	shown := t.Screen(in.Catalogue())
	return chat.Reply{Screen: &shown, Position: t.onFelt(in.Catalogue()), Replace: true}
}

// advice returns the coach's opinion of the choice at which a try begins, if the coach has one and another move was better.
func (room *Room) advice(ctx context.Context, player string, seat int, p retry, m doc.Match, r record.Record, out record.Outcome) (*RatedChoice, error) {
	o, err := room.opinion(ctx, p.table, p.match, player, seat)
	if err != nil {
		return nil, err
	}
	seen, err := o.thoughts(m, r, out, p.deal)
	i := slices.IndexFunc(seen, func(t RatedChoice) bool { return t.Action == p.action && t.Cost() >= leastCost(m.Rules) })
	if i < 0 {
		return nil, err
	}
	return &seen[i], nil
}

// retryLevel is the level of the AI that plays the other seats.
var retryLevel = ai.Levels[len(ai.Levels)-1]

// playOn returns the state after the presser's moves, and the index in its log of the latest of them. The AI plays the
// other seats, and choices with only one move.
func (room *Room) playOn(ctx context.Context, p retry, seat int, r record.Record, out record.Outcome, before game.Match) (s game.State, since int, err error) {
	played := r.Deals[p.deal-1]
	if s, err = game.Deal(r.Rules, played.Deck, out.Deals[p.deal-1].State.Dealer()); err != nil {
		return s, 0, err
	}
	if p.action >= len(played.Actions) {
		return s, 0, chat.ErrForged
	}
	for _, a := range played.Actions[:p.action] {
		if s, err = game.Apply(s, a.Seat, a.Move); err != nil {
			return s, 0, err
		}
	}
	if s.Turn() != seat {
		return s, 0, chat.ErrForged
	}
	left := p.moves
	for !s.Over() {
		legal, turn := s.Legal(), s.Turn()
		move := legal[0]
		switch {
		case len(legal) == 1:
		case turn != seat:
			move = room.thinkers.Move(ctx, retryLevel, s.View(turn), before)
		case len(left) == 0:
			return s, since, nil
		case int(left[0]-'0') >= len(legal):
			return s, 0, chat.ErrForged
		default:
			move, left, since = legal[left[0]-'0'], left[1:], len(s.View(seat).Log)
		}
		if s, err = game.Apply(s, turn, move); err != nil {
			return s, 0, err
		}
	}
	if len(left) > 0 {
		return s, 0, chat.ErrForged
	}
	return s, since, nil
}
