package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

func TestPressRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Press{
			Action: rapid.SampledFrom([]string{
				ActJoin, ActLeave, ActAI, ActUnAI, ActStart, ActRules, ActCards, ActPlay, ActPlace, ActBack, ActRematch, ActShorter, ActClose, ActLast, ActSet, ActDefault, ActKick, ActRest, ActResume,
			}).Draw(t, "action"),
			Table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"),
		}
		count := rapid.IntRange(0, 999_999_999)
		switch p.Action {
		case ActSet:
			p.What = rapid.StringMatching(`[a-z_]{1,21}`).Draw(t, "what")
			p.Value = rapid.StringMatching(`[0-9a-z-]{1,20}`).Draw(t, "value")
		case ActPlay:
			moves := []game.Move{game.Stop, game.Dark, game.Pass}
			for _, name := range game.Presets() {
				r, err := game.Preset(name)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range r.Pack() {
					moves = append(moves, game.PlayCard(c))
				}
			}
			p.Deal, p.Turn, p.Move = count.Draw(t, "deal"), count.Draw(t, "turn"), rapid.SampledFrom(moves).Draw(t, "move")
		case ActKick:
			p.Place = count.Draw(t, "seat")
		case ActPlace:
			p.Deal, p.Turn, p.Place = count.Draw(t, "deal"), count.Draw(t, "ply"), count.Draw(t, "place")
			if p.Place == 0 {
				p.Move = rapid.SampledFrom([]game.Move{game.Stop, game.Dark, game.Pass}).Draw(t, "move")
			}
		default: // carries only the table
		}
		s := p.String()
		if len(s) > screen.PressLimit {
			t.Fatalf("%q has %d bytes", s, len(s))
		}
		got, err := ParsePress(s)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			t.Fatalf("%q (-made +read):\n%s", s, diff)
		}
	})
}

func FuzzParsePress(f *testing.F) {
	f.Add("join:a1")
	f.Add("play:k3:12:7:9h")
	f.Add("place:k3:12:31:stop")
	f.Add("place:k3:12:31:4")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePress(s)
		if err == nil && p.String() != s {
			t.Errorf("%q was read as %+v, which is %q", s, p, p)
		}
	})
}
