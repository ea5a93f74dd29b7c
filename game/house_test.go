package game

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFamiliesHoldEveryPresetOnce(t *testing.T) {
	t.Parallel()
	var all []string
	for _, family := range Families() {
		for _, players := range FamilyPlayers(family) {
			names := FamilyPresets(family, players)
			if len(names) == 0 {
				t.Errorf("%s has no game for %d", family, players)
			}
			all = append(all, names...)
			if plain := Like(family, players); plain != names[0] {
				t.Errorf("like %s for %d is %s, not %s", family, players, plain, names[0])
			}
		}
	}
	slices.Sort(all)
	if want := slices.Sorted(slices.Values(Presets())); !slices.Equal(all, want) {
		t.Errorf("families hold %v, presets are %v", all, want)
	}
	for name, want := range map[string]string{"sedma-4p-kase4": "sedma-2p-kase4", "osmova-4p-170": "osmova-2p", "ristikontra": "", "soccer-home": "soccer-home"} {
		if got := Like(name, 2); got != want {
			t.Errorf("%s for two is %q, not %q", name, got, want)
		}
	}
}

// TestHouseRulesLeadToGames checks house rules set one after another, from any preset. Each gives a valid game with the
// chosen value, and no button data gets too long.
func TestHouseRulesLeadToGames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, err := Preset(rapid.SampledFrom(Presets()).Draw(t, "preset"))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 6).Draw(t, "choices") {
			all := HouseRules(r)
			one := rapid.SampledFrom(all).Draw(t, "rule")
			if len(one.Values) < 2 || len(one.Values) > 25 {
				t.Fatalf("%s offers %v", one.Name, one.Values)
			}
			value := rapid.SampledFrom(one.Values).Draw(t, "value")
			next, err := SetHouse(r, one.Name, value)
			if err != nil {
				t.Fatal(err)
			}
			if err := next.Validate(); err != nil {
				t.Fatalf("%s %s: %v", one.Name, value, err)
			}
			for _, after := range HouseRules(next) {
				if after.Name == one.Name && after.Value != value {
					t.Fatalf("%s was set to %s and is %s", one.Name, value, after.Value)
				}
			}
			if next.Players != r.Players || next.Preset != r.Preset {
				t.Fatalf("%s %s made %s for %d of %s for %d", one.Name, value, next.Preset, next.Players, r.Preset, r.Players)
			}
			r = next
		}
		if _, err := SetHouse(r, "burn", "7"); err == nil {
			t.Fatal("a price that is not on the list was taken")
		}
	})
	seen := map[string]bool{}
	for _, name := range Presets() {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range HouseRules(r) {
			seen[one.Name] = true
			for _, value := range one.Values {
				if next, err := SetHouse(r, one.Name, value); err == nil {
					for _, more := range HouseRules(next) {
						seen[more.Name] = true
					}
				}
			}
		}
	}
	for _, h := range houseRules {
		if len(h.name) > 24 || strings.Trim(h.name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("the name %q does not fit a button", h.name)
		}
		if !seen[h.name] {
			t.Errorf("%s is never offered", h.name)
		}
	}
}

// Every scoring that a preset offers leaves a length in its own unit, whatever the length was, and the way back leads to the
// preset. A number of deals that was chosen stays.
func TestAnotherScoringHasALengthOfItsOwn(t *testing.T) {
	t.Parallel()
	combinations := 0
	for _, name := range Presets() {
		preset, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, scoring := range valuesOf(preset, "scoring") {
			for _, end := range append(Lengths(preset), valuesOf(preset, "end")...) {
				from := withEnd(preset, end)
				r, err := SetHouse(from, "scoring", scoring)
				if err != nil {
					t.Fatal(err)
				}
				chosen := end[0] == 'h' && end != getEnd(&preset) && (end != "h8" || preset.Target > 0)
				switch {
				case string(preset.Scoring) == scoring && r != from:
					t.Errorf("%s, %s: the same scoring changes %s", name, end, getEnd(&r))
				case string(preset.Scoring) != scoring && chosen && getEnd(&r) != end:
					t.Errorf("%s, %s in %s: %s", name, end, scoring, getEnd(&r))
				}
				if back, err := SetHouse(r, "scoring", string(preset.Scoring)); err != nil || string(preset.Scoring) != scoring && !chosen && back != preset && getEnd(&back) != "h8" {
					t.Errorf("%s: there and back is %s, %v", name, getEnd(&back), err)
				}
				for _, length := range append(Lengths(r), valuesOf(r, "end")...) {
					combinations++
					next := withEnd(r, length)
					small := next.Target > 0 && next.Target <= 20 // such targets are in stakes, or in the few points of tricks
					if stakes := r.Scoring == ByStakes || r.Scoring == ByKovac || r.Scoring == ByRistikontra; next.Target > 0 && stakes != small && r.DealPoints() >= 80 {
						t.Errorf("%s in %s offers %s", name, scoring, length)
					}
				}
			}
		}
	}
	t.Logf("%d combinations", combinations)
}

// valuesOf returns the values of one house rule.
func valuesOf(r Rules, name string) []string {
	for _, h := range HouseRules(r) {
		if h.Name == name {
			return h.Values
		}
	}
	return nil
}

// The pool of the 100-point game is for games in which it can be won and is worth winning, and ties are a rule only where a
// deal can end in one.
func TestHouseRulesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"sedma-4p": true, "slovak-2p": true, "osmova-3p": true, "zsirozas-4p": true, "sedma-2p-tricks": false, "osmova-4p-170": false, "septica-4p": false} {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(valuesOf(r, "scoring"), string(ByPool)); got != want {
			t.Errorf("%s offers the pool: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"sedma-4p": false, "osmova-4p-170": false, "slovak-4p": true, "zsirozas-2p": true, "septica-2p": true} {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := valuesOf(r, "tie") != nil; got != want {
			t.Errorf("%s offers what happens in a tie: %v", name, got)
		}
	}
	old, err := Preset("sedma-2p-tricks")
	if err != nil {
		t.Fatal(err)
	}
	old.Scoring = ByPool // a lobby of an earlier version
	if !slices.ContainsFunc(HouseRules(old), func(h House) bool { return h.Name == "scoring" && h.Value == string(ByPool) }) {
		t.Error("a lobby with a pool doesn't say so")
	}
}
