package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sedmabot/bot"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// backup writes all documents to a file, which appears once it is complete. If
// a running bot has the data file open, that bot reads it. With skip, backup
// leaves out damaged documents and lists them by kind.
func backup(ctx context.Context, c Config, file string, skip bool, out io.Writer) (err error) {
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
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // private: backups contain hands
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	defer func() {
		part.Close()
		if err != nil {
			os.Remove(part.Name())
		}
	}()
	write := upkeep.WriteBackup
	if skip {
		write = upkeep.Salvage
	}
	var b upkeep.Backup
	var damage boltstore.Damage
	if c.Store.RedisURL.Reveal() != "" {
		kept, err := openStore(ctx, c)
		if err != nil {
			return fmt.Errorf("back up: %w", err)
		}
		b, err = write(ctx, kept, bot.Kinds(), part)
		err = errors.Join(err, kept.Close())
		if err != nil {
			return fmt.Errorf("back up: %w", err)
		}
	} else if b, damage, err = backupFile(ctx, c.Store.Path, part, skip); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if err = errors.Join(part.Sync(), part.Close(), os.Rename(part.Name(), file)); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	_, err = io.WriteString(out, report(b, damage, file)+replaced)
	return err
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
// replaced the file. From a damaged file, backupFile reads as much as it can.
func backupFile(ctx context.Context, path string, to io.Writer, skip bool) (b upkeep.Backup, damage boltstore.Damage, err error) {
	if b, err = backupFromBot(ctx, path, to, skip); !errors.Is(err, errNoEndpoint) {
		return b, damage, err
	}
	from, err := boltstore.Read(path)
	switch {
	case errors.Is(err, boltstore.ErrInUse): // the bot may have been about to open its endpoint
		b, err = backupFromBot(ctx, path, to, skip)
		return b, damage, err
	case err != nil:
		return b, damage, err
	}
	defer from.Close()
	damage = from.Damage()
	if !skip {
		if err := damage.Lacking(path); err != nil {
			return b, damage, err
		}
		b, err = upkeep.WriteBackup(ctx, from, bot.Kinds(), to)
		return b, damage, err
	}
	b, err = upkeep.Salvage(ctx, from, bot.Kinds(), to)
	return b, damage, err
}

// report describes what was backed up, and what is missing.
func report(b upkeep.Backup, damage boltstore.Damage, file string) string {
	lines := fmt.Sprintf("%d documents, %d tables among them, are in %s\n", b.Documents, b.Tables, file)
	if b.Torn > 0 {
		lines += fmt.Sprintf("People were playing in %d of %d parts during the backup, so each of those mixes several moments. Stop the bot for an exact backup.\n", b.Torn, store.Partitions)
	}
	if len(b.Skipped) > 0 {
		lines += fmt.Sprintf("Left out, because they can't be read: %s\n", store.Kinds(b.Skipped))
	}
	if damage.Any() {
		lines += fmt.Sprintf("The data file is damaged: %v. Restore this backup into a new file.\n", damage)
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
	_, err = fmt.Fprintf(out, "%d documents are restored; %d tables continue when the bot starts\n", b.Documents, b.Tables)
	return err
}
