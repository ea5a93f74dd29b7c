package puzzle

import (
	"context"
	"math"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/puzzle"
	"sedmabot/game/rating"
	"sedmabot/store"
)

// Solver is the document of a person who solves puzzles.
type Solver struct {
	Rating  rating.Rating `json:"rating"`
	Tried   int           `json:"tried,omitempty"`
	Found   int           `json:"found,omitempty"`
	Answers []Answer      `json:"answers,omitempty"` // the latest last, at most maxAnswers
	Pending []report      `json:"pending,omitempty"` // answers that the puzzles' documents don't count yet
}

// maxAnswers is how many answers a solver's document keeps. It is far more than the puzzles that one person can be
// offered while puzzles are kept.
const maxAnswers = 2000

// Answer is a person's answer to a puzzle.
type Answer struct {
	Puzzle string    `json:"puzzle"`
	Move   game.Move `json:"move,omitzero"`
	Right  bool      `json:"right,omitempty"`
	Step   int       `json:"step,omitempty"` // the choice that the move belongs to; those before it were right
}

// answered returns the person's answer to a puzzle.
func (s Solver) answered(name string) (Answer, bool) {
	if i := slices.IndexFunc(s.Answers, func(a Answer) bool { return a.Puzzle == name }); i >= 0 {
		return s.Answers[i], true
	}
	return Answer{}, false
}

// report is an answer that the puzzle's document doesn't count yet.
type report struct {
	Home   string        `json:"home,omitempty"` // set by an earlier version for a puzzle from a home's match
	Puzzle string        `json:"puzzle"`
	Right  bool          `json:"right,omitempty"`
	By     rating.Rating `json:"by"`    // the solver's rating before the answer
	Token  string        `json:"token"` // random
}

// Sheet is the document of a puzzle: its rating, and how often people found the answer.
type Sheet struct {
	Rating rating.Rating `json:"rating"`
	Tried  int           `json:"tried,omitempty"`
	Found  int           `json:"found,omitempty"`
	// Counted has the tokens of the latest reports, the newest last, at most maxCounted. A solver's job that was
	// interrupted reports the same answer again.
	Counted []string  `json:"counted,omitempty"`
	Until   time.Time `json:"until,omitzero"` // when a puzzle from a home's match expires, of an earlier version
}

// maxCounted is far more than the answers to one puzzle that come between a report and its repetition.
const maxCounted = 16

// sheetKey returns the key of a puzzle's document. Before the bar, an earlier version has the home of a puzzle from a match.
func sheetKey(name string) store.Key { return doc.InHome("", "puzzle:|"+name) }

func solverKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: "solver:" + player}
}

// solver loads a person's document.
func (room *Room) solver(ctx context.Context, player string) (Solver, int64, error) {
	s := Solver{Rating: rating.New()}
	version, err := room.docs.Get(ctx, solverKey(player), &s)
	return s, version, err
}

// sheet loads a puzzle and its document. The error is errNoPuzzle if there is no such puzzle.
func (room *Room) sheet(ctx context.Context, name string) (Sheet, *puzzle.Puzzle, error) {
	book, err := room.book()
	if err != nil {
		return Sheet{}, nil, err
	}
	p, ok := book.find(name)
	if !ok {
		return Sheet{}, nil, errNoPuzzle
	}
	s := Sheet{Rating: seeded(p)}
	_, err = room.docs.Get(ctx, sheetKey(name), &s)
	return s, p, err
}

// seedOf returns the rating that a puzzle begins with.
func (room *Room) seedOf(name string) rating.Rating {
	if book, err := room.book(); err == nil {
		if p, ok := book.find(name); ok {
			return seeded(p)
		}
	}
	return rating.New()
}

// seeded returns the rating that a puzzle begins with: the more worlds an easy player must imagine to find the answer, the
// higher.
func seeded(p *puzzle.Puzzle) rating.Rating {
	r := rating.New()
	if p.Needs > 0 {
		r.Mu += 2.5 * (math.Log2(float64(p.Needs)/12) - 2.5)
	}
	return r
}

// rate returns the ratings of a solver and a puzzle after an answer. The right answer wins.
func rate(solver, puzzle rating.Rating, right bool) (rating.Rating, rating.Rating) {
	ranks := []int{2, 1}
	if right {
		ranks = []int{1, 2}
	}
	after := rating.Rate([][]rating.Rating{{solver}, {puzzle}}, ranks)
	return after[0][0], after[1][0]
}

// tendSolver runs the job that adds a person's answers to the puzzles' documents.
func (room *Room) tendSolver(ctx context.Context, player string, job store.Job, _ time.Time) error {
	s, version, err := room.solver(ctx, player)
	if err != nil {
		return err
	}
	if version == 0 || len(s.Pending) == 0 {
		return doc.ErrNoTable
	}
	for _, r := range s.Pending {
		if err := room.count(ctx, r); err != nil {
			return err
		}
	}
	s.Pending = nil
	return room.docs.Store.Commit(ctx, store.Change{
		Partition: job.Partition, Done: &job, Now: room.docs.Now(),
		Writes: []store.Write{{Name: job.ID, Expect: version, Data: doc.Encode(s)}},
	})
}

// count adds an answer to the puzzle's document, unless it was added before.
func (room *Room) count(ctx context.Context, r report) error {
	if r.Home != "" {
		return nil
	}
	key := sheetKey(r.Puzzle)
	return room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		s := Sheet{Rating: room.seedOf(r.Puzzle)}
		if err := doc.Decode(docs[0], &s); err != nil {
			return err
		}
		if slices.Contains(s.Counted, r.Token) {
			return doc.ErrSame
		}
		s.Counted = append(s.Counted, r.Token)
		s.Counted = s.Counted[max(0, len(s.Counted)-maxCounted):]
		s.Tried++
		if r.Right {
			s.Found++
		}
		_, s.Rating = rate(r.By, s.Rating, r.Right)
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(s)}}
		return nil
	})
}

// kinds returns the kinds of documents about puzzles.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "puzzle", Owner: doc.OfHome(1), New: func() any { return new(Sheet) }, Restore: restoreSheet, Belongs: doc.OfHomesPart},
		{
			Name: "solver", Owner: doc.OfOne, New: func() any { return new(Solver) },
			Restore: doc.RestoreDueIf(func(s Solver) bool { return len(s.Pending) > 0 }), // for answers that no puzzle's document counts yet
			Own:     true, About: doc.About(Solver.about), Job: room.tendSolver,
		},
	}
}

// restoreSheet sets the expiry of a puzzle from a match.
func restoreSheet(r *doc.Restored, stored store.Doc) error {
	var s Sheet
	if err := doc.Decode(stored, &s); err != nil {
		return err
	}
	r.Write.Expires = s.Until
	return nil
}

// puzzlesExport is a person's answers in the export of their data.
type puzzlesExport struct {
	Rating  int      `json:"rating"`
	Tried   int      `json:"tried"`
	Found   int      `json:"found"`
	Answers []Answer `json:"answers"`
}

func (s Solver) about(x *doc.Export, _ string) {
	x.Add("puzzles", puzzlesExport{Rating: s.Rating.Shown(), Tried: s.Tried, Found: s.Found, Answers: s.Answers})
}
