package view

import (
	"hash/fnv"
	"slices"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Puzzled is the phase of a page that shows a position of a puzzle on its felt.
const Puzzled = "puzzle"

// LivePosition is a chat.Position, which explains its fields.
type LivePosition struct {
	Name   string
	Table  table.Public
	Moves  map[game.Move]string
	Best   []game.Move
	Wrong  game.Move
	Beside screen.Screen
	Lang   string
}

// Live returns the position as a page shows it in place of the front door.
func (p LivePosition) Live() Live {
	w, v := NewWriter(lang.For(p.Lang), p.Beside.Face), p.Table.View
	l := liveOf(w, p.Table, v.Seat)
	l.Table, l.Phase, l.Home, l.Actions = FrontDoor, Puzzled, true, nil
	beside := ScreenLive(p.Beside)
	l.Panel = &beside
	name := fnv.New32a()
	_, _ = name.Write([]byte(p.Name))
	l.Felt.Deal = int(name.Sum32()) // so the page doesn't show how one puzzle becomes another
	for _, c := range v.Hand {
		card := LiveCard{Off: true}
		if c != 0 {
			m := game.PlayCard(c)
			card = LiveCard{
				Card: c.String(), Name: cardWords(w, c), Press: p.Moves[m], Off: p.Moves[m] == "", Mark: p.mark(m), Takes: p.Moves != nil && takes(v, c),
			}
		}
		l.Felt.Hand = append(l.Felt.Hand, card)
	}
	for _, m := range v.Legal {
		if _, ok := m.Card(); ok {
			continue
		}
		b := LiveButton{Label: MoveText(w, m), Press: p.Moves[m], Off: p.Moves[m] == "", Mark: p.mark(m)}
		if m == game.Stop {
			b.Label = StopLabel(w, v)
		}
		l.Felt.Moves = append(l.Felt.Moves, b)
	}
	if p.Moves != nil && len(v.Trick) > 0 {
		l.Brief = screen.PlainText(w.Screen.Face, briefLine(w, v))
	}
	if p.Moves == nil { // it is nobody's turn any more
		l.Felt.Turn, l.Line = game.Nobody, ""
		for i := range l.Seats {
			l.Seats[i].Turn = false
		}
	}
	return l
}

// mark returns the mark of a move.
func (p LivePosition) mark(m game.Move) string {
	switch {
	case slices.Contains(p.Best, m):
		return MarkBest
	case p.Wrong != 0 && p.Wrong == m:
		return MarkWrong
	}
	return ""
}
