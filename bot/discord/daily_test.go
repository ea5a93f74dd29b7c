package discord_test

import (
	"strings"
	"testing"
	"time"
)

// TestTheDealOfTheDay checks that a person asks for the deal in a channel and plays it in
// direct messages. If they ask again, only they see the board. Nobody sees the record.
func TestTheDealOfTheDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	later := func() time.Time { return time.Now().Add(10 * time.Minute) }
	now := time.Now
	if later().UTC().Day() != now().UTC().Day() {
		now = later // so that the day doesn't end in the middle of the deal
	}
	w.playAt(t, now)
	if m, ok := w.ann.Slash(w.channel, "daily", nil).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "private chat") {
		t.Errorf("she is told %v", m)
	}
	w.shows(w.ann, w.ann.DM(), "the same cards for everyone here")
	const end = "The AI in the same seat: "
	played := "" // the latest decision that was made, as button data without its move
	for over := false; !over; {
		var press func()
		w.Until("a turn, or the end of the deal", func() bool {
			for _, m := range w.ann.Sees(w.ann.DM()) {
				data := playable(m)
				decision := data[:strings.LastIndex(data, ":")+1]
				over = strings.Contains(m.Text, end)
				turn := strings.Contains(m.Text, "Your turn") && strings.HasPrefix(data, "play:") && decision != played
				if turn {
					press = func() {
						if answer, _ := w.ann.Press(m, data).Wait(); !strings.Contains(answer.Text, "try again") {
							played = decision
						}
					}
				}
				if over || turn {
					return true
				}
			}
			return false
		})
		if press != nil {
			press()
		}
	}
	over := w.shows(w.ann, w.ann.DM(), end)
	if strings.Contains(over.Text, "Rematch") || strings.Contains(over.Text, "Seed: ") {
		t.Errorf("it ends with %s", over)
	}
	if m, ok := w.ann.Click(over, "Replay").Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "closed until midnight") {
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
