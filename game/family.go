package game

import (
	"fmt"
	"slices"
	"strings"
)

// Family returns the family of games that a preset belongs to: its name up to the first hyphen.
func Family(preset string) string {
	family, _, _ := strings.Cut(preset, "-")
	return family
}

// Families returns all families of games, in the order of the presets.
func Families() []string {
	var out []string
	for _, p := range presets {
		if f := Family(p.name); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// FamilyPlayers returns the numbers of players for which the family has a preset, in ascending order.
func FamilyPlayers(family string) []int {
	var out []int
	for _, p := range presets {
		if Family(p.name) == family {
			if n := built()[p.name].Players; !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// FamilyPresets returns the names of the family's presets for that many players, the plain game first.
func FamilyPresets(family string, players int) []string {
	var out []string
	for _, p := range presets {
		if Family(p.name) == family && built()[p.name].Players == players {
			out = append(out, p.name)
		}
	}
	return out
}

// Like returns the closest preset for that many players: the variant of the same name, or else the plain game of the
// family. It returns "" if the family has no game for that many players.
func Like(preset string, players int) string {
	all := FamilyPresets(Family(preset), players)
	if len(all) == 0 {
		return ""
	}
	for _, name := range all {
		if r, ok := built()[preset]; ok && strings.Replace(preset, fmt.Sprintf("-%dp", r.Players), fmt.Sprintf("-%dp", players), 1) == name {
			return name
		}
	}
	return all[0]
}
