package game_test

import (
	"fmt"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// TestTranscripts writes two deals of every preset as a text that a player can follow. If a game changes, its
// transcript changes.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, name)
			random := rng(len(name) + int(name[0]))
			m := game.NewMatch(r, random.below(r.Players))
			var w teller
			w.say("%s, %d players", name, r.Players)
			for n := 1; n <= 2 && !m.Over; n++ {
				w.say("")
				w.say("Deal %d. Seat %d deals.", n, m.Dealer)
				s := w.deal(t, r, m.Dealer, random.below)
				res, _ := s.Result()
				var brought game.Settlement
				m, brought = m.Settle(res)
				w.result(res, brought, m)
			}
			golden(t, "transcripts/"+name+".txt", w.String())
		})
	}
}

// A teller collects lines of a transcript.
type teller struct{ strings.Builder }

func (w *teller) say(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// deal plays a deal and writes its transcript. Leaders who may continue do so every other time.
func (w *teller) deal(t *testing.T, r game.Rules, dealer int, choose gametest.Chooser) game.State {
	s, err := game.Deal(r, gametest.Shuffled(r, choose), dealer)
	if err != nil {
		t.Fatal(err)
	}
	for seat := range r.Players {
		w.say("Seat %d holds %s.", seat, cards(s.Hand(seat)))
	}
	tricks := 0
	for !s.Over() {
		seat, phase, forced, legal := s.Turn(), s.Phase(), s.Forced(), s.Legal()
		m := legal[choose(len(legal))]
		if phase == game.Decide && choose(2) == 0 {
			m = game.Stop
		}
		if phase == game.Lead {
			w.say("Trick %d.", tricks+1)
		}
		before := s.View(game.Nobody)
		if s, err = game.Apply(s, seat, m); err != nil {
			t.Fatal(err)
		}
		after := s.View(game.Nobody)
		w.move(after.Log[len(after.Log)-1], phase, forced)
		if after.Solo != before.Solo {
			w.say("  Now everybody knows that seat %d plays alone.", after.Solo)
		}
		if len(after.Tricks) > tricks {
			tricks++
			w.trick(r, after)
			w.drawn(s, before.Stock-after.Stock)
		}
	}
	return s
}

func (w *teller) move(e game.Entry, phase game.Phase, forced bool) {
	switch {
	case forced:
		w.say("  Seat %d has nothing to go on with and must stop.", e.Seat)
	case e.Move == game.Stop:
		w.say("  Seat %d stops.", e.Seat)
	case e.Move == game.Pass:
		w.say("  Seat %d passes.", e.Seat)
	case e.Move == game.Dark:
		w.say("  Seat %d plays in the dark: %s.", e.Seat, e.Card)
	case phase == game.Lead:
		w.say("  Seat %d leads %s.", e.Seat, e.Card)
	case phase == game.Decide:
		w.say("  Seat %d goes on with %s.", e.Seat, e.Card)
	default:
		w.say("  Seat %d plays %s.", e.Seat, e.Card)
	}
}

func (w *teller) trick(r game.Rules, after game.View) {
	t := after.Tricks[len(after.Tricks)-1]
	points := 0
	for _, p := range t.Plays {
		points += r.CardPoints.Of(p.Card.Rank())
	}
	w.say("  Seat %d wins %d cards in %d round(s), worth %d. Points %v, tricks %v.", t.Winner, len(t.Plays), t.Rounds, points, after.CardPoints, after.TricksWon)
}

// drawn writes the hands if cards were drawn after the trick.
func (w *teller) drawn(s game.State, n int) {
	if n <= 0 {
		return
	}
	var hands []string
	for seat := range s.Rules().Players {
		hands = append(hands, fmt.Sprintf("%d: %s", seat, cards(s.Hand(seat))))
	}
	w.say("  The hands are now %s; %d cards in the stock.", strings.Join(hands, ", "), s.View(game.Nobody).Stock)
}

func (w *teller) result(res game.Result, s game.Settlement, m game.Match) {
	switch res.End {
	case game.EndBurn:
		w.say("Burned, four of a kind in the trick: side %d wins %d.", res.Burner, res.Price)
	case game.EndBurnedGame:
		w.say("Burned, four of a kind in the hand: side %d wins %d.", res.Burner, res.Price)
	default:
		w.say("The last trick goes to side %d.", res.LastTrick)
	}
	w.say("Sides %v: points %v, tricks %v in rounds %v.", s.Sides, s.Points, res.TricksWon, res.RoundsWon)
	w.say("Winners %v, stake %d, score %v, payments %v.", s.Winners, s.Stake, s.ScoreDelta, s.Payments)
	w.say("The match stands %v, pool %d, in abeyance %d; over: %v.", m.Scores, m.Pool, m.Abeyance, m.Over)
	w.say("Seat %d deals next, seat %d leads.", s.NextDealer, s.NextLeader)
}

// cards returns the cards as text, without free places.
func cards(places []game.Card) string {
	var out []string
	for _, c := range places {
		if c != 0 {
			out = append(out, c.String())
		}
	}
	return strings.Join(out, " ")
}
