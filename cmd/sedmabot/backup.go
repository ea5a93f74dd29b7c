package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

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
		if _, err := os.Stat(c.Store.Path); err != nil {
			return fmt.Errorf("there is nothing to back up: store.path: %w", err)
		}
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
	_, err = io.WriteString(out, report(b, damage, file))
	return err
}

// backupFile backs up a data file. If a bot has it open, that bot writes the
// backup. From a damaged file it reads as much as it can.
func backupFile(ctx context.Context, path string, to io.Writer, skip bool) (b upkeep.Backup, damage boltstore.Damage, err error) {
	from, err := boltstore.Read(path)
	switch {
	case errors.Is(err, boltstore.ErrInUse):
		b, err = throughDoor(ctx, path, to, skip)
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
	b, err := upkeep.Restore(ctx, kept, bot.Kinds(), from, time.Now())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	_, err = fmt.Fprintf(out, "%d documents are restored; %d tables continue when the bot starts\n", b.Documents, b.Tables)
	return err
}

// door is the local address at which a running bot serves backups of its data
// file, with a password. Both are only in a file beside the data file, which
// only the same user can read. So no other user's proxy or page can get in.
type door struct {
	Address string `json:"address"`
	Word    string `json:"word"`
}

// doorFile returns the name of the door's file, which exists while a bot has the data file open.
func doorFile(path string) string { return path + ".door" }

// The door's path and headers.
const (
	doorPath = "/backup"
	doorWord = "Sedmabot-Word"
	doorSkip = "Sedmabot-Skip"   // leave out damaged documents
	doorSum  = "Sedmabot-Backup" // a trailer: the contents of a complete backup
	doorLack = "Sedmabot-Lack"   // a trailer: the documents that can't be read
)

// openDoor serves backups until ctx ends.
func openDoor(ctx context.Context, path string, kept store.Store) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for backups on this machine: %w", err)
	}
	defer l.Close()
	d := door{Address: l.Addr().String(), Word: rand.Text()}
	note, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("write the door: %w", err)
	}
	os.Remove(doorFile(path)) // one left by a bot that was killed may belong to another user
	if err := os.WriteFile(doorFile(path), note, 0o600); err != nil {
		return fmt.Errorf("note where backups are let in: %w", err)
	}
	defer os.Remove(doorFile(path))
	w := &server{ServeMux: http.NewServeMux(), listener: l}
	w.HandleFunc("POST "+doorPath, func(out http.ResponseWriter, r *http.Request) {
		if r.Host != d.Address || subtle.ConstantTimeCompare([]byte(r.Header.Get(doorWord)), []byte(d.Word)) != 1 {
			http.Error(out, "not for you", http.StatusForbidden)
			return
		}
		c := http.NewResponseController(out)
		if err := errors.Join(c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})); err != nil {
			http.Error(out, "a backup takes longer than answers may here", http.StatusInternalServerError)
			return
		}
		out.Header().Set("Trailer", doorSum+", "+doorLack)
		write := upkeep.WriteBackup
		if r.Header.Get(doorSkip) != "" {
			write = upkeep.Salvage
		}
		b, err := write(r.Context(), kept, bot.Kinds(), out)
		sum, _ := json.Marshal(b)
		switch {
		case err == nil:
			out.Header().Set(doorSum, string(sum))
		case errors.Is(err, store.ErrDamaged):
			out.Header().Set(doorLack, err.Error())
		}
	})
	return w.run(ctx)
}

// throughDoor asks the bot that has the data file open to write the backup.
func throughDoor(ctx context.Context, path string, to io.Writer, skip bool) (b upkeep.Backup, err error) {
	closed := func(err error) error {
		return fmt.Errorf("the data file is in use, and the bot that uses it lets no backup in: stop it and try again: %w", err)
	}
	note, err := os.ReadFile(doorFile(path))
	if err != nil {
		return b, closed(err)
	}
	var d door
	if err := json.Unmarshal(note, &d); err != nil {
		return b, closed(err)
	}
	if host, _, err := net.SplitHostPort(d.Address); err != nil || !net.ParseIP(host).IsLoopback() {
		return b, closed(errors.New("its address is not on this machine"))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+d.Address+doorPath, strings.NewReader(""))
	if err != nil {
		return b, closed(err)
	}
	req.Header.Set(doorWord, d.Word)
	if skip {
		req.Header.Set(doorSkip, "yes")
	}
	direct := &http.Client{Transport: &http.Transport{}} // never use a proxy
	resp, err := direct.Do(req)
	if err != nil {
		return b, closed(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return b, closed(errors.New(resp.Status))
	}
	if _, err := io.Copy(to, resp.Body); err != nil {
		return b, fmt.Errorf("read the backup from the bot: %w", err)
	}
	if lack := resp.Trailer.Get(doorLack); lack != "" {
		return b, errors.New(lack)
	}
	if err := json.Unmarshal([]byte(resp.Trailer.Get(doorSum)), &b); err != nil {
		return b, errors.New("the bot could not finish the backup: stop it and try again")
	}
	return b, nil
}
