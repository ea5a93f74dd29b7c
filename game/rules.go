package game

// Rules are the options of a game. They are plain data, comparable, and every option has a value. The JSON has every
// option under its own name, and the preset that the rules began with.
type Rules struct {
	Preset             string // preset that these rules began with, even if options changed since; "" for none
	Players            int
	Teams              Teams
	Direction          Direction
	Deck               Deck
	Removed            Cards // cards that are not in the pack
	HandSize           int   // 1 to MaxHand
	DealPacket         int   // cards dealt at a time
	Wild               Ranks
	WildOrder          WildOrder
	SevenLedBeatsEight bool
	SpecialSeven       Card // card that counts as a seven; 0 for none
	Continue           Continue
	ContinueWhen       ContinueWhen
	DrawFrom           DrawFrom
	DrawUnit           DrawUnit
	DrawTiming         DrawTiming
	Dark               bool
	LeadBan            int // number of leads of one rank in a row after which that rank is banned; 0 for none
	BanDark            BanDark
	PassOnce           bool
	CardPoints         RankValues
	LastTrick          int
	TrickPoints        int
	TrickUnit          TrickUnit
	Burn               Prices // zero value: no burning
	BurnAlign          BurnAlign
	BurnedGame         int // stakes of a burned game; 0 for none
	FinalSeven         FinalSeven
	Scoring            Scoring
	Stakes             [3]int // stakes for most points, all points, all tricks
	Tie                Tie
	SweepScore         int
	NextDeal           NextDeal
	PassThreshold      int
	TieDealer          TieDealer
	Target             int // score that ends the match; 0 for none
	Deals              int // number of deals that ends the match; 0 for none
	HalfTime           int // number of deals before half-time; 0 for none
}

// The upper bounds of the options.
const (
	MaxSeats = 6
	MaxHand  = 8
	maxCards = 104
)

// Nobody means "no seat" or "no side". As the seat of a view it means a spectator.
const Nobody = -1

// Types of the options that have named values.
type (
	Teams        string // who plays together
	Direction    string // the direction of play
	Deck         string // the pack before cards are removed
	WildOrder    string // which wild card beats which
	Continue     string // which cards continue a trick
	ContinueWhen string // when the leader may continue
	DrawFrom     string // who draws first
	DrawUnit     string // how many cards are drawn at a time
	DrawTiming   string // when cards are drawn
	BanDark      string // whether the lead ban also forbids a lead in the dark
	TrickUnit    string // what counts as a trick in the score
	BurnAlign    string // which four cards burn
	FinalSeven   string // effect of a seven as the very last card
	Scoring      string // how deals are scored (RULES.md, Scoring)
	Tie          string // how a tie is decided
	NextDeal     string // who deals next (RULES.md, Next dealer)
	TieDealer    string // who deals after a tie
)

// The values of those options.
const (
	TeamsAuto Teams = "auto"
	SoloKing  Teams = "solo_king"

	Clockwise     Direction = "cw"
	Anticlockwise Direction = "ccw"

	German32  Deck = "german32"
	French52  Deck = "french52"
	French104 Deck = "french104"

	EqualWild      WildOrder = "equal"
	EightOverSeven WildOrder = "eight_over_seven"

	MatchOrWild Continue = "match_or_wild"
	AnyCard     Continue = "any"
	NoContinue  Continue = "none"

	Always          ContinueWhen = "always"
	OpponentWinning ContinueWhen = "opponent_winning"

	WinnerDraws DrawFrom = "winner"
	LeaderDraws DrawFrom = "leader"

	OneByOne DrawUnit = "one"
	Bulk     DrawUnit = "bulk"

	AfterTrick DrawTiming = "after_trick"
	AfterPlay  DrawTiming = "after_play"

	DarkExempt     BanDark = "exempt"
	ForbidDarkLead BanDark = "forbid_dark_lead"

	ByRound TrickUnit = "round"
	ByTrick TrickUnit = "trick"

	FirstFour  BurnAlign = "first4"
	AnyRunning BurnAlign = "run"

	SevenNormal FinalSeven = "normal"
	SevenDead   FinalSeven = "dead"
	SevenLoses  FinalSeven = "loses"

	ByStakes      Scoring = "stakes"
	ByDifference  Scoring = "difference"
	ByPoints      Scoring = "points"
	ByPool        Scoring = "pool"
	ByKovac       Scoring = "kovac"
	ByHola        Scoring = "hola"
	ByRistikontra Scoring = "ristikontra"
	ByPointsZero  Scoring = "points_zero"

	TieNone      Tie = "none"
	TieLastTrick Tie = "last_trick"

	LoserDeals    NextDeal = "loser_deals"
	Rotate        NextDeal = "rotate"
	Slovak60      NextDeal = "slovak60"
	KovacDeal     NextDeal = "kovac"
	KovacAnyDeal  NextDeal = "kovac_any"
	HolaDeal      NextDeal = "hola"
	SoccerHome    NextDeal = "soccer_home"
	SoccerNeutral NextDeal = "soccer_neutral"

	SameDealer TieDealer = "same"
	LeftDealer TieDealer = "left"
)

// Ranks is a bit set of ranks.
type Ranks uint16

// RanksOf returns the set of these ranks.
func RanksOf(ranks ...Rank) (rs Ranks) {
	for _, r := range ranks {
		rs |= 1 << rankIndex(r)
	}
	return rs &^ 1
}

// Has reports whether the rank is in the set.
func (rs Ranks) Has(r Rank) bool { return rs>>rankIndex(r)&1 != 0 }

// List returns the ranks of the set in natural order.
func (rs Ranks) List() []Rank {
	var out []Rank
	for _, r := range naturalRanks {
		if rs.Has(Rank(r)) {
			out = append(out, Rank(r))
		}
	}
	return out
}

// naturalRanks are all ranks of both decks, lowest first.
const naturalRanks = "23456789TUJOQKA"

// RankValues is a number for each rank; the default is 0.
type RankValues [16]int16

// Of returns the rank's number.
func (v RankValues) Of(r Rank) int { return int(v[rankIndex(r)]) }

// Set sets the rank's number.
func (v *RankValues) Set(r Rank, n int) { v[rankIndex(r)] = int16(n) }

// Prices are the stakes of spálená kaše: a price for some ranks, and a default for the others. A rank whose price is 0
// does not burn.
type Prices struct {
	Default int
	By      RankValues
}

// Of returns the price of four cards of the rank, or 0 if they do not burn.
func (p Prices) Of(r Rank) int {
	if n := p.By.Of(r); n > 0 {
		return n
	}
	return p.Default
}

// On reports whether any rank burns.
func (p Prices) On() bool { return p != Prices{} }

// Sides returns the number of sides that keep a score. Three players each keep their own, even when two of them play
// together against the king.
func (r Rules) Sides() int {
	if r.Players == 3 {
		return 3
	}
	return 2
}

// Side returns the seat's side. In a game for three it is the seat itself, even if a king plays solo; sideOf and
// [Result] then know the real sides.
func (r Rules) Side(seat int) int {
	if r.Players == 3 {
		return seat
	}
	return seat % 2
}

// Next returns the next seat in the direction of play.
func (r Rules) Next(seat int) int {
	if r.Direction == Anticlockwise {
		return (seat + r.Players - 1) % r.Players
	}
	return (seat + 1) % r.Players
}

// prev returns the seat before this one in the direction of play.
func (r Rules) prev(seat int) int {
	if r.Direction == Anticlockwise {
		return (seat + 1) % r.Players
	}
	return (seat + r.Players - 1) % r.Players
}

// Soccer reports whether the venue decides who leads, instead of the last result.
func (r Rules) Soccer() bool { return r.NextDeal == SoccerHome || r.NextDeal == SoccerNeutral }

// sides returns the seats of each side; solo is the solo player, or Nobody.
func (r Rules) sides(solo int) [][]int {
	switch {
	case solo >= 0:
		others := make([]int, 0, 2)
		for p := range r.Players {
			if p != solo {
				others = append(others, p)
			}
		}
		return [][]int{{solo}, others}
	case r.Players == 3:
		return [][]int{{0}, {1}, {2}}
	}
	out := make([][]int, 2)
	for p := range r.Players {
		out[p%2] = append(out[p%2], p)
	}
	return out
}
