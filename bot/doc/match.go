package doc

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Match is a finished match; its deals are in their records. A match that is
// not over has none, so that nothing hidden can be read out of it.
type Match struct {
	Home     string        `json:"home"`
	Guests   []string      `json:"guests,omitempty"` // other homes that saw it
	At       time.Time     `json:"at"`
	Rules    game.Rules    `json:"rules"`
	Seats    []table.Seat  `json:"seats"` // ids, names, AI, and who was not there at the end
	Scores   []int         `json:"scores"`
	DealerBy record.Choice `json:"dealer_by,omitempty"`
	First    int           `json:"first"`          // the number of its first deal; the others follow
	Seeds    []table.Seed  `json:"seeds"`          // one a deal
	Auto     [][]int       `json:"auto,omitempty"` // one a deal: the moves that the AI chose for people, by their places
	Key      []byte        `json:"key"`            // what tickets are made with

	Sealed time.Time `json:"sealed,omitzero"` // before that nothing of it is told: it is the deal of a day
	Zone   string    `json:"zone,omitempty"`  // where that is midnight
	Cup    string    `json:"cup,omitempty"`   // the tournament that it was of, by its id
	Round  int       `json:"round,omitempty"`
}

// Listed is how many of its latest matches a home lists.
const Listed = 10

// MatchID names a match for good. ParseMatchID reads it.
func MatchID(table string, no int) string { return table + "-" + strconv.Itoa(no) }

// ParseMatchID reads the id of a match, as people may write it.
func ParseMatchID(id string) (table string, no int, ok bool) {
	table, digits, _ := strings.Cut(strings.ToLower(strings.TrimSpace(id)), "-")
	no, err := strconv.Atoi(digits)
	return table, no, err == nil && no > 0 && MatchID(table, no) == strings.ToLower(strings.TrimSpace(id))
}

// MatchKey returns the key of a table's finished match.
func MatchKey(table string, no int) (store.Key, bool) {
	partition, ok := TablePartition(table)
	return store.Key{Partition: partition, Name: MatchName(table, no)}, ok
}

// ticket lets this player come back to the match from any chat: a replay that he
// opened in a group may stand in his private chat, whose home is another.
func (m Match) ticket(player string) string {
	mac := hmac.New(sha256.New, m.Key)
	mac.Write([]byte(player))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:8])
}

// Open tells whether who did that may see the match: people of its home, who
// played in it, and who holds a ticket.
func (m Match) Open(in chat.Input, ticket string) bool {
	return in.Chat.Home == m.Home || slices.Contains(m.Guests, in.Chat.Home) ||
		slices.ContainsFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID == in.Player.ID }) ||
		hmac.Equal([]byte(ticket), []byte(m.ticket(in.Player.ID)))
}

// SeatOf is the player's seat, or -1.
func (m Match) SeatOf(player string) int {
	return slices.IndexFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == player })
}

// Seen is the match as a reader's screens name it.
func (m Match) Seen(table string, no int, reader string) view.Match {
	return view.Match{Table: table, No: no, At: m.At, Rules: m.Rules, Seats: m.Seats, Scores: m.Scores, Ticket: m.ticket(reader)}
}

// List puts a finished match among the home's latest.
func (h *Home) List(match string) {
	h.Matches = append(h.Matches, match)
	h.Matches = h.Matches[max(0, len(h.Matches)-Listed):]
}
