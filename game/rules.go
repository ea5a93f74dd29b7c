package game

// Rules are the options of section 5: data only, comparable, and all concrete.
// The JSON has the options under their own names, every one of them, and the
// preset that they were made from.
type Rules struct {
	Preset             string // the preset that these rules began with, maybe changed since; empty if none
	Players            int
	Teams              Teams
	Direction          Direction
	Deck               Deck
	Removed            Cards // cards that are not in the pack
	HandSize           int   // 1 to MaxHand
	DealPacket         int   // cards at a time when dealing
	Wild               Ranks
	WildOrder          WildOrder
	SevenLedBeatsEight bool
	SpecialSeven       Card // counts as a seven; no card if there is none
	Continue           Continue
	ContinueWhen       ContinueWhen
	DrawFrom           DrawFrom
	DrawUnit           DrawUnit
	DrawTiming         DrawTiming
	Dark               bool
	LeadBan            int // leads of one rank in a row after which it is banned; 0 for none
	BanDark            BanDark
	PassOnce           bool
	CardPoints         RankValues
	LastTrick          int
	TrickPoints        int
	TrickUnit          TrickUnit
	Burn               Prices // the zero Prices: no burning
	BurnAlign          BurnAlign
	BurnedGame         int // stakes; 0 for none
	FinalSeven         FinalSeven
	Scoring            Scoring
	Stakes             [3]int // most points; all points; all tricks
	Tie                Tie
	SweepScore         int
	NextDeal           NextDeal
	PassThreshold      int
	TieDealer          TieDealer
	Target             int // 0 for none
	Hands              int // 0 for none
	HalfTime           int // 0 for none
}

// The bounds of the options.
const (
	MaxSeats = 6
	MaxHand  = 8
	maxCards = 104
)

// Nobody is the seat of a spectator, and "no seat" and "no side".
const Nobody = -1

// The choices of section 5, by option.
type (
	Teams        string // who plays with whom
	Direction    string // the direction of play
	Deck         string // the pack before cards are removed
	WildOrder    string // whether wild cards are equal
	Continue     string // which cards continue a trick
	ContinueWhen string // when the leader may continue
	DrawFrom     string // who draws first
	DrawUnit     string // how many cards are drawn at a time
	DrawTiming   string // when cards are drawn
	BanDark      string // what the ban means for a lead in the dark
	TrickUnit    string // what counts as a trick
	BurnAlign    string // which four cards burn
	FinalSeven   string // what a seven as very last card does
	Scoring      string // section 2
	Tie          string // who wins when sides are level
	NextDeal     string // section 3
	TieDealer    string // who deals after a deal that nobody won
)

// The values of the choices.
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

// Ranks is a set of ranks, a bit each.
type Ranks uint16

// RanksOf is the set of these ranks.
func RanksOf(ranks ...Rank) (rs Ranks) {
	for _, r := range ranks {
		rs |= 1 << rankIndex(r)
	}
	return rs &^ 1
}

// Has says whether the rank is in the set.
func (rs Ranks) Has(r Rank) bool { return rs>>rankIndex(r)&1 != 0 }

// List is the ranks of the set in natural order.
func (rs Ranks) List() []Rank {
	var out []Rank
	for _, r := range naturalRanks {
		if rs.Has(Rank(r)) {
			out = append(out, Rank(r))
		}
	}
	return out
}

// naturalRanks are all ranks of both decks, low to high.
const naturalRanks = "23456789TUJOQKA"

// RankValues is a number for each rank, 0 where nothing is said.
type RankValues [16]int16

// Of is the rank's number.
func (v RankValues) Of(r Rank) int { return int(v[rankIndex(r)]) }

// Set changes the rank's number.
func (v *RankValues) Set(r Rank, n int) { v[rankIndex(r)] = int16(n) }

// Prices are the stakes of spálená kaše: one for each rank that has its own,
// and a default. A rank without either does not burn.
type Prices struct {
	Default int
	By      RankValues
}

// Of is the price of four cards of the rank, 0 if they do not burn.
func (p Prices) Of(r Rank) int {
	if n := p.By.Of(r); n > 0 {
		return n
	}
	return p.Default
}

// On says whether anything burns at all.
func (p Prices) On() bool { return p != Prices{} }

// Sides is the number of sides that keep a score: three players each keep their
// own, also when two of them play together against the king.
func (r Rules) Sides() int {
	if r.Players == 3 {
		return 3
	}
	return 2
}

// Side is the seat's side. In a game with a solo king, where sides are known
// only by the king, it is the seat itself; see [Result] for those.
func (r Rules) Side(seat int) int {
	if r.Players == 3 {
		return seat
	}
	return seat % 2
}

// Next is the seat after this one in the direction of play.
func (r Rules) Next(seat int) int {
	if r.Direction == Anticlockwise {
		return (seat + r.Players - 1) % r.Players
	}
	return (seat + 1) % r.Players
}

// prev is the inverse of Next.
func (r Rules) prev(seat int) int {
	if r.Direction == Anticlockwise {
		return (seat + 1) % r.Players
	}
	return (seat + r.Players - 1) % r.Players
}

// Soccer says whether the venue, not the last result, says who leads.
func (r Rules) Soccer() bool { return r.NextDeal == SoccerHome || r.NextDeal == SoccerNeutral }

// sides are the seats of each side; solo is the soloist, or Nobody.
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
