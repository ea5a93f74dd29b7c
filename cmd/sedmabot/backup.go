package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// backup writes all documents to a file. If a running bot has the data file
// open, that bot reads it.
func backup(ctx context.Context, c Config, file string, out io.Writer) error {
	if c.Store.RedisURL.Reveal() == "" {
		_, err := os.Stat(c.Store.Path)
		if _, running := os.Stat(endpointFile(c.Store.Path)); err != nil && running != nil {
			return fmt.Errorf("there is nothing to back up: store.path: %w", err)
		}
	}
	replaced, err := replaces(file)
	if err != nil {
		return err
	}
	b, err := writeBackup(file, func(to io.Writer) (b upkeep.Backup, err error) {
		if c.Store.RedisURL.Reveal() == "" {
			return backupFile(ctx, c.Store.Path, to)
		}
		kept, err := openStore(ctx, c)
		if err != nil {
			return b, err
		}
		b, err = upkeep.WriteBackup(ctx, kept, bot.Kinds(), to, timeOf(kept))
		return b, errors.Join(err, kept.Close())
	})
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	_, err = io.WriteString(out, report(b, file)+replaced)
	return err
}

// writeBackup lets write write a backup, reads it back, and gives it its name. No other user can read it, as it contains
// hands.
func writeBackup(file string, write func(io.Writer) (upkeep.Backup, error)) (b upkeep.Backup, err error) {
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return b, err
	}
	defer func() {
		part.Close()
		if err != nil {
			os.Remove(part.Name())
		}
	}()
	if b, err = write(part); err != nil {
		return b, err
	}
	if err = part.Sync(); err != nil {
		return b, err
	}
	if _, err = readBack(part.Name()); err != nil {
		return b, fmt.Errorf("read it back: %w", err)
	}
	return b, errors.Join(part.Close(), os.Rename(part.Name(), file))
}

// readBack returns an error unless a file is a whole backup.
func readBack(file string) (upkeep.Backup, error) {
	from, err := os.Open(file)
	if err != nil {
		return upkeep.Backup{}, err
	}
	defer from.Close()
	return upkeep.ReadBackup(from, func(store.Doc) error { return nil })
}

// replaces returns what to say if a backup with this name replaces an older one, and an error if it would replace anything else.
func replaces(file string) (string, error) {
	old, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("write the backup: %w", err)
	}
	defer old.Close()
	if !upkeep.IsBackup(old) {
		return "", fmt.Errorf("%s is there already, and is no backup: name another file, or remove it", file)
	}
	return "The backup that had this name is replaced.\n", nil
}

// backupFile backs up a data file. If a bot runs, it writes the backup: it has the data, even if someone has deleted or
// replaced the file.
func backupFile(ctx context.Context, path string, to io.Writer) (b upkeep.Backup, err error) {
	if b, err = backupFromBot(ctx, path, to); !errors.Is(err, errNoEndpoint) {
		return b, err
	}
	from, err := openFile(ctx, path, boltstore.OpenToRead)
	switch {
	case errors.Is(err, boltstore.ErrInUse): // the bot may have been about to open its endpoint
		return backupFromBot(ctx, path, to)
	case err != nil:
		return b, err
	}
	defer from.Close()
	b, err = upkeep.WriteBackup(ctx, from, bot.Kinds(), to, time.Now())
	return b, advised(path, err)
}

// report describes what was backed up, and what is missing.
func report(b upkeep.Backup, file string) string {
	lines := fmt.Sprintf("%d documents, %d tables among them, are in %s\n", b.Documents, b.Tables, file)
	if b.Torn > 0 {
		lines += fmt.Sprintf("People were playing in %d of %d parts during the backup, so each of those mixes several moments. Stop the bot for an exact backup.\n", b.Torn, store.Partitions)
	}
	if len(b.Skipped) > 0 {
		lines += fmt.Sprintf("Left out, because they can't be read: %s. An older backup may have them.\n", store.Kinds(b.Skipped))
	}
	return lines
}

// restore fills an empty store from a backup. If it fails, it leaves no new data file.
func restore(ctx context.Context, c Config, file string, out io.Writer) (err error) {
	from, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	defer from.Close()
	_, before := os.Stat(c.Store.Path)
	kept, err := openStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, kept.Close())
		if err != nil && errors.Is(before, fs.ErrNotExist) && c.Store.RedisURL.Reveal() == "" {
			os.Remove(c.Store.Path)
		}
	}()
	b, err := upkeep.Restore(ctx, kept, bot.Kinds(), from, timeOf(kept))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	again, err := eraseAgain(ctx, kept, c.Store.Path, b.At)
	if err != nil {
		return fmt.Errorf("delete again what people deleted after the backup: %w", err)
	}
	if _, err = fmt.Fprintf(out, "%d documents are restored; %d tables continue when the bot starts\n", b.Documents, b.Tables); again > 0 {
		_, err = fmt.Fprintf(out, "%d deletions of people's data were after this backup: the bot repeats them when it starts\n", again)
	}
	return err
}
