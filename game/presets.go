package game

import (
	"fmt"
	"sync"
)

// A preset is a named game: the name of its base and the changes to it.
type preset struct {
	name, base string
	change     func(*Rules)
}

// presets are the games, in the order of lists. Without a base, a preset begins with the defaults.
var presets = []preset{
	{"sedma-2p", "sedma-4p", func(r *Rules) { r.Players = 2 }},
	{"sedma-3p", "sedma-4p", func(r *Rules) { r.Players, r.Removed = 3, twoEights }},
	{"sedma-3p-8-9", "sedma-3p", func(r *Rules) { r.Removed = cardList("8b", "9b") }},
	{"sedma-4p", "", func(r *Rules) {}},
	{"sedma-2p-cash", "sedma-2p", noTarget},
	{"sedma-3p-cash", "sedma-3p", noTarget},
	{"sedma-4p-cash", "sedma-4p", noTarget},
	{"sedma-2p-difference", "sedma-2p-cash", func(r *Rules) { r.Scoring = ByDifference }},
	{"sedma-4p-difference", "sedma-4p-cash", func(r *Rules) { r.Scoring = ByDifference }},
	{"sedma-2p-points", "sedma-2p-cash", func(r *Rules) { r.Scoring = ByPoints }},
	{"sedma-3p-points", "sedma-3p-cash", func(r *Rules) { r.Scoring = ByPoints }},
	{"sedma-4p-points", "sedma-4p-cash", func(r *Rules) { r.Scoring = ByPoints }},
	{"sedma-2p-pool100", "sedma-2p-cash", func(r *Rules) { r.Scoring = ByPool }},
	{"sedma-3p-pool100", "sedma-3p-cash", func(r *Rules) { r.Scoring = ByPool }},
	{"sedma-4p-pool100", "sedma-4p-cash", func(r *Rules) { r.Scoring = ByPool }},
	{"sedma-2p-kase1", "sedma-2p", kase(1, 0, 0)},
	{"sedma-4p-kase1", "sedma-4p", kase(1, 0, 0)},
	{"sedma-2p-kase1-sevens3", "sedma-2p", kase(1, 0, 3)},
	{"sedma-4p-kase1-sevens3", "sedma-4p", kase(1, 0, 3)},
	{"sedma-2p-kase4", "sedma-2p", kase(4, 0, 0)},
	{"sedma-4p-kase4", "sedma-4p", kase(4, 0, 0)},
	{"sedma-2p-kase5-10-15", "sedma-2p", kase(5, 10, 15)},
	{"sedma-4p-kase5-10-15", "sedma-4p", kase(5, 10, 15)},
	{"sedma-2p-spalena-hra", "sedma-2p", func(r *Rules) { r.BurnedGame = 4 }},
	{"sedma-4p-spalena-hra", "sedma-4p", func(r *Rules) { r.BurnedGame = 4 }},
	{"sedma-3p-solo-leaves", "sedma-3p", soloKing("Kl")},
	{"sedma-3p-solo-hearts", "sedma-3p", soloKing("Kh")},
	{"sedma-3p-svoboda32", "sedma-3p", func(r *Rules) { r.Removed = "" }},
	{"sedma-3p-hartmann", "sedma-3p-svoboda32", func(r *Rules) { r.PassOnce = true }},
	{"sedma-2p-tricks", "sedma-2p-points", trickVersion},
	{"sedma-4p-tricks", "sedma-4p-points", trickVersion},
	{"osmova-2p", "sedma-2p", osmova},
	{"osmova-3p", "sedma-3p", osmova},
	{"osmova-4p", "sedma-4p", osmova},
	{"osmova-4p-170", "osmova-4p", func(r *Rules) { r.TrickPoints = 10 }},
	{"osmova-4p-170-points", "osmova-4p-170", func(r *Rules) { r.Scoring, r.Target = ByPoints, 0 }},
	{"slovak-2p", "sedma-2p", slovak},
	{"slovak-3p", "sedma-3p", slovak},
	{"slovak-4p", "sedma-4p", slovak},
	{"kovac-2p", "sedma-2p", kovac},
	{"kovac-4p", "sedma-4p", kovac},
	{"soccer-home", "kovac-2p", soccer(SoccerHome)},
	{"soccer-neutral", "kovac-2p", soccer(SoccerNeutral)},
	{"hola-2p", "hola-4p", func(r *Rules) { r.Players = 2 }},
	{"hola-4p", "sedma-4p", func(r *Rules) {
		r.Deck, r.DealPacket, r.Wild = French52, 1, RanksOf('7', '2')
		r.Continue, r.DrawFrom, r.DrawUnit = AnyCard, LeaderDraws, Bulk
		r.Scoring, r.NextDeal, r.Target = ByHola, HolaDeal, 300
	}},
	{"hola-6p", "hola-4p", func(r *Rules) { r.Players, r.Deck, r.LastTrick, r.Target = 6, French104, 0, 500 }},
	{"ristikontra", "sedma-4p", func(r *Rules) {
		r.Deck, r.HandSize, r.DealPacket, r.Wild = French52, 6, 1, 0
		r.Continue, r.DrawTiming, r.Dark, r.LeadBan = NoContinue, AfterPlay, true, 3
		r.CardPoints = rankValues("ATKQJ", 11, 10, 4, 3, 2)
		r.LastTrick, r.Scoring, r.NextDeal, r.Target = 0, ByRistikontra, Rotate, 7
	}},
	{"zsirozas-2p", "zsirozas-4p", func(r *Rules) { r.Players = 2 }},
	{"zsirozas-4p", "sedma-4p", func(r *Rules) {
		r.Direction, r.DealPacket, r.ContinueWhen = Anticlockwise, 1, OpponentWinning
		r.LastTrick, r.Tie, r.NextDeal, r.Target = 0, TieLastTrick, Rotate, 5
	}},
	{"zsirozas-4p-final-seven", "zsirozas-4p", func(r *Rules) { r.FinalSeven = SevenLoses }},
	{"sedmice-2p", "sedmice-4p", func(r *Rules) { r.Players = 2 }},
	{"sedmice-4p", "sedma-4p", func(r *Rules) {
		r.DealPacket, r.ContinueWhen = 1, OpponentWinning
		r.Scoring, r.NextDeal, r.Target = ByPoints, Rotate, 120
	}},
	{"suster-4p", "sedmice-4p", func(r *Rules) { r.LastTrick = 0 }},
	{"septica-2p", "septica-4p", func(r *Rules) { r.Players = 2 }},
	{"septica-3p", "septica-4p", func(r *Rules) { r.Players, r.Removed, r.Wild = 3, twoEights, RanksOf('7', '8') }},
	{"septica-4p", "sedma-4p", func(r *Rules) {
		r.DealPacket, r.ContinueWhen = 1, OpponentWinning
		r.CardPoints, r.LastTrick, r.Stakes = rankValues("AT", 1, 1), 0, [3]int{1, 2, 2}
		r.NextDeal, r.Target = Rotate, 5
	}},
	{"ristikontra-120", "ristikontra", func(r *Rules) { r.Scoring, r.Target = ByPointsZero, 120 }},
}

// defaults returns the default of every option: plain Sedma for four.
func defaults() Rules {
	return Rules{
		Players: 4, Teams: TeamsAuto, Direction: Clockwise,
		Deck: German32, HandSize: 4, DealPacket: 2,
		Wild: RanksOf('7'), WildOrder: EqualWild, SevenLedBeatsEight: true,
		Continue: MatchOrWild, ContinueWhen: Always,
		DrawFrom: WinnerDraws, DrawUnit: OneByOne, DrawTiming: AfterTrick, BanDark: DarkExempt,
		CardPoints: rankValues("AT", 10, 10), LastTrick: 10, TrickUnit: ByRound,
		BurnAlign: FirstFour, FinalSeven: SevenNormal,
		Scoring: ByStakes, Stakes: [3]int{1, 2, 3}, Tie: TieNone, SweepScore: 170,
		NextDeal: LoserDeals, PassThreshold: 60, TieDealer: SameDealer,
		Target: 10,
	}
}

// Presets returns the names of all presets, in the order of lists.
func Presets() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

// Preset returns the rules of that name.
func Preset(name string) (Rules, error) {
	r, ok := built()[name]
	if !ok {
		return Rules{}, fmt.Errorf("%.60q: no such preset", name)
	}
	return r, nil
}

// built returns all presets by name.
var built = sync.OnceValue(func() map[string]Rules {
	all := make(map[string]Rules, len(presets))
	for _, p := range presets {
		all[p.name], _ = build(p.name)
	}
	return all
})

func build(name string) (Rules, bool) {
	for _, p := range presets {
		if p.name != name {
			continue
		}
		r := defaults()
		if p.base != "" {
			r, _ = build(p.base)
		}
		p.change(&r)
		r.Preset = name
		return r, true
	}
	return Rules{}, false
}

// twoEights are removed from the pack when three play.
var twoEights = cardList("8h", "8b")

func noTarget(r *Rules) { r.Target = 0 }

// kase returns a change that sets the prices of spálená kaše. Tens and sevens with 0 cost the same as any other rank.
func kase(any, tens, sevens int) func(*Rules) {
	return func(r *Rules) {
		r.Burn = Prices{Default: any}
		r.Burn.By.Set('T', tens)
		r.Burn.By.Set('7', sevens)
	}
}

func soloKing(king string) func(*Rules) {
	return func(r *Rules) { r.Teams, r.SpecialSeven = SoloKing, Card(cardList(king)[0]) }
}

func trickVersion(r *Rules) { r.CardPoints, r.LastTrick, r.TrickPoints = RankValues{}, 0, 1 }

func osmova(r *Rules) { r.Wild, r.WildOrder = RanksOf('7', '8'), EightOverSeven }

func slovak(r *Rules) { r.LastTrick, r.NextDeal = 0, Slovak60 }

func kovac(r *Rules) {
	r.LastTrick, r.FinalSeven, r.Scoring, r.NextDeal = 0, SevenDead, ByKovac, KovacDeal
}

func soccer(venue NextDeal) func(*Rules) {
	return func(r *Rules) { r.NextDeal, r.Target, r.Deals, r.HalfTime = venue, 0, 8, 4 }
}

// cardList returns the cards of these texts. It panics on a misspelled one, so a mistake shows at the start.
func cardList(texts ...string) Cards {
	cards := make([]Card, len(texts))
	for i, s := range texts {
		c, err := ParseCard(s)
		if err != nil {
			panic(err)
		}
		cards[i] = c
	}
	return Cards(cards)
}

func rankValues(ranks string, values ...int) (v RankValues) {
	for i, n := range values {
		v.Set(Rank(ranks[i]), n)
	}
	return v
}
