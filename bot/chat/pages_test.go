package chat

import (
	"testing"

	"sedmabot/game/table"
)

// A press on a page comes from a chat in which the visitor may be: never from the private chat of
// another player, and with the home of that chat.
func TestWhereAPressOnAPageComesFrom(t *testing.T) {
	t.Parallel()
	const ann, ben = "telegram:1", "telegram:2"
	private := func(id string) Chat { return Chat{ID: id, Home: id, Private: true} }
	for name, c := range map[string]struct {
		chats  []table.Chat
		proven []string
		want   Chat
	}{
		"the table's chat":           {[]table.Chat{{ID: "telegram:-5"}}, nil, Chat{ID: "telegram:-5", Home: "telegram:-4"}},
		"a chat of another home":     {[]table.Chat{{ID: "discord:9"}, {ID: "telegram:-6", Home: "telegram:-6"}}, nil, Chat{ID: "telegram:-6", Home: "telegram:-6"}},
		"one of two chats":           {[]table.Chat{{ID: "telegram:-5"}, {ID: "telegram:-6", Home: "telegram:-6"}}, nil, private(ben)},
		"the chat that is proven":    {[]table.Chat{{ID: "telegram:-5"}, {ID: "telegram:-6", Home: "telegram:-6"}}, []string{"telegram:-6"}, Chat{ID: "telegram:-6", Home: "telegram:-6"}},
		"a tournament":               {[]table.Chat{{ID: ann}, {ID: ben}}, nil, private(ben)},
		"another player's":           {[]table.Chat{{ID: ann}}, nil, private(ben)},
		"no chat of this platform":   {[]table.Chat{{ID: "discord:9"}}, nil, private(ben)},
		"strangers, masked for them": {nil, nil, private(ben)},
	} {
		at := PageTable{Allows: func(string) bool { return true }, Public: table.Public{Lasting: table.Lasting{
			ID: "t", Home: "telegram:-4", Chats: c.chats, Seats: []table.Seat{{Player: table.Player{ID: ann}}, {Player: table.Player{ID: ben}}},
		}}}
		if got, err := at.Input(Visitor{Player: Player{ID: ben}, Chats: c.proven}, "rules:t"); err != nil || got.Chat != c.want {
			t.Errorf("%s: %+v, want %+v (%v)", name, got.Chat, c.want, err)
		}
	}
}
