package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// backup writes all that is kept to a file, which appears when it is complete.
// A data file that a running bot holds is read by that bot. With skip, what
// can't be read is left out, and listed by kind.
func backup(ctx context.Context, c Config, file string, skip bool, out io.Writer) (err error) {
	if c.Store.RedisURL.Reveal() == "" {
		if _, err := os.Stat(c.Store.Path); err != nil {
			return fmt.Errorf("there is nothing to back up: store.path: %w", err)
		}
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // only its owner may read it: hands stand in it
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

// backupFile backs a data file up, by the bot that holds it if there is one. A
// damaged file is read as far as it can be.
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

// report says what was backed up, and what wasn't.
func report(b upkeep.Backup, damage boltstore.Damage, file string) string {
	said := fmt.Sprintf("%d documents, %d tables among them, are in %s\n", b.Documents, b.Tables, file)
	if b.Torn > 0 {
		said += fmt.Sprintf("In %d of %d parts somebody played all the while: what stands there is not of one moment. Stop the bot for an exact backup.\n", b.Torn, store.Partitions)
	}
	if len(b.Skipped) > 0 {
		said += fmt.Sprintf("Left out, because they can't be read: %s\n", store.Kinds(b.Skipped))
	}
	if damage.Any() {
		said += fmt.Sprintf("The data file is damaged: %v. Restore this backup into a new file.\n", damage)
	}
	return said
}

// restore fills an empty store from a backup.
func restore(ctx context.Context, c Config, file string, out io.Writer) (err error) {
	from, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	defer from.Close()
	kept, err := openStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	b, err := upkeep.Restore(ctx, kept, bot.Kinds(), from, time.Now())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	_, err = fmt.Fprintf(out, "%d documents are restored; %d tables go on when the bot starts\n", b.Documents, b.Tables)
	return err
}

// door is where a bot that holds a data file lets the same user's backup in: an
// address on this machine that only the file beside the data file tells, with
// a word that has to be said. Nobody else's proxy or page can come that way.
type door struct {
	Address string `json:"address"`
	Word    string `json:"word"`
}

// doorFile stands beside the data file while a bot holds it.
func doorFile(path string) string { return path + ".door" }

// The paths and headers of the door.
const (
	doorPath = "/backup"
	doorWord = "Sedmabot-Word"
	doorSkip = "Sedmabot-Skip"   // what can't be read is left out
	doorSum  = "Sedmabot-Backup" // a trailer: what was written, when all was
	doorLack = "Sedmabot-Lack"   // a trailer: which documents can't be read
)

// openDoor lets backups in until ctx ends.
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
	w := &web{ServeMux: http.NewServeMux(), listener: l}
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

// throughDoor has the bot that holds the data file write the backup.
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
	direct := &http.Client{Transport: &http.Transport{}} // through no proxy
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
