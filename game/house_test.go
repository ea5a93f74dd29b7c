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
