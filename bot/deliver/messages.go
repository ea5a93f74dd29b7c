package deliver

import (
	"slices"
	"strconv"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// Messages is what a delivery has to know about the thing that the messages show: a table, a tournament or a board.
type Messages struct {
	ID     string
	Chats  []table.Chat // chats that show it; the platform of the first one is its own
	Stage  string       // a place that refused messages is tried again at the next stage
	people []reader     // people with messages of their own
	lobby  bool         // a lobby is open, which shows at once who joins
}

// reader is a person with messages of their own.
type reader struct {
	id, lang string
	aside    string // chat where they can get messages that only they see; "": none
}

// messagesOf returns what a delivery has to know about a table.
func messagesOf(t table.Table) Messages {
	m := Messages{ID: t.ID, Chats: t.Chats, Stage: stageOf(t), lobby: t.Phase == table.Lobby}
	for _, s := range t.Seats {
		m.people = append(m.people, reader{s.Player.ID, s.Player.Lang, EphemeralChat(t, s.Player.ID)})
	}
	return m
}

// stageOf returns a name for the table's phase and deal.
func stageOf(t table.Table) string { return string(t.Phase) + " " + strconv.Itoa(t.DealNo) }

// target returns where to send a post. If a player plays alone, the table's chat has the
// player's own id: it is their private chat.
func (m Messages) target(p screen.Post) chat.Target {
	if p.Player == "" && slices.ContainsFunc(m.people, func(r reader) bool { return r.id == p.Chat }) {
		return chat.Target{Player: p.Chat}
	}
	return chat.Target{Chat: p.Chat, Player: p.Player}
}

// home returns the name of the platform of the first chat.
func (m Messages) home() string {
	if len(m.Chats) == 0 {
		return ""
	}
	return nameOf(chat.Address(m.Chats[0].ID))
}
