package record

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/game"
)

// Illegal reports an action that the rules don't allow, or a text that is not an action.
type Illegal struct {
	Deal   int // counted from 1
	Action int // counted from 1
	Text   string
	Legal  []game.Move // legal moves at that point, sorted; none if the deal is over
	Seat   int         // seat whose turn it was; game.Nobody if the deal is over
	Reason error
}

// Error returns the deal, the action, the reason and the moves that were legal.
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

// Unwrap returns the reason.
func (e *Illegal) Unwrap() error { return e.Reason }

// NoAction is the reason for a text that is not an action.
const NoAction game.Rule = "this is no card and no other action"

// An Outcome is the result of a replay.
type Outcome struct {
	Deals    []DealOutcome
	Match    game.Match // after the last finished deal
	Payments []int      // sum over all deals, by seat
}

// A DealOutcome is a deal at its end, or at the point where the record ends.
type DealOutcome struct {
	State      game.State
	View       game.View       // view of a spectator
	Settlement game.Settlement // if the deal is finished
	Match      game.Match      // match after the deal
	Trace      []Traced        // legal moves before each action, if the record asks for a trace
}

// Traced lists the legal moves before an action.
type Traced struct {
	Seat  int
	Phase game.Phase
	Legal []game.Move // sorted
}

// Replay plays the record. It makes forced stops silently, even if the record leaves them out. If an action is not
// allowed, the error is an *Illegal; all other errors wrap ErrInput.
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
		if r.Trace {
			deal.Trace = []Traced{} // printed even if it stays empty
		}
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

// play makes the actions. Before each action and at the end it also makes the stop that the rules force, if there is
// one.
func (d *DealOutcome) play(number int, actions []Action, trace bool) (err error) {
	s := d.State
	for i := 0; ; i++ {
		if s.Forced() {
			seat := s.Turn()
			if s, err = game.Apply(s, seat, game.Stop); err != nil {
				return err
			}
			if i < len(actions) && actions[i].Move == game.Stop && (actions[i].Seat == seat || actions[i].Seat == game.Nobody) {
				continue // the record has this stop too
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
