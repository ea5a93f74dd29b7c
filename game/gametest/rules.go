package gametest

import (
	"encoding/json"
	"fmt"
	"strconv"

	"sedmabot/game"
)

// values are sample values of every option, as JSON.
var values = map[string][]string{
	"players":               {"2", "3", "4", "6"},
	"teams":                 {`"auto"`, `"solo_king"`},
	"direction":             {`"cw"`, `"ccw"`},
	"deck":                  {`"german32"`, `"french52"`, `"french104"`},
	"removed":               {`[]`, `["8h","8b"]`, `["8b","9b"]`, `["2c","2d","Kh"]`, `["9h"]`},
	"hand_size":             {"1", "2", "3", "4", "5", "6", "8"},
	"deal_packet":           {"1", "2", "3"},
	"wild":                  {`["7"]`, `["7","8"]`, `["7","2"]`, `[]`, `["A"]`},
	"wild_order":            {`"equal"`, `"eight_over_seven"`},
	"seven_led_beats_eight": {"true", "false"},
	"special_seven":         {"null", `"Kl"`, `"Kh"`},
	"continue":              {`"match_or_wild"`, `"any"`, `"none"`},
	"continue_when":         {`"always"`, `"opponent_winning"`},
	"draw_from":             {`"winner"`, `"leader"`},
	"draw_unit":             {`"one"`, `"bulk"`},
	"draw_timing":           {`"after_trick"`, `"after_play"`},
	"dark":                  {"true", "false"},
	"lead_ban":              {"0", "3"},
	"ban_dark":              {`"exempt"`, `"forbid_dark_lead"`},
	"pass_once":             {"true", "false"},
	"card_points":           {`{}`, `{"A":10,"T":10}`, `{"A":11,"T":10,"K":4,"Q":3,"J":2}`, `{"A":1,"T":1}`},
	"last_trick":            {"0", "10"},
	"trick_points":          {"0", "1", "10"},
	"trick_unit":            {`"round"`, `"trick"`},
	"burn":                  {"null", `{"default":1}`, `{"default":5,"T":10,"7":15}`, `{"7":3}`},
	"burn_align":            {`"first4"`, `"run"`},
	"burned_game":           {"0", "4"},
	"final_seven":           {`"normal"`, `"dead"`, `"loses"`},
	"scoring": {`"stakes"`, `"difference"`, `"points"`, `"pool"`, `"kovac"`, `"hola"`, `"ristikontra"`,
		`"points_zero"`},
	"stakes":         {"[1,2,3]", "[1,2,2]", "[2,5,9]"},
	"tie":            {`"none"`, `"last_trick"`},
	"sweep_score":    {"170", "200"},
	"next_deal":      {`"loser_deals"`, `"rotate"`, `"slovak60"`, `"kovac"`, `"kovac_any"`, `"hola"`, `"soccer_home"`, `"soccer_neutral"`},
	"pass_threshold": {"60", "50"},
	"tie_dealer":     {`"same"`, `"left"`},
	"target":         {"null", "5", "300"},
	"hands":          {"null", "3"},
	"half_time":      {"null", "2"},
}

// Rules returns a preset with up to a dozen options changed. Changes that make the rules invalid are skipped.
func Rules(t T, choose Chooser) game.Rules {
	t.Helper()
	presets, names := game.Presets(), game.Options()
	given := map[string]json.RawMessage{"preset": json.RawMessage(strconv.Quote(presets[choose(len(presets))]))}
	r := parse(t, given)
	for range choose(13) {
		name := names[choose(len(names))]
		of := values[name]
		if len(of) == 0 {
			t.Fatalf("the suite knows no value of the option %s", name)
		}
		before, had := given[name]
		given[name] = json.RawMessage(of[choose(len(of))])
		text, err := json.Marshal(given)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if next, err := game.ParseRules(text); err == nil {
			r = next
			continue
		}
		if delete(given, name); had {
			given[name] = before
		}
	}
	return r
}

// House returns a preset with up to four house rules changed, as a lobby offers them.
func House(t T, preset string, choose Chooser) game.Rules {
	t.Helper()
	r := Preset(t, preset)
	for range choose(5) {
		offered := game.HouseRules(r)
		if len(offered) == 0 {
			break
		}
		one := offered[choose(len(offered))]
		next, err := game.SetHouse(r, one.Name, one.Values[choose(len(one.Values))])
		if err != nil {
			t.Fatalf("%v", err)
		}
		r = next
	}
	return r
}

// BestPlay returns the index of the winning card in the latest trick of a deal, the open one or else the last finished one, by
// RULES.md, Trick. It returns -1 before the first card. A fourth equal card that burns wins, too.
func BestPlay(s game.State) int {
	v, r := s.View(game.Nobody), s.Rules()
	plays, tricks := v.Trick, v.Tricks
	if n := len(tricks); len(plays) == 0 && n > 0 {
		plays, tricks = tricks[n-1].Plays, tricks[:n-1]
	}
	left := v.Stock
	for _, n := range v.Counts {
		left += n
	}
	rank := func(i int) game.Rank {
		if c := plays[i].Card; c != r.SpecialSeven {
			return c.Rank()
		}
		return '7'
	}
	best := -1
	for i, p := range plays {
		over := best < 0 || rank(i) == rank(0) || r.Wild.Has(rank(i))
		if best >= 0 && r.WildOrder == game.EightOverSeven && rank(i) == '7' && rank(best) == '8' {
			over = rank(0) == '7' && r.SevenLedBeatsEight
		}
		if i == len(plays)-1 && left == 0 && r.FinalSeven == game.SevenDead && rank(i) == '7' {
			won := false
			for _, t := range tricks {
				together := r.Teams == game.SoloKing && t.Winner != s.Solo() && p.Seat != s.Solo() // neither plays alone
				won = won || together || r.Side(t.Winner) == r.Side(p.Seat)
			}
			over = over && won
		}
		if over || i == len(plays)-1 && s.Over() && v.End == game.EndBurn {
			best = i
		}
	}
	return best
}

func parse(t T, given map[string]json.RawMessage) game.Rules {
	t.Helper()
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r, err := game.ParseRules(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// Values returns sample values of an option, as JSON.
func Values(option string) []string { return values[option] }

// Describe returns the rules as JSON, for the log of a failing test.
func Describe(r game.Rules) string {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
