package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sedmabot/game"
)

// program is a player that runs as another process.
type program struct {
	in    io.Writer     // requests go there
	out   *bufio.Reader // answers come from there
	asked int
}

// Program returns a player that speaks the engine protocol. Requests are written to in, and answers read from out.
func Program(in io.Writer, out io.Reader) Player {
	return (&program{in: in, out: bufio.NewReader(out)}).choose
}

// choose asks the program for a move.
func (p *program) choose(s game.State) (game.Move, error) {
	p.asked++
	b, err := json.Marshal(ask(s, p.asked))
	if err != nil {
		return 0, fmt.Errorf("ask the engine: %w", err)
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		return 0, fmt.Errorf("ask the engine: %w", err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("hear the engine: %w", err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return 0, fmt.Errorf("hear the engine: %w", err)
	}
	switch {
	case a.Error != "":
		return 0, fmt.Errorf("the engine says %.60s: %.500s", a.Error, a.Message)
	case !bytes.Equal(a.ID, []byte(strconv.Itoa(p.asked))):
		return 0, fmt.Errorf("the engine answers request %.60s, not %d", a.ID, p.asked)
	case a.Move == nil:
		return 0, errors.New("the engine answers without a move")
	}
	return *a.Move, nil
}

// ask returns the request for the seat whose turn it is.
func ask(s game.State, id int) request {
	v := s.View(s.Turn())
	m := game.NewMatch(v.Rules, v.Dealer)
	r := request{
		ID: json.RawMessage(strconv.Itoa(id)), Dealer: v.Dealer, Scores: m.Scores, Seat: v.Seat,
		Hand: make([]game.Card, 0, len(v.Hand)), Actions: make([]action, len(v.Log)),
	}
	r.Rules, _ = v.Rules.MarshalJSON() // MarshalJSON never fails here
	for _, c := range v.Hand {
		if c != 0 {
			r.Hand = append(r.Hand, c)
		}
	}
	for i, e := range v.Log {
		r.Actions[i] = action{e.Seat, e.Move, e.Card}
	}
	return r
}
