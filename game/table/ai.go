package table

import (
	"slices"

	"sedmabot/game"
)

// Wanted asks for a move of the AI. The AI may know only what is here: the view of the seat, and the match before the
// deal.
type Wanted struct {
	Level string
	View  game.View
	Match game.Match // [Table.Before]
}

// wanted returns the AI's move that is due in a deal, or nil.
func (t *Table) wanted() *Wanted {
	if !t.byItself() || t.Deal.Forced() {
		return nil
	}
	if _, ok := t.lessonMove(); ok {
		return nil
	}
	seat := t.turn()
	return &Wanted{
		Level: t.Policy.LevelOf(t.Seats, t.Rules, t.Deal.Solo(), seat),
		View:  t.Deal.View(seat),
		Match: t.Before(),
	}
}

// moveAI makes the AI's move for the seat of the view.
func (s *step) moveAI(v game.View, move game.Move) {
	if s.Seats[v.Seat].Player.ID != "" {
		s.Auto = append(slices.Clip(s.Auto), len(v.Log))
	}
	if err := s.move(v.Seat, move); err != nil {
		_ = s.move(v.Seat, v.Legal[0])
	}
}
