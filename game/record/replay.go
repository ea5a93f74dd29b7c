package record

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/game"
)

// Illegal is an action that the rules refuse, or that is none.
type Illegal struct {
	Deal   int // counted from 1
	Action int // counted from 1
	Text   string
	Legal  []game.Move // what was legal there, sorted; none when the deal is over
	Seat   int         // whose turn it was; game.Nobody when the deal is over
	Reason error
}

// Error names deal, action, reason and what was legal.
func (e *Illegal) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deal %d, action %d, %.60q: %v", e.Deal, e.Action, e.Text, e.Reason)
	if e.Seat == game.Nobody {
		b.WriteString("; nothing is legal any more")
		return b.String()
	}
	fmt.Fprintf(&b, "; legal for seat %d:", e.Seat)
	for _, m := range e.Legal {
		b.WriteByte(' ')
		b.WriteString(m.String())
	}
	return b.String()
}

// Unwrap is the reason.
func (e *Illegal) Unwrap() error { return e.Reason }

// NoAction is a text that is no action at all.
const NoAction game.Rule = "this is no card and no other action"

// An Outcome is what a record comes to.
type Outcome struct {
	Deals    []DealOutcome
	Match    game.Match // after the last finished deal
	Payments []int      // of all deals, by seat
}

// A DealOutcome is a deal at its end, or where the record leaves it.
type DealOutcome struct {
	State      game.State
	View       game.View       // a spectator's
	Settlement game.Settlement // if the deal is finished
	Match      game.Match      // after it
	Trace      []Traced        // if the record wants it
}

// Traced is what was legal before an action.
type Traced struct {
	Seat  int
	Phase game.Phase
	Legal []game.Move // sorted
}

// Replay plays the record. Stops that the rules force are made silently, whether
// the record has them or not. An action that can't be made is an *Illegal;
// everything else that is wrong wraps ErrInput.
func (r Record) Replay() (Outcome, error) {
	m := game.NewMatch(r.Rules, r.Dealer)
	if len(r.Scores) > 0 {
		m.Scores = slices.Clone(r.Scores)
	}
	m.Pool, m.Abeyance = r.Pool, r.Abeyance
	out := Outcome{Match: m, Payments: make([]int, r.Rules.Players), Deals: make([]DealOutcome, 0, len(r.Deals))}
	for i, d := range r.Deals {
		switch {
		case out.Match.Over:
			return out, fmt.Errorf("%w: deal %d: the match is over", ErrInput, i+1)
		case i > 0 && !out.Deals[i-1].State.Over():
			return out, fmt.Errorf("%w: deal %d: the deal before it is not finished", ErrInput, i+1)
		}
		var s game.State
		var err error
		if r.Position != nil {
			s, err = game.Start(r.Rules, *r.Position)
		} else {
			s, err = game.Deal(r.Rules, d.Deck, out.Match.Dealer)
		}
		if err != nil {
			return out, fmt.Errorf("%w: deal %d: %w", ErrInput, i+1, err)
		}
		deal := DealOutcome{State: s}
		if err := deal.play(i+1, d.Actions, r.Trace); err != nil {
			return out, err
		}
		deal.View = deal.State.View(game.Nobody)
		if res, ok := deal.State.Result(); ok {
			out.Match, deal.Settlement = out.Match.Settle(res)
			deal.Match = out.Match
			for p, n := range deal.Settlement.Payments {
				out.Payments[p] += n
			}
		}
		out.Deals = append(out.Deals, deal)
	}
	return out, nil
}

// play makes the actions, and before each and at the end the stop that the rules
// force.
func (d *DealOutcome) play(number int, actions []Action, trace bool) (err error) {
	s := d.State
	for i := 0; ; i++ {
		if s.Forced() {
			seat := s.Turn()
			if s, err = game.Apply(s, seat, game.Stop); err != nil {
				return err
			}
			if i < len(actions) && actions[i].Move == game.Stop && (actions[i].Seat == seat || actions[i].Seat == game.Nobody) {
				continue // the record has it
			}
		}
		if i >= len(actions) {
			d.State = s
			return nil
		}
		a := actions[i]
		seat := s.Turn()
		if trace && seat != game.Nobody {
			d.Trace = append(d.Trace, Traced{seat, s.Phase(), sorted(s.Legal())})
		}
		switch {
		case a.Move == 0:
			err = NoAction
		case a.Seat != game.Nobody && a.Seat != seat && seat != game.Nobody:
			err = game.NotOnTurn
		default:
			s, err = game.Apply(s, seat, a.Move)
		}
		if err != nil {
			return &Illegal{Deal: number, Action: i + 1, Text: a.String(), Legal: sorted(s.Legal()), Seat: seat, Reason: err}
		}
	}
}

func sorted(moves []game.Move) []game.Move {
	slices.Sort(moves)
	return moves
}
