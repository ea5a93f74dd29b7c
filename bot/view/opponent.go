package view

import (
	"strconv"

	"sedmabot/bot/screen"
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

// OpponentName returns the face and the name of the opponent who plays at the level.
func OpponentName(w *Writer, level string) string {
	return OpponentFace(level) + " " + w.Text("ai."+level)
}

// opponentLine says who plays at the level, and how.
func opponentLine(w *Writer, level string) []screen.Span {
	return append(screen.Bold(OpponentName(w, level)), screen.Span{Text: ": " + w.Text("ai."+level+".is")})
}

// levelMark says that a seat is the AI's, and how well it plays.
func levelMark(w *Writer, level string) string {
	return w.Text("cup.ai") + ", " + w.Text("level."+level)
}
