package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"sedmabot/game/record"
)

// replay implements `sedmabot replay [--jsonl] [FILE]`.
func replay(_ context.Context, l *line) error {
	flags := l.flags()
	lines := flags.Bool("jsonl", false, "")
	in, err := l.openRecord(flags)
	if err != nil {
		return err
	}
	defer in.Close()
	if *lines {
		return record.AnswerLines(in, l.stdout)
	}
	return record.Answer(in, l.stdout)
}

// openRecord parses the flags and opens the file after them, or stdin if its name is missing or "-".
func (l *line) openRecord(flags *flag.FlagSet) (io.ReadCloser, error) {
	files, err := l.parse(flags, "[FILE]")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || files[0] == "-" {
		return io.NopCloser(l.stdin), nil
	}
	f, err := os.Open(files[0])
	if err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	return f, nil
}

// readRecord is openRecord, and reads all.
func (l *line) readRecord(flags *flag.FlagSet) ([]byte, error) {
	in, err := l.openRecord(flags)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	return text, nil
}
