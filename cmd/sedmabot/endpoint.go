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
	"time"

	"sedmabot/bot"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// endpoint is the local address at which a running bot serves backups of its data
// file, with a password. Both are only in a file beside the data file, which
// only the same user can read. So no other user's proxy or page can get in.
type endpoint struct {
	Address  string `json:"address"`
	Password string `json:"word"`
}

// endpointFile returns the name of the endpoint's file, which exists while a bot has the data file open. Programs of other
// versions read it, so its name and its fields stay.
func endpointFile(path string) string { return path + ".door" }

// The endpoint's path, headers and trailers.
const (
	backupPath     = "/backup"
	passwordHeader = "Sedmabot-Word"
	sumTrailer     = "Sedmabot-Backup" // the contents of a complete backup
	lackTrailer    = "Sedmabot-Lack"   // the damage that stopped it

	goneTimeout = 2 * time.Second // how long to wait for a bot that only says whether its file is gone
)

// serveBackups serves backups until ctx ends.
func (f *openedFile) serveBackups(ctx context.Context, kept store.Store) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for backups on this machine: %w", err)
	}
	defer l.Close()
	here := endpoint{Address: l.Addr().String(), Password: rand.Text()}
	note, err := json.Marshal(here)
	if err != nil {
		return fmt.Errorf("write the endpoint: %w", err)
	}
	os.Remove(endpointFile(f.path)) // one left by a bot that was killed may belong to another user
	if err := f.setNote(note); err != nil {
		return fmt.Errorf("note where backups are let in: %w", err)
	}
	defer f.removeNote()
	w := &server{ServeMux: http.NewServeMux(), listener: l}
	admitted := func(out http.ResponseWriter, r *http.Request) bool {
		ok := r.Host == here.Address && subtle.ConstantTimeCompare([]byte(r.Header.Get(passwordHeader)), []byte(here.Password)) == 1
		if !ok {
			http.Error(out, "not for you", http.StatusForbidden)
		}
		return ok
	}
	w.HandleFunc("GET "+backupPath, func(out http.ResponseWriter, r *http.Request) {
		switch {
		case !admitted(out, r):
		case f.look() != nil:
			out.WriteHeader(http.StatusGone)
		default:
			out.WriteHeader(http.StatusNoContent)
		}
	})
	w.HandleFunc("POST "+backupPath, func(out http.ResponseWriter, r *http.Request) {
		if !admitted(out, r) {
			return
		}
		c := http.NewResponseController(out)
		if err := errors.Join(c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})); err != nil {
			http.Error(out, "a backup takes longer than answers may here", http.StatusInternalServerError)
			return
		}
		out.Header().Set("Trailer", sumTrailer+", "+lackTrailer)
		b, err := upkeep.WriteBackup(r.Context(), kept, bot.Kinds(), out, time.Now())
		sum, _ := json.Marshal(b)
		switch {
		case err == nil:
			out.Header().Set(sumTrailer, string(sum))
		case errors.Is(err, store.ErrDamaged):
			out.Header().Set(lackTrailer, err.Error())
		}
	})
	return w.run(ctx)
}

// errNoEndpoint reports that no running bot can be reached through the endpoint's file.
var errNoEndpoint = errors.New("the data file is in use, and the bot that uses it lets no backup in: stop it and try again")

// request sends a request to the bot that has opened the data file at path. The error is errNoEndpoint if none answers.
func request(ctx context.Context, method, path string) (*http.Response, error) {
	closed := func(err error) (*http.Response, error) { return nil, fmt.Errorf("%w: %w", errNoEndpoint, err) }
	note, err := os.ReadFile(endpointFile(path))
	if err != nil {
		return closed(err)
	}
	var at endpoint
	if err := json.Unmarshal(note, &at); err != nil {
		return closed(err)
	}
	if host, _, err := net.SplitHostPort(at.Address); err != nil || !net.ParseIP(host).IsLoopback() {
		return closed(errors.New("its address is not on this machine"))
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+at.Address+backupPath, http.NoBody)
	if err != nil {
		return closed(err)
	}
	req.Header.Set(passwordHeader, at.Password)
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // never use a proxy
	resp, err := direct.Do(req)
	if err != nil {
		return closed(err)
	}
	return resp, nil
}

// fileGone reports whether a bot runs whose data file was deleted, moved or replaced.
func fileGone(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, goneTimeout)
	defer cancel()
	resp, err := request(ctx, http.MethodGet, path)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusGone
}

// backupFromBot asks the bot that has the data file open to write the backup.
func backupFromBot(ctx context.Context, path string, to io.Writer) (b upkeep.Backup, err error) {
	resp, err := request(ctx, http.MethodPost, path)
	if err != nil {
		return b, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return b, fmt.Errorf("%w: %s", errNoEndpoint, resp.Status)
	}
	if _, err := io.Copy(to, resp.Body); err != nil {
		return b, fmt.Errorf("read the backup from the bot: %w", err)
	}
	if lack := resp.Trailer.Get(lackTrailer); lack != "" {
		return b, errors.New(lack)
	}
	if err := json.Unmarshal([]byte(resp.Trailer.Get(sumTrailer)), &b); err != nil {
		return b, errors.New("the bot could not finish the backup: stop it and try again")
	}
	return b, nil
}
