package game_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
)

// rules returns the rules of a JSON text.
func rules(t *testing.T, text string) game.Rules {
	t.Helper()
	r, err := game.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hand returns the cards of a text such as "9a Ta".
func hand(t *testing.T, text string) []game.Card {
	t.Helper()
	var cards []game.Card
	for _, s := range strings.Fields(text) {
		c, err := game.ParseCard(s)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, c)
	}
	return cards
}

// start returns the State of a position with these hands by seat, stock and leader.
func start(t *testing.T, r game.Rules, leader int, stock string, hands ...string) game.State {
	t.Helper()
	p := game.Position{Leader: leader, Stock: hand(t, stock), Solo: game.Nobody}
	for _, h := range hands {
		p.Hands = append(p.Hands, hand(t, h))
	}
	s, err := game.Start(r, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// do makes the moves, each by the seat whose turn it is.
func do(t *testing.T, s game.State, moves string) game.State {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m, err := game.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = game.Apply(s, s.Turn(), m); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return s
}

func legal(s game.State) string {
	moves := s.Legal()
	slices.Sort(moves)
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}

// TestBurnAlign plays both readings of burn_align, an open point of RULES.md.
func TestBurnAlign(t *testing.T) {
	t.Parallel()
	hands := []string{"9a 7b", "7a Ka", "7l Kl", "7h Kh"}
	for align, want := range map[string]game.End{"first4": 0, "run": game.EndBurn} {
		r := rules(t, `{"preset":"sedma-4p-kase1-sevens3","burn_align":"`+align+`"}`)
		s := do(t, start(t, r, 0, "8a 8l 8h 8b", hands...), "9a 7a 7l 7h 7b")
		if v := s.View(game.Nobody); v.End != want {
			t.Errorf("%s: 9 7 7 7 7 ends the deal as %v", align, v.End)
		}
	}
}

// Four nines don't burn if they are in two tricks, or if another card comes between them.
func TestBurningNeedsOneTrick(t *testing.T) {
	t.Parallel()
	s := do(t, start(t, rules(t, `"sedma-2p-kase1"`), 0, "", "9a 9l Ka", "9h 9b Kl"), "9a 9h stop 9b 9l")
	if s.Over() {
		t.Error("two tricks of two nines burned")
	}
	s = do(t, start(t, rules(t, `"sedma-2p-kase1"`), 0, "", "9a 9l Ka", "9h 9b Kl"), "9a 9h 9l 9b")
	res, ok := s.Result()
	if !ok || res.End != game.EndBurn || res.Burner != 1 || res.Price != 1 {
		t.Errorf("9 9, 9 9 of two players: %+v", res)
	}
}

func TestBurnedGameAtTheFirstDeal(t *testing.T) {
	t.Parallel()
	r := rules(t, `"sedma-4p-spalena-hra"`)
	// With two cards dealt at a time from seat 0, seats 1 and 3 get four cards of one rank.
	deck := hand(t, "7a 8a 9a 9l Ka Oa Ta Tl 7l 8l 9h 9b Kl Ol Th Tb")
	for _, c := range r.Pack() {
		if !slices.Contains(deck, c) {
			deck = append(deck, c)
		}
	}
	s, err := game.Deal(r, deck, 3)
	if err != nil {
		t.Fatal(err)
	}
	res, ok := s.Result()
	if !ok || res.End != game.EndBurnedGame || res.Burner != 1 || res.Price != 4 {
		t.Errorf("%+v", res)
	}
	if s, err = game.Deal(r, deck, 0); err != nil {
		t.Fatal(err)
	}
	if res, _ = s.Result(); res.Burner != 0 {
		t.Errorf("the first in dealing order is seat 2: %+v", res)
	}
}

func TestBanOnAFourthLead(t *testing.T) {
	t.Parallel()
	begin := func(rules game.Rules, own, stock string) game.State {
		p := game.Position{Stock: hand(t, stock), LeadSeat: 0, LeadRank: 'K', LeadCount: 3, Solo: game.Nobody}
		for _, h := range []string{own, "5c", "5d", "5h"} {
			p.Hands = append(p.Hands, hand(t, h))
		}
		s, err := game.Start(rules, p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	exempt := rules(t, `"ristikontra"`)
	forbid := rules(t, `{"preset":"ristikontra","ban_dark":"forbid_dark_lead"}`)
	for _, c := range []struct {
		r                game.Rules
		own, stock, want string
	}{
		{exempt, "Kc 2d", "9c 9d", "2d dark"},
		{exempt, "Kc Kd", "9c 9d", "dark"},
		{exempt, "Kc Kd", "", "Kc Kd"},
		{forbid, "Kc 2d", "9c 9d", "2d"},
		{forbid, "Kc Kd", "9c 9d", "Kc Kd"},
	} {
		if got := legal(begin(c.r, c.own, c.stock)); got != c.want {
			t.Errorf("%s, hand %s, stock %q: legal %s, not %s", c.r.BanDark, c.own, c.stock, got, c.want)
		}
	}
}

func TestSevenLed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`"osmova-4p"`: 2, `{"preset":"osmova-4p","seven_led_beats_eight":false}`: 1} {
		s := do(t, start(t, rules(t, text), 0, "", "7a Ka", "8a Kl", "7l Kh", "9a Kb"), "7a 8a 7l 9a")
		if v := s.View(game.Nobody); v.Winner != want {
			t.Errorf("%s: seat %d wins 7 8 7 9, not %d", text, v.Winner, want)
		}
	}
}

// A seven of the solo king's opponent isn't dead if that player's partner has won a trick.
func TestDeadSevenOfPartnersAgainstTheKing(t *testing.T) {
	t.Parallel()
	r := rules(t, `{"preset":"sedma-3p-solo-leaves","final_seven":"dead"}`)
	for _, c := range []struct {
		seat0, seat1, seat2 string // seat 0 has the king
		leader              int
		moves               string
		last                int
	}{
		{"Kl Ta", "Oa 9a", "Oh 7a", 0, "Kl Oa Oh stop Ta 9a 7a", 0}, // no trick won: the seven is dead
		{"Ta Kl", "7l 9a", "Oh 7a", 1, "7l Oh Ta stop 9a 7a Kl", 2}, // the king, which counts as a seven, is dead
	} {
		s := do(t, start(t, r, c.leader, "", c.seat0, c.seat1, c.seat2), c.moves)
		if v := s.View(game.Nobody); v.Tricks[1].Winner != c.last {
			t.Errorf("%s: seat %d won the last trick, not %d", c.moves, v.Tricks[1].Winner, c.last)
		}
	}
	p := game.Position{Leader: 0, Hands: [][]game.Card{hand(t, "Ta"), hand(t, "9a"), hand(t, "7a")}, Solo: 0, TricksWon: []int{3, 1, 0}}
	s, err := game.Start(r, p)
	if err != nil {
		t.Fatal(err)
	}
	if v := do(t, s, "Ta 9a 7a").View(game.Nobody); v.Tricks[0].Winner != 2 {
		t.Errorf("the partner has a trick, and the seven is dead: %+v", v.Tricks)
	}
}

// settle returns a new match after a deal with these totals, and the deal's settlement.
func settle(r game.Rules, dealer int, points, tricks []int, last int, change ...func(*game.Result)) (game.Match, game.Settlement) {
	res := game.Result{
		End: game.EndPlayed, Dealer: dealer, Solo: game.Nobody, Burner: game.Nobody, LastCardSide: game.Nobody,
		CardPoints: points, TricksWon: tricks, RoundsWon: tricks, LastTrick: last,
	}
	for _, f := range change {
		f(&res)
	}
	return game.NewMatch(r, dealer).Settle(res)
}

func TestTies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules   string
		points  []int
		last    int
		winners []int
		dealer  int // next dealer, if seat 1 dealt
	}{
		{`"slovak-4p"`, []int{40, 40}, 1, nil, 1},
		{`{"preset":"slovak-4p","tie":"last_trick"}`, []int{40, 40}, 1, []int{1}, 1},
		{`{"preset":"slovak-4p","next_deal":"loser_deals"}`, []int{40, 40}, 0, nil, 1},
		{`{"preset":"slovak-4p","next_deal":"loser_deals","tie_dealer":"left"}`, []int{40, 40}, 0, nil, 2},
		{`{"preset":"slovak-4p","next_deal":"loser_deals","tie":"last_trick"}`, []int{40, 40}, 0, []int{0}, 3},
		{`"sedma-3p"`, []int{40, 30, 10}, 1, []int{0, 1}, 2},
		{`{"preset":"sedma-3p","tie":"last_trick"}`, []int{40, 30, 10}, 1, []int{1}, 0},
		{`{"preset":"sedma-3p","direction":"ccw"}`, []int{50, 20, 10}, 1, []int{0}, 1},
		{`"sedma-3p"`, []int{50, 20, 10}, 1, []int{0}, 2},
	} {
		r := rules(t, c.rules)
		tricks := make([]int, len(c.points))
		for i := range tricks {
			tricks[i] = 2
		}
		_, s := settle(r, 1, c.points, tricks, c.last)
		if !slices.Equal(s.Winners, c.winners) || s.NextDealer != c.dealer {
			t.Errorf("%s %v, last trick %d: winners %v, dealer %d, not %v, %d", c.rules, c.points, c.last, s.Winners, s.NextDealer, c.winners, c.dealer)
		}
	}
}

// With final_seven "loses", the side that plays a seven as the very last card loses, whatever the points.
func TestFinalSevenLoses(t *testing.T) {
	t.Parallel()
	lastCard := func(text string, side int) func(*game.Result) {
		return func(res *game.Result) { res.LastCard, res.LastCardSide = hand(t, text)[0], side }
	}
	r := rules(t, `"zsirozas-4p-final-seven"`)
	_, s := settle(r, 0, []int{60, 20}, []int{5, 3}, 0, lastCard("7h", 0))
	if diff := cmp.Diff([]int{1}, s.Winners); diff != "" || s.Stake != 1 {
		t.Errorf("winners %v, stake %d", s.Winners, s.Stake)
	}
	_, s = settle(r, 0, []int{80, 0}, []int{7, 1}, 0, lastCard("8h", 0))
	if diff := cmp.Diff([]int{0}, s.Winners); diff != "" || s.Stake != 2 {
		t.Errorf("winners %v, stake %d", s.Winners, s.Stake)
	}
	_, s = settle(rules(t, `"zsirozas-4p"`), 0, []int{60, 20}, []int{5, 3}, 0, lastCard("7h", 0))
	if diff := cmp.Diff([]int{0}, s.Winners); diff != "" {
		t.Errorf("without the variant: winners %v", s.Winners)
	}
}

func TestMatchEnds(t *testing.T) {
	t.Parallel()
	r := rules(t, `{"preset":"sedma-4p-points","target":100}`)
	play := func(m game.Match, a, b int) game.Match {
		m, _ = m.Settle(game.Result{CardPoints: []int{a, b}, TricksWon: []int{4, 4}, RoundsWon: []int{4, 4}, LastTrick: game.Nobody, Solo: game.Nobody, Burner: game.Nobody})
		return m
	}
	m := play(game.NewMatch(r, 0), 90, 80)
	if m.Over {
		t.Error("nobody has the target, and the match is over")
	}
	if level := play(m, 20, 30); level.Over {
		t.Error("both are past the target and level, and the match is over")
	}
	if both := play(m, 20, 40); !both.Over || both.Winner != 1 {
		t.Errorf("both past the target: %+v", both)
	}
	hands := rules(t, `{"preset":"sedma-4p-points","hands":2,"half_time":1}`)
	m = play(game.NewMatch(hands, 0), 30, 50)
	if m = play(m, 50, 30); !m.Over || m.Winner != game.Nobody {
		t.Errorf("level after the last hand: %+v", m)
	}
	if m = play(game.NewMatch(hands, 0), 30, 50).Finish(); !m.Over || m.Winner != 1 {
		t.Errorf("the last deal ends the match as it stands: %+v", m)
	}
}

func TestTrickUnit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{
		`"sedma-4p-tricks"`: {5, 3},
		`{"preset":"sedma-4p-tricks","trick_unit":"trick"}`: {3, 3},
	} {
		_, s := settle(rules(t, text), 0, []int{0, 0}, []int{3, 3}, 1, func(res *game.Result) { res.RoundsWon = []int{5, 3} })
		if diff := cmp.Diff(want, s.Points); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// In Hola for six without two cards, the last trick still has a card from everybody.
func TestHolaForSixWithoutTwoCards(t *testing.T) {
	t.Parallel()
	random := rng(3)
	s := randomDeal(t, rules(t, `{"preset":"hola-6p","removed":["2c","2s"]}`), random.below)
	for _, trick := range s.View(game.Nobody).Tricks {
		if len(trick.Plays)%6 != 0 {
			t.Errorf("a trick of %d cards", len(trick.Plays))
		}
	}
	s = randomDeal(t, rules(t, `"hola-6p"`), random.below)
	tricks := s.View(game.Nobody).Tricks
	if n := len(tricks[len(tricks)-1].Plays) % 6; n != 2 {
		t.Errorf("104 cards for six: %d over in the last trick", n)
	}
}

// Rules that are not a game are refused with a sentence that names the option.
func TestRefusedRules(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		`"sedma-5p"`:                        "sedma-5p",
		`{"preset":"sedma-5p"}`:             "sedma-5p",
		`{"preset":7}`:                      "preset",
		`{"sedma":1}`:                       "sedma",
		`[]`:                                "object",
		`null`:                              "object",
		``:                                  "object",
		`{"players":5}`:                     "players",
		`{"players":"4"}`:                   "players",
		`{"players":null}`:                  "players",
		`{"scoring":"goals"}`:               "scoring",
		`{"target":0}`:                      "target",
		`{"hand_size":9}`:                   "hand_size",
		`{"players":6,"hand_size":8}`:       "hand_size",
		`{"removed":["Ta"]}`:                "removed",
		`{"removed":["8h","8h"]}`:           "removed",
		`{"removed":["8c"]}`:                "removed",
		`{"removed":["xx"]}`:                "removed",
		`{"wild":["1"]}`:                    "wild",
		`{"wild_order":"eight_over_seven"}`: "wild_order",
		`{"lead_ban":2}`:                    "lead_ban",
		`{"card_points":{"B":1}}`:           "card_points",
		`{"card_points":{"A":-1}}`:          "card_points",
		`{"stakes":[1,2]}`:                  "stakes",
		`{"burn":{}}`:                       "burn",
		`{"burn":{"default":0}}`:            "burn",
		`{"preset":"sedma-3p","burn":{"default":1}}`:             "burn",
		`{"preset":"sedma-4p-points","burn":{"default":1}}`:      "burn",
		`{"preset":"hola-4p","burned_game":4}`:                   "burned_game",
		`{"preset":"sedma-3p-solo-leaves","burned_game":4}`:      "burned_game",
		`{"preset":"sedma-3p-solo-leaves","scoring":"points"}`:   "teams",
		`{"preset":"sedma-3p-solo-leaves","players":4}`:          "teams",
		`{"preset":"sedma-3p-solo-leaves","special_seven":null}`: "teams",
		`{"preset":"sedma-3p","scoring":"difference"}`:           "scoring",
		`{"preset":"sedma-3p","final_seven":"loses"}`:            "final_seven",
		`{"next_deal":"soccer_home"}`:                            "next_deal",
	} {
		if _, err := game.ParseRules([]byte(text)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if r := rules(t, `{"scoring":"points"}`); r.Target != 0 {
		t.Errorf("points have no target of their own, not %d", r.Target)
	}
	if r := rules(t, `{}`); r.Target != 10 {
		t.Errorf("stakes are played to 10, not %d", r.Target)
	}
}
