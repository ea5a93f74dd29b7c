package doc

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Match is the document of a finished match; its deals are in their own records. A
// match that isn't over has no such document, so no hidden cards can leak from it.
type Match struct {
	Home     string        `json:"home"`
	Guests   []string      `json:"guests,omitempty"` // other homes that watched it
	At       time.Time     `json:"at"`
	Rules    game.Rules    `json:"rules"`
	Seats    []table.Seat  `json:"seats"` // ids, names, AI, and whether the player was absent at the end
	Scores   []int         `json:"scores"`
	DealerBy record.Choice `json:"dealer_by,omitempty"`
	First    int           `json:"first"`          // the number of its first deal; the others are consecutive
	Seeds    []table.Seed  `json:"seeds"`          // one for each deal
	Auto     [][]int       `json:"auto,omitempty"` // for each deal, the indexes of the moves that the AI chose for people
	Key      []byte        `json:"key"`            // key for making tickets

	// Uncounted: the match counts in no ledger. Otherwise it counts in those of Home, of all homes, and of Guests. Matches of
	// earlier versions in chats where the bot isn't lack it.
	Uncounted bool `json:"uncounted,omitempty"`

	Equals bool `json:"equals,omitempty"` // the AI that was a person's partner played at the table's level

	Sealed time.Time `json:"sealed,omitzero"`     // for a daily deal, the time before which nothing about it may be shown
	Zone   string    `json:"zone,omitempty"`      // the time zone in which Sealed is midnight
	Masked bool      `json:"strangers,omitempty"` // its players must not learn of each other what they don't show outside

	Tournament string `json:"cup,omitempty"` // id of its tournament, if any
	Round      int    `json:"round,omitempty"`
}

// Expires returns when the match expires, with its records and what the coach found out, if its home has chosen to keep that
// for so long.
func (m Match) Expires(keep time.Duration) time.Time { return m.At.Add(keep) }

// Expires is Match.Expires with what the match's home has chosen.
func (d *Docs) Expires(ctx context.Context, m Match) (time.Time, error) {
	var home Home
	_, err := d.Get(ctx, HomeKey(m.Home), &home)
	return m.Expires(home.Keeps()), err
}

// Listed is the number of latest matches that a home lists.
const Listed = 10

// MatchID returns the permanent id of a match. ParseMatchID parses it.
func MatchID(table string, no int) string { return table + "-" + strconv.Itoa(no) }

// ParseMatchID parses the id of a match, in any case and with spaces around it.
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

// Ticket returns a code that lets this player open the match from any chat. A replay
// that they opened in a group may be shown in their private chat, which is another home.
func (m Match) Ticket(player string) string {
	mac := hmac.New(sha256.New, m.Key)
	mac.Write([]byte(player))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:8])
}

// Open reports whether the person may see the match. People in its home or a guest
// home may, and so may its players and anyone who holds their own ticket.
func (m Match) Open(in chat.Input, ticket string) bool {
	return in.Chat.Home == m.Home || slices.Contains(m.Guests, in.Chat.Home) ||
		slices.ContainsFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID == in.Player.ID }) ||
		hmac.Equal([]byte(ticket), []byte(m.Ticket(in.Player.ID)))
}

// SeatOf returns the player's seat, or -1.
func (m Match) SeatOf(player string) int {
	return slices.IndexFunc(m.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == player })
}

// List adds a finished match to the home's latest matches.
func (h *Home) List(match string) {
	h.Matches = append(h.Matches, match)
	h.Matches = h.Matches[max(0, len(h.Matches)-Listed):]
}

// People returns the number of seats that people had at the end.
func (m Match) People() (n int) {
	for _, s := range m.Seats {
		if s.Player.ID != "" {
			n++
		}
	}
	return n
}
