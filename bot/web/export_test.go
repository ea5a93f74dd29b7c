package web

import (
	"context"
	"time"

	"sedmabot/bot/chat"
)

// CookiePrefix is the prefix of the cookies' names.
const CookiePrefix = cookiePrefix

// Sealed returns the cookie of a visitor's session that began now. The visitor's chats are of this home.
func Sealed(secret []byte, v chat.Visitor, home string) (string, error) {
	homes := map[string]string{}
	for _, id := range v.Chats {
		homes[id] = home
	}
	return seal(secret, session{Visitor: v, Show: v.Table, Homes: homes, Until: time.Now().Add(sessionFor)})
}

// Retire and Guard do now what the site does from time to time.
func (s *Site) Retire(ctx context.Context) { s.hub.endSessions(ctx) }

func (s *Site) Guard(ctx context.Context) { s.hub.members(ctx) }
