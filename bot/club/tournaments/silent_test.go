package tournaments_test

import (
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
)

// Whoever opens a tournament or plans an evening reads in private that the chat refuses its message, and nothing more once
// the chat takes it.
func TestARefusedTournamentIsToldInPrivate(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(t *testing.T, w *town.Town){
		"tournament": func(_ *testing.T, w *town.Town) { w.Asks("test:ann", eveningHome, town.Press("cup:new:open:singles")) },
		"evening": func(t *testing.T, w *town.Town) {
			if r := planned(t, w, "when", "Friday 20:00"); r.Outcome != chat.Done {
				t.Fatal(r.Toast)
			}
		},
	} {
		for _, fault := range []chat.Fault{chat.Invalid, chat.Unreachable, chat.Gone} {
			t.Run(name+", "+fault.String(), func(t *testing.T) {
				t.Parallel()
				town.In(t, func(t *testing.T, w *town.Town) {
					const words = "the chat refuses my message"
					w.Chats.Refusing(fault, eveningHome)
					begin(t, w)
					w.Pass(time.Minute)
					told := 0
					for _, to := range w.Chats.Sent() {
						if to == "test:ann" {
							told++
						}
					}
					if told != 1 || w.Chats.Shows(words) != 1 {
						t.Fatalf("told %d times: %q", told, w.Chats.Standing())
					}
					w.Pass(time.Minute)
					if to := w.Chats.Sent(); len(to) != 0 {
						t.Errorf("sent again: %q", to)
					}
					w.Chats.Failing(nil)
					begin(t, w)
					w.Pass(10 * time.Minute)
					if name == "tournament" && w.Chats.Shows(words) != 0 {
						t.Errorf("%q stands", w.Chats.Standing())
					}
				})
			})
		}
	}
}
