package web

import (
	"time"

	"sedmabot/bot/chat"
)

// CookiePrefix is the prefix of the cookies' names.
const CookiePrefix = cookiePrefix

// Sealed returns the cookie of a visitor's session that began now.
func Sealed(secret []byte, v chat.Visitor) (string, error) {
	return seal(secret, session{Visitor: v, Show: v.Table, Until: time.Now().Add(sessionFor)})
}
