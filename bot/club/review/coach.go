package review

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/record"
	"sedmabot/store"
)

// Coach is the document with the analysis of a match by an earlier version. It is only exported and deleted.
type Coach struct {
	Deals json.RawMessage `json:"deals"`
	Done  bool            `json:"done,omitempty"`
	Seats []coached       `json:"seats,omitempty"` // players who had choices
}

// coached is the summary of that analysis for one player.
type coached struct {
	Seat     int     `json:"seat"`
	Player   string  `json:"player"`   // player id
	Choices  int     `json:"choices"`  // number of choices that the player had
	Accuracy float64 `json:"accuracy"` // from 0 (always the worst move) to 1 (always the best), weighted by stake
}

// opinion is what the coach has to say about a player's choices in a match.
type opinion struct {
	Verdict

	seat int
}

// opinionOf decodes the verdict about a seat's choices.
func opinionOf(stored store.Doc, seat int) (opinion, error) {
	o := opinion{seat: seat}
	err := doc.Decode(stored, &o.Verdict)
	return o, err
}

// opened returns the coach's opinion about a match that one of its players has opened.
// If the analysis isn't complete, it makes the job due that computes it.
func (room *Room) opened(ctx context.Context, id string, match int, player string, seat int) (opinion, error) {
	o, err := room.opinion(ctx, id, match, player, seat)
	if err == nil && !o.Done {
		err = room.ask(ctx, id, match, player)
	}
	return o, err
}

// opinion returns the coach's opinion so far about a player's choices.
func (room *Room) opinion(ctx context.Context, id string, match int, player string, seat int) (opinion, error) {
	key, ok := verdictKey(id, match, player)
	if !ok {
		return opinion{}, chat.ErrNoMatch
	}
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return opinion{}, err
	}
	return opinionOf(docs[0], seat)
}

// ask makes the job due that analyzes a player's choices.
func (room *Room) ask(ctx context.Context, id string, match int, player string) error {
	key, ok := verdictKey(id, match, player)
	if !ok {
		return chat.ErrNoMatch
	}
	now := room.docs.Now()
	return room.docs.Commit(ctx, "", store.Change{Partition: key.Partition, Due: []store.Mark{{ID: key.Name, At: now}}, Now: now})
}

// thoughts returns the opinion about the choices in a deal, which counts from 1. It
// returns none before the analysis is complete.
func (o opinion) thoughts(m doc.Match, r record.Record, out record.Outcome, deal int) (seen []RatedChoice, err error) {
	if !o.Done || deal > len(o.Remarks) {
		return nil, nil
	}
	left := o.Remarks[deal-1]
	err = eachChoice(m, r, out, deal-1, o.seat, func(action int, v game.View, move game.Move) error {
		if len(left) > 0 {
			if remark := left[0]; len(remark.Scores) == len(v.Legal) {
				t := RatedChoice{Deal: deal, Action: action, Chosen: move, View: v}
				for i, m := range v.Legal {
					t.Choices = append(t.Choices, view.Advice{Move: m, Score: float64(remark.Scores[i]) / 100})
				}
				seen = append(seen, t)
			}
			left = left[1:]
		}
		return nil
	})
	return seen, err
}

// errNotPlayed reports that the coach has nothing to say to somebody about a match.
var errNotPlayed = chat.NewRefusal("coach_players")

// moments is how many moments of a match the coach shows at most. A choice that cost less than that many stakes or
// points is none.
const (
	moments     = 3
	leastStakes = 0.15
	leastPoints = 3.0
)

// leastCost returns how much a choice must cost to be a moment.
func leastCost(r game.Rules) float64 {
	if view.UnitKey(r) == "unit.stakes" {
		return leastStakes
	}
	return leastPoints
}

// A press on the coach's button looks so often whether the analysis is complete, with so
// long a pause before each look.
const (
	coachLooks = 20
	coachLook  = 50 * time.Millisecond
)

// coach shows a player of a match what the AI thinks of their choices: one of the moments, the numbers, or their habits.
func (room *Room) coach(ctx context.Context, in chat.Input, p press) chat.Reply {
	m, r, err := room.record(ctx, in, p.table, p.match, p.ticket, true)
	if err != nil {
		return in.Refuse(err)
	}
	seat := m.SeatOf(in.Player.ID)
	if seat < 0 {
		return in.Refuse(errNotPlayed)
	}
	o, err := room.awaited(ctx, p.table, p.match, in.Player.ID, seat)
	if err != nil {
		return in.Refuse(err)
	}
	if !o.Done {
		return chat.Reply{Toast: in.Text("reply.coach_thinks")}
	}
	report := CoachReport{Match: matchFor(m, p.table, p.match, in.Player.ID), Choices: o.Choices, Accuracy: o.accuracy(), StandIn: standIn(m, r, seat), Sealed: room.docs.Now().Before(m.Sealed)}
	var out record.Outcome
	if o.Choices > 0 {
		if out, err = r.Replay(); err == nil {
			report.Moments, report.Tallies, err = o.moments(m, r, out)
		}
		if err != nil {
			return in.Refuse(err)
		}
	}
	var shown screen.Screen
	var position *chat.Position
	switch n := min(max(p.deal, 1), len(report.Moments)); {
	case p.step == pageHabits:
		lately, err := room.lately(ctx, in.Player.ID, room.latestIDs(ctx, m.Home, in.Player.ID, doc.MatchID(p.table, p.match)))
		if err != nil {
			return in.Refuse(err)
		}
		shown = habitsOf(report.Match, lately).Screen(in.Catalogue())
	case p.step == pageNumbers:
		shown = report.Numbers(in.Catalogue())
	case n == 0:
		shown = report.Screen(in.Catalogue())
	default:
		t := &report.Moments[n-1]
		before := matchBefore(r, out, t.Deal-1)
		t.Why, t.Scores = view.Reason(room.thinkers.Why(ctx, t.View, before, t.better(), t.Chosen)), before.Scores
		if t.Why.Cause == ai.Equal { // more ways of judging than one have said that it isn't
			t.Why = view.Reason{}
		}
		shown, position = report.Moment(n, in.Catalogue()), report.onFelt(n, in.Catalogue())
	}
	return chat.Reply{Screen: &shown, Position: position, Replace: p.ticket != ""}
}

// moments returns the choices that cost most, and how often the player had which habit in the match.
func (o opinion) moments(m doc.Match, r record.Record, out record.Outcome) (costly []RatedChoice, counted tallies, err error) {
	least := leastCost(m.Rules)
	for deal := range r.Deals {
		seen, err := o.thoughts(m, r, out, deal+1)
		if err != nil {
			return nil, nil, err
		}
		for _, t := range seen {
			counted.count(t.View, t.hundredths(), t.Chosen)
			if t.Cost() >= least {
				costly = append(costly, t)
			}
		}
	}
	slices.SortStableFunc(costly, func(a, b RatedChoice) int { return cmp.Compare(b.Cost(), a.Cost()) })
	return costly[:min(moments, len(costly))], counted, nil
}

// latestIDs returns the ids of matches among which the player's latest are: those that are listed for the player in the
// home, and the one that is looked at. If the list can't be read, it is that one alone.
func (room *Room) latestIDs(ctx context.Context, home, player, id string) []string {
	var skill league.Skill
	if _, err := room.docs.Get(ctx, doc.InHome(home, league.SkillName(home, player)), &skill); err != nil {
		return []string{id}
	}
	return append(skill.Latest, id)
}

// habitsOf returns the player's habits in their latest matches.
func habitsOf(m Match, lately []opinion) Habits {
	h := Habits{Match: m}
	for _, o := range lately {
		switch {
		case !o.Done:
			h.Waiting++
		case len(o.Habits) > 0:
			h.Matches++
			h.Tallies.add(o.Habits)
		}
	}
	return h
}

// standIn reports whether the AI chose moves for the person of a seat.
func standIn(m doc.Match, r record.Record, seat int) bool {
	if m.Seats[seat].Late > 0 {
		return true
	}
	for deal, auto := range m.Auto {
		for _, i := range auto {
			if deal < len(r.Deals) && i < len(r.Deals[deal].Actions) && r.Deals[deal].Actions[i].Seat == seat {
				return true
			}
		}
	}
	return false
}

// awaited is opened, but waits for up to a second until the analysis is complete.
func (room *Room) awaited(ctx context.Context, id string, match int, player string, seat int) (opinion, error) {
	room.idle.End() // this caller waits for the coach, so the coach need not leave capacity for it
	defer room.idle.Begin()
	o, err := room.opened(ctx, id, match, player, seat)
	for range coachLooks {
		if err != nil || o.Done || !chat.Pause(ctx, coachLook) {
			break
		}
		o, err = room.opinion(ctx, id, match, player, seat)
	}
	return o, err
}

// accuracy returns how good the choices were, from 0 (always the worst move) to 1
// (always the best), weighted by stake.
func (v Verdict) accuracy() float64 {
	if v.Stake == 0 {
		return 1
	}
	return 1 - float64(v.Lost)/float64(v.Stake)
}
