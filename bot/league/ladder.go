package league

import (
	"slices"

	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Ladder is a person's way from the first deal to matches between people: the tutorial, the lessons, then a match won
// against each AI opponent, in the private chat.
type Ladder struct {
	Tutorial bool     `json:"tutorial,omitempty"`
	Lessons  []string `json:"lessons,omitempty"` // the themes of the lessons that the person solved
	Beaten   []string `json:"beaten,omitempty"`  // levels of the opponents that the person beat
}

// AllLessons is how many lessons there are.
const AllLessons = 5

// LadderKey returns the key of a person's ladder. It is in the partition of the person's private chat.
func LadderKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: "ladder:" + player}
}

// Next returns the level of the opponent to beat next, or "" if none is left.
func (d Ladder) Next() string {
	for _, level := range table.Levels {
		if !slices.Contains(d.Beaten, level) {
			return level
		}
	}
	return ""
}

// Taught notes that the person solved the lesson about the theme. It reports whether that is new.
func (d *Ladder) Taught(theme string) bool {
	if slices.Contains(d.Lessons, theme) {
		return false
	}
	d.Lessons = append(d.Lessons, theme)
	return true
}

// Climber returns who may climb by what a table's end brings: the only person at a table in their private chat, or "".
func Climber(t table.Table) string {
	if t.Phase != table.Over || t.Policy.Uncounted || t.SeatOf(t.Home) < 0 || !t.Public().Alone() {
		return ""
	}
	return t.Home
}

// Climb adds what the end of the climber's table brings: the tutorial, or an opponent that they beat. It reports whether
// that is new.
func (d *Ladder) Climb(t table.Table) bool {
	seat := t.SeatOf(t.Home)
	own := t.Seats[seat]
	switch {
	case own.Away || own.Left:
		return false
	case t.Policy.Coached:
		before := d.Tutorial
		d.Tutorial = true
		return !before
	case t.Match.Winner < 0 || t.Rules.Side(seat) != t.Match.Winner || t.Rules.Teams == game.SoloKing:
		return false
	}
	level := ""
	for i := range t.Seats { // a partner who is better than the opponents would win the match for the person
		if i == seat {
			continue
		}
		plays := t.Policy.LevelOf(t.Seats, t.Rules, game.Nobody, i)
		if level != "" && plays != level {
			return false
		}
		level = plays
	}
	if !slices.Contains(table.Levels, level) || slices.Contains(d.Beaten, level) {
		return false
	}
	d.Beaten = append(d.Beaten, level)
	return true
}
