package arena

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"time"

	"sedmabot/game"
)

// program is a player that runs as another process. Requests go to its standard input, and answers come from its
// standard output.
type program struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	asked   int
}

// start runs the command in a shell. If the context ends, so does the command.
func start(ctx context.Context, command string, stderr io.Writer) (*program, error) {
	p := &program{command: exec.CommandContext(ctx, "sh", "-c", command)}
	p.command.Stderr = stderr
	p.command.WaitDelay = time.Second
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", command, err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", command, err)
	}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command, err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p, nil
}

// stop closes the program's input and waits until it exits.
func (p *program) stop() {
	_ = p.in.Close()     // the program may have exited already
	_ = p.command.Wait() // the exit status doesn't matter
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
