package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// ErrRules reports rules that are not a valid game.
var ErrRules = errors.New("rules refused")

// refuse returns an error about one option.
func refuse(option, format string, args ...any) error {
	return fmt.Errorf("%w: %s %s", ErrRules, option, fmt.Sprintf(format, args...))
}

// An option has its name, and how to read and write its value. read gets valid JSON; its error
// says what was expected.
type option struct {
	name  string
	read  func(*Rules, []byte) error
	write func(*Rules, []byte) []byte
}

// options are all options, in the order of JSON.
var options = []option{
	numberOption("players", func(r *Rules) *int { return &r.Players }, 2, MaxSeats),
	choice("teams", func(r *Rules) *Teams { return &r.Teams }, TeamsAuto, SoloKing),
	choice("direction", func(r *Rules) *Direction { return &r.Direction }, Clockwise, Anticlockwise),
	choice("deck", func(r *Rules) *Deck { return &r.Deck }, German32, French52, French104),
	{"removed", readRemoved, writeRemoved},
	numberOption("hand_size", func(r *Rules) *int { return &r.HandSize }, 1, MaxHand),
	numberOption("deal_packet", func(r *Rules) *int { return &r.DealPacket }, 1, MaxHand),
	{"wild", readWild, writeWild},
	choice("wild_order", func(r *Rules) *WildOrder { return &r.WildOrder }, EqualWild, EightOverSeven),
	flag("seven_led_beats_eight", func(r *Rules) *bool { return &r.SevenLedBeatsEight }),
	{"special_seven", readSpecial, writeSpecial},
	choice("continue", func(r *Rules) *Continue { return &r.Continue }, MatchOrWild, AnyCard, NoContinue),
	choice("continue_when", func(r *Rules) *ContinueWhen { return &r.ContinueWhen }, Always, OpponentWinning),
	choice("draw_from", func(r *Rules) *DrawFrom { return &r.DrawFrom }, WinnerDraws, LeaderDraws),
	choice("draw_unit", func(r *Rules) *DrawUnit { return &r.DrawUnit }, OneByOne, Bulk),
	choice("draw_timing", func(r *Rules) *DrawTiming { return &r.DrawTiming }, AfterTrick, AfterPlay),
	flag("dark", func(r *Rules) *bool { return &r.Dark }),
	numberOption("lead_ban", func(r *Rules) *int { return &r.LeadBan }, 0, 3),
	choice("ban_dark", func(r *Rules) *BanDark { return &r.BanDark }, DarkExempt, ForbidDarkLead),
	flag("pass_once", func(r *Rules) *bool { return &r.PassOnce }),
	{"card_points", readPoints, writePoints},
	numberOption("last_trick", func(r *Rules) *int { return &r.LastTrick }, 0, maxScore),
	numberOption("trick_points", func(r *Rules) *int { return &r.TrickPoints }, 0, maxScore),
	choice("trick_unit", func(r *Rules) *TrickUnit { return &r.TrickUnit }, ByRound, ByTrick),
	{"burn", readBurn, writeBurn},
	choice("burn_align", func(r *Rules) *BurnAlign { return &r.BurnAlign }, FirstFour, AnyRunning),
	numberOption("burned_game", func(r *Rules) *int { return &r.BurnedGame }, 0, maxScore),
	choice("final_seven", func(r *Rules) *FinalSeven { return &r.FinalSeven }, SevenNormal, SevenDead, SevenLoses),
	choice("scoring", func(r *Rules) *Scoring { return &r.Scoring },
		ByStakes, ByDifference, ByPoints, ByPool, ByKovac, ByHola, ByRistikontra, ByPointsZero),
	{"stakes", readStakes, writeStakes},
	choice("tie", func(r *Rules) *Tie { return &r.Tie }, TieNone, TieLastTrick),
	numberOption("sweep_score", func(r *Rules) *int { return &r.SweepScore }, 0, maxScore),
	choice("next_deal", func(r *Rules) *NextDeal { return &r.NextDeal },
		LoserDeals, Rotate, Slovak60, KovacDeal, KovacAnyDeal, HolaDeal, SoccerHome, SoccerNeutral),
	numberOption("pass_threshold", func(r *Rules) *int { return &r.PassThreshold }, 0, maxScore),
	choice("tie_dealer", func(r *Rules) *TieDealer { return &r.TieDealer }, SameDealer, LeftDealer),
	limit("target", func(r *Rules) *int { return &r.Target }),
	limit("hands", func(r *Rules) *int { return &r.Deals }),
	limit("half_time", func(r *Rules) *int { return &r.HalfTime }),
}

// maxScore and maxLimit are upper bounds that keep sums far from overflow.
const (
	maxScore = 1000
	maxLimit = 1000000
)

// Options returns the names of all options, in the order of JSON.
func Options() []string {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = o.name
	}
	return names
}

// Changed returns the names of the options in which r differs from base.
func (r Rules) Changed(base Rules) []string {
	var names []string
	for _, o := range options {
		if !bytes.Equal(o.write(&r, nil), o.write(&base, nil)) {
			names = append(names, o.name)
		}
	}
	return names
}

// MarshalJSON writes rules that equal a preset as the preset's name. Other rules become an object with every option and
// the preset that they began with. It never fails.
func (r Rules) MarshalJSON() ([]byte, error) {
	if preset, err := Preset(r.Preset); err == nil && preset == r {
		return strconv.AppendQuote(nil, r.Preset), nil
	}
	return r.object(), nil
}

// object returns all options as a JSON object.
func (r Rules) object() []byte {
	b := make([]byte, 0, 1024)
	b = append(b, '{')
	if r.Preset != "" {
		b = append(strconv.AppendQuote(append(b, `"preset":`...), r.Preset), ',')
	}
	for i, o := range options {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), o.name...), `":`...)
		b = o.write(&r, b)
	}
	return append(b, '}')
}

// UnmarshalJSON reads the rules with ParseRules.
func (r *Rules) UnmarshalJSON(b []byte) (err error) {
	*r, err = ParseRules(b)
	return err
}

// ParseRules reads a preset's name (a JSON string), or an object of options with an optional "preset" as the base.
// Without a base, missing options have the default values. The target is then 10 if the scoring is stakes, and
// none otherwise. Unknown names, unknown values and combinations that are no game return an error that explains why.
func ParseRules(b []byte) (Rules, error) {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var name string
		if err := json.Unmarshal(b, &name); err != nil {
			return Rules{}, fmt.Errorf("%w: %w", ErrRules, err)
		}
		r, err := Preset(name)
		if err != nil {
			return Rules{}, fmt.Errorf("%w: %w", ErrRules, err)
		}
		return r, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(b, &given); err != nil || given == nil {
		return Rules{}, fmt.Errorf("%w: neither a preset's name nor an object of options", ErrRules)
	}
	r := defaults()
	if raw, ok := given["preset"]; ok {
		var name string
		if json.Unmarshal(raw, &name) != nil || name == "" {
			return Rules{}, refuse("preset", "must be a preset's name")
		}
		base, err := Preset(name)
		if err != nil {
			return Rules{}, fmt.Errorf("%w: %w", ErrRules, err)
		}
		r = base
		delete(given, "preset")
	}
	for _, o := range options {
		raw, ok := given[o.name]
		if !ok {
			continue
		}
		if err := o.read(&r, bytes.TrimSpace(raw)); err != nil {
			return Rules{}, err
		}
		delete(given, o.name)
		if o.name == "scoring" && r.Preset == "" && r.Scoring != ByStakes {
			r.Target = 0
		}
	}
	for _, name := range sortedKeys(given) {
		return Rules{}, fmt.Errorf("%w: no option is called %.60q", ErrRules, name)
	}
	return r, r.Validate()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// numberOption returns an option whose value is a whole number from lo to hi.
func numberOption(name string, field func(*Rules) *int, lo, hi int) option {
	return option{name, func(r *Rules, b []byte) error {
		n, ok := wholeNumber(b)
		if !ok || n < lo || n > hi {
			return refuse(name, "must be a whole number from %d to %d, not %.60s", lo, hi, b)
		}
		*field(r) = n
		return nil
	}, func(r *Rules, b []byte) []byte { return strconv.AppendInt(b, int64(*field(r)), 10) }}
}

// limit returns an option whose value is a positive whole number, or null for no limit.
func limit(name string, field func(*Rules) *int) option {
	return option{name, func(r *Rules, b []byte) error {
		n, ok := wholeNumber(b)
		if string(b) == "null" {
			n, ok = 0, true
		} else if n < 1 || n > maxLimit {
			ok = false
		}
		if !ok {
			return refuse(name, "must be a whole number from 1 to %d, or null for none, not %.60s", maxLimit, b)
		}
		*field(r) = n
		return nil
	}, func(r *Rules, b []byte) []byte {
		if n := *field(r); n > 0 {
			return strconv.AppendInt(b, int64(n), 10)
		}
		return append(b, "null"...)
	}}
}

func wholeNumber(b []byte) (int, bool) {
	n, err := strconv.Atoi(string(b))
	return n, err == nil
}

// flag returns an option whose value is true or false.
func flag(name string, field func(*Rules) *bool) option {
	return option{name, func(r *Rules, b []byte) error {
		switch string(b) {
		case "true":
			*field(r) = true
		case "false":
			*field(r) = false
		default:
			return refuse(name, "must be true or false, not %.60s", b)
		}
		return nil
	}, func(r *Rules, b []byte) []byte { return strconv.AppendBool(b, *field(r)) }}
}

// choice returns an option whose value is one of the given names.
func choice[T ~string](name string, field func(*Rules) *T, values ...T) option {
	return option{name, func(r *Rules, b []byte) error {
		var s string
		if err := json.Unmarshal(b, &s); err != nil || b[0] != '"' || !slices.Contains(values, T(s)) {
			return refuse(name, "must be one of %q, not %.60s", values, b)
		}
		*field(r) = T(s)
		return nil
	}, func(r *Rules, b []byte) []byte { return strconv.AppendQuote(b, string(*field(r))) }}
}

func readRemoved(r *Rules, b []byte) error {
	var list []Card
	if err := json.Unmarshal(b, &list); err != nil || b[0] != '[' || slices.Contains(list, 0) {
		return refuse("removed", "must be a list of cards, not %.60s", b)
	}
	r.Removed = Cards(list)
	return nil
}

func writeRemoved(r *Rules, b []byte) []byte { return appendCards(b, []Card(r.Removed)) }

// appendCards appends the cards as a JSON list.
func appendCards(b []byte, cards []Card) []byte {
	b = append(b, '[')
	for i, c := range cards {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"', byte(c.Rank()), byte(c.Suit()), '"')
	}
	return append(b, ']')
}

func readWild(r *Rules, b []byte) error {
	var list []Rank
	if err := json.Unmarshal(b, &list); err != nil || b[0] != '[' || slices.Contains(list, 0) {
		return refuse("wild", "must be a list of ranks, not %.60s", b)
	}
	r.Wild = RanksOf(list...)
	return nil
}

func writeWild(r *Rules, b []byte) []byte {
	b = append(b, '[')
	for i, rank := range r.Wild.List() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"', byte(rank), '"')
	}
	return append(b, ']')
}

func readSpecial(r *Rules, b []byte) error {
	var c Card
	if string(b) != "null" {
		if err := json.Unmarshal(b, &c); err != nil || c == 0 {
			return refuse("special_seven", "must be a card, or null for none, not %.60s", b)
		}
	}
	r.SpecialSeven = c
	return nil
}

func writeSpecial(r *Rules, b []byte) []byte {
	if r.SpecialSeven == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendQuote(b, r.SpecialSeven.String())
}

func readPoints(r *Rules, b []byte) error {
	_, v, err := readValues("card_points", b, 0, false)
	if err == nil {
		r.CardPoints = v
	}
	return err
}

func writePoints(r *Rules, b []byte) []byte { return appendValues(append(b, '{'), r.CardPoints) }

func readBurn(r *Rules, b []byte) error {
	if string(b) == "null" {
		r.Burn = Prices{}
		return nil
	}
	n, v, err := readValues("burn", b, 1, true)
	if err == nil && n == 0 && v == (RankValues{}) {
		err = refuse("burn", "must name a price, or be null for no burning")
	}
	if err == nil {
		r.Burn = Prices{n, v}
	}
	return err
}

func writeBurn(r *Rules, b []byte) []byte {
	if !r.Burn.On() {
		return append(b, "null"...)
	}
	b = append(b, '{')
	if r.Burn.Default > 0 {
		b = strconv.AppendInt(append(b, `"default":`...), int64(r.Burn.Default), 10)
		if r.Burn.By != (RankValues{}) {
			b = append(b, ',')
		}
	}
	return appendValues(b, r.Burn.By)
}

// readValues reads an object that maps ranks to numbers. If withDefault is set, it may also have a default for all
// ranks.
func readValues(name string, b []byte, lo int, withDefault bool) (int, RankValues, error) {
	var given map[string]json.RawMessage
	var v RankValues
	general := 0
	if err := json.Unmarshal(b, &given); err != nil || given == nil {
		return 0, v, refuse(name, "must be an object of ranks and numbers, not %.60s", b)
	}
	for _, key := range sortedKeys(given) {
		n, ok := wholeNumber(given[key])
		if !ok || n < lo || n > maxScore {
			return 0, v, refuse(name, "must give %.60q a whole number from %d to %d, not %.60s", key, lo, maxScore, given[key])
		}
		var rank Rank
		switch {
		case withDefault && key == "default":
			general = n
		case rank.UnmarshalText([]byte(key)) == nil:
			v.Set(rank, n)
		default:
			return 0, v, refuse(name, "knows no rank %.60q", key)
		}
	}
	return general, v, nil
}

// appendValues appends the ranks whose number isn't 0, and the closing brace.
func appendValues(b []byte, v RankValues) []byte {
	first := true
	for i := len(naturalRanks) - 1; i >= 0; i-- {
		rank := Rank(naturalRanks[i])
		n := v.Of(rank)
		if n == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = strconv.AppendInt(append(b, '"', byte(rank), '"', ':'), int64(n), 10)
	}
	return append(b, '}')
}

func readStakes(r *Rules, b []byte) error {
	var list []int
	if err := json.Unmarshal(b, &list); err != nil || len(list) != 3 || slices.Min(list) < 0 || slices.Max(list) > maxScore {
		return refuse("stakes", "must be three whole numbers from 0 to %d (most points, all points, all tricks), not %.60s", maxScore, b)
	}
	r.Stakes = [3]int(list)
	return nil
}

func writeStakes(r *Rules, b []byte) []byte {
	return fmt.Appendf(b, "[%d,%d,%d]", r.Stakes[0], r.Stakes[1], r.Stakes[2])
}
