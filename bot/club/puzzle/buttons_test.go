package puzzle

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"puzzle:abcdefghij:2:":              {what: "abcdefghij", value: "2"},
		"puzzle:abcdefghij:2:discord:4211":  {what: "abcdefghij", value: "2", home: "discord:4211"},
		"puzzle:day:2026-11-21:telegram:-4": {what: askDay, value: "2026-11-21", home: "telegram:-4"},
		"puzzle:next:now:":                  {what: askNext, value: "now"},
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		p := press{what: rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,10}`).Draw(t, "value")}
		if rapid.Bool().Draw(t, "a home") {
			p.home = rapid.StringMatching(`[a-z]{1,8}:-?[0-9a-z]{1,20}`).Draw(t, "home")
		}
		return p
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "puzzle:abcdefghij:2:discord:4211", "puzzle:next:now:")
}
