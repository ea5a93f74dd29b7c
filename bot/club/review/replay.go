package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Command handles the replay command. With an id, it shows that match from the
// beginning. Without one, it lists the latest matches of this home.
func (room *Room) Command(ctx context.Context, in chat.Input) chat.Reply {
	id := in.Args["id"]
	if strings.TrimSpace(id) == "" {
		return room.matches(ctx, in)
	}
	table, no, ok := doc.ParseMatchID(id)
	if !ok {
		return in.Refuse(chat.ErrNoMatch)
	}
	return room.step(ctx, in, press{word: actReplay, table: table, match: no, deal: 1})
}

// matches lists the latest matches of this home.
func (room *Room) matches(ctx context.Context, in chat.Input) chat.Reply {
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(in.Chat.Home))
	if err != nil {
		return in.Refuse(err)
	}
	var home doc.Home
	if err := doc.Decode(docs[0], &home); err != nil {
		return in.Refuse(err)
	}
	latest := slices.Clone(home.Matches)
	slices.Reverse(latest)
	keys := make([]store.Key, len(latest))
	for i, id := range latest {
		table, no, _ := doc.ParseMatchID(id)
		keys[i], _ = doc.MatchKey(table, no)
	}
	if docs, err = room.docs.Store.Get(ctx, keys...); err != nil {
		return in.Refuse(err)
	}
	var list []Match
	for i, stored := range docs {
		if stored.Version == 0 {
			continue // the match has expired
		}
		var m doc.Match
		if err := doc.Decode(stored, &m); err != nil {
			return in.Refuse(err)
		}
		table, no, _ := doc.ParseMatchID(latest[i])
		list = append(list, matchFor(m, table, no, in.Player.ID))
	}
	screen := Matches(list, in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// step shows one step of a match's replay, or sends the match's record as a file.
func (room *Room) step(ctx context.Context, in chat.Input, p press) chat.Reply {
	m, r, err := room.Record(ctx, in, p.table, p.match, p.ticket)
	if err != nil {
		return in.Refuse(err)
	}
	match := matchFor(m, p.table, p.match, in.Player.ID)
	out, err := r.Replay()
	if err != nil {
		return in.Refuse(fmt.Errorf("replay a match: %w", err))
	}
	if p.word == actRecord {
		var text bytes.Buffer
		if err := record.Write(&text, endedEarly(r, out.Match)); err != nil {
			return in.Refuse(fmt.Errorf("write a record: %w", err))
		}
		screen := Record(match, text.Bytes(), in.Catalogue())
		return chat.Reply{Screen: &screen}
	}
	screen, err := stepOf(match, r, out, p.deal, p.step)
	if err != nil {
		return in.Refuse(fmt.Errorf("replay a deal: %w", err))
	}
	if p.word == actCheck {
		check := screen.Check(in.Catalogue())
		return chat.Reply{Screen: &check}
	}
	if seat := m.SeatOf(in.Player.ID); seat >= 0 {
		o, err := room.opened(ctx, p.table, p.match, in.Player.ID, seat)
		if err != nil {
			return in.Refuse(err)
		}
		thoughts, err := o.thoughts(m, r, out, screen.Deal)
		if err != nil {
			return in.Refuse(err)
		}
		remarked(&screen, o, thoughts)
	}
	shown := screen.Screen(in.Catalogue())
	return chat.Reply{Screen: &shown, Replace: p.ticket != ""}
}

// remarked adds the coach's opinion about the reader's choices to a step. deal has the
// thoughts about the whole deal.
func remarked(screen *Replay, o opinion, deal []RatedChoice) {
	screen.Played, screen.Coaching = true, !o.Done
	for _, t := range deal {
		if t.step() == screen.Step {
			screen.Thoughts = append(screen.Thoughts, t)
		}
	}
}

// Record returns a match and its record, in which the records of all deals are
// merged. It returns an error if the reader may not see the match.
func (room *Room) Record(ctx context.Context, in chat.Input, id string, match int, ticket string) (m doc.Match, r record.Record, err error) {
	return room.record(ctx, in, id, match, ticket, false)
}

// record does the same as Record. If own is set, a player sees their own deal of the day at once, before the day is over: the
// coach and another try show them only what they saw there, and it's shown to nobody else.
func (room *Room) record(ctx context.Context, in chat.Input, id string, match int, ticket string, own bool) (m doc.Match, r record.Record, err error) {
	key, ok := doc.MatchKey(id, match)
	if !ok {
		return m, r, chat.ErrNoMatch
	}
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return m, r, err
	}
	if err := doc.Decode(docs[0], &m); err != nil {
		return m, r, err
	}
	if docs[0].Version == 0 || !m.Open(in, ticket) {
		return m, r, chat.ErrNoMatch
	}
	if room.docs.Now().Before(m.Sealed) && !(own && m.SeatOf(in.Player.ID) >= 0) {
		return m, r, sealed(m.Zone)
	}
	if err := room.seals.Unsealed(ctx, m, in.Player.ID); err != nil {
		return m, r, err
	}
	r, err = room.recordOf(ctx, id, key.Partition, m)
	return m, r, err
}

// recordOf returns the record of a match, merged from the records of its deals.
func (room *Room) recordOf(ctx context.Context, id string, partition int, m doc.Match) (r record.Record, err error) {
	var keys []store.Key
	for i := range m.Seeds {
		keys = append(keys, store.Key{Partition: partition, Name: doc.RecordName(id, m.First+i)})
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return r, err
	}
	for i, stored := range docs {
		if stored.Version == 0 {
			return r, chat.ErrNoMatch // in a long match, the records of the first deals expire first
		}
		var text json.RawMessage
		if err := doc.Decode(stored, &text); err != nil {
			return r, err
		}
		deal, err := record.Read(text)
		if err != nil {
			return r, fmt.Errorf("%w: %s: %w", doc.ErrUnreadable, doc.KindOf(stored.Key.Name), err)
		}
		if i == 0 {
			r, r.DealerBy = deal, m.DealerBy
		} else {
			r.Deals = append(r.Deals, deal.Deals...)
		}
		seed := [32]byte(m.Seeds[i])
		r.Deals[i].Seed = &seed
	}
	return r, nil
}

// sealed returns the error for a deal of the day that can't be shown yet. It stays
// hidden until midnight in the given time zone.
func sealed(zone string) error {
	return &chat.Refusal{Key: "reply.sealed", Args: []any{"zone", zone}, Cause: chat.ErrNoMatch, Outcome: chat.Refused}
}

// endedEarly returns the record with its rules changed if the match ended early. The
// rules then end the match after its last recorded deal, so that a replay does too.
func endedEarly(r record.Record, end game.Match) record.Record {
	if !end.Over {
		r.Rules.Deals = len(r.Deals)
		if r.Rules.HalfTime > r.Rules.Deals {
			r.Rules.HalfTime = 0
		}
	}
	return r
}

// stepOf returns one step of a replayed match. It clamps deal and step to the valid range.
func stepOf(m Match, r record.Record, out record.Outcome, deal, step int) (Replay, error) {
	d, err := dealOf(m, r, out, min(max(deal, 1), len(r.Deals)))
	if err != nil {
		return Replay{}, err
	}
	return d.at(min(max(step, 0), len(d.states)-1)), nil
}

// replayedDeal is a deal of a replayed match.
type replayedDeal struct {
	states []game.State // as dealt, and after each card
	start  Replay
}

// dealOf returns a deal of a replayed match, which counts from 1.
func dealOf(m Match, r record.Record, out record.Outcome, deal int) (d replayedDeal, err error) {
	played, over := r.Deals[deal-1], out.Deals[deal-1]
	if d.states, err = cardsOf(r.Rules, played, over.State.Dealer()); err != nil {
		return d, err
	}
	end := over.State.View(game.Nobody)
	d.start = Replay{
		Match: m, Deals: len(r.Deals), Deal: deal, Steps: len(d.states) - 1, Tricks: len(end.Tricks), Solo: game.Nobody,
		Past: table.Past{
			No: deal, Seed: *played.Seed, Score: over.Settlement,
			Totals: over.Match.Scores, Pool: over.Match.Pool, Held: over.Match.Abeyance,
		},
	}
	if len(end.Trick) > 0 { // the deal ended in the middle of it
		d.start.Tricks++
	}
	d.start.Past.Result, _ = over.State.Result()
	if r.Rules.Teams == game.SoloKing {
		d.start.Solo = over.State.Solo()
	}
	return d, nil
}

// at returns a step of the deal.
func (d replayedDeal) at(step int) Replay {
	v, before := d.start, d.states[max(step-1, 0)]
	v.Step, v.Before, v.After = step, before.View(game.Nobody), d.states[step].View(game.Nobody)
	for seat := range v.Rules.Players {
		v.Hands = append(v.Hands, before.Hand(seat))
	}
	return v
}

// cardsOf returns the states of a deal: at the start and after each card. A stop or a pass belongs to the card before it.
func cardsOf(r game.Rules, d record.Deal, dealer int) ([]game.State, error) {
	s, err := game.Deal(r, d.Deck, dealer)
	states := []game.State{s}
	for _, a := range d.Actions {
		if err != nil {
			return nil, err
		}
		s, err = game.Apply(s, a.Seat, a.Move)
		if at := cardsIn(s.View(game.Nobody).Log); at == len(states) {
			states = append(states, s)
		} else {
			states[at] = s
		}
	}
	return states, err
}

// cardsIn returns how many cards were played.
func cardsIn(log []game.Entry) (n int) {
	for _, e := range log {
		if e.Card != 0 {
			n++
		}
	}
	return n
}

// matchFor returns a match for the screens of a reader, with their ticket.
func matchFor(m doc.Match, table string, no int, reader string) Match {
	seats := m.Seats
	if m.Masked {
		seats = slices.Clone(seats)
		for i, s := range seats {
			if s.Player.ID != reader {
				seats[i].Player = s.Player.Outside(i)
			}
		}
	}
	return Match{Table: table, No: no, At: m.At, Rules: m.Rules, Seats: seats, Scores: m.Scores, Ticket: m.Ticket(reader)}
}
