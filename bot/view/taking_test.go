package view

import (
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// A card that would end the deal at once is named wherever the open trick is described.
func TestCardsThatEndADeal(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	for _, c := range []struct {
		taking game.Taking
		say    string
	}{
		{game.Taking{}, ""},
		{game.Taking{Burn: 'K'}, "a fourth equal card wins the deal"},
		{game.Taking{Fatal: true}, "a seven now loses the deal"},
	} {
		v := game.View{Rules: rules, Phase: game.Follow, Turn: 1, Trick: []game.Play{{Card: game.NewCard('K', 'h')}}, Taking: c.taking}
		p := table.Public{Lasting: table.Lasting{Rules: rules, Seats: make([]table.Seat, rules.Players)}, View: v}
		got := screen.PlainText(face.French, OpenTrick(NewWriter(lang.For("en"), face.French), p, v, game.Nobody))
		for _, all := range []string{"a fourth equal card wins the deal", "a seven now loses the deal"} {
			if strings.Contains(got, all) != (all == c.say) {
				t.Errorf("with %+v it says %q", c.taking, got)
			}
		}
	}
}
