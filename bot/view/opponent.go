package view

import (
	"strconv"

	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// opponentFaces are the faces of the AI's opponents, by level.
var opponentFaces = map[string]string{
	"easiest": "🐥", "easy": "🐻", "fair": "🐏", "medium": "🐶", "strong": "🐹", "hard": "🦉",
}

// OpponentFace returns the face of the opponent who plays at the level, as an emoji.
func OpponentFace(level string) string { return opponentFaces[level] }

// opponentName returns the name of the AI on a seat. Several at the same level have numbers, from the second on.
func opponentName(w *Writer, p table.Public, seat int) string {
	level, before := p.Opponent(seat)
	name := w.Text("ai." + level)
	if before > 0 {
		name += " " + strconv.Itoa(before+1)
	}
	return name
}

// faced returns the name of the player or AI on a seat, the AI's after its face.
func faced(w *Writer, p table.Public, seat int) []screen.Span {
	name := SeatName(w, p, seat)
	if level, _ := p.Opponent(seat); level != "" {
		return append(screen.Text(OpponentFace(level)+" "), name...)
	}
	return name
}

// facedSide returns the names of all players on a side, and the faces of the AI.
func facedSide(w *Writer, p table.Public, seats []int) []screen.Span {
	names := make([][]screen.Span, len(seats))
	for i, seat := range seats {
		names[i] = faced(w, p, seat)
	}
	return screen.Join(screen.Span{Text: " + "}, names)
}

// OpponentName returns the face and the name of the opponent who plays at the level.
func OpponentName(w *Writer, level string) string {
	return OpponentFace(level) + " " + w.Text("ai."+level)
}

// OpponentIs says how the opponent plays in the game: one who is known by what they do for a partner has another habit without one.
func OpponentIs(w *Writer, level string, r game.Rules) string {
	if alone := "ai." + level + ".is_alone"; r.Players == 2 && w.Has(alone) {
		return w.Text(alone)
	}
	return w.Text("ai." + level + ".is")
}

// opponentLine says who plays at the level in the game, and how.
func opponentLine(w *Writer, level string, r game.Rules) []screen.Span {
	return append(screen.Bold(OpponentName(w, level)), screen.Span{Text: ": " + OpponentIs(w, level, r)})
}

// Ticked returns the words with a tick if it is done.
func Ticked(what []screen.Span, done bool) []screen.Span {
	if done {
		return append(screen.Text("✓ "), what...)
	}
	return what
}

// levelMark says that a seat is the AI's, and how well it plays.
func levelMark(w *Writer, level string) string {
	return w.Text("cup.ai") + ", " + w.Text("level."+level)
}
