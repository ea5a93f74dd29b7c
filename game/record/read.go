package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"sedmabot/game"
)

// recordJSON is a record as it is written. What may be left out is a pointer or
// a list.
type recordJSON struct {
	Rules    json.RawMessage `json:"rules"`
	Mode     string          `json:"mode"`
	Dealer   *int            `json:"dealer"`
	Home     *int            `json:"home"`
	Scores   []int           `json:"scores"`
	Pool     int             `json:"pool"`
	Abeyance int             `json:"abeyance"`
	Trace    bool            `json:"trace"`
	Deals    []dealJSON      `json:"deals"`
	dealJSON

	Hands     []cards         `json:"hands"`
	Stock     cards           `json:"stock"`
	Leader    *int            `json:"leader"`
	Captured  []cards         `json:"captured"`
	TricksWon []int           `json:"tricks_won"`
	RoundsWon []int           `json:"rounds_won"`
	Passed    bool            `json:"passed"`
	LeadRun   json.RawMessage `json:"lead_run"`
	Solo      *int            `json:"solo"`
}

type dealJSON struct {
	Deck    cards   `json:"deck"`
	Actions actions `json:"actions"`
}

// Read reads one record. It refuses what is not a record, with an error that
// wraps ErrInput; whether decks and actions are possible is seen in the replay.
func Read(b []byte) (Record, error) {
	var j recordJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return Record{}, fmt.Errorf("%w: %s", ErrInput, plain(err))
	}
	if j.Rules == nil {
		return Record{}, fmt.Errorf("%w: it has no rules", ErrInput)
	}
	rules, err := game.ParseRules(j.Rules)
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	r := Record{Rules: rules, Scores: j.Scores, Pool: j.Pool, Abeyance: j.Abeyance, Trace: j.Trace}
	if n := len(j.Scores); n != 0 && n != rules.Sides() {
		return Record{}, fmt.Errorf("%w: scores for %d sides, not for %d", ErrInput, rules.Sides(), n)
	}
	switch j.Mode {
	case "", "match", "deal":
		err = r.readMatch(&j)
	case "position":
		err = r.readPosition(&j)
	default:
		err = fmt.Errorf("no mode is called %q", j.Mode)
	}
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return r, nil
}

// plain is an error of the decoder without its talk of Go's types.
func plain(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return "it is no JSON object"
		}
		return fmt.Sprintf("%s can't be a %s", wrong.Field, wrong.Value)
	}
	return err.Error()
}

func (r *Record) readMatch(j *recordJSON) error {
	switch {
	case j.Deals != nil && (j.Deck != nil || j.Actions != nil):
		return errors.New("it has deals, and a deck or actions beside them")
	case j.Deals == nil && j.Deck == nil:
		return errors.New("it has neither deals nor a deck")
	case j.Hands != nil || j.Stock != nil:
		return errors.New(`hands and stock are for "mode":"position"`)
	case j.Deals == nil:
		j.Deals = []dealJSON{j.dealJSON}
	}
	for _, d := range j.Deals {
		r.Deals = append(r.Deals, Deal{Deck: d.Deck, Actions: d.Actions})
	}
	if r.Rules.Soccer() && (j.Home != nil || j.Dealer == nil) {
		return r.atHome(j.Home)
	}
	return r.dealt(j.Dealer)
}

// dealt sets the dealer, seat 0 if it is not said.
func (r *Record) dealt(dealer *int) error {
	if dealer != nil {
		r.Dealer = *dealer
	}
	if r.Dealer < 0 || r.Dealer >= r.Rules.Players {
		return fmt.Errorf("dealer %d: %w", r.Dealer, game.ErrSeat)
	}
	return nil
}

// atHome sets the dealer by the seat that leads the first game of soccer.
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

func (r *Record) readPosition(j *recordJSON) error {
	switch {
	case j.Deals != nil || j.Deck != nil:
		return errors.New("a position has hands and a stock, no deck")
	case j.Hands == nil:
		return errors.New("a position needs hands")
	case j.Leader == nil:
		return errors.New("a position needs a leader")
	}
	if err := r.readDealer(j); err != nil {
		return err
	}
	p := &game.Position{
		Dealer: r.Dealer, Leader: *j.Leader, Hands: lists(j.Hands), Stock: j.Stock, Captured: lists(j.Captured),
		TricksWon: j.TricksWon, RoundsWon: j.RoundsWon, Passed: j.Passed, LeadSeat: game.Nobody, Solo: game.Nobody,
	}
	if j.Solo != nil {
		p.Solo = *j.Solo
	}
	if j.LeadRun != nil && string(j.LeadRun) != "null" {
		var run []json.RawMessage
		if json.Unmarshal(j.LeadRun, &run) != nil || len(run) != 3 || json.Unmarshal(run[0], &p.LeadSeat) != nil ||
			json.Unmarshal(run[1], &p.LeadRank) != nil || json.Unmarshal(run[2], &p.LeadCount) != nil || p.LeadRank == 0 {
			return errors.New("lead_run must be a seat, a rank and a count")
		}
	}
	r.Position = p
	r.Deals = []Deal{{Actions: j.Actions}}
	return nil
}

// readDealer sets the dealer of a position.
func (r *Record) readDealer(j *recordJSON) error {
	if r.Rules.Soccer() && j.Dealer == nil {
		return r.atHome(j.Home)
	}
	return r.dealt(j.Dealer)
}

func lists(in []cards) [][]game.Card {
	if in == nil {
		return nil
	}
	out := make([][]game.Card, len(in))
	for i, cs := range in {
		out[i] = cs
	}
	return out
}

// cards is a JSON list of cards.
type cards []game.Card

// UnmarshalJSON reads the list; null is none.
func (cs *cards) UnmarshalJSON(b []byte) error {
	*cs = nil
	return eachString(b, "cards", len(`"Ta",`), func(n int) { *cs = make(cards, 0, n) }, func(text []byte) error {
		c, ok := readCard(text)
		if !ok {
			return fmt.Errorf("%q: %w", text, game.ErrCard)
		}
		*cs = append(*cs, c)
		return nil
	})
}

// actions is a JSON list of actions.
type actions []Action

// UnmarshalJSON reads the list; null is none.
func (as *actions) UnmarshalJSON(b []byte) error {
	*as = nil
	return eachString(b, "actions", len(`"0:Ta",`), func(n int) { *as = make(actions, 0, n) }, func(text []byte) error {
		*as = append(*as, readAction(text))
		return nil
	})
}

// readAction reads an action; what is none keeps its text.
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

// readCard reads a card without making a string of it.
func readCard(text []byte) (game.Card, bool) {
	if len(text) != 2 {
		return 0, false
	}
	c := game.NewCard(game.Rank(text[0]), game.Suit(text[1]))
	return c, c != 0
}

// eachString calls fn for every string of a JSON list, after begin with a guess
// of their number, from the size that most have. A null is no list.
func eachString(b []byte, what string, size int, begin func(int), fn func([]byte) error) error {
	b = bytes.TrimSpace(b)
	if string(b) == "null" {
		return nil
	}
	if len(b) == 0 || b[0] != '[' {
		return fmt.Errorf("%s must be a list of texts", what)
	}
	if bytes.IndexByte(b, '\\') >= 0 {
		return eachDecoded(b, what, begin, fn)
	}
	begin(len(b)/size + 1)
	for i := 1; ; {
		for b[i] == ' ' || b[i] == ',' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r' {
			i++
		}
		if b[i] == ']' {
			return nil
		}
		if b[i] != '"' {
			return fmt.Errorf("%s must be a list of texts", what)
		}
		n := bytes.IndexByte(b[i+1:], '"')
		if err := fn(b[i+1 : i+1+n]); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		i += n + 2
	}
}

// eachDecoded is eachString for texts with escapes.
func eachDecoded(b []byte, what string, begin func(int), fn func([]byte) error) error {
	var texts []string
	if err := json.Unmarshal(b, &texts); err != nil {
		return fmt.Errorf("%s must be a list of texts", what)
	}
	begin(len(texts))
	for _, text := range texts {
		if err := fn([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}
