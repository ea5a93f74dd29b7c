package table_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// follows lists the phases that each phase may change to in one step.
var follows = map[table.Phase][]table.Phase{
	table.Lobby:   {table.Lobby, table.Playing, table.Pause, table.Closed},
	table.Playing: {table.Playing, table.Pause, table.Over, table.Closed},
	table.Pause:   {table.Pause, table.Playing, table.Over, table.Closed},
	table.Over:    {table.Over, table.Lobby, table.Playing, table.Pause, table.Closed},
	table.Closed:  {table.Closed},
}

// TestAnythingMayHappen takes random actions at random times. Everything that world.check requires must stay true, the
// phases must follow each other as they should, and time must never get stuck.
func TestAnythingMayHappen(t *testing.T) {
	t.Parallel()
	met := map[table.Phase]int{}
	rarest := func() int {
		least := met[table.Over]
		for phase := range follows {
			least = min(least, met[phase])
		}
		return least
	}
	// About one table in a dozen reaches the end of a match, so a hundred tables are sometimes too few.
	for range 10 {
		rapid.Check(t, func(t *rapid.T) { anythingMayHappen(t, met) })
		if rarest() >= 3 {
			break
		}
	}
	for phase := range follows {
		if met[phase] < 3 {
			t.Errorf("phase %s was met in %d of all runs", phase, met[phase])
		}
	}
}

// anythingMayHappen plays at one random table. It counts in met which phases the table was in.
func anythingMayHappen(t *rapid.T, met map[table.Phase]int) {
	waits := rapid.SampledFrom([]time.Duration{0, 0, pace, time.Minute}).Draw(t, "pace")
	limit := rapid.SampledFrom([]time.Duration{0, time.Second, table.DefaultLimit, 48 * time.Hour}).Draw(t, "limit")
	w := open(t, drawRules(t), waits, limit)
	w.think = func(_ string, v game.View, _ game.Match) game.Move { return v.Legal[len(v.Legal)-1] }
	w.seeds = rapid.IntRange(0, 1e6).Draw(t, "seed")
	for i := range rapid.IntRange(0, 5).Draw(t, "persons") {
		_ = w.apply(i+1, table.Join{Seat: -1}) // the table may be full
	}
	if rapid.IntRange(0, 3).Draw(t, "lobby") < 3 {
		w.do(0, table.Start{})
	}
	seen := map[table.Phase]bool{}
	for range rapid.IntRange(0, 200).Draw(t, "steps") {
		before := w.Table
		w.anything(t)
		switch {
		case !slices.Contains(follows[before.Phase], w.Phase):
			t.Fatalf("phase %s after %s", w.Phase, before.Phase)
		case w.DealNo < before.DealNo, w.MatchNo < before.MatchNo:
			t.Fatalf("deal %d of match %d after deal %d of match %d", w.DealNo, w.MatchNo, before.DealNo, before.MatchNo)
		}
		seen[w.Phase] = true
	}
	w.settle()
	for phase := range seen {
		met[phase]++
	}
}

// anything takes one random action of a person, or lets time pass.
func (w *world) anything(t *rapid.T) {
	who := rapid.IntRange(0, len(people)-1).Draw(t, "who")
	// rapid prefers small numbers, so actions that keep a table going come first.
	switch kind := rapid.IntRange(0, 19).Draw(t, "kind"); {
	case kind < 8:
		if seat := w.turn(); seat >= 0 && w.who(seat) >= 0 {
			press := w.press(w.who(seat))
			press.Move = rapid.SampledFrom(w.view(w.who(seat)).Legal).Draw(t, "move")
			w.do(w.who(seat), press)
		} else if !w.Due().IsZero() && w.Phase != table.Lobby && w.Phase != table.Over {
			w.untilDue()
		}
	case kind < 17:
		_ = w.apply(who, drawCommand(t, w.Table)) // a refusal must change nothing, which apply checks
	case kind < 19:
		w.after(time.Duration(rapid.Int64Range(0, int64(3*time.Minute)).Draw(t, "wait")))
	default:
		if !w.Due().IsZero() {
			w.untilDue()
		}
	}
}

// settle runs everything that is due now, which must come to an end.
func (w *world) settle() {
	w.Helper()
	for range 5000 {
		if due := w.Due(); due.IsZero() || due.After(w.now) {
			return
		}
		w.after(0)
	}
	w.Fatalf("phase %s is due again and again", w.Phase)
}

func drawRules(t *rapid.T) game.Rules {
	rules := gametest.Preset(t, rapid.SampledFrom(game.Presets()).Draw(t, "preset"))
	if rapid.Bool().Draw(t, "short") { // a short match, so that some matches end
		rules.Target, rules.Deals, rules.HalfTime = 0, rapid.IntRange(0, 2).Draw(t, "hands"), 0
	}
	return rules
}

func drawCommand(t *rapid.T, at table.Table) table.Command {
	near := func(n int, label string) int { return n + rapid.IntRange(-1, 1).Draw(t, label) }
	move := rapid.SampledFrom([]game.Move{game.Stop, game.Dark, game.Pass, 0, 255, game.PlayCard(game.NewCard('A', 'h'))})
	switch rapid.IntRange(0, 13).Draw(t, "command") {
	case 0, 1:
		return table.Rematch{}
	case 2:
		return table.Start{}
	case 3:
		return table.Join{Seat: rapid.IntRange(-2, 6).Draw(t, "seat")}
	case 4:
		return table.Play{
			Deal: near(at.DealNo, "deal"), Decision: rapid.IntRange(-1, 9).Draw(t, "decision"), Move: move.Draw(t, "move"),
		}
	case 5:
		return table.PlayPlace{
			Deal: near(at.DealNo, "deal"), Ply: rapid.IntRange(-1, 40).Draw(t, "ply"),
			Place: rapid.IntRange(-1, 9).Draw(t, "place"), Move: move.Draw(t, "move"),
		}
	case 6:
		return table.Back{}
	case 7:
		return table.AddAI{Level: rapid.SampledFrom([]string{"", "easy"}).Draw(t, "level")}
	case 8:
		return table.RemoveAI{}
	case 9:
		rules := drawRules(t)
		rules.Players = near(rules.Players, "players")
		return table.SetRules{Rules: rules}
	case 10:
		return table.Leave{}
	case 11:
		return table.LastDeal{}
	case 12:
		return drawChoice(t, at)
	default:
		if rapid.IntRange(0, 4).Draw(t, "close") > 0 {
			return table.Bump{Chat: "discord:100"}
		}
		return table.Close{Admin: rapid.Bool().Draw(t, "admin")}
	}
}

// drawChoice returns a random choice in the settings, usually one that is offered.
func drawChoice(t *rapid.T, at table.Table) table.Command {
	what := rapid.SampledFrom([]string{"page", "game", "players", "limit", "with", "venue", "draw", "house"}).Draw(t, "what")
	value := map[string][]string{
		"page":    {"seats", "settings", "game", "games", "players", "house", "limit", "places", "end", "nowhere"},
		"game":    append(game.Families(), "poker"),
		"players": {"2", "3", "4", "6", "5", ""},
		"limit":   {"0", "30", "3600", "31"},
		"with":    {at.Public().Mark(0), at.Public().Mark(1), "ai", "nobody"},
		"venue":   {"0", "1", "draw", "7"},
		"draw":    {"partners"},
	}[what]
	if what == "house" {
		one := rapid.SampledFrom(table.HouseRules(at.Rules)).Draw(t, "rule")
		what, value = one.Name, append(one.Values, "never")
	}
	if len(value) == 0 {
		value = []string{""}
	}
	return table.Choose{What: what, Value: rapid.SampledFrom(value).Draw(t, "value")}
}
