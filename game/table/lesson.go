package table

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"sedmabot/game"
)

// The rules of every lesson. lessonTarget is the length of the match that the lesson
// offers when it is over; the lesson itself is one deal.
const (
	lessonPreset = "sedma-4p"
	lessonTarget = 3
	lessonSeed   = "sedma, lesson" // decides nothing but the length of the AI's pauses
	lessonLevel  = "easy"          // of the AI, once the player has left the line
	coachedPaces = 2               // how many paces a pause of the AI takes: the player reads meanwhile
)

// lessonDealer is the seat that deals a lesson: the opponent on the player's right. So the player leads, and whichever card it is,
// the opponents take the trick with points in it. The player can continue it then.
const lessonDealer = 3

// lessonDeck is the deck of every lesson, in dealing order. The first line is dealt, two
// cards at a time, beginning with the player. The other lines are
// drawn after the first trick, the second and the third.
var lessonDeck = parsed(`
	9a 9h 7b Ka Ob Th Aa Ol   9l 9b 7a Oa Ub 8b Kh Ta
	Kb Ul Ua 8h 8l Uh 8a Tb
	Oh Kl 7l Ah
	Tl Ab Al 7h`, game.ParseCard)

// lessonLine is the play that the lesson was made for, a line for each round.
var lessonLine = parsed(`
	9a 7b Ob Aa
	9h Ka Th Ol stop
	9l 7a Ub Kh stop
	Oa 8b Ta 8l stop
	Ul Ua 8h Ah
	Uh 8a Tb 7h stop
	9b Oh Kl 7l stop
	Al Kb Tl Ab`, game.ParseMove)

// ofLesson is the policy of a lesson.
var ofLesson = Policy{NoLate: true, OneDeal: true, Coached: true, SecretSeeds: true, Unrecorded: true}

// parsed returns the cards or moves that the text names, which must be some.
func parsed[T any](text string, parse func(string) (T, error)) []T {
	var out []T
	for _, name := range strings.Fields(text) {
		v, err := parse(name)
		if err != nil {
			panic(err)
		}
		out = append(out, v)
	}
	return out
}

// NewLesson returns a table where a person plays a first deal in their private chat,
// with the AI on all other seats. The deck is always the same, and the AI plays its part
// of a line that shows what the game consists of; see lessonMove. A lesson counts
// nowhere: no event reports its end. A rematch there is a match like any other, to
// lessonTarget.
func NewLesson(id, home string, chat Chat, player Player, pace, limit time.Duration, now time.Time) (Table, error) {
	rules, err := game.Preset(lessonPreset)
	if err != nil {
		return Table{}, err
	}
	rules.Target = lessonTarget
	t := New(id, home, chat, player, rules, pace, limit, now)
	t.Level, t.Lesson, t.Policy, t.LastDeal = lessonLevel, true, ofLesson, true
	t, _, err = Apply(t, player, Start{}, Env{Now: now, Seed: sha256.Sum256([]byte(lessonSeed))})
	return t, err
}

// lessonMove returns the move that a lesson's line has for the AI whose turn it is, and
// whether the lesson is on its line. It is on the line while the seats have had their
// turns and their winning cards as there. So a player may play another card than the line
// has, if it changes nothing about who is winning; otherwise the AI plays on as it always
// does. Lessons that began with another deck are never on the line.
func (t *Table) lessonMove() (game.Move, bool) {
	played := t.Deal.Moves()
	if !t.Lesson || t.Seats[t.turn()].AI == "" || len(played) >= len(lessonLine) || !slices.Equal(t.Deal.Deck(), lessonDeck) {
		return 0, false
	}
	was, err := game.Deal(t.Deal.Rules(), lessonDeck, lessonDealer)
	if err != nil {
		return 0, false
	}
	line := was
	for i, m := range played {
		seat := was.Turn()
		if t.Seats[seat].AI != "" && m != lessonLine[i] {
			return 0, false
		}
		if was, err = game.Apply(was, seat, m); err != nil {
			return 0, false
		}
		if line, err = game.Apply(line, seat, lessonLine[i]); err != nil {
			return 0, false
		}
		if was.Turn() != line.Turn() || was.Phase() != line.Phase() || was.View(game.Nobody).Winner != line.View(game.Nobody).Winner {
			return 0, false
		}
	}
	return lessonLine[len(played)], true
}

// latest returns what the player of a seat saw at their latest decision in the running
// deal, and the move that they made. Before the first one, it returns no move.
func latest(deal *game.State, seat int) (game.View, game.Move) {
	played := deal.Moves()
	log := deal.View(game.Nobody).Log
	for i := len(played) - 1; i >= 0; i-- {
		if log[i].Seat != seat {
			continue
		}
		then, err := game.Replay(deal.Rules(), deal.Deck(), deal.Dealer(), played[:i])
		if err != nil {
			break
		}
		return then.View(seat), played[i]
	}
	return game.View{}, 0
}
