package arena

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// A request asks for a move with what one seat may know: the whole deal so far as
// everybody saw it, and the seat's hand.
//
//	{"id":1,"rules":"sedma-4p","dealer":3,"scores":[0,0],"seat":2,
//	 "hand":["7a","Ka","9l","Ub"],"actions":["0:9a","1:Ta"]}
//
// The rules are a preset's name or an object of options. An action is a card,
// "dark:" and the card that came, "pass" or "stop", after its seat and a colon.
// Stops that the rules force may be left out. Scores, pool, abeyance and
// hands_played are the match before the deal, and may be left out.
type request struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Rules    json.RawMessage `json:"rules"`
	Dealer   int             `json:"dealer"`
	Scores   []int           `json:"scores,omitempty"`
	Pool     int             `json:"pool,omitempty"`
	Abeyance int             `json:"abeyance,omitempty"`
	Hands    int             `json:"hands_played,omitempty"`
	Seat     int             `json:"seat"`
	Hand     []game.Card     `json:"hand"`
	Actions  []action        `json:"actions"`
}

// An answer has a move, what the engine expects the deal to bring its side, and
// how long it thought; or an error.
//
//	{"id":1,"move":"9l","value":0.31,"ms":42}
//	{"id":1,"error":"input","message":"..."}
type answer struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Move    *game.Move      `json:"move,omitempty"`
	Value   *float64        `json:"value,omitempty"`
	MS      *int64          `json:"ms,omitempty"`
	Error   string          `json:"error,omitempty"`
	Message string          `json:"message,omitempty"`
}

// longestID is the longest id that an error is answered with.
const longestID = 100

// Engine is `sedmabot engine [--level L] [--ms N]`: it answers each line of the
// input with one line, and ends with it. With --ms it thinks no longer than
// about so many milliseconds a move.
func Engine(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	level := flags.String("level", ai.Levels[len(ai.Levels)-1], "")
	ms := flags.Int("ms", 0, "")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	if err := checkLevel(*level); err != nil {
		return err
	}
	if flags.NArg() > 0 || *ms < 0 {
		return fmt.Errorf("engine takes [--level L] [--ms N], not %.60q", args)
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	for ctx.Err() == nil {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			b, err := json.Marshal(reply(ctx, line, *level, time.Duration(*ms)*time.Millisecond))
			if err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
			if _, err := out.Write(append(b, '\n')); err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
	}
	return ctx.Err()
}

func checkLevel(level string) error {
	for _, l := range ai.Levels {
		if l == level {
			return nil
		}
	}
	return fmt.Errorf("no level is called %.60q; there are %q", level, ai.Levels)
}

// reply answers one line.
func reply(ctx context.Context, line []byte, level string, limit time.Duration) answer {
	start := time.Now()
	var r request
	err := json.Unmarshal(line, &r)
	if err != nil {
		var id struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &id) // what can't be read has no id
		return refused(id.ID, err)
	}
	s, m, err := r.state()
	if err != nil {
		return refused(r.ID, err)
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	c := ai.Choose(ctx, level, s.View(r.Seat), m)
	took := time.Since(start).Milliseconds()
	return answer{ID: r.ID, Move: &c.Move, Value: &c.Score, MS: &took}
}

// refused is the answer to what is no request. It repeats little of that, which may
// be of any length.
func refused(id json.RawMessage, err error) answer {
	if len(id) > longestID {
		id = nil
	}
	return answer{ID: id, Error: "input", Message: fmt.Sprintf("%.500s", err)}
}
