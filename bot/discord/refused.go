package discord

import (
	"errors"
	"slices"
	"sync"
	"time"

	"sedmabot/bot/cache"
)

// refusedFor is how long the bot stays away from a place after Discord refused a request
// there. Discord counts refusals for the bot's IP address. After 10,000 in ten minutes,
// it blocks all requests for a while
// (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
const refusedFor = 5 * time.Minute

// maxRefused is the maximum number of places that are remembered.
const maxRefused = 20_000

// refusals remembers the ids of people and channels that the bot may not write to. An entry
// expires after refusedFor, or is removed when an interaction arrives from there, when the
// person asks for a game in their private chat, or when the shell wants to try again.
type refusals struct {
	mu     sync.Mutex
	until  cache.Cache[string, refusal]
	asking map[string][]*asking
}

// asking is a running request about a place.
type asking struct {
	reopened bool // an interaction came from the place meanwhile, so a refusal is out of date
}

type refusal struct {
	at      time.Time
	refusal *apiError
}

// ask calls requests, which sends requests about a place. If the place has refused one, it returns
// Discord's earlier error instead. A new refusal is remembered.
func (s *refusals) ask(place string, requests func() error) (err error) {
	a := &asking{}
	s.mu.Lock()
	if p, ok := s.until.Get(place); ok && p.at.After(time.Now()) {
		s.mu.Unlock()
		return p.refusal
	}
	if s.asking == nil {
		s.asking = map[string][]*asking{}
	}
	s.asking[place] = append(s.asking[place], a)
	s.mu.Unlock()

	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		others := slices.DeleteFunc(s.asking[place], func(other *asking) bool { return other == a })
		if s.asking[place] = others; len(others) == 0 {
			delete(s.asking, place)
		}
		if !a.reopened {
			s.note(place, err)
		}
	}()
	return requests()
}

// note remembers a place if the error is a refusal. The caller holds the lock.
func (s *refusals) note(place string, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		return
	}
	switch e.code {
	case codeNoAccess, codeNoDMs, codeNoMutualGuilds, codeInvalidRecipient, codeNoPermission, codeArchived:
	default:
		return
	}
	s.until.Put(place, refusal{time.Now().Add(refusedFor), e}, maxRefused)
}

// reopen reopens a place because an interaction came from there. Refusals of requests
// that are still running are ignored.
func (s *refusals) reopen(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until.Take(place)
	for _, a := range s.asking[place] {
		a.reopened = true
	}
}

// retry reopens a place. Refusals of requests that are still running count.
func (s *refusals) retry(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until.Take(place)
}
