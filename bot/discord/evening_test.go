package discord_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
)

// A tournament at a set time is shown in each reader's own time zone, until it is called off.
func TestAnEveningIsPlanned(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	when := time.Now().UTC().Add(3 * time.Hour).Format("2006-01-02 15:04")
	question, _ := w.ann.Slash(w.channel, "tournament", map[string]any{"when": when, "kind": "singles"}).Wait()
	w.ann.Click(question, "Post it here").Wait()
	w.shows(w.ann, w.channel, "The tournament is planned") // the question is gone
	m := w.shows(w.ann, w.channel, "Begins: <t:")
	if !strings.Contains(m.Text, ":F>") {
		t.Errorf("the time: %s", m.Text)
	}
	w.ann.Click(m, "Sign up")
	w.shows(w.ann, w.channel, "Entries: 1")
	ask, ok := w.ann.Click(m, "Call off").Wait()
	if !ok || !ask.Ephemeral {
		t.Fatalf("it asks %v", ask)
	}
	w.ann.Click(ask, "Call off")
	w.shows(w.ann, w.channel, "It was called off.")
}
