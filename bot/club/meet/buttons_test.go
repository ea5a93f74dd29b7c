package meet

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
	"sedmabot/game/table"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"meet:k3:again:1":   {table: "k3", what: "again", value: "1"},
		"meet:k3:say:hello": {table: "k3", what: "say", value: "hello"},
		"meet:k3:apart:2":   {table: "k3", what: "apart", value: "2"},
		"meet:k3:apart:ask": {table: "k3", what: "apart", value: "ask"},
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		return press{
			table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"), what: rapid.SampledFrom([]string{"again", "say", "apart"}).Draw(t, "what"),
			value: rapid.SampledFrom(append([]string{"0", "3", "ask"}, table.Phrases...)).Draw(t, "value"),
		}
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "meet:k3:apart:2")
}
