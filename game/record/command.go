package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrRefused reports that the record can't be replayed. Command returns it after it has printed the reason.
var ErrRefused = errors.New("the record can't be replayed")

// Command runs `sedmabot replay [FILE] [--jsonl]`. It replays the record in the file and prints the outcome as one line
// of JSON. Without a file, or with "-", it reads stdin. For a record that can't be replayed, it prints an object with
// "error" ("input" or "illegal") and "message". With --jsonl, every input line is a record and gets one output line; a
// bad record is then not a failure.
func Command(args []string, stdin io.Reader, stdout io.Writer) error {
	file, lines := "-", false
	for _, arg := range args {
		switch {
		case arg == "--jsonl" || arg == "-jsonl":
			lines = true
		case strings.HasPrefix(arg, "-") && arg != "-", file != "-":
			return fmt.Errorf("replay takes [FILE] [--jsonl], not %.60q", arg)
		default:
			file = arg
		}
	}
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("read the record: %w", err)
		}
		defer f.Close()
		in = f
	}
	if lines {
		return replayLines(in, stdout)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	answer, ok := answer(nil, text)
	if _, err := stdout.Write(answer); err != nil {
		return fmt.Errorf("print the outcome: %w", err)
	}
	if !ok {
		return ErrRefused
	}
	return nil
}

// replayLines prints an answer for each line. It flushes its output whenever it must wait for more input.
func replayLines(in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	var line, reply []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the records: %w", err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			reply, _ = answer(reply[:0], text)
			_, _ = w.Write(reply) // Flush returns its error
		}
		line = line[:0]
		if err != nil || r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return fmt.Errorf("print the outcomes: %w", err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

// answer appends the output line for a record, and reports whether the record could be replayed.
func answer(b, text []byte) ([]byte, bool) {
	r, err := Read(text)
	if err == nil {
		var o Outcome
		if o, err = r.Replay(); err == nil {
			return append(o.append(b), '\n'), true
		}
	}
	kind := "input"
	var illegal *Illegal
	if errors.As(err, &illegal) {
		kind = "illegal"
	}
	message, _ := json.Marshal(err.Error()) // a string can always be marshalled
	b = fmt.Appendf(b, `{"error":%q,"message":%s}`, kind, message)
	return append(b, '\n'), false
}
