package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

// errUnverified reports that the deals don't match their seeds. verify prints the differences first.
var errUnverified = errors.New("the deals do not come of their seeds")

// hexes is a flag that may be repeated. Each value is 32 bytes in hexadecimal.
type hexes [][32]byte

func (h *hexes) String() string { return "" }

// Set parses and appends one value.
func (h *hexes) Set(text string) error {
	var seed table.Seed
	if err := seed.UnmarshalText([]byte(text)); err != nil {
		return errors.New("it must have 64 hexadecimal digits")
	}
	*h = append(*h, seed)
	return nil
}

// verify implements `sedmabot verify [--seed HEX]… [--hash HEX]… [FILE]`. It
// deals again from the seeds and compares with the record in FILE or stdin. The
// seeds come from the record or the flags, one for each deal. The hashes are
// those announced before each deal. It also reports whether the first seed chose
// the first dealer. See game.Shuffle and table.SeedDealer.
func verify(_ context.Context, l *line) error {
	flags := l.flags()
	var seeds, hashes hexes
	flags.Var(&seeds, "seed", "")
	flags.Var(&hashes, "hash", "")
	text, err := l.readRecord(flags)
	if err != nil {
		return err
	}
	r, err := record.Read(text)
	switch {
	case err != nil:
		return fmt.Errorf("read the record: %w", err)
	case r.Position != nil || len(r.Deals) == 0:
		return errors.New("the record has no deals that were dealt from a seed")
	case len(seeds) > len(r.Deals) || len(hashes) > len(r.Deals):
		return fmt.Errorf("the record has only %d deals", len(r.Deals))
	}
	for i := range seeds {
		r.Deals[i].Seed = &seeds[i]
	}
	var out strings.Builder
	good := true
	for i, deal := range r.Deals {
		line, ok := verifyDeal(r.Rules, deal, hashes[min(i, len(hashes)):])
		fmt.Fprintf(&out, "deal %d: %s\n", i+1, line)
		good = good && ok
	}
	line, ok := verifyDealer(r)
	fmt.Fprintf(&out, "first dealer: %s\n", line)
	if _, err := io.WriteString(l.stdout, out.String()); err != nil {
		return fmt.Errorf("print the outcome: %w", err)
	}
	if !good || !ok {
		return errUnverified
	}
	return nil
}

// verifyDeal reports whether the seed produces the deck, and whether it matches
// the first of the hashes, if there is one.
func verifyDeal(rules game.Rules, deal record.Deal, hashes [][32]byte) (string, bool) {
	if deal.Seed == nil {
		return "WRONG: the record has no seed for it, give it with --seed", false
	}
	hash := sha256.Sum256(deal.Seed[:])
	switch {
	case !slices.Equal(deal.Deck, game.Shuffle(rules.Pack(), *deal.Seed)):
		return fmt.Sprintf("WRONG: the seed %x makes another deck", *deal.Seed), false
	case len(hashes) > 0 && hashes[0] != hash:
		return fmt.Sprintf("WRONG: the SHA-256 of its seed is %x, and %x was announced", hash, hashes[0]), false
	case len(hashes) > 0:
		return fmt.Sprintf("its deck comes from its seed, whose SHA-256 is %x as announced", hash), true
	}
	return fmt.Sprintf("its deck comes from its seed, whose SHA-256 is %x", hash), true
}

// verifyDealer reports whether the first seed chose the first dealer, if the
// record says so.
func verifyDealer(r record.Record) (string, bool) {
	if r.DealerBy == "" || r.Deals[0].Seed == nil {
		return fmt.Sprintf("seat %d, and not by the first seed: after a rematch, or at home by choice", r.Dealer), true
	}
	seed, how := table.Seed(*r.Deals[0].Seed), "the first seed"
	want := table.SeedDealer(seed, r.Rules.Players)
	if r.DealerBy == record.ByDraw {
		if r.Rules.Players != 4 {
			return "WRONG: only four players draw for partners", false
		}
		rounds, _ := table.DrawPartners(r.Rules, seed)
		var cards []string
		for _, round := range rounds {
			for _, drawn := range round {
				cards = append(cards, fmt.Sprintf("seat %d %s", drawn.Seat, drawn.Card))
			}
		}
		want, how = 0, "the draw for partners of the first seed: "+strings.Join(cards, ", ")
	}
	if r.Dealer != want {
		return fmt.Sprintf("WRONG: seat %d, and not seat %d by %s", r.Dealer, want, how), false
	}
	return fmt.Sprintf("seat %d by %s", r.Dealer, how), true
}
