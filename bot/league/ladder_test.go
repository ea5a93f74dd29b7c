package league

import (
	"slices"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// alone returns the end of a match that a person won alone against the AI of that level, in their private chat.
func alone(t *testing.T, preset, level string) table.Table {
	t.Helper()
	r := gametest.Preset(t, preset)
	eva := table.Player{ID: "test:eva", Name: "Eva"}
	at := table.New("0123456789abcdef", eva.ID, table.Chat{ID: eva.ID}, eva, r, 0, 0, time.Unix(0, 0))
	at.Level, at.Policy.Equals = level, true
	at, _, err := table.Apply(at, eva, table.Start{}, table.Env{Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	at.Phase = table.Over
	at.Match.Winner = r.Side(at.SeatOf(eva.ID))
	return at
}

// The ladder leads past each opponent, weakest first. A win counts once, and only against the AI in the private chat.
func TestTheLadderLeadsPastEachOpponent(t *testing.T) {
	t.Parallel()
	var d Ladder
	for _, level := range table.Levels {
		if got := d.Next(); got != level {
			t.Errorf("after %v comes %q, not %q", d.Beaten, got, level)
		}
		won := alone(t, "sedma-4p", level)
		if Climber(won) != "test:eva" || !d.Climb(won) || d.Climb(alone(t, "sedma-2p", level)) {
			t.Errorf("%s: the ladder is %+v", level, d)
		}
	}
	if d.Next() != "" || !slices.Equal(d.Beaten, table.Levels) {
		t.Errorf("at the top, the ladder is %+v", d)
	}
	for name, change := range map[string]func(*table.Table){
		"lost":             func(t *table.Table) { t.Match.Winner = 1 - t.Match.Winner },
		"a better partner": func(t *table.Table) { t.Policy.Equals = false },
		"drawn":            func(t *table.Table) { t.Match.Winner = game.Nobody },
		"away":             func(t *table.Table) { t.Seats[t.SeatOf("test:eva")].Away = true },
		"in a chat":        func(t *table.Table) { t.Home = "test:group" },
		"two people": func(t *table.Table) {
			t.Seats[1] = table.Seat{Player: table.Player{ID: "test:ota", Name: "Ota"}}
		},
		"not over": func(t *table.Table) { t.Phase = table.Playing },
	} {
		at := alone(t, "sedma-4p", "easy")
		change(&at)
		if d := (&Ladder{}); Climber(at) != "" && d.Climb(at) {
			t.Errorf("%s: the ladder is %+v", name, d)
		}
	}
}

// The tutorial counts when it is played to its end, however the deal goes.
func TestTheTutorialIsTheFirstStep(t *testing.T) {
	t.Parallel()
	at := alone(t, "sedma-4p", "easy")
	at.Policy, at.Lesson, at.Match.Winner = table.Policy{}, true, game.Nobody
	at.Inherit()
	var d Ladder
	if !d.Climb(at) || !d.Tutorial || len(d.Beaten) > 0 || d.Climb(at) {
		t.Errorf("the ladder is %+v", d)
	}
}
