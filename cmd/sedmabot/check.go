package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// checkFile is the word in a command line that makes this program check a data file and nothing else.
const checkFile = "check-data-file"

// checkData returns an error if the file at path is damaged. Reading it may also crash the process. An error of another
// kind isn't returned, as opening the file returns it too.
func checkData(path string) error {
	if err := boltstore.Check(path); errors.Is(err, store.ErrDamaged) {
		return err
	}
	return nil
}

// errUnchecked reports that a data file can't be checked now, which says nothing about the file.
var errUnchecked = errors.New("the data file can't be checked")

// checked checks the data file at path in another process, which a damaged page may crash.
func checked(ctx context.Context, path string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("%w: %w", errUnchecked, err)
	}
	err = exec.CommandContext(ctx, self, checkFile, path).Run() // without its output, as a crash may print data
	var end *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &end) && end.Exited():
		return fmt.Errorf("the data file %s: %w: stop the bot, and restore a backup", path, store.ErrDamaged)
	}
	return fmt.Errorf("%w: %w", errUnchecked, err)
}

// openFile opens the data file after a check. If it is damaged, the error names the last good backup beside it.
func openFile(ctx context.Context, path string, open func(string) (*boltstore.Store, error)) (kept *boltstore.Store, err error) {
	if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() && info.Size() > 0 {
		err = checked(ctx, path)
	}
	if err == nil || errors.Is(err, errUnchecked) && ctx.Err() == nil {
		kept, err = open(path)
	}
	return kept, advised(path, err)
}

// advised returns the error of a call on the data file at path. If the file is damaged, it names the last good backup.
func advised(path string, err error) error {
	if errors.Is(err, store.ErrDamaged) {
		return fmt.Errorf("%w: %s", err, lastBackup(path))
	}
	return err
}
