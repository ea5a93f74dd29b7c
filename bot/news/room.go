// Package news decides who hears of what. The file tell.go keeps the list of people who asked to be
// told of new tables in a home, with their wishes, and says whom a new table calls.
//
// Nobody is on the list who didn't ask, and every call has a button that takes its reader off.
package news

import "sedmabot/bot/doc"

// Room manages who is told of what. It is safe for concurrent use.
type Room struct {
	docs *doc.Docs
}

// New returns a Room.
func New(docs *doc.Docs) *Room { return &Room{docs: docs} }
