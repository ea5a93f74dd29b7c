package ai

import "sedmabot/game"

// The search uses kinds instead of cards. A kind is all cards that play alike: a rank, or the special seven. A set of
// kinds is a uint64 with four bits for each kind, which count its cards.
const (
	maxKinds = 15
	ones     = 0x1111_1111_1111_1111
	maxPack  = 104
)

// Moves of the search are kinds or one of these.
const (
	stop = 16 + iota
	pass
	dark
)

// form is the rules in the form that the search needs. It never changes after it is made.
type form struct {
	rules game.Rules

	kinds   int
	rank    [16]game.Rank
	eff     [16]uint8 // by kind: the kind that it plays as
	points  [16]int16
	price   [16]int16 // stakes of four in a trick; 0 if they don't burn
	special uint8     // kind of the special seven; maxKinds if there is none
	seven   uint8
	total   [16]uint8 // by kind: number of cards in the pack
	pack    uint64    // total as a counted set, at most 15 each

	takes     [16][16]uint64 // by kind led and best kind so far: set of kinds that take over
	continues [16]uint64     // by kind led: set of kinds that continue the trick
	wild      uint64
	effective [16]uint64 // by kind: set of kinds that play as it

	class      [16]uint8   // by kind: class that the policy puts it in
	where      [8][8]uint8 // by seat and leader: opponents yet to play, at most 2; plus 3 if the leader is on the seat's side
	good       int         // points of the best card
	roundWorth int         // points that each round brings
	potScale   int         // 65536 divided by the worth of a good card

	players   int8
	next      [8]int8
	slot      [8]uint8 // side of each seat, or the seat itself if sides are unknown
	slots     int
	handSize  uint8
	ban       uint8
	solo      bool
	noDecide  bool
	opponent  bool
	fromLead  bool
	bulk      bool
	afterPlay bool
	dark      bool
	banDark   bool
	pass      bool
	burn      bool
	burnRun   bool
	burnHand  bool
	dead      bool
}

func newForm(r *game.Rules) *form {
	f := &form{rules: *r, special: maxKinds}
	for _, c := range r.Pack() {
		if c == r.SpecialSeven {
			continue
		}
		k := f.find(c.Rank())
		if k < 0 {
			k = f.kinds
			f.kinds++
			f.rank[k] = c.Rank()
		}
		f.total[k]++
	}
	f.seven = uint8(f.find('7'))
	for k := range f.kinds {
		f.eff[k] = uint8(k)
	}
	if r.SpecialSeven != 0 && len(r.Pack()) > f.cards() {
		f.special = uint8(f.kinds)
		f.rank[f.kinds], f.eff[f.kinds] = r.SpecialSeven.Rank(), f.seven
		f.total[f.kinds] = uint8(len(r.Pack()) - f.cards())
		f.kinds++
	}
	for k := range f.kinds {
		f.points[k] = int16(r.CardPoints.Of(f.rank[k]))
		f.price[k] = int16(r.Burn.Of(f.rank[k]))
		f.pack |= uint64(min(f.total[k], 15)) << (4 * k)
		for j := range f.kinds {
			if f.eff[j] == uint8(k) {
				f.effective[k] |= 1 << (4 * j)
			}
			if r.Wild.Has(f.rank[f.eff[j]]) {
				f.wild |= 1 << (4 * j)
			}
		}
	}
	f.players = int8(r.Players)
	for p := range r.Players {
		f.next[p] = int8(r.Next(p))
		f.slot[p] = uint8(r.Side(p))
	}
	f.slots = r.Sides()
	f.handSize, f.ban = uint8(r.HandSize), uint8(r.LeadBan)
	f.solo = r.Teams == game.SoloKing
	f.noDecide = r.Continue == game.NoContinue
	f.opponent = r.ContinueWhen == game.OpponentWinning
	f.fromLead, f.bulk = r.DrawFrom == game.LeaderDraws, r.DrawUnit == game.Bulk
	f.afterPlay = r.DrawTiming == game.AfterPlay
	f.dark, f.banDark, f.pass = r.Dark, r.BanDark == game.ForbidDarkLead, r.PassOnce
	f.burn, f.burnRun, f.burnHand = r.Burn.On(), r.BurnAlign == game.AnyRunning, r.BurnedGame > 0
	f.dead = r.FinalSeven == game.SevenDead
	f.fillTakes()
	f.sort()
	return f
}

// sort puts kinds and seats into the classes of the policy.
func (f *form) sort() {
	good := 0
	for k := range f.kinds {
		good = max(good, int(f.points[k]))
	}
	f.good = good
	f.roundWorth = f.rules.TrickPoints
	worth := max(good, f.roundWorth, 1)
	f.potScale = 1<<16/worth + 1
	for k := range f.kinds {
		switch {
		case f.wild>>(4*k)&1 != 0:
			f.class[k] = wildOne
		case 2*int(f.points[k]) >= good && good > 0:
			f.class[k] = pointed
		}
	}
	for seat := range f.players {
		for leader := range f.players {
			after := 0
			for q := f.next[seat]; q != leader && seat != leader; q = f.next[q] {
				if f.slot[q] != f.slot[seat] {
					after++
				}
			}
			where := min(after, 2)
			if f.slot[seat] == f.slot[leader] {
				where += 3
			}
			f.where[seat][leader] = uint8(where)
		}
	}
}

// fillTakes fills in which kinds take over and which continue a trick (RULES.md, Trick).
func (f *form) fillTakes() {
	eight := f.find('8')
	for lead := range f.kinds {
		f.continues[lead] = f.effective[lead] | f.wild
		if f.rules.Continue == game.AnyCard {
			f.continues[lead] = ones
		}
		for best := range f.kinds {
			set := f.effective[lead] | f.wild
			if f.rules.WildOrder == game.EightOverSeven && best == eight {
				sevenLed := lead == int(f.seven) && f.rules.SevenLedBeatsEight
				if !sevenLed {
					set &^= f.effective[f.seven]
				}
			}
			f.takes[lead][best] = set
		}
	}
}

func (f *form) find(r game.Rank) int {
	for k := range f.kinds {
		if f.rank[k] == r {
			return k
		}
	}
	return -1
}

func (f *form) cards() (n int) {
	for k := range f.kinds {
		n += int(f.total[k])
	}
	return n
}

// kind returns the index of a card's kind: its rank, except that the special seven is a kind of its own.
func (f *form) kind(c game.Card) uint8 {
	if f.special < maxKinds && c == f.rules.SpecialSeven {
		return f.special
	}
	return uint8(f.find(c.Rank()))
}

// list returns the kinds of a counted set, each as often as it counts.
func (f *form) list(set uint64) []uint8 {
	list := make([]uint8, 0, maxPack)
	for k := range uint8(f.kinds) {
		for range held(set, k) {
			list = append(list, k)
		}
	}
	return list
}
