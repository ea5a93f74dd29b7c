package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrRefused reports that the record can't be replayed. Answer returns it after it has written the reason.
var ErrRefused = errors.New("the record can't be replayed")

// Answer replays the record that it reads, and writes the outcome as one line of JSON. For a record that can't be
// replayed, it writes an object with "error" ("input" or "illegal") and "message".
func Answer(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	answer, ok := answer(nil, text)
	if _, err := out.Write(answer); err != nil {
		return fmt.Errorf("print the outcome: %w", err)
	}
	if !ok {
		return ErrRefused
	}
	return nil
}

// AnswerLines is Answer for the record in each line. A record that can't be replayed is no error then. The output is flushed
// whenever more input must be waited for.
func AnswerLines(in io.Reader, out io.Writer) error {
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
