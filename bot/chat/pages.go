package chat

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sedmabot/game/table"
)

// Changes can be ranged over: for range changes.
type Changes = func(yield func() bool)

// Pages is the bot as the server of web pages sees it, besides [Handler]. A page shows one
// table to one [Visitor]. Presses on it go through Handler, like those of buttons.
type Pages interface {
	// Table returns the current state of a table. The error is a *Refusal if there is no
	// such table.
	Table(ctx context.Context, id string) (PageTable, error)
	// Changes returns a loop that goes round after each change of a table, and perhaps at once, until ctx
	// ends. Changes that come faster than it goes round are merged.
	Changes(ctx context.Context, id string) (Changes, error)
	// Tables returns the ids of the open tables at which a person sits, the latest last.
	Tables(ctx context.Context, player string) ([]string, error)
	// UseLink returns the visitor that a personal link is for. It accepts each link only
	// once. The error is a *Refusal if the link is no longer valid.
	UseLink(ctx context.Context, link string) (Visitor, error)
	// OpenIn returns the id of the table that is open in a chat, or "".
	OpenIn(ctx context.Context, chat Chat) (string, error)
	// ChangesIn is Changes for the open tables of a home.
	ChangesIn(ctx context.Context, home string) Changes
	// Preferences returns the language and the face that a person has chosen, or "", and whether they are new: they sit at no
	// table, and have finished neither a match nor the tutorial.
	Preferences(ctx context.Context, player string) (language, face string, fresh bool, err error)
	// AtDoor reports whether a page may make a press while its reader is at no table: at the front
	// door of the pages.
	AtDoor(press string) bool
	// UseProof marks a proof of who a person is as used, until the proof expires. The error is a
	// *Refusal if it has expired, or was used before.
	UseProof(ctx context.Context, proof string, until time.Time) error
	// Seen records that these players have the page of a table open now. It is called every
	// [SeenEvery] while they do.
	Seen(ctx context.Context, id string, players []Visitor) error
	// Say shows a phrase or an emote on all pages of a table, at the seat of the player who says it. The table itself
	// doesn't keep it. The error is a *Refusal if they don't sit there, or have just said something.
	Say(ctx context.Context, id, player, what string) error
	// Begin keeps a session of a person valid until a moment; Open reports whether it is still valid,
	// and End ends it. The person ends all of them by asking for the deletion of their data.
	Begin(ctx context.Context, player, session string, until time.Time) error
	Open(ctx context.Context, player, session string) (bool, error)
	End(ctx context.Context, player, session string) error
	// Secret returns the key that signs sessions. It is the same in all processes.
	Secret(ctx context.Context) ([]byte, error)
}

// SeenEvery is the interval between two calls of Pages.Seen. A page that was last seen
// SeenFor ago counts as closed.
const (
	SeenEvery = 8 * time.Second
	SeenFor   = 20 * time.Second
)

// Visitor is a person who has logged in to a page.
type Visitor struct {
	Player Player `json:"player"`
	// Table is the only table that the visitor may see; "": all tables at which they sit,
	// and those of Chats.
	Table string `json:"table,omitempty"`
	// Link is the number of the link by which they came. When the player uses a newer link,
	// the page of the older one ends. 0: they logged in another way.
	Link int `json:"link,omitempty"`
	// Chats are the chats whose member they have proven to be. They may watch tables there.
	Chats []string `json:"chats,omitempty"`
	// Photo is the address of their profile photo, as their platform's app proved it; "": unknown.
	Photo string `json:"photo,omitempty"`
}

// Person is what the pages of a table show of a player, besides what the table says.
type Person struct {
	Mark  string    // names them on all pages, without telling who they are; "": there is nobody
	Photo string    // the address of their photo, which only the pages' server reads; "": none
	Said  string    // the phrase or emote that they said last
	At    time.Time // when they said it
}

// PageTable is the state of a table that pages show.
type PageTable struct {
	Version int64 // grows with every change
	Public  table.Public
	Private func(player string) (table.Private, bool)
	Links   map[string]int // by player: the number of the latest link that they used
	People  []Person       // by seat; a seat without a person has none
	// Allows reports whether a page of this table may make a press. The proof with which a person
	// opened the page is for one table. So a page may do what concerns this table, and show finished
	// matches and boards. Of the person's settings, it may change only the language and the cards, which it
	// shows. It may not change what they are told or their data, and it opens no other table.
	Allows func(press string) bool
}

// Closed reports whether the table is closed.
func (t PageTable) Closed() bool { return t.Public.Phase == table.Closed }

// InLobby reports whether the table's match hasn't begun.
func (t PageTable) InLobby() bool { return t.Public.Phase == table.Lobby }

// Admits reports whether the visitor may see the table, and whether they sit at it.
func (t PageTable) Admits(v Visitor) (sits, ok bool) {
	// A program without pages drops the link's number from the notes. It is 0 until the next call of Seen.
	if v.Table != "" && v.Table != t.Public.ID || v.Link > 0 && t.Links[v.Player.ID] > v.Link {
		return false, false
	}
	if _, sits := t.Private(v.Player.ID); sits {
		return true, true
	}
	return false, t.Returns(v.Player.ID) || slices.ContainsFunc(t.Public.Chats, func(c table.Chat) bool { return slices.Contains(v.Chats, c.ID) })
}

// Returns reports whether someone without a seat sat in the match before, and may take a seat in this one: in the lobby of a
// rematch, or while people of that match may still press Rematch. They left nothing: the program freed their seat.
func (t PageTable) Returns(player string) bool {
	return t.Public.Last != nil && t.Public.Last.MatchNo+1 == t.Public.MatchNo && (t.InLobby() || t.Public.Open) &&
		slices.ContainsFunc(t.Public.Last.Seats, func(s table.Seat) bool { return s.Player.ID == player })
}

// Late reports whether the visitor is a spectator who should see the table late.
func (t PageTable) Late(v Visitor) bool {
	if _, sits := t.Private(v.Player.ID); sits {
		return false
	}
	return slices.ContainsFunc(t.Public.Chats, func(c table.Chat) bool { return c.Late && (slices.Contains(v.Chats, c.ID) || t.Returns(v.Player.ID)) })
}

// Input returns the visitor's press on a button of the table's page, as if they had pressed
// it in the table's chat, or else in their private one. The error is a *Refusal if the press
// isn't for this page: see Allows.
func (t PageTable) Input(v Visitor, press string) (Input, error) {
	if !t.Allows(press) {
		return Input{}, ErrForged
	}
	in := Input{Player: v.Player, Press: press, Page: true, Chat: Chat{ID: v.Player.ID, Home: v.Player.ID, Private: true}}
	if here, ok := t.ChatOf(v); ok {
		in.Chat = Chat{ID: here.ID, Home: cmp.Or(here.Home, t.Public.Home), Lang: here.Lang}
	}
	return in, nil
}

// DoorInput returns a visitor's press on the front door, as if they had pressed it in the chat from
// which they came, or else in their private one. The caller has checked [Pages.AtDoor].
func DoorInput(v Visitor, here Chat, press string) Input {
	in := Input{Player: v.Player, Press: press, Page: true, Chat: Chat{ID: v.Player.ID, Home: v.Player.ID, Private: true}}
	if here.ID != "" {
		in.Chat = here
	}
	return in
}

// ChatOf returns the table's chat that the visitor is in: one whose member they have proven
// to be, or the only one on their platform. It returns false if there is none. The private
// chat of a player is never that of others.
func (t PageTable) ChatOf(v Visitor) (here table.Chat, ok bool) {
	platform, _, _ := strings.Cut(v.Player.ID, ":")
	n := 0
	for _, c := range t.Public.Chats {
		switch {
		case slices.Contains(v.Chats, c.ID):
			return c, true
		case slices.ContainsFunc(t.Public.Seats, func(s table.Seat) bool { return s.Player.ID == c.ID }):
		case strings.HasPrefix(c.ID, platform+":"):
			here = c
			n++
		}
	}
	return here, n == 1
}
