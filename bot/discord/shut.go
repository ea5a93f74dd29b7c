package discord

import (
	"errors"
	"slices"
	"sync"
	"time"

	"sedmabot/bot/cache"
)

// shutFor is how long nobody writes where Discord said that the bot may not. It
// counts such answers against the bot's address, for all its tables together: 10,000
// in ten minutes, and it takes no request for a while
// (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
const shutFor = 5 * time.Minute

// mostShut is how many places are kept in mind.
const mostShut = 20_000

// shut remembers which people and channels the bot may not write to, by their
// ids, until time has passed or something was heard from there.
type shut struct {
	mu     sync.Mutex
	until  cache.Cache[string, shutPlace]
	asking map[string][]*asking
}

// asking is a request about a place that is on its way.
type asking struct {
	heard bool // something was heard from there since: a refusal is none any more
}

type shutPlace struct {
	at   time.Time
	said *apiError
}

// ask has requests made about a place, unless that is shut: the error is then what
// Discord said of it. What theirs says of it is remembered.
func (s *shut) ask(place string, requests func() error) (err error) {
	a := &asking{}
	s.mu.Lock()
	if p, ok := s.until.Get(place); ok && p.at.After(time.Now()) {
		s.mu.Unlock()
		return p.said
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
		if !a.heard {
			s.note(place, err)
		}
	}()
	return requests()
}

// note remembers what an error says of a place. The lock is held.
func (s *shut) note(place string, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		return
	}
	switch e.code {
	case codeNoAccess, codeNoDMs, codeNoMutualGuilds, codeInvalidRecipient, codeNoPermission, codeArchived:
	default:
		return
	}
	s.until.Put(place, shutPlace{time.Now().Add(shutFor), e}, mostShut)
}

// heard forgets a place: something came from there. What is said of it on requests
// that were made before says nothing any more.
func (s *shut) heard(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until.Take(place)
	for _, a := range s.asking[place] {
		a.heard = true
	}
}

// forget forgets what was said of a place.
func (s *shut) forget(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until.Take(place)
}
