package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"io"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Make makes n puzzles from self-play and writes each to out as soon as it is found, one JSON object a line. The games, which
// [Fits] accepts, take turns. With a theme, it makes only puzzles about that. It returns the number of deals that it played.
func Make(ctx context.Context, games []game.Rules, theme Theme, n int, seed uint64, out io.Writer) (deals int, err error) {
	seen := map[string]bool{}
	turn := 0
	for ; turn < n; deals++ {
		p, ok, err := fromDeal(ctx, games[turn%len(games)], seedOf(seed, deals), func(s game.State, v game.View) (Puzzle, bool, error) {
			if theme == Feed && !(v.Phase == game.Follow && partnerWins(v)) || theme == Opening && !(v.Phase == game.Lead && v.Stock > 0) {
				return Puzzle{}, false, nil
			}
			p, ok, err := find(ctx, s, v, seedOf(seed, deals))
			return p, ok && (theme == "" || p.Theme() == theme), err
		})
		if err != nil {
			return deals, err
		}
		if !ok || seen[p.ID()] {
			continue
		}
		seen[p.ID()] = true
		line, err := json.Marshal(p)
		if err != nil {
			return deals, err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return deals, err
		}
		turn++
	}
	return deals, nil
}

func seedOf(seed uint64, deal int) [32]byte {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], seed)
	binary.BigEndian.PutUint64(b[8:], uint64(deal))
	return sha256.Sum256(b[:])
}

// fromDeal plays one deal on all seats, with players who err as people do. It returns the first puzzle that find finds after
// a random move of the deal, so that puzzles come from all parts of deals.
func fromDeal(ctx context.Context, r game.Rules, seed [32]byte, find func(s game.State, v game.View) (Puzzle, bool, error)) (Puzzle, bool, error) {
	s, err := game.Deal(r, game.Shuffle(r.Pack(), seed), int(seed[0])%r.Players)
	from := int(seed[1]) % len(r.Pack())
	for i := 0; err == nil && !s.Over(); i++ {
		v := s.View(s.Turn())
		if i >= from {
			if p, ok, err := find(s, v); ok || err != nil {
				return p, ok, err
			}
		}
		s, err = game.Apply(s, v.Seat, ai.Amateur.Try(ctx, v, 0, 0))
		if ctx.Err() != nil {
			return Puzzle{}, false, ctx.Err()
		}
	}
	return Puzzle{}, false, err
}

// find returns the puzzle at the state, if it is one. Its solver must choose at least twice, the reason why a choice is
// better than another must be a fact about the cards, and it mustn't be one of the easiest.
func find(ctx context.Context, s game.State, v game.View, seed [32]byte) (Puzzle, bool, error) {
	p, ok, err := found(ctx, s, v, seed)
	if !ok || err != nil || len(p.Then) == 0 || p.Needs <= leastNeeds {
		return p, false, err
	}
	ok, err = p.explained(ctx)
	return p, ok, err
}

// margin is the share of Lead by which the best choice must lead again, in other worlds that aren't searched in parts. There,
// worlds that explain what the others did weigh more.
const margin = 0.9

// found searches the state to the end, and returns the puzzle there, if it is one.
func found(ctx context.Context, s game.State, v game.View, seed [32]byte) (Puzzle, bool, error) {
	p, ok, err := puzzleAt(ctx, s, seed)
	for _, way := range ai.Ways(v) {
		if !ok || err != nil || way == ai.Exact {
			break
		}
		again, failed := solved(ctx, v, way, Worlds, parts)
		ok, err = failed == nil && again[0].Move == p.Choices[0].Move && lead(again) >= margin*Lead, failed
	}
	return p, ok, err
}

// reasonWorlds is how many worlds the reasons for answers are looked for in, as in the program.
const reasonWorlds = 500

// explained reports whether the best move of each choice is better than each other for a reason that is a fact.
func (p *Puzzle) explained(ctx context.Context) (bool, error) {
	for i := range len(p.Then) + 1 {
		v, err := p.At(i)
		if err != nil {
			return false, err
		}
		choices := p.ChoicesAt(i)
		for _, c := range choices[1:] {
			why, err := ai.Compare(ctx, v, game.Match{}, reasonWorlds, choices[0].Move, c.Move)
			if err != nil || !why.Fact() {
				return false, err
			}
		}
	}
	return true, nil
}
