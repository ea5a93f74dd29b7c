package view

import (
	"strings"
	"testing"

	"sedmabot/game/table"
)

// A result in the private chat of a player who has won is marked as won, so that it can come with an effect. No other post is.
func TestAWonMatchInPrivateIsMarked(t *testing.T) {
	t.Parallel()
	for seat, player := range []table.Player{eva, petr} {
		s := open(t, "sedma-2p", "en")
		s.table.Chats = append(s.table.Chats, table.Chat{ID: player.ID})
		s.do(petr, table.Join{Seat: -1})
		s.do(eva, table.Start{})
		marked, winner := 0, false
		s.until(func(p table.Public) bool {
			winner = p.Phase == table.Over && p.Result.Match.Winner == p.Rules.Side(seat)
			for _, post := range allPosts(p, s.table.Private, nil) {
				private := post.Player == player.ID && strings.HasPrefix(post.Key, "result:")
				if post.Screen.Won != (private && winner) {
					t.Errorf("%s for %q%q: won is %v", post.Key, post.Chat, post.Player, post.Screen.Won)
				}
				if post.Screen.Won {
					marked++
				}
			}
			return p.Phase == table.Over
		})
		if winner != (marked > 0) {
			t.Errorf("seat %d has won: %v; %d posts are marked", seat, winner, marked)
		}
	}
}
