package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A House rule is an option that a table can change on top of a preset, independently of the others. Names of values
// match [0-9a-z_-]+.
type House struct {
	Name   string
	Values []string // two or more values that are valid with the other rules
	Value  string   // current value; "" if it is not in Values
}

// houseRule describes one House rule. It says whether the rule applies to given rules, which values it has, and how to
// read and set it. Values that Validate refuses are not offered.
type houseRule struct {
	name   string
	counts func(r, base *Rules) bool
	values func(r *Rules) []string
	get    func(r *Rules) string
	set    func(r *Rules, value string)
}

// houseRules are all house rules, in the order in which they are offered. "end" says when the match ends: "t10" is a
// target of ten, "h8" is eight deals.
var houseRules = []houseRule{
	{"end", func(r, _ *Rules) bool { return !r.Soccer() }, matchEnds, getEnd, setEnd},
	oneOf("scoring", func(r *Rules) *Scoring { return &r.Scoring }, func(_, base *Rules) bool {
		return slices.Contains(plainScorings, base.Scoring)
	}, plainScorings...).then(func(r *Rules) {
		r.Target, r.Hands = 0, 0
		if r.Scoring == ByStakes {
			r.Target = defaults().Target
		}
	}),
	{"burn", always, listed("0", "1", "1-3", "4", "5-10-15"), getBurn, func(r *Rules, value string) { r.Burn = burnOf(value) }},
	oneOf("burn_align", func(r *Rules) *BurnAlign { return &r.BurnAlign }, func(r, _ *Rules) bool { return r.Burn.On() }, FirstFour, AnyRunning),
	{"burned_game", always, listed("0", "1", "2", "4"), func(r *Rules) string { return strconv.Itoa(r.BurnedGame) },
		func(r *Rules, value string) { r.BurnedGame, _ = strconv.Atoi(value) }},
	oneOf("final_seven", func(r *Rules) *FinalSeven { return &r.FinalSeven }, func(r, _ *Rules) bool { return r.Wild.Has('7') }, SevenNormal, SevenDead, SevenLoses),
	oneOf("tie", func(r *Rules) *Tie { return &r.Tie }, func(r, _ *Rules) bool { return r.Scoring == ByStakes && r.Players != 3 }, TieNone, TieLastTrick),
	oneOf("next_deal", func(r *Rules) *NextDeal { return &r.NextDeal }, func(_, base *Rules) bool { return base.NextDeal == KovacDeal }, KovacDeal, KovacAnyDeal),
	oneOf("tie_dealer", func(r *Rules) *TieDealer { return &r.TieDealer }, func(r, _ *Rules) bool { return r.NextDeal == LoserDeals }, SameDealer, LeftDealer),
	oneOf("continue", func(r *Rules) *Continue { return &r.Continue }, func(_, base *Rules) bool { return base.Continue == AnyCard }, AnyCard, MatchOrWild),
	oneOf("trick_unit", func(r *Rules) *TrickUnit { return &r.TrickUnit }, func(r, _ *Rules) bool { return r.TrickPoints > 0 && r.Continue != NoContinue }, ByRound, ByTrick),
	{"seven_led_beats_eight", func(r, _ *Rules) bool { return r.WildOrder == EightOverSeven }, listed("true", "false"),
		func(r *Rules) string { return strconv.FormatBool(r.SevenLedBeatsEight) },
		func(r *Rules, value string) { r.SevenLedBeatsEight = value == "true" }},
	oneOf("ban_dark", func(r *Rules) *BanDark { return &r.BanDark }, func(r, _ *Rules) bool { return r.Dark && r.LeadBan > 0 }, DarkExempt, ForbidDarkLead),
}

// plainScorings are the scorings that fit any game that uses one of them.
var plainScorings = []Scoring{ByStakes, ByDifference, ByPoints, ByPool}

func always(_, _ *Rules) bool { return true }

func listed(values ...string) func(*Rules) []string {
	return func(*Rules) []string { return values }
}

// oneOf returns a house rule that chooses a value of one option.
func oneOf[T ~string](name string, field func(*Rules) *T, counts func(r, base *Rules) bool, values ...T) houseRule {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return houseRule{name, counts, listed(names...),
		func(r *Rules) string { return string(*field(r)) },
		func(r *Rules, value string) { *field(r) = T(value) }}
}

// then returns the rule with a function that runs whenever its value changes.
func (h houseRule) then(follows func(*Rules)) houseRule {
	set := h.set
	h.set = func(r *Rules, value string) {
		if value != h.get(r) {
			set(r, value)
			follows(r)
		}
	}
	return h
}

// HouseRules returns the house rules that a table with these rules can change, with the values that it may choose.
// Setting any one of them gives valid rules.
func HouseRules(r Rules) []House {
	var out []House
	base := houseBase(r)
	for _, h := range houseRules {
		if !h.counts(&r, &base) {
			continue
		}
		one := House{Name: h.name}
		present := h.get(&r)
		for _, value := range h.values(&r) {
			changed := r
			h.set(&changed, value)
			if changed.Validate() != nil {
				continue
			}
			one.Values = append(one.Values, value)
			if value == present {
				one.Value = value
			}
		}
		if len(one.Values) > 1 {
			out = append(out, one)
		}
	}
	return out
}

// SetHouse returns the rules with a house rule set to a value. It returns an error unless HouseRules lists the value.
func SetHouse(r Rules, name, value string) (Rules, error) {
	for _, one := range HouseRules(r) {
		if one.Name != name || !slices.Contains(one.Values, value) {
			continue
		}
		for _, h := range houseRules {
			if h.name == name {
				h.set(&r, value)
			}
		}
		return r, nil
	}
	return r, refuse(name, "cannot be %q here", value)
}

// houseBase returns the preset that the rules began with, or the rules themselves if they had none.
func houseBase(r Rules) Rules {
	if base, ok := built()[r.Preset]; ok {
		return base
	}
	return r
}

// matchEnds returns the ends of a match to choose from: targets that suit the scoring, including the preset's own, and
// numbers of deals.
func matchEnds(r *Rules) []string {
	targets := []int{200, 300, 500, 1000}
	switch {
	case r.Scoring == ByStakes || r.Scoring == ByKovac:
		targets = []int{1, 3, 5, 10, 15, 20}
	case r.Scoring == ByRistikontra:
		targets = []int{3, 5, 7, 10}
	case r.Scoring == ByPointsZero:
		targets = []int{60, 120, 240}
	case r.Scoring == ByDifference:
		targets = []int{100, 200, 300, 500}
	case r.CardPoints == RankValues{}:
		targets = []int{20, 50, 100}
	}
	for _, n := range []int{houseBase(*r).Target, r.Target} {
		if n > 0 && !slices.Contains(targets, n) && houseBase(*r).Scoring == r.Scoring {
			targets = append(targets, n)
		}
	}
	slices.Sort(targets)
	var out []string
	for _, n := range targets {
		out = append(out, fmt.Sprintf("t%d", n))
	}
	for _, n := range []int{1, 2, 4, 8, 12, 16} {
		out = append(out, fmt.Sprintf("h%d", n))
	}
	return out
}

func getEnd(r *Rules) string {
	switch {
	case r.Target > 0 && r.Hands > 0:
		return ""
	case r.Target > 0:
		return fmt.Sprintf("t%d", r.Target)
	case r.Hands > 0:
		return fmt.Sprintf("h%d", r.Hands)
	}
	return ""
}

func setEnd(r *Rules, value string) {
	n, _ := strconv.Atoi(value[1:])
	r.Target, r.Hands = n, 0
	if value[0] == 'h' {
		r.Target, r.Hands = 0, n
	}
}

// burnOf returns the prices that a value of the house rule "burn" means. "5-10" is for any rank and for sevens;
// "5-10-15" is for any rank, for tens and for sevens.
func burnOf(value string) Prices {
	var n []int
	for _, s := range strings.Split(value, "-") {
		price, _ := strconv.Atoi(s)
		n = append(n, price)
	}
	p := Prices{Default: n[0]}
	switch len(n) {
	case 2:
		p.By.Set('7', n[1])
	case 3:
		p.By.Set('T', n[1])
		p.By.Set('7', n[2])
	}
	return p
}

func getBurn(r *Rules) string {
	for _, value := range []string{"0", "1", "1-3", "4", "5-10-15"} {
		if burnOf(value) == r.Burn {
			return value
		}
	}
	return ""
}
