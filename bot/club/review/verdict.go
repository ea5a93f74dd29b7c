package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Verdict is the document with the AI's analysis of one player's choices in a finished
// match. Its job computes it when the player opens the match, or when somebody asks for
// the player's statistics.
type Verdict struct {
	Choices int     `json:"choices,omitempty"` // number of choices that the player had
	Lost    int     `json:"lost,omitempty"`    // what they cost compared to the best moves, in hundredths
	Stake   int     `json:"stake,omitempty"`   // what the worst moves would have cost, in hundredths
	Habits  tallies `json:"habits,omitempty"`  // how often, and at what cost; none in verdicts that an earlier version began
	Remarks remarks `json:"remarks,omitempty"` // for each deal, one remark for each of the player's choices
	Deal    int     `json:"deal,omitempty"`    // deal where the analysis continues, from 0
	From    int     `json:"from,omitempty"`    // action of that deal where it continues, from 0
	Done    bool    `json:"done,omitempty"`    // the analysis is complete
}

// maxKept is how many bytes the verdicts about all players of a match may take, with
// their names.
const maxKept = 4096

// shorten leaves out the remarks about the choices that cost least, until the verdict
// takes no more than the given number of bytes. Its sums don't change.
func (v *Verdict) shorten(most int) {
	var kept []*remark
	for _, deal := range v.Remarks {
		for i := range deal {
			kept = append(kept, &deal[i])
		}
	}
	slices.SortStableFunc(kept, func(a, b *remark) int { return cmp.Compare(a.Cost, b.Cost) })
	for len(kept) > 0 && len(doc.Encode(v)) > most {
		out := max(1, len(kept)/16)
		for _, r := range kept[:out] {
			*r = remark{}
		}
		kept = kept[out:]
	}
}

// Timing of the analysis of a match.
const (
	CoachPart = 4 * time.Second // how long one run of the job may take; well within a lease
	CoachRest = 2 * time.Second // delay before a retry when there is no idle capacity
)

// verdictKey returns the store key of a player's Verdict document.
func verdictKey(id string, match int, player string) (store.Key, bool) {
	partition, ok := doc.TablePartition(id)
	return store.Key{Partition: partition, Name: doc.VerdictName(id, match, player)}, ok
}

// parseVerdict parses the rest of the name of a verdict.
func parseVerdict(rest string) (id string, match int, player string, ok bool) {
	id, rest, _ = strings.Cut(rest, ":")
	number, player, ok := strings.Cut(rest, "|")
	match, err := strconv.Atoi(number)
	return id, match, player, ok && err == nil
}

// tendVerdict runs the job that analyzes a player's choices in a match, one by one. If
// the time is up or there is no idle capacity, it saves its progress and continues later.
// If the record is incomplete or cannot be replayed, it stores an empty analysis.
func (room *Room) tendVerdict(ctx context.Context, rest string, job store.Job, _ time.Time) error {
	id, no, player, ok := parseVerdict(rest)
	key, known := doc.MatchKey(id, no)
	if !ok || !known {
		return doc.ErrNoTable
	}
	docs, err := room.docs.Store.Get(ctx, key, store.Key{Partition: key.Partition, Name: job.ID})
	if err != nil {
		return err
	}
	var m doc.Match
	var v Verdict
	if err := errors.Join(doc.Decode(docs[0], &m), doc.Decode(docs[1], &v)); err != nil {
		return err
	}
	seat := m.SeatOf(player)
	if docs[0].Version == 0 || seat < 0 || v.Done {
		return doc.ErrNoTable // the match has expired, or the person's data was deleted, or nothing is left to do
	}
	expires, err := room.docs.Expires(ctx, m)
	if err != nil {
		return err
	}
	c := store.Change{Partition: key.Partition, Done: &job}
	r, err := room.recordOf(ctx, id, key.Partition, m)
	if err == nil {
		err = room.goThrough(ctx, &v, m, r, seat)
	}
	c.Now = room.docs.Now()
	switch {
	case errors.Is(err, chat.ErrNoMatch): // the records of its first deals have expired
		v = Verdict{Done: true}
	case errors.Is(err, ai.ErrCrowded):
		c.Next = c.Now.Add(CoachRest)
	case doc.Unreadable(err):
		room.docs.Log.Error("go through a match", "table", id, "err", err)
		v = Verdict{Done: true}
	case err != nil:
		return err
	case v.Deal < len(r.Deals):
		c.Next = c.Now
	default:
		v.Done, v.Deal = true, 0
		v.shorten(maxKept/m.People() - len(job.ID))
	}
	c.Writes = append(c.Writes, store.Write{Name: job.ID, Expect: docs[1].Version, Data: doc.Encode(v), Expires: expires})
	return room.docs.Store.Commit(ctx, c)
}

// errPartOver ends one run of the job.
var errPartOver = errors.New("the time of this part is over")

// goThrough continues the analysis of a seat's choices where the document ends, for at
// most CoachPart. Its progress is in the document even if it returns an error.
func (room *Room) goThrough(ctx context.Context, v *Verdict, m doc.Match, r record.Record, seat int) error {
	out, err := r.Replay()
	if err != nil {
		return fmt.Errorf("%w: %w", doc.ErrUnreadable, err)
	}
	end := room.docs.Now().Add(CoachPart)
	for v.Deal < len(r.Deals) {
		if v.Deal == len(v.Remarks) {
			v.Remarks = append(v.Remarks, []remark{})
		}
		before := matchBefore(r, out, v.Deal)
		err := eachChoice(m, r, out, v.Deal, seat, func(action int, s game.View, move game.Move) error {
			if action < v.From {
				return nil
			}
			if v.From = action; !room.docs.Now().Before(end) {
				return errPartOver
			}
			return room.judge(ctx, v, s, before, move)
		})
		if errors.Is(err, errPartOver) {
			return nil
		} else if err != nil {
			return err
		}
		v.Deal, v.From = v.Deal+1, 0
	}
	return nil
}

// matchBefore returns the match before a deal, which counts from 0.
func matchBefore(r record.Record, out record.Outcome, deal int) game.Match {
	before := game.NewMatch(r.Rules, r.Dealer)
	if deal > 0 {
		before = out.Deals[deal-1].Match
	}
	if deal == len(r.Deals)-1 && !out.Match.Over {
		before = table.LastOf(before) // the match was ended early, so this deal was its last
	}
	return before
}

// judge adds the analysis of the choice of a move in this view to the verdict.
func (room *Room) judge(ctx context.Context, v *Verdict, s game.View, before game.Match, move game.Move) error {
	var r remark
	var choices []ai.Choice
	var failed error
	if err := room.idle.Take(ctx, func() { choices, failed = ai.Part(ctx, s, before, room.thinkers.Worlds, 0) }); err != nil || failed != nil {
		return cmp.Or(err, failed)
	}
	if lost(choices, move) >= leastCost(s.Rules) {
		if err := room.reconsider(ctx, s, before, choices, move); err != nil {
			return err
		}
	}
	chosen := 0
	for i, c := range choices {
		r.Scores = append(r.Scores, int(math.Round(100*c.Score)))
		if c.Move == move {
			chosen = i
		}
	}
	highest := slices.Max(r.Scores)
	r.Cost = highest - r.Scores[chosen]
	if v.Choices == 0 || len(v.Habits) > 0 {
		v.Habits.count(s, r.Scores, move)
	}
	v.Choices, v.Lost, v.Stake = v.Choices+1, v.Lost+r.Cost, v.Stake+highest-slices.Min(r.Scores)
	v.Remarks[v.Deal] = append(v.Remarks[v.Deal], r)
	v.From++
	return nil
}

// Each of the parts in which a choice is reconsidered plays so many deals, which takes some ten milliseconds. All of them
// together play a third as many as there are worlds.
const (
	partDeals  = 4
	dealWorlds = 3
)

// reconsider changes the scores of choices of which the move seems a mistake: another move is better than it only by as much
// as it also is where everybody thinks at each move.
func (room *Room) reconsider(ctx context.Context, s game.View, before game.Match, choices []ai.Choice, move game.Move) error {
	own := choices[slices.IndexFunc(choices, func(c ai.Choice) bool { return c.Move == move })].Score
	moves := []game.Move{move}
	for _, c := range choices {
		if c.Score > own {
			moves = append(moves, c.Move)
		}
	}
	scores := map[game.Move]float64{}
	deals := max(1, room.thinkers.Worlds/dealWorlds)
	parts := max(1, deals/partDeals)
	for part := range parts {
		var again []ai.Choice
		var failed error
		if err := room.idle.Take(ctx, func() { again, failed = ai.Reconsider(ctx, s, before, moves, min(deals, partDeals), part) }); err != nil || failed != nil {
			return cmp.Or(err, failed)
		}
		for _, c := range again {
			scores[c.Move] += c.Score / float64(parts)
		}
	}
	for i, c := range choices {
		if c.Score > own {
			choices[i].Score = own + max(0, min(c.Score-own, scores[c.Move]-scores[move]))
		}
	}
	return nil
}

// lost returns by how much the score of the move is below the best.
func lost(choices []ai.Choice, move game.Move) (most float64) {
	best, chosen := math.Inf(-1), 0.0
	for _, c := range choices {
		best = max(best, c.Score)
		if c.Move == move {
			chosen = c.Score
		}
	}
	return best - chosen
}

// eachChoice replays a deal of a match. It calls see before each action for which the
// player of the seat chose between several moves, until see returns an error.
func eachChoice(m doc.Match, r record.Record, out record.Outcome, deal, seat int, see func(action int, s game.View, move game.Move) error) error {
	if m.First+deal < m.Seats[seat].Late {
		return nil // the AI had the seat
	}
	var auto []int // actions that the AI chose for people
	if deal < len(m.Auto) {
		auto = m.Auto[deal]
	}
	s, err := game.Deal(r.Rules, r.Deals[deal].Deck, out.Deals[deal].State.Dealer())
	for i, a := range r.Deals[deal].Actions {
		if err != nil {
			break
		}
		if s.Turn() == seat && len(s.Legal()) > 1 && !slices.Contains(auto, i) {
			if err := see(i, s.View(seat), a.Move); err != nil {
				return err
			}
		}
		s, err = game.Apply(s, s.Turn(), a.Move)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", doc.ErrUnreadable, err)
	}
	return nil
}
