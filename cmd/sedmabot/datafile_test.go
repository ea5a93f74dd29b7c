package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
)

// Someone deletes or replaces the data file under a running bot, or deletes its folder. The bot says so, a second bot
// doesn't start beside it, and a backup has what the first one still holds.
func TestDataFileDeletedOrReplaced(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for name, spoil := range map[string]func(path string) error{
		"deleted":        os.Remove,
		"replaced":       func(path string) error { return os.Rename(write(t, "other", ""), path) },
		"folder deleted": func(path string) error { return deleteFolder(filepath.Dir(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "data", "data.db")
			env := []string{"SEDMABOT_STORE_PATH=" + path, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"}
			p := launch(t, env)
			c := newPage(t, "Ann")
			c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
			command := map[string]string{"person": "playground:ann", "chat": "playground:ann", "line": "/new 2", "lang": "en"}
			if _, ok := c.post("/command", command); !ok {
				t.Fatal("no table")
			}
			endpointWritten(path) // so that no file comes into the folder while it is deleted
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if status, text := p.ready(t); status != http.StatusServiceUnavailable || text != errGone.Error()+"\n" {
				t.Errorf("ready: %d %s", status, text)
			}
			p.stderr.wait(t, "level=ERROR msg=\"the data file was deleted, moved or replaced.*backup FILE")
			if status, output := once(t, path, "doctor"); status != 1 || !regexp.MustCompile("(?m)^wrong  store.path: a bot runs, and its file .* was deleted.*backup FILE").MatchString(output) {
				t.Errorf("doctor: %d\n%s", status, output)
			}
			second := launch(t, env)
			if status, output := second.status(0), second.stderr.String(); status != 1 || !strings.Contains(output, "a bot still runs with the file that was here: save its data with `sedmabot backup FILE`") {
				t.Errorf("a second bot: %d\n%s", status, output)
			}
			if status, output := once(t, path, "backup", path+".backup"); status != 0 || !strings.Contains(output, " documents, 1 tables among them") {
				t.Errorf("backup: %d\n%s", status, output)
			}
			if status := p.status(syscall.SIGTERM); status != 0 {
				t.Errorf("stopped: %d\n%s", status, p.stderr)
			}
			if _, err := os.Stat(endpointFile(path)); !os.IsNotExist(err) {
				t.Errorf("the endpoint's file is still there: %v", err)
			}
		})
	}
}

// deleteFolder deletes a bot's folder. It renames it first, because the bot, which notices that its file is gone, may write
// its endpoint again while the files are deleted one by one.
func deleteFolder(path string) error {
	gone := path + ".gone"
	if err := os.Rename(path, gone); err != nil {
		return err
	}
	return os.RemoveAll(gone)
}

// endpointWritten waits until the bot has written the file with its endpoint, soon after its start.
func endpointWritten(path string) {
	for _, err := os.Stat(endpointFile(path)); err != nil; _, err = os.Stat(endpointFile(path)) {
		time.Sleep(10 * time.Millisecond)
	}
}

// Someone deletes the bot's folder, and starts a second bot at once. The first one has noticed at its next commit.
func TestASecondBotAtOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	path := filepath.Join(t.TempDir(), "data", "data.db")
	env := []string{"SEDMABOT_STORE_PATH=" + path, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"}
	p := launch(t, env)
	c := newPage(t, "Ann")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	endpointWritten(path)
	if err := deleteFolder(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.post("/command", map[string]string{"person": "playground:ann", "chat": "playground:ann", "line": "/new 2", "lang": "en"}); !ok {
		t.Fatal("no table")
	}
	second := launch(t, env)
	if status, output := second.status(0), second.stderr.String(); status != 1 || !strings.Contains(output, "a bot still runs with the file that was here") {
		t.Errorf("a second bot: %d\n%s", status, output)
	}
}

// The bot notices within a second that the file is gone, and that it is back, also if nobody does anything.
func TestDataFileFollowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data", "data.db")
	p := launch(t, []string{"SEDMABOT_STORE_PATH=" + path, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
	p.stdout.wait(t, "^The playground is at ")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	p.stderr.wait(t, "level=ERROR msg=\"the data file was deleted, moved or replaced")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	p.stderr.wait(t, "level=INFO msg=\"the data file is back\"")
	p.status(syscall.SIGTERM)
	if text := p.stderr.String(); strings.Count(text, "level=ERROR") != 1 || strings.Count(text, "the data file is back") != 1 {
		t.Errorf("logged:\n%s", text)
	}
}
