package table

import (
	"fmt"
	"math"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// measuredDeals is how many deals a match took in self-play: see [expectedDeals].
var measuredDeals = map[string]map[string]float64{
	"sedma-2p":                {"t1": 1.0, "t3": 3.4, "t5": 6.2, "t10": 13.5, "t15": 20.8, "t20": 28.3},
	"sedma-3p":                {"t1": 1.1, "t3": 4.7, "t5": 8.9, "t10": 20.1, "t15": 32.0, "t20": 44.1},
	"sedma-3p-8-9":            {"t1": 1.1, "t3": 4.7, "t5": 8.9, "t10": 20.5, "t15": 32.2, "t20": 44.7},
	"sedma-4p":                {"t1": 1.0, "t3": 3.1, "t5": 5.4, "t10": 12.0, "t15": 18.8, "t20": 25.4},
	"sedma-2p-cash":           {"t1": 1.0, "t3": 3.5, "t5": 6.3, "t10": 13.6, "t15": 21.3, "t20": 29.0},
	"sedma-3p-cash":           {"t1": 1.1, "t3": 4.5, "t5": 8.5, "t10": 19.4, "t15": 30.8, "t20": 42.6},
	"sedma-4p-cash":           {"t1": 1.0, "t3": 2.9, "t5": 5.3, "t10": 11.2, "t15": 17.3, "t20": 23.7},
	"sedma-2p-difference":     {"t100": 4.1, "t200": 8.1, "t300": 12.3, "t500": 21.4},
	"sedma-4p-difference":     {"t100": 3.4, "t200": 6.8, "t300": 10.4, "t500": 17.8},
	"sedma-2p-points":         {"t200": 4.1, "t300": 6.1, "t500": 10.2, "t1000": 20.7},
	"sedma-3p-points":         {"t200": 5.2, "t300": 7.9, "t500": 13.8, "t1000": 28.5},
	"sedma-4p-points":         {"t200": 3.9, "t300": 5.9, "t500": 9.9, "t1000": 20.3},
	"sedma-2p-pool100":        {"t200": 3.9, "t300": 5.8, "t500": 9.5, "t1000": 18.7},
	"sedma-3p-pool100":        {"t200": 5.2, "t300": 7.9, "t500": 13.4, "t1000": 27.2},
	"sedma-4p-pool100":        {"t200": 3.7, "t300": 5.6, "t500": 9.2, "t1000": 18.4},
	"sedma-2p-kase1":          {"t1": 1.0, "t3": 3.7, "t5": 6.6, "t10": 14.4, "t15": 22.3, "t20": 30.4},
	"sedma-4p-kase1":          {"t1": 1.0, "t3": 3.1, "t5": 5.7, "t10": 12.4, "t15": 19.1, "t20": 26.0},
	"sedma-2p-kase1-sevens3":  {"t1": 1.0, "t3": 3.5, "t5": 6.4, "t10": 13.9, "t15": 21.6, "t20": 29.4},
	"sedma-4p-kase1-sevens3":  {"t1": 1.0, "t3": 3.1, "t5": 5.5, "t10": 12.0, "t15": 18.5, "t20": 25.1},
	"sedma-2p-kase4":          {"t1": 1.0, "t3": 3.4, "t5": 5.8, "t10": 12.5, "t15": 19.1, "t20": 26.5},
	"sedma-4p-kase4":          {"t1": 1.0, "t3": 2.9, "t5": 5.2, "t10": 11.0, "t15": 17.0, "t20": 23.2},
	"sedma-2p-kase5-10-15":    {"t1": 1.0, "t3": 3.4, "t5": 5.9, "t10": 12.3, "t15": 19.1, "t20": 26.2},
	"sedma-4p-kase5-10-15":    {"t1": 1.0, "t3": 3.0, "t5": 5.3, "t10": 10.9, "t15": 16.9, "t20": 22.7},
	"sedma-2p-spalena-hra":    {"t1": 1.0, "t3": 3.3, "t5": 5.9, "t10": 12.6, "t15": 19.4, "t20": 26.2},
	"sedma-4p-spalena-hra":    {"t1": 1.0, "t3": 3.2, "t5": 5.6, "t10": 12.0, "t15": 18.6, "t20": 25.4},
	"sedma-3p-solo-leaves":    {"t1": 2.0, "t3": 3.5, "t5": 5.5, "t10": 11.2, "t15": 17.4, "t20": 23.4},
	"sedma-3p-solo-hearts":    {"t1": 2.0, "t3": 3.4, "t5": 5.7, "t10": 11.8, "t15": 18.4, "t20": 24.8},
	"sedma-3p-svoboda32":      {"t1": 1.1, "t3": 4.5, "t5": 8.4, "t10": 19.8, "t15": 31.2, "t20": 43.3},
	"sedma-3p-hartmann":       {"t1": 1.1, "t3": 4.7, "t5": 8.8, "t10": 20.1, "t15": 31.6, "t20": 44.0},
	"sedma-2p-tricks":         {"t20": 2.5, "t50": 5.8, "t100": 11.7},
	"sedma-4p-tricks":         {"t20": 4.6, "t50": 11.4, "t100": 23.2},
	"osmova-2p":               {"t1": 1.0, "t3": 3.7, "t5": 6.9, "t10": 14.9, "t15": 23.2, "t20": 31.7},
	"osmova-3p":               {"t1": 1.1, "t3": 4.5, "t5": 8.5, "t10": 19.4, "t15": 31.0, "t20": 42.8},
	"osmova-4p":               {"t1": 1.0, "t3": 3.0, "t5": 5.5, "t10": 11.9, "t15": 18.4, "t20": 25.2},
	"osmova-4p-170":           {"t1": 1.0, "t3": 3.1, "t5": 5.6, "t10": 12.0, "t15": 19.0, "t20": 25.9},
	"osmova-4p-170-points":    {"t200": 2.3, "t300": 3.3, "t500": 5.3, "t1000": 10.8},
	"slovak-2p":               {"t1": 1.2, "t3": 4.4, "t5": 7.6, "t10": 16.7, "t15": 26.4, "t20": 35.5},
	"slovak-3p":               {"t1": 1.2, "t3": 4.2, "t5": 7.7, "t10": 17.1, "t15": 27.1, "t20": 37.0},
	"slovak-4p":               {"t1": 1.1, "t3": 3.3, "t5": 6.0, "t10": 13.0, "t15": 20.2, "t20": 27.4},
	"kovac-2p":                {"t1": 3.5, "t3": 13.1, "t5": 23.9, "t10": 52.0},
	"kovac-4p":                {"t1": 2.1, "t3": 6.0, "t5": 10.4, "t10": 22.2},
	"hola-2p":                 {"t200": 3.9, "t300": 5.9, "t500": 9.7, "t1000": 20.0},
	"hola-4p":                 {"t200": 3.3, "t300": 5.0, "t500": 8.3, "t1000": 17.1},
	"hola-6p":                 {"t200": 2.5, "t300": 3.6, "t500": 5.8, "t1000": 11.6},
	"ristikontra":             {"t3": 3.9, "t5": 7.1, "t7": 10.4, "t10": 15.6},
	"zsirozas-2p":             {"t1": 1.0, "t3": 3.2, "t5": 5.6, "t10": 12.3, "t15": 18.8, "t20": 25.9},
	"zsirozas-4p":             {"t1": 1.0, "t3": 3.1, "t5": 5.4, "t10": 11.9, "t15": 18.6, "t20": 25.3},
	"zsirozas-4p-final-seven": {"t1": 1.0, "t3": 3.0, "t5": 5.3, "t10": 11.3, "t15": 17.9, "t20": 24.1},
	"sedmice-2p":              {"t120": 2.5, "t200": 4.0, "t300": 6.0, "t500": 10.1, "t1000": 20.5},
	"sedmice-4p":              {"t120": 2.5, "t200": 4.0, "t300": 6.0, "t500": 10.0, "t1000": 20.5},
	"suster-4p":               {"t120": 2.7, "t200": 4.5, "t300": 6.7, "t500": 11.4, "t1000": 23.0},
	"septica-2p":              {"t1": 1.2, "t3": 4.0, "t5": 7.0, "t10": 15.4, "t15": 24.1, "t20": 32.7},
	"septica-3p":              {"t1": 1.3, "t3": 4.4, "t5": 8.1, "t10": 18.2, "t15": 28.9, "t20": 40.1},
	"septica-4p":              {"t1": 1.1, "t3": 3.7, "t5": 6.6, "t10": 14.4, "t15": 22.3, "t20": 30.7},
	"ristikontra-120":         {"t60": 1.0, "t120": 2.0, "t240": 3.8},
}

// TestExpectedDeals checks the estimate against matches that were played: within a
// quarter, or one deal.
func TestExpectedDeals(t *testing.T) {
	t.Parallel()
	for name, ends := range measuredDeals {
		r := gametest.Preset(t, name)
		for end, want := range ends {
			got := expectedDeals(withEnd(t, r, end))
			if math.Abs(got-want) > max(1, want/4) {
				t.Errorf("%s, %s: %.1f deals, %.1f were played", name, end, got, want)
			}
		}
		if got := expectedDeals(withEnd(t, r, "h4")); got != 4 {
			t.Errorf("%s: %.1f deals of 4", name, got)
		}
	}
}

// sensible is the longest time that a match which a lobby offers may take people, by the estimate.
const sensible = 3*time.Hour + 15*time.Minute

// Every length that a lobby offers in any scoring ends within a sensible time. A target that the scoring can't reach would take
// longer.
func TestEveryChoiceEndsInTime(t *testing.T) {
	t.Parallel()
	combinations, longest := 0, time.Duration(0)
	for _, name := range game.Presets() {
		preset := gametest.Preset(t, name)
		scorings := []string{string(preset.Scoring)}
		for _, h := range HouseRules(preset) {
			if h.Name == "scoring" {
				scorings = h.Values
			}
		}
		for _, scoring := range scorings {
			r := preset
			if scoring != string(preset.Scoring) {
				var err error
				if r, err = game.SetHouse(preset, "scoring", scoring); err != nil {
					t.Fatal(err)
				}
			}
			p := Public{Lasting: Lasting{Pace: time.Second, Seats: make([]Seat, r.Players)}}
			for i := range p.Seats {
				p.Seats[i].Player.ID = fmt.Sprint("x:", i)
			}
			ends := game.Lengths(r)
			for _, h := range HouseRules(r) {
				if h.Name == "end" {
					ends = append(ends, h.Values...)
				}
			}
			for _, end := range ends {
				combinations++
				took := p.MatchTime(withEnd(t, r, end))
				longest = max(longest, took)
				if took > sensible {
					t.Errorf("%s in %s, %s takes %v", name, scoring, end, took)
				}
			}
		}
	}
	t.Logf("%d combinations, the longest takes %v", combinations, longest)
}

// withEnd returns the rules with a value of the house rule "end".
func withEnd(t *testing.T, r game.Rules, end string) game.Rules {
	t.Helper()
	r, err := game.SetHouse(r, "end", end)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
