package telegram

import (
	"strings"
	"testing"
)

// The deal of the day is requested in a group and played in private. Only the person
// who asked sees its board, and nobody sees its seed and record.
func TestTheDealOfTheDay(t *testing.T) {
	t.Parallel()
	m := lobby(t, 0, nil)
	m.ann.SayIn(m.group, 0, "/daily")
	m.see(m.ann.Private(), "the same cards for everyone here")
	m.play(func() bool {
		for _, post := range m.ann.Private().Messages() {
			if strings.Contains(post.Text, "The AI in the same seat: ") {
				return false
			}
		}
		return true
	})
	over := m.see(m.ann.Private(), "The AI in the same seat: ")
	if got := m.tap(m.ann, over, "Replay"); !strings.Contains(got.Text, "closed until midnight") {
		t.Errorf("the replay says %+v", got)
	}
	m.tap(m.ann, over, "Leaderboard")
	m.see(m.ann.Private(), "1. Ann – ")
	if m.shows("1. Ann – ") || m.shows("deal 1") {
		t.Errorf("the group sees %v", m.group.Messages())
	}
	for _, c := range m.Calls("") {
		if strings.Contains(c.Params["text"], "Seed: ") {
			t.Errorf("%s tells the seed: %s", c.Method, c.Params["text"])
		}
	}
	m.discreet()
}
