package chat

import (
	"sync"
	"time"
)

// refusedFor is how long a platform has to refuse a token that it has accepted before, until the refusal is final.
const refusedFor = 5 * time.Minute

// Token is what a platform says about the bot's token. The zero value is that of a platform
// that hasn't answered yet. Platforms are known to refuse a good token for a moment.
// So a refusal is final only if the platform has never accepted the token, or refuses
// it for minutes. A Token is safe for concurrent use.
type Token struct {
	mu       sync.Mutex
	accepted bool      // at least once
	since    time.Time // when the platform began to refuse it; zero: it doesn't
}

// Accept notes that the platform has accepted the token.
func (t *Token) Accept() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.accepted, t.since = true, time.Time{}
}

// Refuse notes that the platform has refused the token, and reports whether that is final.
func (t *Token) Refuse(now time.Time) (final bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() {
		t.since = now
	}
	return !t.accepted || now.Sub(t.since) >= refusedFor
}

// Good reports whether the platform's latest answer accepted the token.
func (t *Token) Good() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.accepted && t.since.IsZero()
}
