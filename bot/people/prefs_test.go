package people

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// A person's language is usually that of their app. A chat has no app: its language is found
// automatically.
func TestTheUsualLanguageOfAChat(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]view.Prefs{
		"Language: as in my app": {Mine: true, Entries: entriesOf(ownSettings(), doc.Player{}, nil)},
		"Language: automatic":    {Entries: entriesOf(homeSettings(), doc.Home{}, nil)},
	} {
		if got := p.Screen(lang.For("en")).String(); !strings.Contains(got, want) {
			t.Errorf("the settings don't say %q:\n%s", want, got)
		}
	}
}

// TestEveryZoneIsKnown checks that the system knows every time zone in the settings.
func TestEveryZoneIsKnown(t *testing.T) {
	t.Parallel()
	for _, z := range zones {
		if _, err := time.LoadLocation(z.zone); err != nil {
			t.Error(err)
		}
	}
}
