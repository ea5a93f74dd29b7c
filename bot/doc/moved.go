package doc

import "time"

// A chat's id may change, for example when a Telegram group becomes a supergroup. Its
// data stays in the home of the first id, and a document of the new id (chat:<id>)
// points there. The platform reports the change by a service message, or by a failed
// delivery with the new id. Either report may come first, late, twice or never, so
// each of them does all that is left to do.

// ChatHome is the document that says which home has a chat's data.
type ChatHome struct {
	Home string    `json:"home"`
	At   time.Time `json:"at,omitzero"` // when this was first reported; zero: long ago
}
