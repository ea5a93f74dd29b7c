package discordtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// bucket counts the requests of one kind in one period.
type bucket struct {
	used int
	ends time.Time
}

// Limit makes the server allow n requests of each kind per period, like Discord's rate limits. New messages, edits and
// deletions count separately, for each channel; so does opening private chats. Every answer says how many requests are
// left.
func (s *Server) Limit(n int, period time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit, s.period, s.buckets = n, period, map[string]*bucket{}
}

// Limited returns the requests over the limit, which were answered with 429.
func (s *Server) Limited() (all []string) {
	for _, c := range s.Calls() {
		if c.Status == http.StatusTooManyRequests {
			all = append(all, c.Method+" "+c.Path)
		}
	}
	return all
}

// count counts a request, and sets the headers that say how many are left. s.mu must be held.
func (s *Server) count(c Call, h http.Header) *refusal {
	parts := strings.Split(strings.Trim(c.Path, "/"), "/")
	if s.limit == 0 || len(parts) < 3 || parts[0] != "channels" && c.Path != "/users/@me/channels" {
		return nil
	}
	key := fmt.Sprint(c.Method, parts[1], len(parts))
	now := time.Now()
	b := s.buckets[key]
	if b == nil || now.After(b.ends) {
		b = &bucket{ends: now.Add(s.period)}
		s.buckets[key] = b
	}
	left := b.ends.Sub(now).Seconds() + 0.001
	over := b.used >= s.limit
	if !over {
		b.used++
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(s.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(s.limit-b.used))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(left, 'f', 3, 64))
	if over {
		return &refusal{status: http.StatusTooManyRequests, text: "You are being rate limited.", after: left}
	}
	return nil
}
