package table

import (
	"crypto/sha256"
	"time"

	"sedmabot/game"
)

// What every lesson is dealt from. The seed gives the person the first lead, with
// two nines to go on with, an ace to keep and a seven to take with; the next
// player can take nothing, both after him can.
const (
	lessonPreset = "sedma-4p"
	lessonSeed   = "sedma, lesson 370"
	lessonLevel  = "easy"
)

// NewLesson is a table at which a person plays his first deal in his private
// chat, with the AI on all other seats. The cards are always the same, and it
// counts nowhere: no event tells of its end. A rematch there is a game like any other.
func NewLesson(id, home string, chat Chat, player Player, pace, limit time.Duration, now time.Time) (Table, error) {
	rules, err := game.Preset(lessonPreset)
	if err != nil {
		return Table{}, err
	}
	t := New(id, home, chat, player, rules, pace, limit, now)
	t.Level, t.Lesson, t.LastDeal = lessonLevel, true, true
	t, _, err = Apply(t, player, Start{}, Env{Now: now, Seed: sha256.Sum256([]byte(lessonSeed))})
	return t, err
}
