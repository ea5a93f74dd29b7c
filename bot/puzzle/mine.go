package puzzle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/puzzle"
	"sedmabot/game/record"
	"sedmabot/store"
)

// Mine is the document of the puzzles from a home's own matches, and of the search for more.
type Mine struct {
	Names []string      `json:"names,omitempty"` // of the puzzles, the newest last, at most maxMine
	Done  []string      `json:"done,omitempty"`  // ids of the home's latest matches that were searched
	Match string        `json:"match,omitempty"` // id of the match that is being searched
	Deal  int           `json:"deal,omitempty"`  // deal of that match, from 0
	Move  int           `json:"move,omitempty"`  // move of that deal, from 0
	At    puzzle.Search `json:"at,omitzero"`     // search of the position before that move
}

// Bounds of the search.
const (
	maxMine   = 100             // puzzles that a home keeps
	minePart  = 4 * time.Second // how long one run of the job may take; well within a lease
	mineRest  = 2 * time.Second // delay before a retry when there is no idle capacity
	firstMove = 16              // the search of a deal begins at a move below this, so that puzzles differ
)

// askMine makes the job due that looks for puzzles in a home's matches, if the job has anything to do.
func (room *Room) askMine(ctx context.Context, home string) error {
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	var mine Mine
	key := mineKey(home)
	if _, err := room.docs.Get(ctx, key, &mine); err != nil {
		return err
	}
	if len(mine.todo(h)) == 0 && (h.Puzzles || len(mine.Names) == 0) {
		return nil
	}
	now := room.docs.Now()
	return room.docs.Commit(ctx, "", store.Change{Partition: key.Partition, Due: []store.Mark{{ID: key.Name, At: now}}, Now: now})
}

// todo returns the ids of the home's latest matches that weren't searched, if the home wants puzzles.
func (m *Mine) todo(h doc.Home) []string {
	if !h.Puzzles {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h.Matches), func(id string) bool { return slices.Contains(m.Done, id) })
}

// tendMine runs the job that looks for puzzles in a home's finished matches, in idle capacity. If the time is up, it
// stores its progress and continues later. If the home no longer wants puzzles, it deletes them.
func (room *Room) tendMine(ctx context.Context, home string, job store.Job, _ time.Time) error {
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	var mine Mine
	version, err := room.docs.Get(ctx, mineKey(home), &mine)
	if err != nil {
		return err
	}
	c := store.Change{Partition: job.Partition, Done: &job}
	if !h.Puzzles {
		if version == 0 {
			return doc.ErrNoTable
		}
		c.Now, c.Writes = room.docs.Now(), append(dropped(home, mine.Names), store.Write{Name: job.ID, Expect: version})
		return room.docs.Store.Commit(ctx, c)
	}
	mine.Done = slices.DeleteFunc(mine.Done, func(id string) bool { return !slices.Contains(h.Matches, id) })
	search := &search{room: room, home: home, mine: &mine, keep: h.Keeps(), end: room.docs.Now().Add(minePart)}
	for _, id := range mine.todo(h) {
		if err = search.match(ctx, id); err != nil {
			break
		}
	}
	c.Now = room.docs.Now()
	switch {
	case errors.Is(err, ai.ErrCrowded):
		c.Next = c.Now.Add(mineRest)
	case errors.Is(err, errPartOver):
		c.Next = c.Now
	case err != nil:
		return err
	}
	if old := len(mine.Names) - maxMine; old > 0 {
		c.Writes = dropped(home, mine.Names[:old])
		mine.Names = mine.Names[old:]
	}
	c.Writes = append(append(c.Writes, search.found...), store.Write{Name: job.ID, Expect: version, Data: doc.Encode(mine)})
	return room.docs.Store.Commit(ctx, c)
}

// dropped returns the writes that delete puzzles of a home.
func dropped(home string, names []string) []store.Write {
	var writes []store.Write
	for _, name := range names {
		writes = append(writes, store.Write{Name: sheetKey(home, name).Name, Expect: store.Any})
	}
	return writes
}

// errPartOver ends one run of the job.
var errPartOver = errors.New("the time of this part is over")

// search is one run of the job.
type search struct {
	room  *Room
	home  string
	mine  *Mine
	keep  time.Duration // how long the home keeps records
	end   time.Time
	found []store.Write // the documents of the puzzles that this run found
}

// match searches a match and notes that it is done. It skips a match whose cards are still being played elsewhere, which
// a later job searches, and a match that other homes watched, because they haven't agreed.
func (s *search) match(ctx context.Context, id string) error {
	table, no, _ := doc.ParseMatchID(id)
	key, ok := doc.MatchKey(table, no)
	if !ok {
		return s.done(id)
	}
	var m doc.Match
	version, err := s.room.docs.Get(ctx, key, &m)
	if err != nil {
		return err
	}
	if version == 0 || len(m.Guests) > 0 || m.Home != s.home || !puzzle.Fits(m.Rules) {
		return s.done(id)
	}
	var sealed *chat.Refusal
	if err := s.room.seals.Unsealed(ctx, m, ""); errors.As(err, &sealed) || s.room.docs.Now().Before(m.Sealed) {
		return nil
	} else if err != nil {
		return err
	}
	if s.mine.Match != id {
		s.mine.Match, s.mine.Deal = id, 0
		s.begin(m)
	}
	for s.mine.Deal < len(m.Seeds) {
		var text json.RawMessage
		version, err := s.room.docs.Get(ctx, store.Key{Partition: key.Partition, Name: doc.RecordName(table, m.First+s.mine.Deal)}, &text)
		if err != nil {
			return err
		}
		if r, err := record.Read(text); version != 0 && err == nil && len(r.Deals) == 1 && r.Position == nil {
			if err := s.deal(ctx, m, r); err != nil {
				return err
			}
		}
		s.mine.Deal++
		s.begin(m)
	}
	return s.done(id)
}

// begin sets the move at which the search of the next deal begins.
func (s *search) begin(m doc.Match) {
	s.mine.Move, s.mine.At = 0, puzzle.Search{}
	if s.mine.Deal < len(m.Seeds) {
		s.mine.Move = int(m.Seeds[s.mine.Deal][0]) % firstMove
	}
}

// done notes that a match was searched.
func (s *search) done(id string) error {
	s.mine.Done = append(s.mine.Done, id)
	s.mine.Match, s.mine.Deal, s.mine.Move, s.mine.At = "", 0, 0, puzzle.Search{}
	return nil
}

// deal searches a deal until it finds a puzzle. It begins at the document's move.
func (s *search) deal(ctx context.Context, m doc.Match, r record.Record) error {
	moves := r.Deals[0].Actions
	for s.mine.Move < len(moves) {
		at, err := game.Deal(r.Rules, r.Deals[0].Deck, r.Dealer)
		for _, a := range moves[:s.mine.Move] {
			if err == nil {
				at, err = game.Apply(at, at.Turn(), a.Move)
			}
		}
		if err != nil || at.Over() {
			return nil // an unreadable record has no puzzles
		}
		p, ok, err := s.position(ctx, at)
		if err != nil {
			return err
		}
		if ok {
			return s.add(m, p)
		}
		s.mine.Move++
		s.mine.At = puzzle.Search{}
	}
	return nil
}

// position searches a position, one part after the other.
func (s *search) position(ctx context.Context, at game.State) (puzzle.Puzzle, bool, error) {
	v := at.View(at.Turn())
	for over := len(v.Legal) < 2; !over; {
		if !s.room.docs.Now().Before(s.end) {
			return puzzle.Puzzle{}, false, errPartOver
		}
		var failed error
		if err := s.room.idle.Take(ctx, func() { over, failed = s.mine.At.Step(ctx, v) }); err != nil {
			return puzzle.Puzzle{}, false, err
		}
		if failed != nil {
			return puzzle.Puzzle{}, false, failed
		}
	}
	return s.mine.At.Puzzle(ctx, at, s.room.tables.Seed())
}

// add stores a puzzle, unless the home has it.
func (s *search) add(m doc.Match, p puzzle.Puzzle) error {
	name := p.ID()
	if name == "" {
		return fmt.Errorf("%w: a puzzle can't be shown", doc.ErrUnreadable)
	}
	if !slices.Contains(s.mine.Names, name) {
		sheet := Sheet{Rating: seeded(&p), Puzzle: &p, Until: m.At.Add(s.keep)}
		s.mine.Names = append(s.mine.Names, name)
		s.found = append(s.found, store.Write{Name: sheetKey(s.home, name).Name, Expect: store.Any, Data: doc.Encode(sheet), Expires: sheet.Until})
	}
	return nil
}
