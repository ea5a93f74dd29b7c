package ai

import (
	_ "embed"
	"encoding/base64"
	"math"
	"math/bits"
	"strings"
	"sync"

	"sedmabot/game"
)

// A policy is a player that is quick enough to play a deal to its end in a microsecond. It sorts what its seat may know
// into a few thousand cells. An outlook is a row, a move is a column, and the number in the cell is the weight of the
// move.
type policy struct {
	lead   [leadRows][leadColumns]float32
	follow [followRows][columns]float32
	decide [decideRows][columns]float32

	// The logarithms of the weights, in sixteenths. They are enough to find the greatest weight.
	likesToLead   [leadRows][leadColumns]int8
	likesToFollow [followRows][columns]int8
	likesToGoOn   [decideRows][columns]int8
}

const (
	leadRows, leadColumns = 4 * 2, 64
	leadDark              = 3 * 16
	followRows            = 2 * 6 * 4 * 4
	decideRows            = 2 * 4 * 4 * 2
	columns               = 16
	cells                 = leadRows*leadColumns + (followRows+decideRows)*columns
)

// Classes of kinds. A card that takes over is three classes further. A column is twice the class, plus one if the seat
// holds another card of the kind.
const (
	plain = iota
	pointed
	wildOne
	taking
	inDark  = 6
	passing = 7
	stopped = 7
)

// outlook is the current seat's knowledge, sorted for the policy: its row, and the data that decides a card's column.
type outlook struct {
	phase game.Phase
	row   int
	takes uint64
	gone  uint64 // cards that everybody has seen
}

func (p *position) outlook(f *form) outlook {
	mine := f.slot[p.turn&7]
	stage := 0
	if p.next >= p.size {
		stage = 1
		if p.points[mine&3] == 0 {
			stage = 2
		} else if f.slots == 2 && p.points[(mine^1)&3] == 0 {
			stage = 3
		}
	}
	if p.phase == game.Lead {
		wilds := 0
		if (f.pack-p.gone-p.hand[p.turn&7])&(f.wild*15) != 0 {
			wilds = 1
		}
		return outlook{phase: game.Lead, row: stage*2 + wilds, gone: p.gone}
	}
	winning := 0
	if f.slot[p.winner&7] == mine {
		winning = 1
	}
	pot := int(p.pot) + f.roundWorth*int(p.rounds)
	if stage > 0 && p.count[p.turn&7] == 1 {
		pot += f.rules.LastTrick
	}
	pot = min(pot*f.potScale>>16, 3)
	takes := f.takes[p.lead&15][p.best&15]
	if p.phase == game.Decide {
		others := 0
		if (f.pack-p.gone-p.hand[p.turn&7])&(f.effective[p.lead&15]*15) != 0 {
			others = 1
		}
		return outlook{game.Decide, ((winning*4+stage)*4+pot)*2 + others, takes, p.gone}
	}
	where := int(f.where[p.turn&7][p.leader&7])
	return outlook{game.Follow, ((winning*6+where)*4+stage)*4 + pot, takes, p.gone}
}

// column returns the column of the move for a seat with that hand.
func (s *outlook) column(f *form, hand uint64, m uint8) int {
	if m >= stop {
		switch {
		case s.phase == game.Lead:
			return leadDark
		case m == dark:
			return inDark * 2
		}
		return stopped * 2
	}
	shift := 4 * m & 63
	n := int(hand >> shift & 15)
	class := int(f.class[m&15])
	if s.phase == game.Lead {
		unseen := int(f.pack>>shift&15) - int(s.gone>>shift&15) - n
		return class*16 + min(n-1, 3)*4 + max(0, min(unseen, 3)) // an imagined hand may have cards that are gone, which the seat forgot
	}
	class += int(s.takes>>shift&1) * taking
	return class*2 + min(n-1, 1)
}

// cells returns the row of the outlook.
func (b *policy) cells(s *outlook) []float32 {
	switch s.phase {
	case game.Lead:
		return b.lead[s.row][:]
	case game.Follow:
		return b.follow[s.row][:]
	default:
		return b.decide[s.row][:]
	}
}

// choose returns the move with the greatest weight. It inlines column and cells, because most of the time is spent
// here.
func (b *policy) choose(f *form, p *position) uint8 {
	hand := p.hand[p.turn&7]
	kinds := spread(hand)
	if p.phase == game.Lead {
		if kinds&(kinds-1) == 0 && !f.dark {
			return kindOf(kinds)
		}
		return b.chooseLead(f, p, hand)
	}
	best, most := uint8(stop), int8(-128)
	s := outlook{}
	var row *[columns]int8
	if p.phase == game.Decide {
		if kinds &= f.continues[p.lead&15]; kinds == 0 {
			return stop
		}
		s = p.outlook(f)
		row = &b.likesToGoOn[s.row]
		most = row[stopped*2]
	} else {
		if kinds&(kinds-1) == 0 && !f.dark && !f.pass {
			return kindOf(kinds)
		}
		s = p.outlook(f)
		row = &b.likesToFollow[s.row]
	}
	for ; kinds != 0; kinds &= kinds - 1 {
		shift := bits.TrailingZeros64(kinds) & 63
		column := uint64(f.class[shift>>2&15])*2 + s.takes>>shift&1*2*taking + (hand>>shift&15+14)>>4
		if w := row[column&(columns-1)]; w > most {
			best, most = uint8(shift>>2), w
		}
	}
	if p.phase == game.Follow && p.next < p.size {
		if f.pass && !p.passed && row[passing*2] > most {
			best, most = pass, row[passing*2]
		}
		if f.dark && row[inDark*2] > most {
			best = dark
		}
	}
	return best
}

func (b *policy) chooseLead(f *form, p *position, hand uint64) uint8 {
	kinds, _, _, mayDark := p.legal(f)
	best, most := uint8(dark), int8(-128)
	s := p.outlook(f)
	row := &b.likesToLead[s.row]
	if mayDark {
		most = row[leadDark]
	}
	for ; kinds != 0; kinds &= kinds - 1 {
		kind := kindOf(kinds)
		if w := row[s.column(f, hand, kind)&(leadColumns-1)]; w > most {
			best, most = kind, w
		}
	}
	return best
}

// playOut plays the deal to its end.
func (b *policy) playOut(f *form, p *position) {
	for p.phase != game.Over {
		p.play(f, b.choose(f, p))
	}
}

// newPolicy returns a policy from likings, which are the logarithms of its weights in sixteenths.
func newPolicy(likings *[cells]int8) *policy {
	b := new(policy)
	left := likings[:]
	take := func(weights []float32, likes []int8) {
		left = left[copy(likes, left):]
		for i, x := range likes {
			weights[i] = float32(math.Exp(float64(x) / 16))
		}
	}
	for i := range b.lead {
		take(b.lead[i][:], b.likesToLead[i][:])
	}
	for i := range b.follow {
		take(b.follow[i][:], b.likesToFollow[i][:])
	}
	for i := range b.decide {
		take(b.decide[i][:], b.likesToGoOn[i][:])
	}
	return b
}

//go:embed policy.txt
var policyText string

// policies are the policies in policy.txt. Each line has the preset that the policy was trained on and its likings in
// sixteenths, as base64.
var policies = sync.OnceValue(func() map[string]*policy {
	all := make(map[string]*policy)
	for line := range strings.Lines(policyText) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = decodePolicy(text)
	}
	return all
})

func decodePolicy(text string) *policy {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) != cells {
		panic("the policies do not fit the program")
	}
	var likings [cells]int8
	for i := range b {
		likings[i] = int8(b[i])
	}
	return newPolicy(&likings)
}

// policyFor returns the policy that was trained on the most similar game.
func policyFor(f *form) *policy {
	switch f.players {
	case 2:
		return policies()["sedma-2p"]
	case 6:
		return policies()["hola-6p"]
	}
	return policies()["sedma-4p"]
}
