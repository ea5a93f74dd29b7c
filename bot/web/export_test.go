package web

import (
	"context"
	"crypto/rand"
	"time"

	"sedmabot/bot/chat"
)

// CookiePrefix is the prefix of the cookies' names.
const CookiePrefix = cookiePrefix

// Begin begins a visitor's session, and returns its cookie. The visitor's chats are of this home. Without a table, an app
// has opened it.
func Begin(ctx context.Context, pages chat.Pages, v chat.Visitor, home string) (string, error) {
	secret, err := pages.Secret(ctx)
	if err != nil {
		return "", err
	}
	own := session{Visitor: v, ID: rand.Text(), App: v.Table == "", Homes: map[string]string{}, Until: time.Now().Add(sessionFor)}
	for _, id := range v.Chats {
		own.Homes[id] = home
	}
	if v.Table != "" {
		own.Links = []usedLink{{v.Table, v.Link}}
	}
	if err := pages.Begin(ctx, v.Player.ID, own.ID, own.Until); err != nil {
		return "", err
	}
	return seal(secret, own)
}

// Retire and Guard do now what the site does from time to time.
func (s *Site) Retire(ctx context.Context) { s.hub.endSessions(ctx) }

func (s *Site) Guard(ctx context.Context) { s.hub.members(ctx) }
