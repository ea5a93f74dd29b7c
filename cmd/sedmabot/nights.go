package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// A running bot makes a backup of its data file every night, beside that file. It also keeps a list of the people who
// deleted their data since the oldest of these backups, so that a restore deletes it again.

const (
	nights      = 7                // number of backups that are kept
	nightHour   = 4                // hour of the day, by this machine's clock
	firstBackup = 10 * time.Minute // how long after the start the first backup is made, if last night's is missing
	roomFor     = 3                // how many times the size of the data file must be free
)

// backupOf returns the name of a night's backup of the data file at path.
func backupOf(path string, night time.Time) string {
	return path + "." + night.Format(time.DateOnly) + ".backup"
}

// backupsOf returns the names of all nightly backups of the data file at path, the oldest first.
func backupsOf(path string) (all []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // a folder that can't be read has no backups for us
	for _, e := range entries {
		name, night := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if _, err := time.Parse(time.DateOnly+".backup", name); night && err == nil {
			all = append(all, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return all
}

// lastBackup says which nightly backup of the data file at path is the last good one.
func lastBackup(path string) string {
	for _, file := range slices.Backward(backupsOf(path)) {
		if _, err := readBack(file); err == nil {
			return fmt.Sprintf("the last good one is %s: move the data file away, and run `sedmabot restore %s`", file, file)
		}
	}
	return "there is none beside it"
}

// keeper makes the nightly backups of a data file, and the list of deletions.
type keeper struct {
	path string
	log  *slog.Logger
	mu   sync.Mutex // guards the list
}

// run makes backups until ctx ends.
func (k *keeper) run(ctx context.Context, kept store.Store) error {
	for wait := firstBackup; chat.Pause(ctx, wait); {
		now := time.Now()
		night := time.Date(now.Year(), now.Month(), now.Day(), nightHour, 0, 0, 0, now.Location())
		if now.Before(night) {
			night = night.AddDate(0, 0, -1)
		}
		if err := k.backup(ctx, kept, night); err != nil && ctx.Err() == nil {
			k.log.Error("the nightly backup", "err", err)
		}
		wait = time.Until(night.AddDate(0, 0, 1))
	}
	return nil
}

// backup makes a night's backup, unless there is one, and removes those that are too old.
func (k *keeper) backup(ctx context.Context, kept store.Store, night time.Time) error {
	file := backupOf(k.path, night)
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	info, err := os.Stat(k.path)
	if err != nil {
		return err
	}
	if free, err := freeSpace(filepath.Dir(k.path)); err == nil && free < roomFor*info.Size() {
		return fmt.Errorf("make room: %d bytes are free, and %d are needed", free, roomFor*info.Size())
	}
	b, err := writeBackup(file, func(to io.Writer) (upkeep.Backup, error) {
		return upkeep.WriteBackup(ctx, kept, bot.Kinds(), to, time.Now())
	})
	if err != nil {
		return err
	}
	if len(b.Skipped) > 0 {
		k.log.Error("the nightly backup lacks documents that can't be read", "documents", store.Kinds(b.Skipped))
	}
	all := backupsOf(k.path)
	for len(all) > nights {
		if err := os.Remove(all[0]); err != nil {
			return err
		}
		all = all[1:]
	}
	return k.forget(all[0])
}

// deletion is a line of the list: a person whose data was to be deleted at a time.
type deletion struct {
	At     time.Time `json:"at"`
	Player string    `json:"player"`
}

// deletionsFile returns the name of the list of deletions beside the data file at path.
func deletionsFile(path string) string { return path + ".deleted" }

// deletions returns the list of deletions.
func deletions(path string) (all []deletion, err error) {
	text, err := os.ReadFile(deletionsFile(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var d deletion
		if json.Unmarshal(lines.Bytes(), &d) == nil { // the last line may be cut off
			all = append(all, d)
		}
	}
	return all, nil
}

// erased adds a person to the list.
func (k *keeper) erased(player string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	line, err := json.Marshal(deletion{time.Now(), player})
	if err == nil {
		err = appendTo(deletionsFile(k.path), append(line, '\n'))
	}
	if err != nil {
		k.log.Error("a restore of a backup can't repeat a deletion: delete the nightly backups", "err", err)
	}
}

// appendTo appends to a file, and brings it to the disk.
func appendTo(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// forget removes the deletions from the list that were before the oldest backup.
func (k *keeper) forget(oldest string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, err := readBack(oldest)
	if err != nil {
		return err
	}
	all, err := deletions(k.path)
	if err != nil || len(all) == 0 {
		return err
	}
	var left []byte
	for _, d := range all {
		if !d.At.Before(b.At) {
			line, _ := json.Marshal(d)
			left = append(append(left, line...), '\n')
		}
	}
	part := deletionsFile(k.path) + ".part"
	return errors.Join(os.WriteFile(part, left, 0o600), os.Rename(part, deletionsFile(k.path)))
}

// eraseAgain makes the deletions due that were after a backup of that time, and returns their number.
func eraseAgain(ctx context.Context, kept store.Store, path string, at time.Time) (n int, err error) {
	all, err := deletions(path)
	if err != nil {
		return 0, err
	}
	done := map[string]bool{}
	for _, d := range all {
		if d.At.Before(at) || done[d.Player] {
			continue
		}
		if err := upkeep.EraseAgain(ctx, kept, d.Player, timeOf(kept)); err != nil {
			return n, err
		}
		done[d.Player] = true
		n++
	}
	return n, nil
}
