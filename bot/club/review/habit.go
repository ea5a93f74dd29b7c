package review

import (
	"encoding/json"
	"slices"

	"sedmabot/bot/view"
	"sedmabot/game"
)

// A habit is a kind of mistake that a player can avoid, and that the coach can name.
type habit int

// The habits. Stored lists are in this order: add new ones at the end.
const (
	continues habit = iota // continues when stopping is better
	stops                  // stops when continuing is better
	spends                 // plays a wild card when another one is better
	hoards                 // plays another card when a wild one is better
	leaves                 // leaves a trick that is better taken
	takes                  // takes a trick that is better left
	gives                  // follows with points when a card with fewer is better
	withholds              // follows with fewer points when a card with more is better
	leadsHigh              // leads points when a card with fewer is better
	splits                 // doesn't use a pair, or breaks one up
	habits                 // number of habits
	noHabit   habit = -1
)

// String returns the habit's name in text keys.
func (h habit) String() string {
	return [habits]string{"continues", "stops", "spends", "hoards", "leaves", "takes", "gives", "withholds", "leads_high", "splits"}[h]
}

// habitOf returns the habit by which a player makes the one move in the view when the better one is the other. It
// returns noHabit if the two don't differ in a way that has a name.
func habitOf(v game.View, worse, better game.Move) habit {
	switch {
	case better == game.Stop:
		return continues
	case worse == game.Stop:
		return stops
	}
	w, isCard := worse.Card()
	b, areCards := better.Card()
	if !isCard || !areCards {
		return noHabit
	}
	return cardHabit(v, w, b)
}

// cardHabit is habitOf for two cards, of which w is the worse.
func cardHabit(v game.View, w, b game.Card) habit {
	wild := func(c game.Card) bool { return v.Rules.Wild.Has(c.Rank()) || c == v.Rules.SpecialSeven }
	switch {
	case wild(w) && !wild(b):
		return spends
	case wild(b) && !wild(w):
		return hoards
	}
	points := func(c game.Card) int { return v.Rules.CardPoints.Of(c.Rank()) }
	over := func(c game.Card) bool {
		return v.Taking.Ranks.Has(c.Rank()) || v.Taking.Special && c == v.Rules.SpecialSeven
	}
	lead := v.Phase == game.Lead
	switch {
	case v.Phase == game.Decide:
		return noHabit
	case !lead && over(b) && !over(w):
		return leaves
	case !lead && over(w) && !over(b):
		return takes
	case lead && points(w) > points(b):
		return leadsHigh
	case !lead && points(w) > points(b):
		return gives
	case !lead && points(w) < points(b):
		return withholds
	}
	pair := func(c game.Card) bool {
		n := 0
		for _, h := range v.Hand {
			if h != 0 && h.Rank() == c.Rank() {
				n++
			}
		}
		return n > 1
	}
	if v.Rules.Continue != game.NoContinue && pair(w) != pair(b) && pair(b) == lead {
		return splits
	}
	return noHabit
}

// A tally counts choices in which a habit mattered.
type tally struct {
	Lost int // what the choices with the habit cost, in hundredths
	Bad  int // number of those choices
	Good int // number of choices in which the player avoided it, with something at stake
}

// tallies are those of all habits, in their order. They are empty until the first choice is counted.
type tallies []tally

// MarshalJSON returns the tally as a list of its three numbers.
func (t tally) MarshalJSON() ([]byte, error) { return json.Marshal([3]int{t.Lost, t.Bad, t.Good}) }

// UnmarshalJSON reads what MarshalJSON returned.
func (t *tally) UnmarshalJSON(text []byte) error {
	var n [3]int
	err := json.Unmarshal(text, &n)
	t.Lost, t.Bad, t.Good = n[0], n[1], n[2]
	return err
}

// telling is by how much two choices must differ before they count for or against a habit, in hundredths of a stake.
const telling = 10

// count adds a choice. scores are those of the view's legal moves, in hundredths.
func (t *tallies) count(v game.View, scores []int, chosen game.Move) {
	if view.UnitKey(v.Rules) != "unit.stakes" {
		return // a loss in points can't be added to one in stakes
	}
	for len(*t) < int(habits) {
		*t = append(*t, tally{})
	}
	best, mine := 0, 0
	for i, m := range v.Legal {
		if scores[i] > scores[best] {
			best = i
		}
		if m == chosen {
			mine = i
		}
	}
	if lost := scores[best] - scores[mine]; lost >= telling {
		if h := habitOf(v, chosen, v.Legal[best]); h != noHabit {
			(*t)[h].Lost += lost
			(*t)[h].Bad++
		}
		return
	}
	// Of the moves that would have been mistakes, the one with the best score is the one that was avoided.
	avoided := -1
	for i := range scores {
		if scores[mine]-scores[i] >= telling && (avoided < 0 || scores[i] > scores[avoided]) {
			avoided = i
		}
	}
	if avoided >= 0 {
		if h := habitOf(v, v.Legal[avoided], chosen); h != noHabit {
			(*t)[h].Good++
		}
	}
}

// add adds the tallies of another match.
func (t *tallies) add(other tallies) {
	for len(*t) < len(other) {
		*t = append(*t, tally{})
	}
	for h, o := range other {
		(*t)[h].Lost += o.Lost
		(*t)[h].Bad += o.Bad
		(*t)[h].Good += o.Good
	}
}

// lost returns what each habit cost, by its name, in hundredths.
func (t tallies) lost() map[string]int {
	by := map[string]int{}
	for h := range t {
		if t[h].Lost > 0 {
			by[habit(h).String()] = t[h].Lost
		}
	}
	return by
}

// costliest returns the habits that cost most, at most two.
func (t tallies) costliest() (worst []habit) {
	for range 2 {
		most := noHabit
		for h := range t {
			if t[h].Lost > 0 && (most == noHabit || t[h].Lost > t[most].Lost) && (len(worst) == 0 || worst[0] != habit(h)) {
				most = habit(h)
			}
		}
		if most != noHabit {
			worst = append(worst, most)
		}
	}
	return worst
}

// like reports whether two habits are about the same: what a trick's points are worth, wild cards, taking a trick, or pairs.
func (h habit) like(other habit) bool {
	return other != noHabit && slices.ContainsFunc([][]habit{
		{continues, stops, gives, withholds, leadsHigh}, {spends, hoards}, {leaves, takes}, {splits},
	}, func(kind []habit) bool { return slices.Contains(kind, h) && slices.Contains(kind, other) })
}

// none is not true of any habit.
func none(habit) bool { return false }

// avoided returns the habit that the player avoided most often, if they did so twice at least and in three of four
// cases, and bad isn't true of it. Otherwise it returns noHabit.
func (t tallies) avoided(bad func(habit) bool) habit {
	best := noHabit
	for h := range t {
		if n := t[h]; n.Good >= 2 && n.Good >= 3*n.Bad && !bad(habit(h)) && (best == noHabit || n.Good > t[best].Good) {
			best = habit(h)
		}
	}
	return best
}
