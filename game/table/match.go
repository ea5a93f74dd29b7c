package table

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"sedmabot/game"
)

// DefaultDeals is the number of deals in a match whose rules set no end.
const DefaultDeals = 8

// ending returns the rules with an end to the match. In a chat, every match has one
// (RULES.md, Match).
func ending(r game.Rules) game.Rules {
	if r.Target == 0 && r.Deals == 0 {
		r.Deals = DefaultDeals
	}
	return r
}

// startMatch goes from the lobby to the first deal. The AI fills empty seats.
func (s *step) startMatch() error {
	dealer := s.firstDealer()
	for i := range s.Seats {
		if s.Seats[i].empty() {
			s.Seats[i] = s.filled()
		}
	}
	s.Tell, s.Times, s.Usual, s.Awaited, s.Began, s.Begins = nil, nil, "", nil, s.env.Now, time.Time{}
	s.Match, s.Page = game.NewMatch(s.Rules, dealer), SeatsPage
	return s.startDeal()
}

// firstDealer returns the seat that deals first. After a draw for partners it is
// seat 0, which has the lowest card. In soccer it is the seat that isn't at home,
// if the host chose the home player. Otherwise, in a first match, the seed of the
// first deal chooses it: see [SeedDealer]. In a rematch a loser deals: the seat
// that would have dealt next or, if that seat won, the one after it. With
// Decks the first deck's seed chooses the dealer, the same at every such table. A
// lesson always has the same dealer.
func (s *step) firstDealer() int {
	switch {
	case s.Lesson:
		return lessonDealer
	case s.Decks != Seed{}:
		return SeedDealer(deck(s.Decks, 0), s.Rules.Players)
	case s.Draw != nil:
		return 0
	case s.Venue > 0:
		return s.Rules.Next(s.Venue - 1)
	}
	if dealer := s.nextDealer(); dealer >= 0 {
		return dealer
	}
	return SeedDealer(s.env.Seed, s.Rules.Players)
}

// nextDealer returns the seat that deals first after the last match, or -1 if a seed chooses it.
func (t *Table) nextDealer() int {
	last := t.Match
	switch {
	case t.MatchNo == 1 || last.Rules.Players != t.Rules.Players:
		return -1
	case last.Winner >= 0 && last.Rules.Side(last.Dealer) == last.Winner:
		return last.Rules.Next(last.Dealer)
	}
	return last.Dealer
}

// atHome returns the seat that will be at home in a soccer match, or lead first on neutral ground. It returns -1 in
// another game, or if that is drawn at the start.
func (t *Table) atHome() int {
	if t.Venue == 0 && t.Rules.Soccer() {
		if dealer := t.nextDealer(); dealer >= 0 {
			return t.Rules.Next(dealer)
		}
	}
	return t.Venue - 1
}

// SeedDealer returns the seat that a match's first seed chooses to deal first: the
// first eight bytes of SHA-256(seed || "dealer"), as a big-endian number, modulo
// the number of players.
func SeedDealer(seed Seed, players int) int {
	sum := sha256.Sum256(append(seed[:], "dealer"...))
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(players))
}

func (s *step) startDeal() error {
	seed := s.env.Seed
	if s.Draw != nil && s.Match.Deals == 0 {
		seed = s.Seed // the seed of the draw, which everyone can check
	}
	if s.Decks != (Seed{}) {
		seed = deck(s.Decks, s.Match.Deals)
	}
	pack := lessonDeck
	if !s.Lesson {
		pack = game.Shuffle(s.Match.Rules.Pack(), seed)
	}
	deal, err := game.Deal(s.Match.Rules, pack, s.Match.Dealer)
	if err != nil {
		return fmt.Errorf("deal: %w", err)
	}
	s.Took = 0
	if s.Phase == Pause {
		s.Took = counted(s.env.Now.Sub(s.Since))
	}
	hush(s)
	s.DealNo++
	s.Seed, s.Deal, s.Phase = seed, deal, Playing
	s.Since, s.Called, s.Auto = s.env.Now, false, nil
	s.events = append(s.events, DealStarted{No: s.DealNo, Hash: sha256.Sum256(s.Seed[:])})
	if deal.Over() {
		s.endDeal()
		s.admit()
	}
	return nil
}

// move makes a move of the seat whose turn it is.
func (s *step) move(seat int, m game.Move) error {
	deal, err := game.Apply(s.Deal, seat, m)
	if err != nil {
		return fmt.Errorf("play: %w", err)
	}
	s.Deal = deal
	if !s.Resting {
		s.Took += counted(s.env.Now.Sub(s.Since))
	}
	s.resume()
	s.Seats[seat].Warned, s.Seats[seat].Against = false, nil
	if deal.Over() {
		s.endDeal()
	}
	s.admit()
	return nil
}

func (s *step) endDeal() {
	result, _ := s.Deal.Result()
	before := s.Match
	after, score := before.Settle(result)
	if s.LastDeal {
		after = after.Finish()
	}
	v := s.Deal.View(game.Nobody)
	past := Past{
		No: s.DealNo, Seed: s.Seed, Result: result, Score: score,
		Totals: slices.Clone(after.Scores), Pool: after.Pool, Held: after.Abeyance, Took: int(s.Took.Round(time.Second) / time.Second),
		Auto: s.Auto, Tricks: v.Tricks,
	}
	s.Past = slices.Clone(s.Past)
	if n := len(s.Past); n > 0 {
		s.Past[n-1].Tricks = nil
	}
	s.Match, s.Past, s.Phase, s.Break = after, append(s.Past, past), Pause, nil
	s.Hauls = hauls(before.Rules, s.Hauls, len(s.Past), past)
	s.Choices = CountChoices(s.Choices, before.Rules, s.Deal, s.Auto)
	if after.Over {
		s.Phase = Over
	}
	if s.Policy.Unrecorded {
		return
	}
	s.events = append(s.events, DealOver{
		Past: past, MatchNo: s.MatchNo, Match: before,
		Deck: s.Deal.Deck(), Log: v.Log, Seats: slices.Clone(s.Seats),
	})
	if after.Over {
		s.countSeries()
		s.events = append(s.events, MatchOver{s.outcome()})
	}
}

// outcome returns the outcome of the finished match.
func (t *Table) outcome() Outcome {
	o := Outcome{MatchNo: t.MatchNo, Match: t.Match, Seats: slices.Clone(t.Seats), Payments: make([]int, len(t.Seats)), Lesson: t.Lesson, Firsts: t.Firsts, Gains: t.Gains, Hauls: t.Hauls, Choices: t.Choices, Series: t.Series}
	for _, past := range t.Past {
		for seat, stakes := range past.Score.Payments {
			o.Payments[seat] += stakes
		}
	}
	for seat := range t.Seats {
		if t.Match.Winner >= 0 && t.Match.Rules.Side(seat) == t.Match.Winner {
			o.Winners = append(o.Winners, seat)
		}
	}
	if !t.Lesson && len(t.Past) > 0 {
		o.Story, o.Curve = storyOf(t.Match, t.Past, t.LastDeal), curveOf(len(t.Match.Scores), t.Past)
		o.Decisive = decisiveOf(t.Match, t.Past, t.LastDeal)
		final := t.Past[len(t.Past)-1]
		final.Seed, final.Tricks, final.Auto = Seed{}, nil, nil
		if len(t.Past) == 1 {
			o.Single = &final
		} else {
			o.Final = &final
		}
	}
	return o
}

// hasDeal reports whether a deal is running, or the latest one is still on the table.
func (t *Table) hasDeal() bool { return !t.Deal.Equal(game.State{}) }

// satLast reports whether the player had a seat in the match before this one, even if
// they left it.
func (t *Table) satLast(player string) bool {
	return player != "" && t.Last != nil && slices.ContainsFunc(t.Last.Seats, func(s Seat) bool { return s.Player.ID == player })
}

func (s *step) close() {
	s.Phase, s.Since = Closed, s.env.Now
	s.events = append(s.events, TableClosed{})
}
