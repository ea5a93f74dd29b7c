package deliver

import (
	"cmp"
	"encoding/json"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/store"
)

// Shown records the messages that people see of a table, as far as they are known.
type Shown struct {
	Posts    map[string]*ShownPost   `json:"posts,omitempty"`    // by place and post key
	Places   map[string]*ShownPlace  `json:"places,omitempty"`   // by chat or player
	Seated   []string                `json:"seated,omitempty"`   // players whose own document lists this table
	Guests   map[string]string       `json:"guests,omitempty"`   // by chat: the other home whose index lists this table
	Doubts   int                     `json:"doubts,omitempty"`   // value of Notes.Doubts when all messages were last marked for an edit
	Redrawn  time.Time               `json:"redrawn,omitzero"`   // value of Notes.Redrawn when the messages were last marked for an edit
	Undone   time.Time               `json:"undone,omitzero"`    // latest value of Notes.Undone that was processed
	UndoneAt time.Time               `json:"undone_at,omitzero"` // value of Table.Touched when Undone was processed
	Until    time.Time               `json:"until,omitzero"`     // when this document expires: the table is closed
	Ended    bool                    `json:"ended,omitempty"`    // an earlier version showed the table when it was closed
	Cooled   bool                    `json:"cooled,omitempty"`   // the players' games until the match have been closed
	Told     map[string]chat.Address `json:"told,omitempty"`     // by player: the reply that has told them why a chat is silent
	Again    bool                    `json:"again,omitempty"`    // a hand came after failures, and its turn has yet to begin again

	Statuses json.RawMessage `json:"statuses,omitempty"` // an earlier version has set scores under the names of voice channels

	Moved map[string]string `json:"-"` // by old chat id: new ids that deliveries have just reported
	Late  map[string]bool   `json:"-"` // players whose hands have just been delivered after failures
}

// Expiry implements [doc.Expiring].
func (s Shown) Expiry(now time.Time) (time.Time, bool) {
	if s.Ended && s.Until.IsZero() {
		return now.Add(doc.KeepClosed), true
	}
	return s.Until, true
}

// ShownPost records what is known about one message.
type ShownPost struct {
	Address chat.Address `json:"address"`
	Seq     int          `json:"seq"`
	Hash    string       `json:"hash"`
	Own     string       `json:"own,omitempty"`     // for a hand: the ownPart that it shows
	Picture string       `json:"picture,omitempty"` // name of the picture in the message; "": none, or not known
	Passing bool         `json:"passing,omitempty"`
	Stuck   bool         `json:"stuck,omitempty"` // the platform refused to delete it
	Origin  string       `json:"for,omitempty"`   // for a hand that the player opened: Answer.Origin; an earlier version stored the address
	Lost    int          `json:"lost,omitempty"`  // how often it was sent again without a higher Seq, for example because others deleted it (then Address is empty until it is sent)
	Count   int          `json:"count,omitempty"` // ShownPlace.Count at the last delivery of this message
	Sent    time.Time    `json:"sent,omitzero"`
	Tried   string       `json:"tried,omitempty"` // a send whose outcome is unknown: see tryOf
}

// ShownPlace records what is known about one place with messages. A place is a chat, a
// private chat, or the messages that one player alone sees in a chat.
type ShownPlace struct {
	NotBefore time.Time     `json:"not_before,omitzero"`  // earliest time of the next delivery; set by wait
	Wait      time.Duration `json:"wait,omitempty"`       // how far ahead NotBefore was set; 0: by an earlier version of this program
	Fails     int           `json:"fails,omitempty"`      // failed deliveries in a row that are tried again
	Early     int           `json:"early,omitempty"`      // deliveries before NotBefore since the place was last quiet
	Count     int           `json:"count,omitempty"`      // number of all deliveries
	Closed    time.Time     `json:"closed,omitzero"`      // when the place began to refuse messages; zero: it accepts them
	Stage     string        `json:"stage,omitempty"`      // the table's stage when the place was closed
	ClosedSeq int           `json:"closed_seq,omitempty"` // Seq of the post that found the place closed
	Mute      bool          `json:"mute,omitempty"`       // even edits are refused
	Asked     bool          `json:"asked,omitempty"`      // it is known whether the place accepts messages
	Adopted   string        `json:"adopted,omitempty"`    // Origin of the opened hand that was last shown here; the release before this one knows it by this alone
}

// wait makes the place wait.
func (at *ShownPlace) wait(now time.Time, d time.Duration) { at.NotBefore, at.Wait = now.Add(d), d }

// believe corrects the times that a clock ahead of now has set.
func (at *ShownPlace) believe(now time.Time) {
	at.NotBefore = store.Believe(at.NotBefore, now, cmp.Or(at.Wait, longestBackOff))
	if !store.Believed(at.Closed, now, 0) {
		at.Closed = time.Unix(1, 0) // nobody knows when: whatever its person did since then opens it
	}
}

// refuses reports whether the place is known to refuse a new message. At a later stage
// of the table, or for a post with a higher Seq, the message is tried again.
func (at *ShownPlace) refuses(stage string, p screen.Post) bool {
	return at != nil && !at.Closed.IsZero() && at.Stage == stage && at.ClosedSeq >= p.Seq
}
