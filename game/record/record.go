// Package record reads, writes and replays game records: JSON objects that hold
// the rules, the decks and the actions of a match, or of one position.
//
// # The format
//
// A record is one object; a .jsonl file has one on each line.
//
//	{"rules":"sedma-4p","dealer":3,"scores":[0,0],
//	 "deals":[{"deck":["9a","9l","..."],"actions":["0:9a","1:Ta","0:stop"]}]}
//
//	rules     a preset's name, or an object of options, which may name the preset
//	          that it changes: {"preset":"sedma-4p","target":5}
//	dealer    the first dealer, a seat from 0 to n-1; the rules choose the next
//	          ones. Soccer has "home" instead, the seat that leads the first deal
//	scores    the score before the first deal; also pool and abeyance
//	deals     the deals in order. If there is one, its deck and actions may be at
//	          the top level
//	deck      the whole pack in the order of dealing. The first card goes to the
//	          dealer's neighbour
//	actions   what was done, in order. The list may end before the deal does
//	seed      64 hexadecimal digits from which the deck was shuffled, as
//	          game.Shuffle describes; dealer_by says if the first seed also chose
//	          the dealer. Records of the bot have both, so that anyone can check them
//	trace     true: the replay lists the legal moves before each action
//
// An action is a card, "dark", "pass" or "stop", and may have a seat before it
// ("2:Ka"), which is checked. A stop that the rules force may be left out. A card is
// a rank and a suit, in the letters of game.Rank and game.Suit. Other keys are ignored.
//
// With "mode":"position" a record begins in the middle of a deal, before a trick:
// instead of the deck it has hands (by seat), stock and leader, and perhaps captured
// (cards by seat), tricks_won and rounds_won (by seat), passed, lead_run (seat, rank
// and count) and solo.
//
// # The replay
//
// [Record.Replay] plays a record, and "sedmabot replay" prints the [Outcome] as one
// object. A match has deals, scores, payments, pool, abeyance, hands_played, dealer,
// over and winner. Each deal has finished, end, dealer, leader, tricks, captured,
// hands, stock and solo. If it is open it also has turn, phase, legal, trick and
// trick_winner; if it is finished, sides, card_points, points, tricks_won,
// rounds_won, last_trick_side, winners, stake, score_delta, payments, next_dealer and
// next_leader. A record that can't be read gives {"error":"input","message":…}, and
// an illegal action {"error":"illegal","message":…}, which names the deal, the action
// and what was legal.
package record

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sedmabot/game"
)

// ErrInput reports a record that can't be played at all.
var ErrInput = errors.New("record refused")

// A Record is a match, or a single position, with the actions that followed. As JSON it is one object:
//
//	{"rules":"sedma-4p","dealer":3,"scores":[0,0],"pool":0,"abeyance":0,"trace":false,
//	 "deals":[{"deck":["9a","9l","..."],"actions":["0:9a","1:Ta","0:stop"]}]}
//
// The rules are a preset's name or an object of options. The dealer is that of the first deal; in soccer "home" names
// its leader instead. If there is only one deal, its deck and actions may be at the top level. With "mode":"position",
// the deck is replaced by hands, stock and leader, and optionally captured, tricks_won, rounds_won, passed, lead_run
// and solo.
//
// A match that the bot dealt has two more keys, for anyone who wants to check the shuffle. In each deal, "seed" is the
// 64 hexadecimal digits of the seed of its deck (game.Shuffle). If the first seed chose the dealer, "dealer_by" says
// how. Unknown keys and malformed seeds are ignored.
type Record struct {
	Rules    game.Rules
	Dealer   int
	DealerBy Choice
	Scores   []int // before the first deal; empty means all 0
	Pool     int
	Abeyance int
	Trace    bool // the replay lists the legal moves before each action
	Deals    []Deal
	Position *game.Position // beginning of the only deal, or nil
}

// Choice is how the first seed decided the first dealer.
type Choice string

// The choices. Other values are ignored.
const (
	BySeed Choice = "seed" // the first seed chose the dealer directly
	ByDraw Choice = "draw" // the first seed decided the draw for partners, and with it the dealer
)

// A Deal is a deck in dealing order and the actions that followed.
type Deal struct {
	Deck    []game.Card // empty in a position
	Seed    *[32]byte   // seed of the deck, nil if unknown
	Actions []Action
}

// An Action is a move, with the seat that made it if the record has one.
type Action struct {
	Seat int       // game.Nobody if the record has no seat
	Move game.Move // 0 if Text is set
	Text string    // Text that is not an action, as the record has it
}

// String returns the action as it is written in a record.
func (a Action) String() string { return string(a.appendText(nil)) }

func (a Action) appendText(b []byte) []byte {
	if a.Move == 0 {
		return append(b, a.Text...)
	}
	if a.Seat != game.Nobody {
		b = append(strconv.AppendInt(b, int64(a.Seat), 10), ':')
	}
	return append(b, a.Move.String()...)
}

// Write writes the record as one line of JSON. Rules that equal a preset are written as its name.
func Write(w io.Writer, r Record) error {
	b, err := r.append(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func (r Record) append(b []byte) ([]byte, error) {
	rules, err := r.Rules.MarshalJSON()
	if err != nil {
		return nil, err
	}
	b = append(append(b, `{"rules":`...), rules...)
	if r.Position != nil {
		b = append(b, `,"mode":"position"`...)
	}
	b = appendNumber(b, "dealer", r.Dealer)
	if r.DealerBy != "" {
		b = strconv.AppendQuote(key(b, "dealer_by"), string(r.DealerBy))
	}
	if r.Rules.Soccer() && r.Position == nil {
		b = appendNumber(b, "home", r.Rules.Next(r.Dealer))
	}
	if len(r.Scores) > 0 {
		b = numbers(b, "scores", r.Scores)
	}
	b = appendNumber(b, "pool", r.Pool)
	b = appendNumber(b, "abeyance", r.Abeyance)
	if r.Trace {
		b = append(b, `,"trace":true`...)
	}
	if r.Position != nil {
		b = appendPosition(b, r.Position)
		b = appendActions(key(b, "actions"), r.Deals[0].Actions)
		return append(b, '}'), nil
	}
	return append(appendArray(key(b, "deals"), r.Deals, appendDeal), '}'), nil
}

func appendDeal(b []byte, d Deal) []byte {
	b = appendCards(append(b, `{"deck":`...), d.Deck)
	if d.Seed != nil {
		b = append(hex.AppendEncode(append(key(b, "seed"), '"'), d.Seed[:]), '"')
	}
	return append(appendActions(key(b, "actions"), d.Actions), '}')
}

func appendActions(b []byte, actions []Action) []byte {
	return appendArray(b, actions, func(b []byte, a Action) []byte {
		if a.Move == 0 {
			text, _ := json.Marshal(a.Text) // a string can always be marshalled
			return append(b, text...)
		}
		return append(a.appendText(append(b, '"')), '"')
	})
}

func appendPosition(b []byte, p *game.Position) []byte {
	b = appendArray(key(b, "hands"), p.Hands, appendCards)
	b = appendCards(key(b, "stock"), p.Stock)
	b = appendNumber(b, "leader", p.Leader)
	if len(p.Captured) > 0 {
		b = appendArray(key(b, "captured"), p.Captured, appendCards)
	}
	if len(p.TricksWon) > 0 {
		b = numbers(b, "tricks_won", p.TricksWon)
	}
	if len(p.RoundsWon) > 0 {
		b = numbers(b, "rounds_won", p.RoundsWon)
	}
	if p.Passed {
		b = append(b, `,"passed":true`...)
	}
	if p.LeadRank != 0 {
		b = fmt.Appendf(b, `,"lead_run":[%d,"%s",%d]`, p.LeadSeat, p.LeadRank, p.LeadCount)
	}
	if p.Solo != game.Nobody {
		b = appendNumber(b, "solo", p.Solo)
	}
	return b
}
