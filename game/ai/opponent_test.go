package ai

import (
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

// habits are how often an opponent does what opponents are known for, of the cases in which it has the choice.
type habits struct {
	spends    float64 // it plays a wild card
	grabs     float64 // it takes over a trick with points
	chases    float64 // it takes over a trick and plays a card, both without points
	continues float64
	feeds     float64 // it adds points to a partner's trick
	robs      float64 // it takes the trick from its partner
}

// habitsOf returns the habits of a level that plays all seats.
func habitsOf(t *testing.T, level, preset string, deals int) habits {
	t.Helper()
	r := gametest.Preset(t, preset)
	f := newForm(&r)
	var could, did [6]int
	count := func(which int, can, does bool) {
		if can {
			could[which]++
		}
		if can && does {
			did[which]++
		}
	}
	for deal := range deals {
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal), byte(deal >> 8), 9}), deal%r.Players)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			move := Think(level, v)
			k := know(&v, f)
			m, p := f.move(move), &k.at
			var wilds, others, over, free, low, high, robs bool
			for _, o := range k.options() {
				isWild := o.move < stop && f.wild>>(4*o.move)&1 != 0
				robs = robs || k.robs(o.move)
				wilds, others = wilds || isWild, others || !isWild
				if o.move < stop && p.phase == game.Follow {
					takes := f.takes[p.lead][p.best]&unit(o.move) != 0
					over, free = over || takes, free || takes && f.points[o.move] == 0
					high = high || !takes && f.class[o.move] == pointed
					low = low || !takes && f.class[o.move] != pointed
				}
			}
			ours := p.phase == game.Follow && p.together(f, p.winner, k.me) && p.winner != k.me
			theirs := p.phase == game.Follow && !p.together(f, p.winner, k.me)
			takes := m < stop && p.phase == game.Follow && f.takes[p.lead][p.best]&unit(m) != 0
			count(0, wilds && others && p.phase != game.Decide, m < stop && f.wild>>(4*m)&1 != 0)
			count(1, theirs && over && (low || high) && p.pot > 0, takes)
			count(2, theirs && free && low && p.pot == 0, takes && f.points[m] == 0)
			count(3, p.phase == game.Decide && len(v.Legal) > 1, m != stop)
			count(4, ours && low && high, m < stop && f.class[m] == pointed)
			count(5, robs && (low || high), k.robs(m))
			s, err = game.Apply(s, v.Seat, move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	share := func(which int) float64 { return float64(did[which]) / float64(max(1, could[which])) }
	return habits{share(0), share(1), share(2), share(3), share(4), share(5)}
}

// A seat that has forgotten cards imagines hands with cards that are gone. It can weigh such hands, too.
func TestWeighsWhatItRemembersWrongly(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sedma-2p", "sedma-4p", "hola-6p", "sedma-3p"} {
		r := gametest.Preset(t, name)
		f := newForm(&r)
		for _, forgetful := range []thinker{{worlds: 8, draws: 4, tricks: 0}, {worlds: 8, draws: 4, tricks: -1, forgets: 1}, {worlds: 8, draws: 4, tricks: 2, forgets: 0.5}} {
			s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{7}), 0)
			for err == nil && !s.Over() {
				v := s.View(s.Turn())
				s, err = game.Apply(s, v.Seat, forgetful.choose(t.Context(), &v, f, policyFor(f), newMatch(f, &game.Match{})).Move)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A level that forgets cards still knows what must be in the other's hand when the stock is empty, and searches the end exactly.
func TestForgettingLeavesTheEnd(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	f := newForm(&r)
	early, ends := false, 0
	for deal := range 5 {
		s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal)}), 0)
		for err == nil && !s.Over() {
			v := s.View(s.Turn())
			k, all := thinkerOf("easiest").know(&v, f), know(&v, f)
			early = early || len(k.unseen) > len(all.unseen)
			if all.known() && len(v.Tricks) > 0 {
				ends++
				if !k.known() {
					t.Errorf("the end isn't known after %v", v.Log)
				}
			}
			s, err = game.Apply(s, v.Seat, Greedy(v))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !early || ends == 0 {
		t.Errorf("it forgot cards: %v; %d ends", early, ends)
	}
}

// Each opponent does what it is known for more often than every other.
func TestOpponentsPlayInCharacter(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	deals := 25
	if raceEnabled {
		deals = 12
	}
	by, duel := map[string]habits{}, map[string]habits{}
	for _, level := range Levels {
		by[level], duel[level] = habitsOf(t, level, "sedma-4p", deals), habitsOf(t, level, "sedma-2p", deals/2)
		t.Logf("%-8s with four %.2f, with two %.2f", level, by[level], duel[level])
		most := 0.2 // about as often as the strongest, who does it where that is better
		if level == Levels[0] {
			most = 0.15
		}
		if by[level].robs > most {
			t.Errorf("%s takes its own partner's trick in %.2f of the cases where it could", level, by[level].robs)
		}
	}
	for _, level := range Levels {
		for name, more := range map[string]bool{
			"easiest": by["easiest"].spends >= by[level].spends && duel["easiest"].spends >= duel[level].spends,
			"easy":    by["easy"].grabs >= by[level].grabs && duel["easy"].grabs >= duel[level].grabs,
			"fair":    by["fair"].continues >= by[level].continues && duel["fair"].continues >= duel[level].continues,
			"medium":  by["medium"].feeds >= by[level].feeds && duel["medium"].chases >= duel[level].chases,
			"strong":  by["strong"].spends <= by[level].spends && duel["strong"].spends <= duel[level].spends,
		} {
			if !more {
				t.Errorf("%s is less in character than %s: with four %+v, %+v; with two %+v, %+v", name, level, by[name], by[level], duel[name], duel[level])
			}
		}
	}
}
