// Package puzzle asks people for the best move in a position: one puzzle a day, the same for everyone, and as many more
// as they like. Package game/puzzle says what a puzzle is, and has those that come with the program.
//
// Puzzles and solvers are rated against each other. An answer is one commit to the solver's document; the solver's job
// then adds it to the puzzle's document, which may be in another partition. Start with press.go for the answers to
// buttons, with screen.go for what they show, and with documents.go for what is stored.
package puzzle

import (
	"slices"
	"sync"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game/puzzle"
)

// Room asks puzzles. Its methods are safe for concurrent use.
type Room struct {
	docs     *doc.Docs
	thinkers *work.Thinkers
	book     func() (*book, error)
}

// New returns a Room.
func New(docs *doc.Docs, thinkers *work.Thinkers) *Room {
	return &Room{docs: docs, thinkers: thinkers, book: sync.OnceValues(readBook)}
}

// book has the puzzles and lessons that come with the program.
type book struct {
	all   []puzzle.Puzzle
	names []string // the same puzzles' names

	lessons []puzzle.Puzzle
	themes  []puzzle.Theme // the lessons' themes
}

func readBook() (*book, error) {
	all, err := puzzle.Embedded()
	if err != nil {
		return nil, err
	}
	b := &book{all: all}
	for i := range all {
		b.names = append(b.names, all[i].ID())
	}
	b.themes, b.lessons, err = puzzle.Lessons()
	return b, err
}

// of returns the name of the puzzle of the day. After all puzzles have had their day, they begin again.
func (b *book) of(day time.Time) string {
	return b.names[day.Unix()/(24*60*60)%int64(len(b.names))]
}

// find returns the puzzle of that name.
func (b *book) find(name string) (*puzzle.Puzzle, bool) {
	i := slices.Index(b.names, name)
	if i < 0 {
		return nil, false
	}
	return &b.all[i], true
}
