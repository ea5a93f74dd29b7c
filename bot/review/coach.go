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
	"sedmabot/bot/league"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Coach is the document with the AI's analysis of the players' choices in a finished match.
type Coach struct {
	Deals [][]thought `json:"deals"`           // choices in each analyzed deal, in order
	Part  []thought   `json:"part,omitempty"`  // choices in the next deal, before its move From
	From  int         `json:"from,omitempty"`  // move of the next deal where the analysis continues, from 0
	Done  bool        `json:"done,omitempty"`  // the analysis is complete
	Seats []coached   `json:"seats,omitempty"` // if Done: players who had choices
}

// thought is the analysis of one choice: the legal moves and their expected scores,
// in hundredths.
type thought struct {
	Seat   int         `json:"seat"`
	Step   int         `json:"step"`   // step in the deal's replay
	Chosen int         `json:"chosen"` // index in Moves
	Moves  []game.Move `json:"moves"`
	Scores []int       `json:"scores"`
	Why    ai.Reason   `json:"why,omitzero"` // reason for the best move, if one is known
}

// coached is the summary of the analysis for one player.
type coached struct {
	Seat     int     `json:"seat"`
	Player   string  `json:"player"`   // player id
	Choices  int     `json:"choices"`  // number of choices that the player had
	Accuracy float64 `json:"accuracy"` // from 0 (always the worst move) to 1 (always the best), weighted by stake
}

// Timing of the analysis of a match.
const (
	CoachPart = 4 * time.Second // how long one run of the job may take; well within a lease
	CoachRest = 5 * time.Second // delay before a retry when no thinker is free
)

// CoachKey returns the store key of a match's Coach document.
func CoachKey(id string, match int) (store.Key, bool) {
	partition, ok := doc.TablePartition(id)
	return store.Key{Partition: partition, Name: doc.CoachName(id, match)}, ok
}

// Coached returns the coach's analysis of a match so far, and the document's version.
func (room *Room) Coached(ctx context.Context, id string, match int) (coached Coach, version int64, err error) {
	key, ok := CoachKey(id, match)
	if !ok {
		return coached, 0, chat.ErrNoMatch
	}
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return coached, 0, err
	}
	return coached, docs[0].Version, doc.Decode(docs[0], &coached)
}

// tendCoach runs the job that analyzes a match, move by move. If the time is up or no
// thinker is free, it saves its progress and continues later. If the record cannot be
// replayed, it stores an empty analysis.
func (room *Room) tendCoach(ctx context.Context, name string, job store.Job, _ time.Time) error {
	id, number, _ := strings.Cut(name, ":")
	no, err := strconv.Atoi(number)
	key, ok := doc.MatchKey(id, no)
	if err != nil || !ok {
		return doc.ErrNoTable
	}
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return err
	}
	var m doc.Match
	if err := doc.Decode(docs[0], &m); err != nil {
		return err
	}
	coached, version, err := room.Coached(ctx, id, no)
	switch {
	case err != nil:
		return err
	case docs[0].Version == 0 || coached.Done:
		return doc.ErrNoTable // the match has expired or is already analyzed
	}
	keep, err := room.tables.Keep(ctx, m.Home)
	if err != nil {
		return err
	}
	c := store.Change{Partition: key.Partition, Done: &job}
	r, err := room.recordOf(ctx, id, key.Partition, m)
	if err == nil {
		err = room.goThrough(ctx, &coached, m, r)
	}
	c.Now = room.docs.Now()
	switch {
	case errors.Is(err, chat.ErrNoMatch):
		return doc.ErrNoTable
	case errors.Is(err, ai.ErrCrowded):
		c.Next = c.Now.Add(CoachRest)
	case doc.Unreadable(err):
		room.docs.Log.Error("go through a match", "table", id, "err", err)
		coached = Coach{Done: true}
	case err != nil:
		return err
	case len(coached.Deals) < len(r.Deals):
		c.Next = c.Now
	default:
		coached.finish(m)
		if err := room.learn(ctx, &c, m.Home, coached); err != nil {
			return err
		}
	}
	c.Writes = append(c.Writes, store.Write{Name: doc.CoachName(id, no), Expect: version, Data: doc.Encode(coached), Expires: m.At.Add(keep)})
	return room.docs.Store.Commit(ctx, c)
}

// goThrough continues the analysis of a match where the document ends, for at most
// CoachPart. Its progress is in the document even if it returns an error.
func (room *Room) goThrough(ctx context.Context, coached *Coach, m doc.Match, r record.Record) error {
	out, err := r.Replay()
	if err != nil {
		return fmt.Errorf("%w: %w", doc.ErrUnreadable, err)
	}
	end := room.docs.Now().Add(CoachPart)
	for len(coached.Deals) < len(r.Deals) {
		deal := len(coached.Deals)
		before := game.NewMatch(r.Rules, r.Dealer)
		if deal > 0 {
			before = out.Deals[deal-1].Match
		}
		if deal == len(r.Deals)-1 && !out.Match.Over {
			before = table.LastOf(before) // the match was ended early, so this deal was its last
		}
		var auto []int
		if deal < len(m.Auto) {
			auto = m.Auto[deal]
		}
		s, err := game.Deal(r.Rules, r.Deals[deal].Deck, out.Deals[deal].State.Dealer())
		for i, a := range r.Deals[deal].Actions {
			if err != nil {
				break
			}
			seat := s.Turn()
			if legal := s.Legal(); i >= coached.From && m.Seats[seat].Player.ID != "" && len(legal) > 1 && !slices.Contains(auto, i) {
				if coached.From = i; !room.docs.Now().Before(end) {
					return nil
				}
				t, err := room.thought(ctx, s, before, a.Move)
				if err != nil {
					return err
				}
				coached.Part = append(coached.Part, t)
			}
			s, err = game.Apply(s, seat, a.Move)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", doc.ErrUnreadable, err)
		}
		coached.Deals, coached.Part, coached.From = append(coached.Deals, append([]thought{}, coached.Part...)), nil, 0
	}
	return nil
}

// thought analyzes the current player's choice. move is the move that they made.
func (room *Room) thought(ctx context.Context, s game.State, before game.Match, move game.Move) (thought, error) {
	v := s.View(s.Turn())
	t := thought{Seat: v.Seat, Step: len(v.Tricks) + 1}
	var choices []ai.Choice
	var best int
	var why ai.Reason
	var failed error
	if err := room.thinkers.Take(ctx, func(context.Context) {
		choices, best, why, failed = ai.Explain(ctx, v, before, room.thinkers.Worlds)
	}); err != nil || failed != nil {
		return t, cmp.Or(err, failed)
	}
	for j, c := range choices {
		t.Moves, t.Scores = append(t.Moves, c.Move), append(t.Scores, int(math.Round(100*c.Score)))
		if c.Move == move {
			t.Chosen = j
		}
	}
	if slices.Index(t.Scores, slices.Max(t.Scores)) == best { // not rounded to another one, which the screen would show as the best
		t.Why = why
	}
	return t, nil
}

// cost returns how much lower the chosen move's expected score was than the best one.
func (t thought) cost() int { return slices.Max(t.Scores) - t.Scores[t.Chosen] }

// finish marks the analysis as complete and computes the summary for each player.
func (d *Coach) finish(m doc.Match) {
	d.Done = true
	for seat, s := range m.Seats {
		lost, stake, n := d.lossOf(seat)
		if n == 0 {
			continue
		}
		c := coached{Seat: seat, Player: s.Player.ID, Choices: n, Accuracy: 1}
		if stake > 0 {
			c.Accuracy = 1 - float64(lost)/float64(stake)
		}
		d.Seats = append(d.Seats, c)
	}
}

// lossOf sums up a seat's choices. lost is what they cost compared to the best moves,
// and stake is what the worst moves would have cost. Both are in hundredths. n is
// the number of choices.
func (d Coach) lossOf(seat int) (lost, stake, n int) {
	for _, deal := range d.Deals {
		for _, t := range deal {
			if t.Seat == seat {
				lost, stake, n = lost+t.cost(), stake+slices.Max(t.Scores)-slices.Min(t.Scores), n+1
			}
		}
	}
	return lost, stake, n
}

// seen converts a thought to the form that screens use. Deals count from 1.
func (t thought) seen(deal int) view.Thought {
	out := view.Thought{Deal: deal, Step: t.Step, Chosen: t.Moves[t.Chosen], Why: reason(t.Why)}
	for i, m := range t.Moves {
		out.Choices = append(out.Choices, view.Advice{Move: m, Score: float64(t.Scores[i]) / 100})
	}
	return out
}

// at returns the analysis of a seat's choices in one step of a deal's replay. Deals
// count from 1.
func (d Coach) at(seat, deal, step int) (thoughts []view.Thought) {
	if deal > len(d.Deals) {
		return nil
	}
	for _, t := range d.Deals[deal-1] {
		if t.Seat == seat && t.Step == step {
			thoughts = append(thoughts, t.seen(deal))
		}
	}
	return thoughts
}

// errNotPlayed reports that the coach has nothing to say to somebody about a match.
var errNotPlayed = chat.NewRefusal("coach_players")

// costliest is how many of the most expensive mistakes are shown.
const costliest = 3

// Coach shows a player of a match the AI's analysis of their choices.
func (room *Room) Coach(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	m, _, err := room.Record(ctx, in, p)
	if err != nil {
		return in.Refuse(err)
	}
	seat := m.SeatOf(in.Player.ID)
	if seat < 0 {
		return in.Refuse(errNotPlayed)
	}
	doc, version, err := room.Coached(ctx, p.Table, p.Match)
	if err != nil {
		return in.Refuse(err)
	}
	if !doc.Done {
		if version == 0 { // the match is older than the coach, or comes from a backup
			key, _ := CoachKey(p.Table, p.Match)
			now := room.docs.Now()
			err := room.docs.Commit(ctx, "", store.Change{Partition: key.Partition, Due: []store.Mark{{ID: key.Name, At: now}}, Now: now})
			if err != nil {
				return in.Refuse(err)
			}
		}
		return chat.Reply{Toast: in.Text("reply.coach_thinks")}
	}
	screen := view.Coach{Match: m.Seen(p.Table, p.Match, in.Player.ID)}
	for _, s := range doc.Seats {
		if s.Seat == seat {
			screen.Choices, screen.Accuracy = s.Choices, s.Accuracy
		}
	}
	for i, deal := range doc.Deals {
		for _, t := range deal {
			if t.Seat == seat && t.cost() > 0 {
				screen.Costly = append(screen.Costly, t.seen(i+1))
			}
		}
	}
	slices.SortStableFunc(screen.Costly, func(a, b view.Thought) int { return cmp.Compare(b.Cost(), a.Cost()) })
	screen.Costly = screen.Costly[:min(costliest, len(screen.Costly))]
	shown := screen.Screen(in.Catalogue())
	return chat.Reply{Screen: &shown, Replace: p.Ticket != ""}
}

// learn adds the analysis of a match to its players' skill in the home, as writes in the commit.
func (room *Room) learn(ctx context.Context, c *store.Change, home string, seen Coach) error {
	var keys []store.Key
	seats := slices.DeleteFunc(slices.Clone(seen.Seats), func(s coached) bool { return s.Player == "" || league.IsGone(s.Player) })
	for _, s := range seats {
		keys = append(keys, store.Key{Partition: c.Partition, Name: league.SkillName(home, s.Player)})
	}
	if len(keys) == 0 {
		return nil
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return err
	}
	for i, s := range seats {
		var skill league.Skill
		if err := doc.Decode(docs[i], &skill); err != nil {
			return err
		}
		lost, stake, _ := seen.lossOf(s.Seat)
		skill.Choices, skill.Lost, skill.Stake = skill.Choices+s.Choices, skill.Lost+lost, skill.Stake+stake
		c.Writes = append(c.Writes, store.Write{Name: keys[i].Name, Expect: docs[i].Version, Data: doc.Encode(skill)})
	}
	return nil
}
