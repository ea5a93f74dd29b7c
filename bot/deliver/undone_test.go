package deliver

import (
	"testing"

	"sedmabot/game/table"
)

// A message for one person is in their language. A message for all is in the language of its chat.
func TestReadersOfAMessage(t *testing.T) {
	t.Parallel()
	tab := table.Table{Chats: []table.Chat{{ID: "home", ChatSettings: table.ChatSettings{Lang: "cs"}}, {ID: "guest", ChatSettings: table.ChatSettings{Lang: "pl"}}}}
	tab.Seats = []table.Seat{{Player: table.Player{ID: "eva", PlayerSettings: table.PlayerSettings{Lang: "de"}}}, {Player: table.Player{PlayerSettings: table.PlayerSettings{Lang: "fi"}}}}
	for _, c := range []struct{ chat, player, want string }{{"home", "", "cs"}, {"guest", "", "pl"}, {"", "eva", "de"}, {"home", "zoe", "cs"}} {
		if got := messagesOf(tab).readers(c.chat, c.player).Code(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
