package screentest

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
)

// Press is a press as its room reads it. String returns the data of the press's button.
type Press interface {
	comparable
	fmt.Stringer
}

// OldPresses checks that parse reads presses which stand on buttons in chats, and that they are still written as they were.
func OldPresses[P Press](t *testing.T, parse func(data string) (P, error), old map[string]P) {
	t.Parallel()
	for data, want := range old {
		if got, err := parse(data); err != nil || got != want || want.String() != data {
			t.Errorf("%q is read as %+v, %v, and %+v is written as %q", data, got, err, want, want.String())
		}
	}
}

// RoundTrips checks that parse reads the presses of draw as they were written, and that they fit a button.
func RoundTrips[P Press](t *testing.T, parse func(data string) (P, error), draw func(t *rapid.T) P) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		if got, err := parse(p.String()); err != nil || got != p || len(p.String()) > screen.PressLimit {
			t.Fatalf("%q is read as %+v, %v", p, got, err)
		}
	})
}

// FuzzPress checks that a text which parse reads is exactly what the press is written as. Only texts that begin with the word
// of one of the presses are checked, because a room gets no others.
func FuzzPress[P Press](f *testing.F, parse func(data string) (P, error), presses ...string) {
	words := map[string]bool{}
	for _, press := range presses {
		f.Add(press)
		words[screen.PressWord(press)] = true
	}
	f.Fuzz(func(t *testing.T, data string) {
		if p, err := parse(data); err == nil && words[screen.PressWord(data)] && p.String() != data {
			t.Errorf("%q is read as %+v", data, p)
		}
	})
}
