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
	{"scoring", func(_, base *Rules) bool { return slices.Contains(plainScorings, base.Scoring) }, scorings,
		func(r *Rules) string { return string(r.Scoring) }, setScoring},
	{"burn", always, listed("0", "1", "1-3", "4", "5-10-15"), getBurn, func(r *Rules, value string) { r.Burn = burnOf(value) }},
	oneOf("burn_align", func(r *Rules) *BurnAlign { return &r.BurnAlign }, func(r, _ *Rules) bool { return r.Burn.On() }, FirstFour, AnyRunning),
	{"burned_game", always, listed("0", "1", "2", "4"), func(r *Rules) string { return strconv.Itoa(r.BurnedGame) },
		func(r *Rules, value string) { r.BurnedGame, _ = strconv.Atoi(value) }},
	oneOf("final_seven", func(r *Rules) *FinalSeven { return &r.FinalSeven }, func(r, _ *Rules) bool { return r.Wild.Has('7') }, SevenNormal, SevenDead, SevenLoses),
	oneOf("tie", func(r *Rules) *Tie { return &r.Tie }, func(r, _ *Rules) bool { return r.Scoring == ByStakes && r.Players != 3 && r.CanTie() }, TieNone, TieLastTrick),
	oneOf("next_deal", func(r *Rules) *NextDeal { return &r.NextDeal }, func(_, base *Rules) bool { return base.NextDeal == KovacDeal }, KovacDeal, KovacAnyDeal),
	oneOf("tie_dealer", func(r *Rules) *TieDealer { return &r.TieDealer }, func(r, _ *Rules) bool { return r.NextDeal == LoserDeals && r.CanTie() }, SameDealer, LeftDealer),
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

// scorings returns the scorings that the rules can have: the pool of the 100-point game is for cards that count 80 and
// tricks that count nothing.
func scorings(r *Rules) (names []string) {
	plain := *r
	plain.LastTrick = 0
	for _, s := range plainScorings {
		if s != ByPool || r.Scoring == ByPool || plain.DealPoints() == 80 && r.TrickPoints == 0 {
			names = append(names, string(s))
		}
	}
	return names
}

// setScoring changes the scoring. The match then has its usual length in the new unit, unless it had another number of
// deals than usual.
func setScoring(r *Rules, value string) {
	target, hands := usualEnd(r)
	chosen := r.Target == 0 && r.Deals > 0 && (r.Deals != hands || target != 0)
	if r.Scoring == Scoring(value) {
		return
	}
	if r.Scoring = Scoring(value); !chosen {
		r.Target, r.Deals = usualEnd(r)
	}
}

// usualDeals is the number of deals of a match whose preset sets no end.
const usualDeals = 8

// usualEnd returns the end of a match that nobody has changed: the preset's own one if the scoring is, too.
func usualEnd(r *Rules) (target, hands int) {
	base := houseBase(*r)
	switch {
	case r.Scoring == base.Scoring && base.Target+base.Deals > 0:
		return base.Target, base.Deals
	case r.Scoring == ByStakes && r.Scoring != base.Scoring:
		return defaults().Target, 0
	}
	return 0, usualDeals
}

// DealPoints returns the points of a deal: those of all cards, of the last trick, and of one round for each card of a player.
func (r Rules) DealPoints() int {
	pack := r.Pack()
	points := r.LastTrick + r.TrickPoints*len(pack)/r.Players
	for _, c := range pack {
		points += r.CardPoints.Of(c.Rank())
	}
	return points
}

// CanTie reports whether a deal can end with sides level. Two sides can't share an odd number of equal units, such as the
// nine tens of Sedma.
func (r Rules) CanTie() bool {
	if r.TrickPoints > 0 && (r.TrickUnit == ByTrick || r.PassOnce || len(r.Pack())%r.Players != 0) || r.Players == 3 && r.Teams == TeamsAuto {
		return true
	}
	unit := r.LastTrick
	divide := func(n int) {
		for n > 0 {
			unit, n = n, unit%n
		}
	}
	divide(r.TrickPoints)
	for _, c := range r.Pack() {
		divide(r.CardPoints.Of(c.Rank()))
	}
	return unit == 0 || r.DealPoints()/unit%2 == 0
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
	switch few := r.DealPoints() < 80; { // where tricks are counted, or aces and tens as 1
	case r.Scoring == ByKovac: // most deals end without a winner
		targets = []int{1, 3, 5, 10}
	case r.Scoring == ByStakes:
		targets = []int{1, 3, 5, 10, 15, 20}
	case r.Scoring == ByRistikontra:
		targets = []int{3, 5, 7, 10}
	case r.Scoring == ByPointsZero:
		targets = []int{60, 120, 240}
	case r.Scoring == ByDifference && few:
		targets = []int{10, 20, 50}
	case r.Scoring == ByDifference:
		targets = []int{100, 200, 300, 500}
	case few:
		targets = []int{20, 50, 100}
	}
	if base := houseBase(*r); base.Target > 0 && base.Scoring == r.Scoring {
		targets = append(targets, base.Target)
	}
	if r.Target > 0 {
		targets = append(targets, r.Target)
	}
	slices.Sort(targets)
	targets = slices.Compact(targets)
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
	case r.Target > 0 && r.Deals > 0:
		return ""
	case r.Target > 0:
		return fmt.Sprintf("t%d", r.Target)
	case r.Deals > 0:
		return fmt.Sprintf("h%d", r.Deals)
	}
	return ""
}

func setEnd(r *Rules, value string) {
	n, _ := strconv.Atoi(value[1:])
	r.Target, r.Deals = n, 0
	if value[0] == 'h' {
		r.Target, r.Deals = 0, n
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
