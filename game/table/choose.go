package table

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"time"

	"sedmabot/game"
)

// Page is the part of the lobby that is shown: the seats, or one page of the settings.
// The page with the values of a house rule has the rule's name.
type Page string

// The pages, in the order in which the host sees them.
const (
	SeatsPage    Page = ""         // the seats, without settings
	SettingsPage Page = "settings" // all settings with their values
	GamePage     Page = "game"
	GamesPage    Page = "games" // the games that GamePage leaves out
	PlayersPage  Page = "players"
	HousePage    Page = "house"
	LengthPage   Page = "length" // how long the match is
	LimitPage    Page = "limit"
	LevelPage    Page = "level"  // how well the AI plays
	PlacesPage   Page = "places" // who plays with whom
)

// Choose is one press in the settings. Only the host may, in the lobby. Its fields
// What and Value are:
//
//	page     a Page, or "seats" for the end of the settings
//	game     a family of games
//	players  a number of players that the family has
//	limit    seconds a move, 0 for no limit
//	length   length of the match: one of game.Lengths
//	level    how well the AI plays: one of Levels
//	with     the mark of a person who then plays on the host's side, or "ai". With two people, the other one may choose, too
//	venue    home player in soccer: a seat, or "draw"
//	late     "on" or "off": people may take an AI's seat during the match
//	draw     "partners": the draw of RULES.md, Match
//
// or a house rule's name and one of its values. Anything that isn't offered is [ErrNoChoice].
type Choose struct{ What, Value string }

func (Choose) command() {}

// ChooseHouse is the answer to several house rules at once: values by the names of the rules. Only the host may choose, in
// the lobby. Values that aren't offered are left out, for example those of a rule that another choice has removed.
type ChooseHouse struct{ Values map[string]string }

func (ChooseHouse) command() {}

// Limits are the turn limits that can be chosen; 0 is no limit.
var Limits = []time.Duration{30 * time.Second, time.Minute, DefaultLimit, 5 * time.Minute, time.Hour, 24 * time.Hour, 0}

// HouseRules returns the house rules that the lobby offers for these rules.
func HouseRules(r game.Rules) []game.House { return game.HouseRules(ending(r)) }

// House returns the house rules in which the rules differ from their preset, each
// with its current value.
func House(r game.Rules) []game.House {
	base, err := game.Preset(r.Preset)
	if err != nil {
		return nil
	}
	plain := map[string]string{}
	for _, h := range HouseRules(base) {
		plain[h.Name] = h.Value
	}
	return slices.DeleteFunc(HouseRules(r), func(h game.House) bool {
		value, known := plain[h.Name]
		return h.Value == value || !known && h.Value == h.Values[0]
	})
}

// choices returns how many of these numbers of players leave everyone who sits in the lobby a seat.
func (s *step) choices(players []int) (n int) {
	people := s.Public().People()
	for _, all := range players {
		if all >= people {
			n++
		}
	}
	return n
}

// PlayersIn returns for how many players a family of games is chosen at a table for that many.
func PlayersIn(family string, players int) int {
	all := game.FamilyPlayers(family)
	switch {
	case slices.Contains(all, players):
		return players
	case slices.Contains(all, 4):
		return 4
	}
	return all[len(all)-1]
}

func (s *step) choose(c Choose) error {
	if s.Phase != Lobby {
		return ErrNotLobby
	}
	switch c.What {
	case "page":
		return s.turnTo(c.Value)
	case "game":
		players := game.FamilyPlayers(c.Value)
		if len(players) == 0 {
			return ErrNoChoice
		}
		next := PlayersPage
		if s.choices(players) < 2 {
			next = SettingsPage
		}
		return s.setPreset(game.Like(c.Value, PlayersIn(c.Value, s.Rules.Players)), next)
	case "players":
		n, err := strconv.Atoi(c.Value)
		if err != nil {
			return ErrNoChoice
		}
		return s.setPreset(game.Like(s.Rules.Preset, n), SettingsPage)
	case "limit":
		seconds, err := strconv.Atoi(c.Value)
		limit := time.Duration(seconds) * time.Second
		if err != nil || !slices.Contains(Limits, limit) {
			return ErrNoChoice
		}
		s.Limit, s.Page = limit, SettingsPage
		return nil
	case "length":
		rules, err := game.WithLength(s.Rules, c.Value)
		if err != nil {
			return ErrNoChoice
		}
		s.Rules = rules
		if s.Page == LengthPage {
			s.Page = SeatsPage
		}
		return nil
	case "level":
		return s.setLevel(c.Value)
	case "late":
		if c.Value != "on" && c.Value != "off" {
			return ErrNoChoice
		}
		s.Shut, s.Page = c.Value == "off", HousePage
		return nil
	case "with":
		return s.playWith(c.Value)
	case "venue":
		return s.setVenue(c.Value)
	case "draw":
		return s.drawPartners()
	}
	rules, err := game.SetHouse(s.Rules, c.What, c.Value)
	if err != nil {
		return ErrNoChoice
	}
	s.Rules, s.Page = ending(rules), HousePage
	return nil
}

// chooseHouse changes the house rules in the order of the lobby, the length of the match last.
func (s *step) chooseHouse(c ChooseHouse) error {
	if s.Phase != Lobby {
		return ErrNotLobby
	}
	rules := HouseRules(s.Rules)
	if rules[0].Name == "end" { // it depends on the scoring
		rules = append(rules[1:], rules[0])
	}
	for _, rule := range rules {
		value, chosen := c.Values[rule.Name]
		offered := slices.ContainsFunc(HouseRules(s.Rules), func(h game.House) bool {
			return h.Name == rule.Name && h.Value != value && slices.Contains(h.Values, value)
		})
		if !chosen || !offered {
			continue
		}
		rules, err := game.SetHouse(s.Rules, rule.Name, value)
		if err != nil {
			return ErrNoChoice
		}
		s.Rules = ending(rules)
	}
	s.Page = HousePage
	return nil
}

// turnTo opens a page of the settings.
func (s *step) turnTo(name string) error {
	page := Page(name)
	switch page {
	case "seats":
		page = SeatsPage
	case SettingsPage, GamePage, GamesPage, PlayersPage, HousePage, LengthPage, LimitPage, LevelPage, PlacesPage:
	default:
		if !slices.ContainsFunc(HouseRules(s.Rules), func(h game.House) bool { return h.Name == name }) {
			return ErrNoChoice
		}
	}
	s.Page = page
	return nil
}

// setPreset changes the game to a preset and opens the next page.
func (s *step) setPreset(name string, next Page) error {
	rules, err := game.Preset(name)
	if err != nil {
		return ErrNoChoice
	}
	if err := s.setRules(game.LengthOf(rules, s.Rules)); err != nil {
		return err
	}
	s.Page = next
	return nil
}

// playWith brings somebody to the host's side: the person with a mark, or for "ai", the AI or a free seat. It changes
// nothing if they are there already.
func (s *step) playWith(whom string) error {
	host, now := s.SeatOf(s.Host), s.Public()
	if host < 0 || !now.Partners() {
		return ErrNoChoice
	}
	var mates, others []int // who could change places, those first that should
	for i := range s.Seats {
		switch {
		case i == host:
		case s.Rules.Side(i) == s.Rules.Side(host):
			mates = append(mates, i)
		default:
			others = append(others, i)
		}
	}
	wanted := func(seat int) bool {
		return whom == "ai" && !s.Seats[seat].person() || s.Seats[seat].person() && now.Mark(seat) == whom
	}
	from, to := slices.IndexFunc(others, wanted), slices.IndexFunc(mates, func(seat int) bool { return s.Seats[seat].person() == (whom == "ai") })
	switch {
	case slices.ContainsFunc(mates, wanted):
		return nil
	case from < 0:
		return ErrNoChoice
	}
	a, b := others[from], mates[max(0, to)]
	s.Seats[a], s.Seats[b] = s.Seats[b], s.Seats[a]
	s.reseated()
	return nil
}

// setVenue sets the home player in soccer.
func (s *step) setVenue(value string) error {
	seat, err := strconv.Atoi(value)
	switch {
	case !s.Rules.Soccer():
		return ErrNoChoice
	case value == "draw":
		s.Venue = 0
	case err != nil || seat < 0 || seat >= len(s.Seats):
		return ErrNoChoice
	default:
		s.Venue = seat + 1
	}
	return nil
}

// reseated forgets a draw for partners, because the partners have changed.
func (t *Table) reseated() { t.Draw, t.Seed = nil, Seed{} }

// DrawnCard is a card in the draw for partners. Seat is where the draw placed the
// player who drew it.
type DrawnCard struct {
	Seat int       `json:"seat"`
	Card game.Card `json:"card"`
}

// drawPartners draws for partners. The AI takes the free seats and draws, too. Everyone sees the rounds of the draw. Its
// seed becomes the seed of the first deal.
func (s *step) drawPartners() error {
	switch {
	case s.Rules.Players != 4:
		return ErrNoChoice
	case s.Draw != nil:
		return ErrDrawn
	}
	for i := range s.Seats {
		if s.Seats[i].empty() {
			s.Seats[i].AI = s.level()
		}
	}
	rounds, teams := DrawPartners(s.Rules, s.env.Seed)
	seats := slices.Clone(s.Seats)
	for player, seat := range teams.Seats {
		seats[seat] = s.Seats[player]
	}
	s.Seats, s.Seed, s.Page = seats, s.env.Seed, SeatsPage
	s.Draw = rounds
	return nil
}

// DrawPartners returns the draw for partners that a match's first seed decides. The
// pack is shuffled with SHA-256(seed || "draw"). Four players take a card each, in
// order, and then those who must draw again. Each card comes with the seat that the
// draw gives to its player. The lowest card gets seat 0, and deals.
func DrawPartners(r game.Rules, seed Seed) ([][]DrawnCard, game.TeamsDrawn) {
	pack := game.Shuffle(r.Pack(), sha256.Sum256(append(seed[:], "draw"...)))
	first := [4]game.Card(pack[:4])
	pack = pack[4:]
	var again []map[int]game.Card
	teams, err := game.TeamDraw(first)
	for err == nil && len(teams.Redraw) > 0 {
		if len(pack) < len(teams.Redraw) { // the pack is used up: shuffle it again
			pack = game.Shuffle(r.Pack(), sha256.Sum256(append(seed[:], "draw again"...)))
		}
		drawn := map[int]game.Card{}
		for _, player := range teams.Redraw {
			drawn[player], pack = pack[0], pack[1:]
		}
		again = append(again, drawn)
		teams, err = game.TeamDraw(first, again...)
	}
	rounds := make([][]DrawnCard, 1, 1+len(again))
	for player, card := range first {
		rounds[0] = append(rounds[0], DrawnCard{teams.Seats[player], card})
	}
	for _, drawn := range again {
		var round []DrawnCard
		for player := range 4 {
			if card, ok := drawn[player]; ok {
				round = append(round, DrawnCard{teams.Seats[player], card})
			}
		}
		rounds = append(rounds, round)
	}
	return rounds, teams
}
