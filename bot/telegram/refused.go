package telegram

import (
	"time"

	"sedmabot/bot/cache"
)

// A chat may refuse a kind of message, because of its settings, its person or an older server. The bot then does without that
// kind there for a while. The refusal of one chat says nothing about the others.

// kind is something that a chat may refuse.
type kind uint8

const (
	kindPhoto           kind = iota
	kindEffect               // a message effect
	kindDisabled             // a disabled button
	kindReaction             // a reaction to a command
	kindEphemeral            // an ephemeral message after a press or a command
	kindPushedEphemeral      // an ephemeral message without a cause
)

// How long a refusal is remembered.
const (
	textOnlyFor = time.Hour        // of photos
	refusedFor  = 10 * time.Minute // of ephemeral messages
	absentFor   = 24 * time.Hour   // of what an older server doesn't know
)

// refusals remembers what chats refuse.
type refusals struct {
	until cache.Cache[refusal, time.Time]
}

type refusal struct {
	peer int64
	what kind
}

func (r *refusals) has(peer int64, what kind) bool {
	until, _ := r.until.Get(refusal{peer, what})
	return until.After(time.Now())
}

func (r *refusals) note(peer int64, what kind, d time.Duration) {
	r.until.Put(refusal{peer, what}, time.Now().Add(d), 2*maxChats)
}
