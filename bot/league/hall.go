package league

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
)

// Hall is a home's hall of fame: its finished seasons, the latest last.
type Hall struct {
	Seasons []HallSeason `json:"seasons"`
}

// HallSeason holds the top three at the end of a season, by family of games.
type HallSeason struct {
	Key   string                `json:"key"`
	Games map[string][]HallRank `json:"games,omitempty"`
}

// HallRank is one player's place among the top three.
type HallRank struct {
	Rank   int    `json:"rank"`
	Player string `json:"player"`
	Name   string `json:"name"`
	Rating int    `json:"rating"`
}

// BoardsJob returns the id of the job that closes a home's periods.
func BoardsJob(home string) string { return "boards:" + home }

// HallName returns the name of a home's hall of fame.
func HallName(home string) string { return "hall:" + home }

// BoardFamilies returns the families of games that have boards: AllGames first, then each family.
func BoardFamilies() []string { return append([]string{AllGames}, game.Families()...) }

// BoardNames returns the names of all boards that a home may have.
func BoardNames(h doc.Home, home string) []string {
	var names []string
	for _, key := range append([]string{chat.AllTime}, h.Periods...) {
		for _, family := range BoardFamilies() {
			names = append(names, BoardName(home, family, key))
		}
	}
	return names
}

// Medals returns the place of each player who is in the hall of fame for the latest
// season, in a family of games.
func (h Hall) Medals(family string) map[string]int {
	out := map[string]int{}
	if n := len(h.Seasons); n > 0 {
		for _, place := range h.Seasons[n-1].Games[family] {
			out[place.Player] = place.Rank
		}
	}
	return out
}
