package doc

import (
	"bytes"
	"encoding/json"
	"strings"

	"sedmabot/game"
	"sedmabot/game/record"
)

// Record is the document of a finished deal. It is stored in a short form, which takes
// half as many bytes as the format of package record. Earlier versions stored that format.
type Record struct{ record.Record }

// shortRecord is the short form of a record with one deal.
type shortRecord struct {
	Rules    game.Rules `json:"rules"`
	Dealer   int        `json:"dealer"`
	Scores   []int      `json:"scores,omitempty"`
	Pool     int        `json:"pool,omitempty"`
	Abeyance int        `json:"abeyance,omitempty"`
	Cards    string     `json:"cards"` // the deck, each card in two letters
	Moves    string     `json:"moves"` // the actions, each with the digit of its seat before it
}

// short returns the short form of the record. It returns false if the record has
// something that the short form can't express.
func (r Record) short() (s shortRecord, ok bool) {
	if len(r.Deals) != 1 || r.Position != nil || r.Trace || r.DealerBy != "" || r.Deals[0].Seed != nil {
		return s, false
	}
	s = shortRecord{Rules: r.Rules, Dealer: r.Dealer, Scores: r.Scores, Pool: r.Pool, Abeyance: r.Abeyance}
	for _, card := range r.Deals[0].Deck {
		s.Cards += card.String()
	}
	moves := make([]string, len(r.Deals[0].Actions))
	for i, a := range r.Deals[0].Actions {
		if a.Move == 0 || a.Seat < 0 || a.Seat > 9 {
			return s, false
		}
		moves[i] = string(rune('0'+a.Seat)) + a.Move.String()
	}
	s.Moves = strings.Join(moves, " ")
	return s, len(s.Cards) == 2*len(r.Deals[0].Deck) && len(s.Cards) > 0
}

// MarshalJSON returns the short form if there is one, else the format of package record.
func (r Record) MarshalJSON() ([]byte, error) {
	if s, ok := r.short(); ok {
		return json.Marshal(s)
	}
	var b bytes.Buffer
	err := record.Write(&b, r.Record)
	return b.Bytes(), err
}

// UnmarshalJSON reads either form.
func (r *Record) UnmarshalJSON(b []byte) (err error) {
	var s struct{ Cards, Moves string }
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.Cards != "" {
		if b, err = long(b, s.Cards, strings.Fields(s.Moves)); err != nil {
			return err
		}
	}
	r.Record, err = record.Read(b)
	return err
}

// long converts a short form to the format of package record, which ignores the short
// form's own members.
func long(b []byte, cards string, moves []string) ([]byte, error) {
	var deal struct {
		Deck    []string `json:"deck"`
		Actions []string `json:"actions"`
	}
	for len(cards) >= 2 {
		deal.Deck, cards = append(deal.Deck, cards[:2]), cards[2:]
	}
	for _, move := range moves {
		deal.Actions = append(deal.Actions, move[:1]+":"+move[1:])
	}
	text, err := json.Marshal([]any{deal})
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(bytes.TrimSpace(b), []byte{'}'})
	return append(append(bytes.Clone(b), `,"deals":`...), append(text, '}')...), nil
}
