package discord

import (
	"errors"
	"maps"
	"sync"
	"time"
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
	mu    sync.Mutex
	until map[string]shutPlace
}

type shutPlace struct {
	at   time.Time
	said *apiError
}

// is what Discord said of that place lately, or nil.
func (s *shut) is(place string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.until[place]; ok && p.at.After(time.Now()) {
		return p.said
	}
	return nil
}

// note remembers what an error of a request says of a place, and returns it.
func (s *shut) note(place string, err error) error {
	var e *apiError
	if !errors.As(err, &e) {
		return err
	}
	switch e.code {
	case codeNoAccess, codeNoDMs, codeNoMutualGuilds, codeInvalidRecipient, codeNoPermission, codeArchived:
	default:
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if len(s.until) >= mostShut {
		maps.DeleteFunc(s.until, func(_ string, p shutPlace) bool { return !p.at.After(now) })
	}
	if s.until == nil || len(s.until) >= mostShut {
		s.until = map[string]shutPlace{}
	}
	s.until[place] = shutPlace{now.Add(shutFor), e}
	return err
}

// heard forgets a place: something came from there.
func (s *shut) heard(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.until, place)
}
