package deliver

import (
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// Shown is what people see of a table, as far as it is known.
type Shown struct {
	Posts    map[string]*ShownPost  `json:"posts,omitempty"`    // by place and post key
	Places   map[string]*ShownPlace `json:"places,omitempty"`   // by chat or player
	Seated   []string               `json:"seated,omitempty"`   // players whose own document names this table
	Guests   map[string]string      `json:"guests,omitempty"`   // chats of other homes whose home's index names this table: homes by chat
	Doubts   int                    `json:"doubts,omitempty"`   // of doc.Notes, as they were when all messages were last edited
	Redrawn  time.Time              `json:"redrawn,omitzero"`   // of doc.Notes, as it was when the messages were last edited for it
	Undone   time.Time              `json:"undone,omitzero"`    // of doc.Notes, likewise
	UndoneAt time.Time              `json:"undone_at,omitzero"` // Table.Touched at that moment
	Ended    bool                   `json:"ended,omitempty"`    // the table is closed, and this document will expire

	Moved map[string]string `json:"-"` // the new ids of chats, as deliveries told just now
}

// ShownPost is what is known of one message.
type ShownPost struct {
	Address chat.Address `json:"address"`
	Seq     int          `json:"seq"`
	Hash    string       `json:"hash"`
	Picture string       `json:"picture,omitempty"` // the name of the picture that it shows; "": none, or not known
	Passing bool         `json:"passing,omitempty"`
	For     chat.Address `json:"for,omitempty"`   // of an answer: the address that it was called up at
	Lost    int          `json:"lost,omitempty"`  // how often it was deleted by others; Address is empty until it stands again
	Count   int          `json:"count,omitempty"` // of its place, at the last delivery
	Sent    time.Time    `json:"sent,omitzero"`
	Tried   string       `json:"tried,omitempty"` // of a send whose outcome is not known: see tryOf
}

// ShownPlace is what is known of one place where messages are: a chat, or a player's private one.
type ShownPlace struct {
	NotBefore time.Time `json:"not_before,omitzero"`  // the next delivery
	Fails     int       `json:"fails,omitempty"`      // in a row
	Early     int       `json:"early,omitempty"`      // deliveries before NotBefore since the place was quiet
	Count     int       `json:"count,omitempty"`      // of all deliveries
	Closed    time.Time `json:"closed,omitzero"`      // since when this place cannot be written to
	Stage     string    `json:"stage,omitempty"`      // how far the table had come when that was found out
	ClosedSeq int       `json:"closed_seq,omitempty"` // and the Seq of the post that was
	Mute      bool      `json:"mute,omitempty"`       // it was an edit: not even that can be done
	Asked     bool      `json:"asked,omitempty"`      // whether it can be written to was asked, or found out
	Adopted   string    `json:"adopted,omitempty"`    // Origin of the latest hand called up that stands for the one shown aside
}

// refuses tells whether the place is known not to take a new message: at a later
// stage of the table, or for a later call, that is tried anew.
func (at *ShownPlace) refuses(stage string, p view.Post) bool {
	return at != nil && !at.Closed.IsZero() && at.Stage == stage && at.ClosedSeq >= p.Seq
}
