package discord_test

import (
	"strings"
	"testing"
)

// TestTheDealOfTheDay: it is asked for in a channel and played in the direct
// messages; who asks again sees the board, alone, and nobody sees the record.
func TestTheDealOfTheDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	if m, ok := w.ann.Slash(w.channel, "daily", nil).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "private chat") {
		t.Errorf("she is told %v", m)
	}
	w.shows(w.ann, w.ann.DM(), "the same cards for everybody here")
	pressed := ""
	var text string
	w.Until("the deal is over", func() bool {
		for _, m := range w.ann.Sees(w.ann.DM()) {
			if strings.Contains(m.Text, "The AI in the same seat: ") {
				text = m.Text
				return true
			}
			for _, b := range m.Buttons {
				if strings.HasPrefix(b.CustomID, "play:") && !b.Off && b.CustomID != pressed && strings.Contains(m.Text, "Your turn") {
					pressed = b.CustomID
					w.ann.Press(m, b.CustomID).Wait()
					return false
				}
			}
		}
		return false
	})
	if strings.Contains(text, "Rematch") || strings.Contains(text, "Seed: ") {
		t.Errorf("it ends with %s", text)
	}
	over := w.shows(w.ann, w.ann.DM(), "The AI in the same seat: ")
	if m, ok := w.ann.Click(over, "Replay").Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "open at midnight") {
		t.Errorf("the replay: %v", m)
	}
	if m, ok := w.ann.Slash(w.channel, "daily", nil).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "▸") {
		t.Errorf("the board: %v", m)
	}
	for _, m := range w.bob.Sees(w.channel) {
		if strings.Contains(m.Text, "Sedma") {
			t.Errorf("the channel sees %s", m)
		}
	}
}
