package chat

import (
	"testing"
	"time"
)

// A token that was never accepted is refused for good at once; one that was, only after minutes without another success.
func TestRefusalsOfAToken(t *testing.T) {
	t.Parallel()
	var token Token
	at := time.Now()
	if token.Good() {
		t.Error("a token is good before any answer")
	}
	if !token.Refuse(at) {
		t.Error("the first answer is a refusal, and isn't final")
	}
	token.Accept()
	for _, minutes := range []time.Duration{0, 2, 4} {
		if token.Refuse(at.Add(minutes*time.Minute)) || token.Good() {
			t.Errorf("after %d minutes: final, or still good", minutes)
		}
	}
	token.Accept()
	if !token.Good() || token.Refuse(at.Add(10*time.Minute)) || token.Refuse(at.Add(14*time.Minute)) {
		t.Error("a success doesn't restart the time")
	}
	if !token.Refuse(at.Add(15 * time.Minute)) {
		t.Error("five minutes of refusals aren't final")
	}
}
