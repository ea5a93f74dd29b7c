package main

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// fileLimit limits the size of files that a process may write.
func fileLimit(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: ^uint64(0)}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
}

func TestReadyOnAFullDisk(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	readyWhile(t, "SEDMABOT_STORE_PATH="+filepath.Join(t.TempDir(), "data.db"),
		func(p *process) { fileLimit(t, p.cmd.Process.Pid, 0) }, func(p *process) { fileLimit(t, p.cmd.Process.Pid, ^uint64(0)) })
}

// A bot that nobody has used since its start must also notice a full disk. Checking must leave nothing behind in the
// store.
func TestReadyOnADiskThatWasFull(t *testing.T) {
	t.Parallel()
	config := dataFile(t)
	path := strings.TrimPrefix(config, "store.path: ")
	p := start(t, config, "playground.listen: 127.0.0.1:0")
	p.untilReady()
	p.end()
	to := path + ".backup"
	if output, err := with(t, []string{config}, "backup", to); err != nil || !strings.HasPrefix(output, "0 documents") {
		t.Errorf("what is left: %v %s", err, output)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	full, err := begun("/bin/sh", t.TempDir(), []string{variable(config), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"},
		"-c", `ulimit -S -f 0; exec "$0"`, binary(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(full.kill)
	if status, text := full.ready(t); status != http.StatusServiceUnavailable || text != noRoom {
		t.Errorf("%d %s\n%s", status, text, full.stderr)
	}
	fileLimit(t, full.cmd.Process.Pid, ^uint64(0))
	if status, text := full.ready(t); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
	// For a while, further checks must not write to the store.
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		full.ready(t)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) == string(written) || string(written) != string(after) {
		t.Errorf("a trial write: %v; more of them: %v; %v", string(before) != string(written), string(written) != string(after), err)
	}
}

// smallDisk mounts a disk of 2 MB and returns its folder.
func smallDisk(t *testing.T) string {
	t.Helper()
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("sedmabot-test", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small disk cannot be mounted here (root can): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// If less than three times the size of the data file is free, there is no nightly backup.
func TestNoNightlyBackupOnAFullDisk(t *testing.T) {
	t.Parallel()
	k := &keeper{path: filepath.Join(smallDisk(t), "sedmabot.db"), log: slog.New(slog.DiscardHandler)}
	s, err := boltstore.Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	night := time.Date(2030, 1, 31, nightHour, 0, 0, 0, time.UTC)
	if err := k.backup(t.Context(), s, night); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "record:x", Data: bytes.Repeat([]byte("x"), 500<<10)}}}); err != nil {
		t.Fatal(err)
	}
	if err := k.backup(t.Context(), s, night.AddDate(0, 0, 1)); err == nil || !strings.Contains(err.Error(), "make room") {
		t.Error(err)
	}
	if files := backupsOf(k.path); len(files) != 1 {
		t.Errorf("kept: %q", files)
	}
}

// A match is played with a data file on a disk that fills up.
func TestDiskFullInPlay(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	disk := smallDisk(t)
	file := filepath.Join(disk, "sedmabot.db")
	k := kept{"store.path: " + file, func() (store.Store, error) { return boltstore.Open(file) }}
	filler := filepath.Join(disk, "filler")
	fill := func() {
		out, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		for {
			if _, err := out.Write(make([]byte, 4096)); errors.Is(err, syscall.ENOSPC) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	free := func() {
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	p, c, people := onPlayground(t, k)
	for range 5 {
		moves(c, people, 4)
		fill()
		// Free pages of the file allow some more moves. After that, neither people nor the AI can move.
		stuck := func() bool { return c.quiet(2 * time.Second) }
		for !finished(c) && !stuck() {
			for _, who := range people {
				who.act()
			}
		}
		// New tables need extra room. The first of them may still find some.
		for _, name := range []string{"fin", "eve", "dan", "cat", "ben", "ann"} {
			who := "playground:" + name
			if finished(c) || slices.Contains(c.answers, trouble) {
				break
			}
			answer, _ := c.post("/command", map[string]string{"person": who, "chat": who, "line": "/new 2", "lang": "en"})
			c.answers = append(c.answers, answer)
		}
		free()
		again(people)
	}
	playOn(c, people)
	checkBoard(t, c)
	p.kill()
	checkAccepted(t, c, checkRecords(t, k, 0))
	if !slices.Contains(c.answers, trouble) {
		t.Errorf("nobody was told that the disk was full: %q", c.answers)
	}
	if !strings.Contains(p.stderr.String(), "no space left") {
		t.Error("the log does not say what was wrong")
	}
}
