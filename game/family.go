package game

import (
	"fmt"
	"slices"
	"strings"
)

// Family is the family of games that a preset belongs to: what stands before
// the first hyphen of its name.
func Family(preset string) string {
	family, _, _ := strings.Cut(preset, "-")
	return family
}

// Families are all families of games, in the order of the presets.
func Families() []string {
	var out []string
	for _, p := range presets {
		if f := Family(p.name); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// FamilyPlayers are the numbers of players that the family has games for, from
// the lowest.
func FamilyPlayers(family string) []int {
	var out []int
	for _, p := range presets {
		if Family(p.name) == family {
			if r, _ := build(p.name); !slices.Contains(out, r.Players) {
				out = append(out, r.Players)
			}
		}
	}
	slices.Sort(out)
	return out
}

// FamilyPresets are the names of the family's presets for so many players, the
// plain game first.
func FamilyPresets(family string, players int) []string {
	var out []string
	for _, p := range presets {
		if r, _ := build(p.name); Family(p.name) == family && r.Players == players {
			out = append(out, p.name)
		}
	}
	return out
}

// Like is the preset for so many players that is most like the named one: its
// namesake, or else the plain game of its family. "" if the family has none.
func Like(preset string, players int) string {
	all := FamilyPresets(Family(preset), players)
	if len(all) == 0 {
		return ""
	}
	for _, name := range all {
		if r, ok := build(preset); ok && strings.Replace(preset, fmt.Sprintf("-%dp", r.Players), fmt.Sprintf("-%dp", players), 1) == name {
			return name
		}
	}
	return all[0]
}
