package league

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
)

// Hall is a home's hall of fame: its seasons that are over, the latest last.
type Hall struct {
	Seasons []HallSeason `json:"seasons"`
}

// HallSeason is who was in front at the end of a season, by family of games.
type HallSeason struct {
	Key   string                `json:"key"`
	Games map[string][]HallRank `json:"games,omitempty"`
}

// HallRank is a place among the first three.
type HallRank struct {
	Rank   int    `json:"rank"`
	Player string `json:"player"`
	Name   string `json:"name"`
	Rating int    `json:"rating"`
}

// BoardsJob is the id of the job that closes the periods of a home.
func BoardsJob(home string) string { return "boards:" + home }

// HallName returns the name of a home's hall of fame.
func HallName(home string) string { return "hall:" + home }

// BoardFamilies are the families of games that have boards: all together, then each.
func BoardFamilies() []string { return append([]string{AllGames}, game.Families()...) }

// BoardNames returns the names of the boards that a home may have.
func BoardNames(h doc.Home, home string) []string {
	var names []string
	for _, key := range append([]string{chat.AllTime}, h.Periods...) {
		for _, family := range BoardFamilies() {
			names = append(names, BoardName(home, family, key))
		}
	}
	return names
}

// Medals are the places that players have from the home's latest season, in a family.
func (h Hall) Medals(family string) map[string]int {
	out := map[string]int{}
	if n := len(h.Seasons); n > 0 {
		for _, place := range h.Seasons[n-1].Games[family] {
			out[place.Player] = place.Rank
		}
	}
	return out
}
