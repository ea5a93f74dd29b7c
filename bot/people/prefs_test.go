package people

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
)

// A person's language is usually that of their app. A chat has no app: its language is found
// automatically.
func TestTheUsualLanguageOfAChat(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]SettingsPage{
		"Language: as in my app": {Mine: true, Entries: entriesOf(ownSettings(), doc.Player{}, nil)},
		"Language: automatic":    {Entries: entriesOf(homeSettings(), doc.Home{}, nil)},
	} {
		if got := p.Screen(lang.For("en")).String(); !strings.Contains(got, want) {
			t.Errorf("the settings don't say %q:\n%s", want, got)
		}
	}
}

// The settings explain the letters of plain cards to those who chose them.
func TestTheSettingsExplainPlainCards(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{
		"en": "J jack · Q queen · K king · A ace · c clubs · s spades · h hearts · d diamonds",
		"cs": "Sp spodek · Sv svršek · K král · E eso · a žaludy · l listy · h srdce · b kule",
	} {
		for _, choice := range []string{"plain", "german"} {
			var own doc.Player
			own.Face = choice
			p := SettingsPage{Mine: true, Entries: entriesOf(ownSettings(), own, nil)}
			if got := p.Screen(lang.For(language)).String(); strings.Contains(got, want) != (choice == "plain") {
				t.Errorf("%s: the settings say:\n%s", language, got)
			}
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
