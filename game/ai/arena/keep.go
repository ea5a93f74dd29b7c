package arena

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"sedmabot/game"
)

// File is a file of results, open for reading and writing, at its begin.
type File interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}

// Keep is [Play] with the results in a file, one JSON object a line: {"deck":0,"score":-0.5,"stakes":-0.5}. If the file has
// results already, the meeting continues after them. So it can be interrupted at any time. The first line of the file
// says what is measured, and Keep refuses a file that says something else.
func Keep(ctx context.Context, f File, what string, r game.Rules, a, b Player, decks int, seed uint64) (Report, error) {
	done, size, err := kept(f, what)
	if err == nil {
		err = f.Truncate(size) // a line that was cut off
	}
	if err == nil {
		_, err = f.Seek(size, 0)
	}
	write := func(line any) error {
		b, err := json.Marshal(line)
		if err == nil {
			_, err = f.Write(append(b, '\n'))
		}
		return err
	}
	if err == nil && size == 0 {
		err = write(heading{what})
	}
	if err != nil {
		return Report{}, fmt.Errorf("keep the results: %w", err)
	}
	return Continue(ctx, r, a, b, done[:min(decks, len(done))], decks, seed, func(x Result) error { return write(x) })
}

// heading is the first line of a file of results.
type heading struct {
	What string `json:"what"`
}

// kept returns the results in the file, and the length of its whole lines.
func kept(f io.Reader, what string) (done []Result, size int64, err error) {
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return done, size, nil // the end, or a line that was cut off
		}
		var h heading
		x := Result{}
		if size == 0 {
			if err = json.Unmarshal(line, &h); err == nil && h.What != what {
				err = fmt.Errorf("it has the results of %.200q, not of %.200q", h.What, what)
			}
		} else if err = json.Unmarshal(line, &x); err == nil && x.Deck != len(done) {
			err = fmt.Errorf("deck %d is missing", len(done))
		}
		if err != nil {
			return nil, 0, err
		}
		if size > 0 {
			done = append(done, x)
		}
		size += int64(len(line))
	}
}
