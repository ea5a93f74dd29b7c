package league

import (
	"context"
	"encoding/json"

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
	Rating int    `json:"rating"` // 0: none yet, the player's wins made the place

	Wins    int `json:"wins,omitempty"` // since rule 3
	Matches int `json:"matches,omitempty"`
}

// HallMatches is the fewest matches between people in a season for a place in it.
const HallMatches = 5

// Places returns the best of a season's board, up to the place top. A player needs HallMatches
// matches against people, and has to win one of them. Those who are level on the board share a place.
func Places(ctx context.Context, docs *doc.Docs, partition int, board string, top int) (places []HallRank, err error) {
	level := 0.0
	for from := 0; ; {
		standings, _, err := docs.Store.Board(ctx, partition, board, from, doc.RowBatch, "")
		if err != nil {
			return nil, err
		}
		from += len(standings)
		for _, s := range standings {
			var row BoardRow
			if err := json.Unmarshal(s.Data, &row); err != nil {
				return nil, err
			}
			if _, people := PairOf(s.Member); people != nil || row.Matches < HallMatches || row.Wins == 0 {
				continue
			}
			rank := len(places) + 1
			if n := len(places); n > 0 && level == s.Score {
				rank = places[n-1].Rank
			}
			level = s.Score
			if rank > top {
				return places, nil
			}
			places = append(places, HallRank{Rank: rank, Player: s.Member, Name: row.Name, Rating: row.Rating, Wins: row.Wins, Matches: row.Matches})
		}
		if len(standings) < doc.RowBatch {
			return places, nil
		}
	}
}

// MarksJob returns the id of the job that sets the marks of a home's members.
func MarksJob(home string) string { return "marks:" + home }

// BoardsJob returns the id of the job that closes a home's periods.
func BoardsJob(home string) string { return "boards:" + home }

// HallName returns the name of a home's hall of fame.
func HallName(home string) string { return "hall:" + home }

// BoardFamilies returns the families of games that have boards: AllGames first, then each family.
func BoardFamilies() []string { return append([]string{AllGames}, game.Families()...) }

// BoardNames returns the names of all boards that a home may have.
func BoardNames(h doc.Home, home string) []string {
	var names []string
	for _, key := range append([]string{AllTime}, h.Periods...) {
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
