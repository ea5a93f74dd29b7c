package ai

import (
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// habitsOf returns how often a level does what an opponent is known for, of the cases in which it has the choice, when it
// plays all seats: play a wild card, take over a trick with points, continue, and feed a partner's trick.
func habitsOf(t *testing.T, level string, deals int) (spends, grabs, continues, feeds float64) {
	t.Helper()
	r := gametest.Preset(t, "sedma-4p")
	f := newForm(&r)
	var could, did [4]int
	count := func(which int, can, does bool) {
		if can {
			could[which]++
		}
		if can && does {
			did[which]++
		}
	}
	for deal := range deals {
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal), byte(deal >> 8), 9}), deal%4)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			move := Think(level, v)
			k := know(&v, f, -1)
			m, p := f.move(move), &k.at
			var wilds, others, over, low, high bool
			for _, o := range k.options() {
				isWild := o.move < stop && f.wild>>(4*o.move)&1 != 0
				wilds, others = wilds || isWild, others || !isWild
				if o.move < stop && p.phase == game.Follow {
					takes := f.takes[p.lead][p.best]&unit(o.move) != 0
					over = over || takes
					high = high || !takes && f.class[o.move] == pointed
					low = low || !takes && f.class[o.move] != pointed
				}
			}
			ours := p.phase == game.Follow && p.together(f, p.winner, k.me) && p.winner != k.me
			theirs := p.phase == game.Follow && !p.together(f, p.winner, k.me)
			count(0, wilds && others && p.phase != game.Decide, m < stop && f.wild>>(4*m)&1 != 0)
			count(1, theirs && over && (low || high) && p.pot > 0, m < stop && p.phase == game.Follow && f.takes[p.lead][p.best]&unit(m) != 0)
			count(2, p.phase == game.Decide && len(v.Legal) > 1, m != stop)
			count(3, ours && low && high, m < stop && f.class[m] == pointed)
			s, err = game.Apply(s, v.Seat, move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	share := func(which int) float64 { return float64(did[which]) / float64(max(1, could[which])) }
	return share(0), share(1), share(2), share(3)
}

// Each opponent does what it is known for more often than every other.
func TestOpponentsPlayInCharacter(t *testing.T) {
	t.Parallel()
	if testing.Short() && !raceEnabled {
		t.Skip("-short leaves out tests that take long")
	}
	deals := 25
	if raceEnabled {
		deals = 12
	}
	type habits struct{ spends, grabs, continues, feeds float64 }
	by := map[string]habits{}
	for _, level := range Levels {
		var h habits
		h.spends, h.grabs, h.continues, h.feeds = habitsOf(t, level, deals)
		by[level] = h
		t.Logf("%-8s spends %.2f, grabs %.2f, continues %.2f, feeds %.2f", level, h.spends, h.grabs, h.continues, h.feeds)
	}
	for _, level := range Levels {
		for name, more := range map[string]bool{
			"easiest": by["easiest"].spends >= by[level].spends,
			"easy":    by["easy"].grabs >= by[level].grabs,
			"fair":    by["fair"].continues >= by[level].continues,
			"medium":  by["medium"].feeds >= by[level].feeds,
			"strong":  by["strong"].spends <= by[level].spends,
		} {
			if !more {
				t.Errorf("%s is less in character than %s: %+v, %+v", name, level, by[name], by[level])
			}
		}
	}
}
