package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

// The presses of the buttons that show how to play, and the exact rules.
const (
	play  = "learn:sedma-4p"
	press = "read:sedma-4p"
)

func TestTopicsNameEveryOptionOnce(t *testing.T) {
	t.Parallel()
	var named []string
	for _, topic := range topics {
		named = append(named, topic.options...)
	}
	want := slices.Sorted(slices.Values(game.Options()))
	slices.Sort(named)
	if diff := cmp.Diff(want, named); diff != "" {
		t.Errorf("options (-engine +rules):\n%s", diff)
	}
}

// TestEveryOptionChangesTheRules checks that any two values of an option have
// different texts wherever the option matters.
func TestEveryOptionChangesTheRules(t *testing.T) {
	t.Parallel()
	// Each option has a base of other options that it needs, and the values to compare.
	cases := map[string]struct {
		base   string
		values []string
	}{
		"players":               {`"deck":"french52","next_deal":"rotate"`, []string{"2", "3", "4", "6"}},
		"teams":                 {`"players":3,"special_seven":"Kh"`, []string{`"auto"`, `"solo_king"`}},
		"direction":             {``, []string{`"cw"`, `"ccw"`}},
		"deck":                  {``, []string{`"german32"`, `"french52"`, `"french104"`}},
		"removed":               {``, []string{`[]`, `["8h","8b"]`, `["8b","9b"]`}},
		"hand_size":             {``, []string{"4", "6"}},
		"deal_packet":           {``, []string{"1", "2"}},
		"wild":                  {``, []string{`[]`, `["7"]`, `["7","8"]`}},
		"wild_order":            {`"wild":["7","8"]`, []string{`"equal"`, `"eight_over_seven"`}},
		"seven_led_beats_eight": {`"wild":["7","8"],"wild_order":"eight_over_seven"`, []string{"true", "false"}},
		"special_seven":         {``, []string{"null", `"Kl"`, `"Kh"`}},
		"continue":              {``, []string{`"match_or_wild"`, `"any"`, `"none"`}},
		"continue_when":         {``, []string{`"always"`, `"opponent_winning"`}},
		"draw_from":             {``, []string{`"winner"`, `"leader"`}},
		"draw_unit":             {``, []string{`"one"`, `"bulk"`}},
		"draw_timing":           {``, []string{`"after_trick"`, `"after_play"`}},
		"dark":                  {``, []string{"true", "false"}},
		"lead_ban":              {``, []string{"0", "3"}},
		"ban_dark":              {`"dark":true,"lead_ban":3`, []string{`"exempt"`, `"forbid_dark_lead"`}},
		"pass_once":             {``, []string{"true", "false"}},
		"card_points":           {``, []string{`{"A":10,"T":10}`, `{"A":11,"T":10}`, `{"K":1}`, `{}`}},
		"last_trick":            {``, []string{"0", "10", "20"}},
		"trick_points":          {``, []string{"0", "1", "10"}},
		"trick_unit":            {`"trick_points":1`, []string{`"round"`, `"trick"`}},
		"burn":                  {``, []string{"null", `{"default":1}`, `{"default":4}`, `{"default":5,"T":10,"7":15}`, `{"7":3}`}},
		"burn_align":            {`"burn":{"default":1}`, []string{`"first4"`, `"run"`}},
		"burned_game":           {``, []string{"0", "1", "4"}},
		"final_seven":           {``, []string{`"normal"`, `"dead"`, `"loses"`}},
		"scoring":               {``, []string{`"stakes"`, `"difference"`, `"points"`, `"pool"`, `"kovac"`, `"hola"`, `"ristikontra"`, `"points_zero"`}},
		"stakes":                {``, []string{"[1,2,3]", "[1,2,2]", "[2,4,6]"}},
		"tie":                   {`"last_trick":0`, []string{`"none"`, `"last_trick"`}},
		"sweep_score":           {`"scoring":"hola"`, []string{"170", "200"}},
		"next_deal":             {`"players":2`, []string{`"loser_deals"`, `"rotate"`, `"slovak60"`, `"kovac"`, `"kovac_any"`, `"hola"`, `"soccer_home"`, `"soccer_neutral"`}},
		"pass_threshold":        {`"next_deal":"hola"`, []string{"60", "50"}},
		"tie_dealer":            {`"last_trick":0`, []string{`"same"`, `"left"`}},
		"target":                {``, []string{"null", "5", "10"}},
		"hands":                 {``, []string{"null", "4", "8"}},
		"half_time":             {``, []string{"null", "4"}},
	}
	for _, option := range game.Options() {
		c, ok := cases[option]
		if !ok {
			t.Errorf("no case for the option %s", option)
		}
		for _, language := range lang.Languages() {
			seen := map[string]string{}
			for _, value := range c.values {
				options := fmt.Sprintf("%q:%s", option, value)
				if c.base != "" {
					options += "," + c.base
				}
				r, err := game.ParseRules([]byte("{" + options + "}"))
				if err != nil {
					t.Fatal(err)
				}
				text := Exact(r, lang.For(language)).String()
				if other, ok := seen[text]; ok {
					t.Errorf("%s: %s %s and %s read alike", language, option, value, other)
				}
				seen[text] = value
			}
		}
	}
}

func TestRulesOfEveryPresetFit(t *testing.T) {
	t.Parallel()
	for _, language := range lang.Languages() {
		c := lang.For(language)
		seen := map[string]string{}
		for _, name := range game.Presets() {
			r := gametest.Preset(t, name)
			screentest.Check(t, name, Screen(r, play, press, c))
			screentest.Check(t, name, Exact(r, c))
			if key := "game." + screen.Families()[name]; !c.Has(key) {
				t.Errorf("%s: no text %s", language, key)
			}
			if other, ok := seen[screen.GameName(c, r)]; ok {
				t.Errorf("%s: %s and %s are both called %q", language, name, other, screen.GameName(c, r))
			}
			seen[screen.GameName(c, r)] = name
			if line := Line(r, c); strings.ContainsAny(line, "{}") || utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: the rules of %s in one line: %q", language, name, line)
			}
			r.LastTrick += 5
			if own := screen.GameName(c, r); own == screen.GameName(c, gametest.Preset(t, name)) {
				t.Errorf("%s: house rules are called %q, as without them", language, own)
			}
			r.LastTrick -= 5
			r.Target, r.Deals = 0, 8
			if own := screen.GameName(c, r); own != screen.GameName(c, gametest.Preset(t, name)) {
				t.Errorf("%s: another end of the match makes %q", language, own)
			}
		}
	}
}

// TestTheMinuteFitsAPhone checks how to play each game, in each language: it is read in a
// minute and fits on a phone, and has its parts in the order of play. The differences from plain
// Sedma come first.
func TestTheMinuteFitsAPhone(t *testing.T) {
	t.Parallel()
	const words, lines, width = 180, 28, 42 // read silently in a minute; on a screen of 390×844
	const titleLines = 4                    // name and kind of the game, and buttons
	for _, language := range lang.Languages() {
		c := lang.For(language)
		texts := map[string]string{} // how to play, by what it depends on
		for _, name := range game.Presets() {
			r := gametest.Preset(t, name)
			w := screen.NewWriter(c, face.For("", c.Code(), r.Deck))
			w.Block(screen.Plain, minute(w, r)...)
			opening := w.Screen.String()
			rows := 0
			for line := range strings.Lines(opening) {
				rows += 1 + utf8.RuneCountInString(line)/width
			}
			if n := len(strings.Fields(opening)); n > words || rows > lines {
				t.Errorf("%s: %s is played with %d words in %d lines:\n%s", language, name, n, rows, opening)
			}
			if text := Play(r, press, c).String(); !strings.Contains(text, opening) {
				t.Errorf("%s: how to play %s does not say\n%s", language, name, opening)
			}
			special := Differences(w, r)
			rules := Screen(r, play, press, c).String()
			if strings.Contains(rules, opening) != (len(special) == 0) {
				t.Errorf("%s: the rules of %s say\n%s", language, name, rules)
			}
			rows = 0
			for line := range strings.Lines(rules) {
				rows += 1 + utf8.RuneCountInString(line)/width
			}
			if rows > lines+titleLines {
				t.Errorf("%s: the rules of %s have %d lines, and a phone would show their end", language, name, rows)
			}
			for _, line := range special {
				if !strings.Contains(rules, screen.PlainText(w.Screen.Face, line)) {
					t.Errorf("%s: the rules of %s do not begin with what differs: %q", language, name, screen.PlainText(w.Screen.Face, line))
				}
			}
			at := -1
			for _, part := range []string{"game", "deal", "trick", "example", "continue", "draw", "score"} {
				i := strings.Index(opening, c.Text("rules.minute."+part)+" ")
				if part == "continue" && r.Continue == game.NoContinue {
					if i >= 0 {
						t.Errorf("%s: %s is continued:\n%s", language, name, opening)
					}
					continue
				}
				if i <= at {
					t.Errorf("%s: %q of %s is not in its place:\n%s", language, part, name, opening)
				}
				at = i
			}
			play := fmt.Sprint(r.Players, r.Teams, r.Deck, r.Removed, r.HandSize, r.Wild.List(), r.WildOrder, r.SevenLedBeatsEight, r.SpecialSeven, r.Continue, r.ContinueWhen,
				r.DrawFrom, r.DrawTiming, r.Dark, r.CardPoints, r.LastTrick, r.TrickPoints, r.TrickUnit, r.Scoring, r.Stakes, r.Target, r.Deals, r.HalfTime)
			if other, ok := texts[opening]; ok && other != play {
				t.Errorf("%s: %s is played differently, and reads alike:\n%s", language, name, opening)
			}
			texts[opening] = play
		}
	}
}

// The rules of a variant begin with the difference itself, not with the whole clause that it is part of.
func TestDifferencesBeginWithWhatDiffers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"osmova-4p":    "• Eights match any rank, too. But a seven doesn't take over an eight. If a seven was led, however, a later seven takes over the eight.",
		"sedma-3p-8-9": "• Left out: 8♦, 9♦.",
		"soccer-home":  "",
	} {
		w := screen.NewWriter(lang.For("en"), face.French)
		var lines []string
		for _, line := range Differences(w, gametest.Preset(t, name)) {
			lines = append(lines, screen.PlainText(face.French, line))
		}
		if want != "" && !slices.Contains(lines, want) {
			t.Errorf("%s: %q is missing in %q", name, want, lines)
		}
		for _, line := range lines {
			if strings.HasPrefix(line, "• The leader plays any card") || strings.HasPrefix(line, "• 32 cards") {
				t.Errorf("%s begins with a whole clause: %q", name, line)
			}
		}
	}
}

// TestOnlyGamesThatCanTieSpeakOfTies: nine tens can't be shared by two sides, eight can.
func TestOnlyGamesThatCanTieSpeakOfTies(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"sedma-2p": false, "sedma-4p": false, "osmova-4p": false, "sedma-3p-solo-leaves": false,
		"osmova-4p-170": false, "sedma-3p": true, "slovak-4p": true, "sedma-4p-tricks": true, "zsirozas-4p": true, "ristikontra": true, "septica-4p": true,
	} {
		if got := canTie(gametest.Preset(t, name)); got != want {
			t.Errorf("%s can tie: %v", name, got)
		}
	}
	c := lang.For("en")
	if text := Exact(gametest.Preset(t, "sedma-4p"), c).String(); strings.Contains(text, "level") || strings.Contains(text, "nobody won") {
		t.Errorf("of ties:\n%s", text)
	}
}

func TestRulesScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		for _, preset := range []string{"sedma-2p", "sedma-3p", "sedma-4p", "sedma-4p-kase5-10-15", "sedma-3p-solo-leaves", "osmova-4p-170", "hola-6p", "ristikontra", "zsirozas-4p-final-seven", "soccer-neutral"} {
			r := gametest.Preset(t, preset)
			c := lang.For(language)
			first := Screen(r, play, press, c)
			all := []screen.Screen{first, Exact(r, c)}
			if len(first.Rows[0]) > 1 { // it has a button for the rest
				all = slices.Insert(all, 1, Play(r, press, c))
			}
			screentest.Golden(t, language, "rules-"+preset, screen.GameName(c, r)+"\n"+Line(r, c)+"\n\n"+screentest.Words(t, all...))
		}
	})
}
