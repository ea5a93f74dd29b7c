package chat

import (
	"context"
	"strings"
	"time"

	"sedmabot/bot/screen"
)

// Authenticator identifies the people who open tables' pages in a platform's app. The app gives
// the page a proof, and the page's server passes it on.
type Authenticator interface {
	// Authenticate returns the person who opened a page in the platform's app. The error is a
	// *Refusal if the credentials prove nothing.
	Authenticate(ctx context.Context, k Credentials) (Caller, error)
	// IsMember reports whether a member of a chat still is one, or may be one. The
	// page's server asks that again and again.
	IsMember(ctx context.Context, chat Chat, player string) (bool, error)
	// Invite returns the address that leads the members of a chat to one of its tables, or "" if the platform has none.
	Invite(table string, chat Chat) string
	// Share prepares a screen that a person shows to others with the platform's app, and returns what the page tells the
	// app: the id of a message, or the address of a picture. It is "" if the platform prepares nothing.
	Share(ctx context.Context, k Credentials, player string, s screen.Screen) (string, error)
	// Frames returns where the platform shows pages in a frame: Content-Security-Policy
	// sources for frame-ancestors.
	Frames() []string
	// Origin returns the web origin of a page in the platform's app, if the platform serves
	// it at an address of its own; otherwise "".
	Origin() string
}

// Credentials is the proof that a page got from the platform's app. It is untrusted.
type Credentials struct {
	Data     string // Telegram: initData
	Token    string // Discord: an access token of the person
	Instance string // Discord: the id of the running Activity
	Nick     bool   // Discord: the person wants the name that they have on the server; the token allows to ask for it
}

// Caller is a person who has opened a page in a platform's app.
type Caller struct {
	Player Player
	Chat   Chat   // the chat where the app is open: they are a member; ID "": unknown
	Table  string // the table that the app was opened for; "": unknown
	Photo  string // the address of their profile photo; "": none
	// Member asks the platform whether they are a member of one of its chats. nil: the
	// platform can't say.
	Member func(ctx context.Context, chat string) (bool, error)
	// Proof identifies what proved who they are, and Made is when the platform made it. It is set only if somebody else
	// could use the same proof. Then it opens a page once, or again in a browser that has a session of the person.
	Proof string
	Made  time.Time
}

// startChat is the prefix of what a platform's app is opened for, if that is a chat and not a table. No table's id has it.
const startChat = "c-"

// StartIn returns what a platform's app is opened for, so that the page shows the table of a group or else the front door:
// a text of letters, digits, hyphens and underscores. It returns "" for chats that aren't groups of Telegram; elsewhere
// the app itself knows where it is open.
func StartIn(chat string) string {
	if rest, ok := strings.CutPrefix(chat, "telegram:-"); ok {
		return startChat + strings.ReplaceAll(rest, "/", "_")
	}
	return ""
}

// StartedIn returns the chat that StartIn was given.
func StartedIn(start string) (chat string, ok bool) {
	rest, ok := strings.CutPrefix(start, startChat)
	return "telegram:-" + strings.ReplaceAll(rest, "_", "/"), ok
}

// ErrStranger reports that a page's credentials don't prove who the person is.
var ErrStranger = NewRefusal("page_door")
