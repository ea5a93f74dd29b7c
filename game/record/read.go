package record

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sedmabot/game"
)

// fields are a record's JSON members. Optional ones are pointers or lists.
type fields struct {
	rules        json.RawMessage
	mode         string
	dealer, home *int
	dealerBy     Choice
	scores       []int
	pool         int
	abeyance     int
	trace        bool
	deals        []Deal
	top          Deal // deck and actions at the top level

	hands, captured      [][]game.Card
	stock                []game.Card
	leader, solo         *int
	tricksWon, roundsWon []int
	passed               bool
	leadRun              []json.RawMessage
}

// set reads one member. It ignores unknown members.
func (f *fields) set(key, value []byte) (err error) {
	switch string(key) {
	case "rules":
		f.rules = value
	case "mode":
		err = decode(value, &f.mode)
	case "dealer":
		err = maybe(value, &f.dealer)
	case "dealer_by":
		if by := Choice(strings.Trim(string(value), `"`)); by == BySeed || by == ByDraw {
			f.dealerBy = by
		}
	case "home":
		err = maybe(value, &f.home)
	case "scores":
		err = decode(value, &f.scores)
	case "pool":
		err = readInt(value, &f.pool)
	case "abeyance":
		err = readInt(value, &f.abeyance)
	case "trace":
		err = decode(value, &f.trace)
	case "deals":
		if string(value) != "null" {
			f.deals = []Deal{}
		}
		err = eachElement(value, func(b []byte) error {
			var d Deal
			err := eachField(b, d.set)
			f.deals = append(f.deals, d)
			return err
		})
	case "hands":
		f.hands, err = readLists(value)
	case "stock":
		f.stock, err = readCards(value)
	case "leader":
		err = maybe(value, &f.leader)
	case "captured":
		f.captured, err = readLists(value)
	case "tricks_won":
		err = decode(value, &f.tricksWon)
	case "rounds_won":
		err = decode(value, &f.roundsWon)
	case "passed":
		err = decode(value, &f.passed)
	case "lead_run":
		err = decode(value, &f.leadRun)
	case "solo":
		err = maybe(value, &f.solo)
	default:
		return f.top.set(key, value)
	}
	return named(key, err)
}

// set reads one member of a deal.
func (d *Deal) set(key, value []byte) (err error) {
	switch string(key) {
	case "deck":
		d.Deck, err = readCards(value)
	case "seed":
		d.Seed = readSeed(value)
	case "actions":
		d.Actions, err = readActions(value)
	}
	return named(key, err)
}

// named adds the member's name to an error about that member.
func named(key []byte, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// Read reads one record. If the text is not a record, the error wraps ErrInput. Read doesn't check whether decks and
// actions are possible; the replay does.
func Read(b []byte) (Record, error) {
	var j fields
	if !json.Valid(b) {
		var none json.RawMessage
		return Record{}, fmt.Errorf("%w: no JSON: %w", ErrInput, json.Unmarshal(b, &none))
	}
	if err := eachField(b, j.set); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if j.rules == nil {
		return Record{}, fmt.Errorf("%w: it has no rules", ErrInput)
	}
	rules, err := game.ParseRules(j.rules)
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	r := Record{Rules: rules, DealerBy: j.dealerBy, Scores: j.scores, Pool: j.pool, Abeyance: j.abeyance, Trace: j.trace}
	if n := len(j.scores); n != 0 && n != rules.Sides() {
		return Record{}, fmt.Errorf("%w: scores for %d sides, not for %d", ErrInput, rules.Sides(), n)
	}
	switch j.mode {
	case "", "match", "deal":
		err = r.readMatch(&j)
	case "position":
		err = r.readPosition(&j)
	default:
		err = fmt.Errorf("no mode is called %.60q", j.mode)
	}
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return r, nil
}

func (r *Record) readMatch(j *fields) error {
	switch {
	case j.deals != nil && (j.top.Deck != nil || j.top.Actions != nil):
		return errors.New("it has deals, and a deck or actions beside them")
	case j.deals == nil && j.top.Deck == nil:
		return errors.New("it has neither deals nor a deck")
	case j.hands != nil || j.stock != nil:
		return errors.New(`hands and stock are for "mode":"position"`)
	case j.deals == nil:
		j.deals = []Deal{j.top}
	}
	r.Deals = j.deals
	if r.Rules.Soccer() && (j.home != nil || j.dealer == nil) {
		return r.atHome(j.home)
	}
	return r.dealt(j.dealer)
}

// dealt sets the dealer; nil means seat 0.
func (r *Record) dealt(dealer *int) error {
	if dealer != nil {
		r.Dealer = *dealer
	}
	if r.Dealer < 0 || r.Dealer >= r.Rules.Players {
		return fmt.Errorf("dealer %d: %w", r.Dealer, game.ErrSeat)
	}
	return nil
}

// atHome sets the dealer from the seat that leads the first game of soccer.
func (r *Record) atHome(home *int) error {
	seat := 0
	if home != nil {
		seat = *home
	}
	if seat < 0 || seat >= r.Rules.Players {
		return fmt.Errorf("home %d: %w", seat, game.ErrSeat)
	}
	r.Dealer = r.Rules.Next(seat)
	return nil
}

func (r *Record) readPosition(j *fields) error {
	switch {
	case j.deals != nil || j.top.Deck != nil:
		return errors.New("a position has hands and a stock, no deck")
	case j.hands == nil:
		return errors.New("a position needs hands")
	case j.leader == nil:
		return errors.New("a position needs a leader")
	}
	if err := r.readDealer(j); err != nil {
		return err
	}
	p := &game.Position{
		Dealer: r.Dealer, Leader: *j.leader, Hands: j.hands, Stock: j.stock, Captured: j.captured,
		TricksWon: j.tricksWon, RoundsWon: j.roundsWon, Passed: j.passed, LeadSeat: game.Nobody, Solo: game.Nobody,
	}
	if j.solo != nil {
		p.Solo = *j.solo
	}
	if run := j.leadRun; run != nil {
		if len(run) != 3 || decode(run[0], &p.LeadSeat) != nil || decode(run[1], &p.LeadRank) != nil ||
			decode(run[2], &p.LeadCount) != nil || p.LeadRank == 0 {
			return errors.New("lead_run must be a seat, a rank and a count")
		}
	}
	r.Position = p
	r.Deals = []Deal{{Actions: j.top.Actions}}
	return nil
}

// readDealer sets the dealer of a position.
func (r *Record) readDealer(j *fields) error {
	if r.Rules.Soccer() && j.dealer == nil {
		return r.atHome(j.home)
	}
	return r.dealt(j.dealer)
}

// readCards reads a list of cards; null is an empty list.
func readCards(b []byte) (cards []game.Card, err error) {
	if string(b) == "null" {
		return nil, nil
	}
	err = eachText(b, len(`"Ta",`), func(n int) { cards = make([]game.Card, 0, n) }, func(text []byte) error {
		c, ok := readCard(text)
		if !ok {
			return fmt.Errorf("%.60q: %w", text, game.ErrCard)
		}
		cards = append(cards, c)
		return nil
	})
	return cards, err
}

// readSeed returns the seed, or nil if the value is not a seed.
func readSeed(b []byte) *[32]byte {
	var seed [32]byte
	if len(b) != len(`""`)+hex.EncodedLen(len(seed)) || b[0] != '"' {
		return nil
	}
	if _, err := hex.Decode(seed[:], b[1:len(b)-1]); err != nil {
		return nil
	}
	return &seed
}

// readLists reads a list of cards for each seat.
func readLists(b []byte) (lists [][]game.Card, err error) {
	err = eachElement(b, func(value []byte) error {
		cards, err := readCards(value)
		lists = append(lists, cards)
		return err
	})
	return lists, err
}

// readActions reads a list of actions; null is an empty list.
func readActions(b []byte) (actions []Action, err error) {
	if string(b) == "null" {
		return nil, nil
	}
	err = eachText(b, len(`"0:Ta",`), func(n int) { actions = make([]Action, 0, n) }, func(text []byte) error {
		actions = append(actions, readAction(text))
		return nil
	})
	return actions, err
}

// readAction reads an action. If the text is not an action, it keeps the text.
func readAction(text []byte) Action {
	a := Action{Seat: game.Nobody}
	rest := text
	if len(rest) > 1 && rest[1] == ':' && '0' <= rest[0] && rest[0] <= '9' {
		a.Seat, rest = int(rest[0]-'0'), rest[2:]
	}
	if c, ok := readCard(rest); ok {
		a.Move = game.PlayCard(c)
		return a
	}
	m, err := game.ParseMove(string(rest))
	if err != nil {
		return Action{Seat: game.Nobody, Text: string(text)}
	}
	a.Move = m
	return a
}

// readCard reads a card without allocating a string.
func readCard(text []byte) (game.Card, bool) {
	if len(text) != 2 {
		return 0, false
	}
	c := game.NewCard(game.Rank(text[0]), game.Suit(text[1]))
	return c, c != 0
}
