package web

import (
	"time"

	"sedmabot/bot/chat"
)

// CookiePrefix begins the names of the sessions' cookies.
const CookiePrefix = cookiePrefix

// Sealed returns the cookie of a visitor's session that began now.
func Sealed(secret []byte, v chat.Visitor) (string, error) {
	return seal(secret, session{Visitor: v, Until: time.Now().Add(sessionFor)})
}
