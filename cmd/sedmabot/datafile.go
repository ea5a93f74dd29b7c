package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"sedmabot/store"
)

// errGone reports that someone deleted, moved or replaced the data file under a running bot. The system keeps a deleted
// file until the bot stops.
var errGone = errors.New("the data file was deleted, moved or replaced, and may be lost when the bot stops: save everything now with `sedmabot backup FILE`")

// openedFile watches the data file that a bot has open. Nothing of the store fails when someone deletes it.
type openedFile struct {
	path   string
	opened fs.FileInfo
	log    *slog.Logger

	mu   sync.Mutex
	gone bool
	note []byte // what is in the endpoint's file, which is made again if it is deleted too; nil: there is no endpoint
}

// watchFile returns the watch over a data file that has just been opened.
func watchFile(path string, log *slog.Logger) (*openedFile, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at the data file: %w", err)
	}
	return &openedFile{path: path, opened: opened, log: log}, nil
}

// run serves backups of the file until ctx ends.
func (f *openedFile) run(ctx context.Context, kept store.Store) error {
	if err := f.serveBackups(ctx, kept); err != nil {
		f.log.Warn("no backup can be made while the bot runs", "err", err)
	}
	return nil
}

// look returns errGone if the file isn't the one that was opened. It logs when that changes.
func (f *openedFile) look() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := os.Stat(f.path)
	gone := err != nil || !os.SameFile(f.opened, now)
	if gone && f.note != nil {
		f.renewNote()
	}
	if gone != f.gone {
		f.gone = gone
		if gone {
			f.log.Error(errGone.Error(), "path", f.path)
		} else {
			f.log.Info("the data file is back", "path", f.path)
		}
	}
	if gone {
		return errGone
	}
	return nil
}

// setNote writes the endpoint's file.
func (f *openedFile) setNote(note []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note = note
	return os.WriteFile(endpointFile(f.path), note, 0o600)
}

// renewNote writes the endpoint's file again if it was deleted, as its whole folder may have been. The caller must hold f.mu.
func (f *openedFile) renewNote() {
	if _, err := os.Stat(endpointFile(f.path)); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	err := os.MkdirAll(filepath.Dir(f.path), 0o700)
	if err == nil {
		err = os.WriteFile(endpointFile(f.path), f.note, 0o600)
	}
	if err != nil && !f.gone {
		f.log.Error("no backup can be made while the bot runs", "err", err)
	}
}

// removeNote removes the endpoint's file, unless it is another bot's.
func (f *openedFile) removeNote() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if there, err := os.ReadFile(endpointFile(f.path)); err == nil && bytes.Equal(there, f.note) {
		os.Remove(endpointFile(f.path))
	}
	f.note = nil
}
