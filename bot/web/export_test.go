package web

import (
	"context"
	"time"

	"sedmabot/bot/chat"
)

// CookiePrefix is the prefix of the cookies' names.
const CookiePrefix = cookiePrefix

// Sealed returns the cookie of a visitor's session that began now.
func Sealed(secret []byte, v chat.Visitor) (string, error) {
	return seal(secret, session{Visitor: v, Show: v.Table, Until: time.Now().Add(sessionFor)})
}

// Retire and Guard do now what the site does from time to time.
func (s *Site) Retire(ctx context.Context) { s.hub.endSessions(ctx) }

func (s *Site) Guard(ctx context.Context) { s.hub.members(ctx) }
