package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// Command runs `sedmabot puzzles --n N --seed S --rules NAMES [--theme THEME] [--lessons] --out FILE`. It makes puzzles from
// self-play and adds each to the file as soon as it is found, one JSON object a line. NAMES are presets, separated by commas,
// which take turns. With a THEME, it makes only puzzles about that. With --lessons, it makes the lessons instead.
func Command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("puzzles", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	n := flags.Int("n", 80, "")
	seed := flags.Uint64("seed", 1, "")
	names := flags.String("rules", "sedma-4p,sedma-2p,sedma-4p,sedma-3p", "")
	theme := flags.String("theme", "", "")
	taught := flags.Bool("lessons", false, "")
	file := flags.String("out", "", "")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("puzzles: %w", err)
	}
	if flags.NArg() > 0 || *n < 1 {
		return fmt.Errorf("puzzles takes --n N --seed S --rules NAMES [--theme THEME] [--lessons] --out FILE, not %.60q", args)
	}
	var games []game.Rules
	for name := range strings.SplitSeq(*names, ",") {
		r, err := game.Preset(name)
		if err != nil {
			return err
		}
		if !Fits(r) {
			return fmt.Errorf("puzzles: %s isn't scored in stakes", name)
		}
		games = append(games, r)
	}
	out := stdout
	if *file != "" {
		f, err := os.OpenFile(*file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	begun := time.Now()
	var deals int
	var err error
	if *taught {
		*n = len(lessons)
		deals, err = writeLessons(ctx, games[0], *seed, out)
	} else {
		deals, err = produce(ctx, games, Theme(*theme), *n, *seed, out)
	}
	if err != nil {
		return fmt.Errorf("puzzles: %w", err)
	}
	_, err = fmt.Fprintf(stderr, "%d puzzles from %d deals in %s\n", *n, deals, time.Since(begun).Round(time.Second))
	return err
}

// produce writes n puzzles to out. It returns the number of deals that it played. The games take turns.
func produce(ctx context.Context, games []game.Rules, theme Theme, n int, seed uint64, out io.Writer) (deals int, err error) {
	seen := map[string]bool{}
	turn := 0
	for ; turn < n; deals++ {
		p, ok, err := fromDeal(ctx, games[turn%len(games)], seedOf(seed, deals), func(s game.State, v game.View) (Puzzle, bool, error) {
			if theme == Feed && !(v.Phase == game.Follow && partnerWins(v)) {
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

// find returns the puzzle at the state, if it is one. Its solver must choose at least twice, and the reason why a choice is
// better than another must be a fact about the cards.
func find(ctx context.Context, s game.State, v game.View, seed [32]byte) (Puzzle, bool, error) {
	p, ok, err := found(ctx, s, v, seed)
	if !ok || err != nil || len(p.Then) == 0 {
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
	var q Search
	for over := false; !over; {
		var err error
		if over, err = q.Step(ctx, v); err != nil {
			return Puzzle{}, false, err
		}
	}
	p, ok, err := q.Puzzle(ctx, s, seed)
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
