package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
)

// inPlay returns the data file of a bot that was killed in the middle of a match, and the bytes of its documents by kind.
func inPlay(t *testing.T) (file []byte, docs map[string][][]byte) {
	t.Helper()
	k := onBolt(t)
	p, c, people := onPlayground(t, k)
	moves(c, people, 24)
	p.kill()
	file, err := os.ReadFile(strings.TrimPrefix(k.config, "store.path: "))
	if err != nil {
		t.Fatal(err)
	}
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	docs = map[string][][]byte{}
	for p := range store.Partitions {
		all, _, err := s.Scan(t.Context(), p, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range all {
			kind, _, _ := strings.Cut(doc.Key.Name, ":")
			docs[kind] = append(docs[kind], doc.Data)
		}
	}
	return file, docs
}

// shows reports whether a text contains a part of a file, raw or in hexadecimal, that is longer than a word.
func shows(text string, file []byte) string {
	const length = 14
	for from := range max(0, len(text)-length) {
		part := text[from : from+length]
		raw, err := hex.DecodeString(part)
		if bytes.Contains(file, []byte(part)) || err == nil && bytes.Contains(file, raw) && strings.Trim(part, "0") != "" {
			return part
		}
	}
	return ""
}

// once runs the binary with a data file and returns its exit status and all its output.
func once(t *testing.T, path string, args ...string) (int, string) {
	t.Helper()
	p := launch(t, []string{"SEDMABOT_STORE_PATH=" + path}, args...)
	status := p.status(0)
	return status, p.stdout.String() + p.stderr.String()
}

// Whatever the damage to a data file, no command may print a stack trace or the file's content. If it refuses the file, it
// names the last good backup.
func TestCommandsOnDamagedFiles(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	file, docs := inPlay(t)
	if len(docs["table"]) == 0 || len(docs["record"])+len(docs["shown"]) == 0 {
		t.Fatalf("the file has only %d kinds", len(docs))
	}
	used := bytes.LastIndexFunc(file, func(r rune) bool { return r != 0 }) + 1
	r := rand.New(rand.NewPCG(15, 12))
	page := func(b []byte) []byte { return b[r.IntN(used/4096)*4096:][:4096] }
	damages := map[string]func([]byte) []byte{
		"cut short": func(b []byte) []byte { return b[:r.IntN(used)] },
		"changed bits": func(b []byte) []byte {
			for range 16 {
				b[r.IntN(used)] ^= 1 << r.IntN(8)
			}
			return b
		},
		"zeroed page": func(b []byte) []byte { clear(page(b)); return b },
		"copied page": func(b []byte) []byte { copy(page(b), page(b)); return b },
	}
	each := 2
	if long() {
		each = 10
	}
	for name, damage := range damages {
		for i := range each {
			path := filepath.Join(t.TempDir(), fmt.Sprintf("data-%d.db", i))
			if err := os.WriteFile(path, damage(bytes.Clone(file)), 0o600); err != nil {
				t.Fatal(err)
			}
			onDamaged(t, name, path, file)
		}
	}
}

func onDamaged(t *testing.T, name, path string, file []byte) {
	t.Helper()
	check := func(args ...string) (int, string) {
		t.Helper()
		status, output := once(t, path, args...)
		if status != 0 && status != 1 || strings.Contains(output, "goroutine") || strings.Contains(output, "panic") {
			t.Errorf("%s: %v: exit status %d\n%s", name, args, status, output)
		}
		if part := shows(strings.ReplaceAll(output, path, ""), file); part != "" {
			t.Errorf("%s: %v shows %q\n%s", name, args, part, output)
		}
		if status != 0 && !strings.Contains(output, path) {
			t.Errorf("%s: %v doesn't name the file\n%s", name, args, output)
		}
		return status, output
	}
	last := path + ".2030-01-31.backup"
	if err := os.WriteFile(last, []byte("{\"sedmabot_backup\":1,\"schema\":1}\n{\"documents\":0}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := path + ".copy"
	for _, args := range [][]string{{"doctor"}, {"backup", to}, {"boards", "check"}} {
		status, output := check(args...)
		if damaged := strings.Contains(output, "the stored data is damaged"); damaged && (status == 0 || !strings.Contains(output, "sedmabot restore "+last)) {
			t.Errorf("%s: %v doesn't name the last good backup:\n%s", name, args, output)
		}
	}
	if _, err := os.Stat(to); err != nil {
		return
	}
	if status, output := once(t, path+".new", "restore", to); status != 0 {
		t.Errorf("%s: what was saved can't be restored: %s", name, output)
	}
}

// A bot with one damaged document must run and report it. A backup must name the kind of that document, and leave it out.
func TestBackupOfABotWithADamagedDocument(t *testing.T) {
	t.Parallel()
	unhurried(t)
	file, docs := inPlay(t)
	notes := docs["shown"][0]
	damaged := bytes.Clone(notes)
	damaged[len(damaged)-1] ^= 1
	file = bytes.ReplaceAll(file, notes, damaged)
	path := filepath.Join(t.TempDir(), "data.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	p := launch(t, []string{"SEDMABOT_STORE_PATH=" + path, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
	p.stdout.wait(t, "^The playground is at ")
	p.stderr.wait(t, `level=ERROR msg="work on what is due".*read document: shown`)
	to := path + ".backup"
	if status, output := once(t, path, "backup", to); status != 0 || !strings.Contains(output, "Left out, because they can't be read: 1 (1 shown)") {
		t.Errorf("exit status %d: %s", status, output)
	}
	if status, output := once(t, path, "doctor"); status != 1 || !strings.Contains(output, "damaged documents: 1 (1 shown)") {
		t.Errorf("exit status %d: %s", status, output)
	}
	p.kill()
	log := regexp.MustCompile(`(?m)^time=\S+`).ReplaceAllString(p.stderr.String(), "")
	if part := shows(strings.ReplaceAll(log, path, ""), notes); part != "" {
		t.Errorf("the log shows %q", part)
	}
	if n := strings.Count(log, "work on what is due"); n > 2 {
		t.Errorf("the damaged document was worked on %d times", n)
	}
	if status, output := once(t, path+".new", "restore", to); status != 0 {
		t.Errorf("what was saved can't be restored: %s", output)
	}
}
