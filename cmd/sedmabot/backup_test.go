package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
)

// with runs a subcommand with these lines of configuration.
func with(t *testing.T, config []string, args ...string) (string, error) {
	t.Helper()
	return tool(t, "", append([]string{"--config", write(t, "config.yaml", sections(config))}, args...)...)
}

// boards returns all boards of a store and the jobs that are due in it.
func boards(t *testing.T, k kept) map[string][]store.Standing {
	t.Helper()
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := map[string][]store.Standing{}
	for p := range store.Partitions {
		names := []string{"open"}
		docs, _, err := s.Scan(t.Context(), p, "home:", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			var home struct {
				D struct{ Periods []string }
			}
			if err := json.Unmarshal(doc.Data, &home); err != nil {
				t.Fatal(err)
			}
			for _, family := range []string{"all", "sedma", "ristikontra"} {
				for _, key := range append(home.D.Periods, "all") {
					names = append(names, "board:"+strings.TrimPrefix(doc.Key.Name, "home:")+":"+family+":"+key)
				}
			}
		}
		for _, name := range names {
			rows, n, err := s.Board(t.Context(), p, name, 0, 100, "")
			if err != nil || n != len(rows) {
				t.Fatal(n, err)
			}
			if n > 0 {
				all[fmt.Sprint(p, " ", name)] = rows
			}
		}
	}
	return all
}

// A backup of a file is restored into a Redis, backed up again, and restored into another file. The data must stay the
// same, and the tables must continue there.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	unhurried(t)
	server := telegramtest.New(t)
	telegram := []string{"telegram.token: " + server.Token, "telegram.api_base: " + server.URL, "table.pace: 0"}
	first, redis, second := onBolt(t), onRedis(t), onBolt(t)
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }

	p := startEager(t, append(telegram, first.config)...)
	done, going := newTelegram(t, server, "Ann", "Ben"), newTelegram(t, server, "Cat", "Dan")
	done.open()
	done.lastDeal()
	playUntil(done, everybody(done, 1), finished)
	going.open()
	playUntil(going, everybody(going, 2), secondDeal)
	output, err := with(t, []string{first.config}, "backup", file("while-running"))
	if err != nil || !strings.Contains(output, " documents, 2 tables among them, are in "+file("while-running")) || strings.Contains(output, "Stop the bot") {
		t.Fatalf("%v\n%s", err, output)
	}
	p.end()

	text, heard := map[string]string{}, regexp.MustCompile(`(?m)^.*(?:"heard:|"sedmabot_backup"|"sum":).*\n`) // with times, which a restore sets again
	copies := func(from kept, name string) {
		t.Helper()
		if output, err := with(t, []string{from.config}, "backup", file(name)); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		if info, err := os.Stat(file(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
		b, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		text[name] = heard.ReplaceAllString(string(b), "")
	}
	restores := func(to kept, name string) {
		t.Helper()
		if output, err := with(t, []string{to.config}, "restore", file(name)); err != nil || !strings.Contains(output, "2 tables continue when the bot starts") {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
	}
	copies(first, "of bolt")
	restores(redis, "of bolt")
	copies(redis, "of redis")
	restores(second, "of redis")
	copies(second, "of bolt again")
	for _, name := range []string{"of redis", "of bolt again"} {
		if diff := cmp.Diff(strings.Split(text["of bolt"], "\n"), strings.Split(text[name], "\n")); diff != "" {
			t.Errorf("the backup %s is another:\n%s", name, diff)
		}
	}
	want := boards(t, first)
	if len(want) < 3 {
		t.Errorf("boards: %v", want)
	}
	for name, k := range map[string]kept{"redis": redis, "bolt again": second} {
		if diff := cmp.Diff(want, boards(t, k)); diff != "" {
			t.Errorf("the boards of %s are others:\n%s", name, diff)
		}
	}

	// A backup made by a running bot can be restored too.
	third := onBolt(t)
	restores(third, "while-running")
	if diff := cmp.Diff(want, boards(t, third)); diff != "" {
		t.Errorf("the boards of a backup made meanwhile are others:\n%s", diff)
	}

	// A store with data in it must not be overwritten.
	if output, err := with(t, []string{redis.config}, "restore", file("of bolt")); err == nil || !strings.Contains(err.Error(), "the store is not empty") {
		t.Errorf("%v\n%s", err, output)
	}

	startEager(t, append(telegram, redis.config)...)
	going.lastDeal()
	playUntil(going, everybody(going, 3), finished)
	checkBoard(t, going)
	checkBoard(t, done)
}

// An incomplete backup is refused before anything is written.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	head := `{"sedmabot_backup":1,"schema":1}`
	player := `{"p":3,"name":"player:x","doc":{"v":1,"d":{}}}`
	for name, tt := range map[string]struct{ text, want string }{
		"empty":           {"", "this is no backup of sedmabot"},
		"another file":    {"hello\n", ": this is no backup of sedmabot"},
		"another JSON":    {"{}\n", ": this is no backup of sedmabot"},
		"zeros":           {strings.Repeat("\x00", 5<<20), ": this is no backup of sedmabot"},
		"newer":           {`{"sedmabot_backup":2,"schema":1}`, "line 1: a newer sedmabot wrote this backup"},
		"newer documents": {head + "\n" + strings.Replace(player, `"v":1`, `"v":99`, 1) + "\n{\"documents\":1}\n", "line 2: a newer sedmabot wrote this document"},
		"cut off":         {head + "\n" + player + "\n", "the backup is cut off"},
		"a line is lost":  {head + "\n" + player + "\n{\"documents\":2}\n", "line 3: 1 documents stand before the end, 2 should"},
		"no document":     {head + "\n{\"p\":3,\"name\":\"player:x\",\"doc\":{}}\n{\"documents\":1}\n", "line 2: read document: player"},
		"a broken table":  {head + "\n{\"p\":3,\"name\":\"table:x\",\"doc\":{\"v\":1,\"d\":[]}}\n{\"documents\":1}\n", "line 2: read document: table"},
		"no partition":    {head + "\n" + strings.Replace(player, `"p":3`, `"p":16`, 1) + "\n{\"documents\":1}\n", "line 2: no partition 16"},
		"twice":           {head + "\n" + player + "\n" + player + "\n{\"documents\":2}\n", "line 3: a document appears twice: player"},
		"two ends":        {head + "\n{\"documents\":0}\n{\"documents\":0}\n", "line 3: something follows the end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := onBolt(t)
			out, err := with(t, []string{k.config}, "restore", write(t, "backup", tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s\n%s", err, tt.want, out)
			}
			s, err := k.open()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if docs, _, err := s.Scan(t.Context(), 3, "", ""); err != nil || len(docs) > 0 {
				t.Errorf("something was restored: %v %v", docs, err)
			}
		})
	}
}

// A backup replaces an older one and says so, but no other file.
func TestBackupReplacesNothingElse(t *testing.T) {
	t.Parallel()
	k := onBolt(t)
	made, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	to := filepath.Join(t.TempDir(), "backup")
	for _, want := range []string{"", "The backup that had this name is replaced.\n"} {
		out, err := with(t, []string{k.config}, "backup", to)
		if err != nil || !strings.HasPrefix(out, "0 documents") || strings.Contains(out, "replaced") != (want != "") || !strings.HasSuffix(out, want) {
			t.Errorf("%v\n%s", err, out)
		}
	}
	for _, other := range []string{strings.TrimPrefix(k.config, "store.path: "), write(t, "notes", "mine")} {
		before, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := with(t, []string{k.config}, "backup", other); err == nil || !strings.Contains(err.Error(), "is there already, and is no backup") {
			t.Errorf("%v\n%s", err, out)
		}
		if after, err := os.ReadFile(other); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s is another file: %v", other, err)
		}
	}
}

// Only a user who can read the file beside the data file gets a backup. A backup
// that fails leaves nothing behind.
func TestBackupEndpoint(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	config := dataFile(t)
	path := strings.TrimPrefix(config, "store.path: ")
	to := filepath.Join(t.TempDir(), "backup")
	if out, err := with(t, []string{config}, "backup", to); err == nil || !strings.Contains(err.Error(), "there is nothing to back up") {
		t.Errorf("%v\n%s", err, out)
	}
	p := start(t, config, "playground.listen: 127.0.0.1:0")
	p.playgroundURL()
	if out, err := with(t, []string{config}, "backup", to); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(endpointFile(path))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info, err)
	}
	note, err := os.ReadFile(endpointFile(path))
	if err != nil {
		t.Fatal(err)
	}
	address, word := strings.Split(string(note), `"`)[3], strings.Split(string(note), `"`)[7]
	for name, change := range map[string]func(*http.Request){
		"no word":      func(r *http.Request) { r.Header.Del(passwordHeader) },
		"a wrong word": func(r *http.Request) { r.Header.Set(passwordHeader, strings.ToLower(word)) },
		"another host": func(r *http.Request) { r.Host = "sedma.example" },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+backupPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(passwordHeader, word)
		change(r)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}

	// Without that file nobody can connect to the running bot, so it has to be stopped.
	if err := os.Rename(endpointFile(path), path+".away"); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "again")
	if out, err := with(t, []string{config}, "backup", again); err == nil || !strings.Contains(err.Error(), "stop it and try again") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(filepath.Dir(again)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if err := os.Rename(path+".away", endpointFile(path)); err != nil {
		t.Fatal(err)
	}
	p.end()
	if _, err := os.Stat(endpointFile(path)); !os.IsNotExist(err) {
		t.Errorf("the endpoint's file is still there: %v", err)
	}
}
