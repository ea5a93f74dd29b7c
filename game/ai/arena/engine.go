package arena

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// A request asks for a move. It contains what one seat may know: the deal so far as everybody saw it, and the seat's
// hand.
//
//	{"id":1,"rules":"sedma-4p","dealer":3,"scores":[0,0],"seat":2,
//	 "hand":["7a","Ka","9l","Ub"],"actions":["0:9a","1:Ta"]}
//
// The rules are a preset's name or an object of options. An action is a seat and a colon, followed by a card, "pass",
// "stop", or "dark:" with the card that came. Forced stops may be left out. Scores, pool, abeyance and hands_played
// describe the match before the deal; they are optional.
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

// An answer has a move, the score that the engine expects for its side in this deal, and how long it thought. If the
// request is invalid, it has an error instead.
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

// longestID is the length of the longest id that an error repeats.
const longestID = 100

// Engine answers each input line with one output line, and returns at the end of the input. It thinks for about limit per
// move at most; 0: as long as the level does.
func Engine(ctx context.Context, level string, limit time.Duration, in io.Reader, out io.Writer) error {
	if err := checkLevel(level); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	for ctx.Err() == nil {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			b, err := json.Marshal(reply(ctx, line, level, limit))
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
		_ = json.Unmarshal(line, &id) // if this fails, the answer has no id
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

// refused returns the answer to an invalid request. It repeats only a little of the request, which may be of any
// length.
func refused(id json.RawMessage, err error) answer {
	if len(id) > longestID {
		id = nil
	}
	return answer{ID: id, Error: "input", Message: fmt.Sprintf("%.500s", err)}
}
