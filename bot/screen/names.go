package screen

import (
	"regexp"
	"sync"

	"sedmabot/bot/lang"
	"sedmabot/game"
)

// Families maps each preset to its name without the number of players.
var Families = sync.OnceValue(func() map[string]string {
	players := regexp.MustCompile(`-[2346]p\b`)
	all := map[string]string{}
	for _, preset := range game.Presets() {
		all[preset] = players.ReplaceAllString(preset, "")
	}
	return all
})

// GameName returns the name of the game with these rules, with the number of players:
// "Sedma, 4 players". If the rules differ from their preset, the name says that there
// are house rules. The length of the match doesn't count as a difference.
func GameName(c *lang.Catalogue, r game.Rules) string {
	name := c.Text("game.own")
	if base, err := game.Preset(r.Preset); err == nil {
		name = PresetName(c, r.Preset)
		base.Target, base.Deals = r.Target, r.Deals
		if r.NextDeal == game.Rotate && r.Target == 0 { // like tournaments: this is still the same game
			base.NextDeal, base.HalfTime = r.NextDeal, r.HalfTime
		}
		if r != base && len(r.Changed(base)) > 0 {
			name = c.Text("game.house", "game", name)
		}
	}
	return name + ", " + c.Text("players", "n", r.Players)
}

// FamilyName returns the name of a family of games, or of a game with any number of
// players.
func FamilyName(c *lang.Catalogue, family string) string {
	if key := "game." + family; c.Has(key) {
		return c.Text(key)
	}
	return family
}

// PresetName returns the name of a preset's game, without the number of players.
func PresetName(c *lang.Catalogue, preset string) string {
	return FamilyName(c, Families()[preset])
}
