package review

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
)

// reportOf returns Eva's report about a finished match: her first choices with several legal moves, as if each were a
// mistake, for the reasons with the longest texts.
func reportOf(t *testing.T, preset, language string) CoachReport {
	t.Helper()
	s := played(t, preset, language)
	m := replayed(t, s, 0).Match
	m.No, m.At = 2, time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)
	r := CoachReport{Match: m, Choices: 40, Accuracy: 0.87, StandIn: true}
	r.Tallies = make(tallies, habits)
	r.Tallies[continues] = tally{Good: 5, Bad: 1, Lost: 20}
	d := s.Deal
	for n := range d.Moves() {
		at, err := game.Replay(d.Rules(), d.Deck(), d.Dealer(), d.Moves()[:n])
		if err != nil {
			t.Fatal(err)
		}
		if legal := at.Legal(); at.Turn() == 0 && len(legal) > 2 && len(r.Moments) < moments {
			c := RatedChoice{Deal: 1, Action: n, View: at.View(0), Scores: make([]int, d.Rules().Sides()), Chosen: legal[0]}
			for i, m := range legal {
				c.Choices = append(c.Choices, view.Advice{Move: m, Score: float64(i) / 4})
			}
			cause := []ai.Cause{ai.Unsafe, ai.Exposed, ai.Over}[len(r.Moments)]
			c.Why = view.Reason{Cause: cause, Better: legal[len(legal)-1], Other: legal[0], Cards: d.Rules().Pack()[:9], Points: 10, Several: d.Rules().Players > 2}
			r.Moments = append(r.Moments, c)
		}
	}
	if len(r.Moments) != moments {
		t.Fatalf("there are %d moments", len(r.Moments))
	}
	return r
}

// The coach shows at most three moments with their pictures, in words; the numbers and the habits are one press away.
func TestCoachScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		r := reportOf(t, "sedma-4p", language)
		var all []screen.Screen
		for n := range r.Moments {
			all = append(all, r.Moment(n+1, c))
		}
		for _, s := range all {
			if s.Picture == nil || strings.ContainsAny(screen.Screen{Blocks: s.Blocks, Face: s.Face}.String(), "%−") {
				t.Errorf("it has no picture, or numbers:\n%s", s)
			}
		}
		fine := r
		fine.Moments, fine.StandIn = nil, false
		absent := r
		absent.Moments, absent.Choices, absent.Tallies = nil, 0, nil
		none := absent
		none.StandIn = false
		all = append(all, r.Numbers(c), fine.Screen(c), absent.Screen(c), none.Screen(c))
		screentest.Golden(t, language, "coach", screentest.Words(t, all...))
	})
}

// The habits name the two that cost most a match, and what the player does well. Each habit has its own words.
func TestHabitsScreen(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		m := reportOf(t, "sedma-4p", language).Match
		var all []screen.Screen
		for h := range int(habits) {
			n := Habits{Match: m, Matches: 8, Waiting: 2, Tallies: make(tallies, habits)}
			n.Tallies[h] = tally{Lost: 160, Bad: 7}
			n.Tallies[(h+1)%int(habits)] = tally{Lost: 80, Bad: 2}
			n.Tallies[(h+2)%int(habits)] = tally{Lost: 40, Bad: 2, Good: 9}
			n.Tallies[(h+3)%int(habits)] = tally{Lost: 60, Bad: 2, Good: 4}
			all = append(all, n.Screen(c))
		}
		all = append(all, Habits{Match: m}.Screen(c))
		screentest.Golden(t, language, "habits", screentest.Words(t, all...))
	})
}

// A try shows the position as its player sees it, and in the end both results.
func TestRetryScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s := played(t, "sedma-4p", language)
		moment := reportOf(t, "sedma-4p", language).Moments[1]
		r := Retry{
			Match: replayed(t, s, 0).Match, Deal: 1, Totals: moment.Scores, View: moment.View,
			press: retry{table: "k3", match: 2, deal: 1, action: moment.Action},
		}
		first := r.Screen(c)
		r.press.moves, r.Since = "03", moment.Action-2
		next := r.Screen(c)
		past := s.Past[len(s.Past)-1]
		r.View, r.Now, r.Then = s.Deal.View(0), &past, past.Score
		r.Since = len(r.View.Log) - 3
		same := r.Screen(c)
		better, worse := past, past.Score
		r.Now, r.Played = &better, true
		worse.Points = []int{past.Score.Points[0] - 10, past.Score.Points[1] + 10}
		r.Then = worse
		more := r.Screen(c)
		r.Then, better.Score = past.Score, worse
		screentest.Golden(t, language, "retry", screentest.Words(t, first, next, same, more, r.Screen(c)))
	})
}

// Each kind of mistake is recognised, whatever it is compared with.
func TestHabits(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	hand := []game.Card{game.NewCard('7', 'a'), game.NewCard('8', 'a'), game.NewCard('8', 'l'), game.NewCard('T', 'a'), game.NewCard('K', 'a'), game.NewCard('A', 'h')}
	seven, eight, ten, king, ace := game.Move(hand[0]), game.Move(hand[1]), game.Move(hand[3]), game.Move(hand[4]), game.Move(hand[5])
	lead := game.View{Rules: rules, Phase: game.Lead, Hand: hand}
	follow, decide := lead, lead
	follow.Phase, decide.Phase = game.Follow, game.Decide
	osmova := gametest.Preset(t, "osmova-4p")
	follow.Taking.Ranks, decide.Taking.Ranks = osmova.Wild, osmova.Wild // sevens and eights: an eight was led
	for _, c := range []struct {
		v             game.View
		worse, better game.Move
		want          habit
	}{
		{decide, eight, game.Stop, continues},
		{decide, game.Stop, eight, stops},
		{decide, seven, eight, spends},
		{follow, seven, king, spends},
		{lead, seven, king, spends},
		{follow, king, seven, hoards},
		{follow, king, eight, leaves},
		{follow, eight, king, takes},
		{follow, ten, king, gives},
		{follow, king, ace, withholds},
		{lead, ten, king, leadsHigh},
		{lead, king, eight, splits},
		{lead, eight, king, noHabit},
		{lead, ten, ace, noHabit},
		{follow, ten, ace, noHabit},
	} {
		if got := habitOf(c.v, c.worse, c.better); got != c.want {
			t.Errorf("%s: %s instead of %s is %d, not %d", c.v.Phase, c.worse, c.better, got, c.want)
		}
	}
}

// A mistake counts for its habit with what it cost. A good choice counts against the habit of the mistake that it
// avoided. Where nothing is at stake, nothing counts.
func TestTallies(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	card := game.Move(game.NewCard('8', 'a'))
	v := game.View{Rules: rules, Phase: game.Decide, Legal: []game.Move{card, game.Stop}}
	var got tallies
	got.count(v, []int{20, 50}, card)
	got.count(v, []int{20, 50}, game.Stop)
	got.count(v, []int{45, 50}, card)
	got.count(v, []int{90, 50}, game.Stop)
	want := make(tallies, habits)
	want[continues], want[stops] = tally{Lost: 30, Bad: 1, Good: 1}, tally{Lost: 40, Bad: 1}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if worst := got.costliest(); !slices.Equal(worst, []habit{stops, continues}) {
		t.Errorf("the costliest are %v", worst)
	}
	got.add(got)
	if got[continues] != (tally{Lost: 60, Bad: 2, Good: 2}) || got.avoided(none) != noHabit {
		t.Errorf("%v, avoided %v", got[continues], got.avoided(none))
	}
	praised := got.avoided(func(h habit) bool { return h.like(stops) })
	if got[spends] = (tally{Good: 9}); praised != noHabit || got.avoided(none) != spends || got.avoided(func(h habit) bool { return h.like(hoards) }) != noHabit {
		t.Errorf("%v is praised beside a mistake of its kind", got)
	}
	v.Rules.Scoring = game.ByPoints
	var points tallies
	if points.count(v, []int{20, 50}, card); len(points) > 0 {
		t.Errorf("points count as stakes: %v", points)
	}
}
