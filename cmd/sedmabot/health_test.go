package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"sedmabot/bot/bottest/clock"
	"sedmabot/store/redistest"
)

// noRoom is the answer of /readyz while the store refuses changes.
const noRoom = "the store takes no changes: its disk or its memory may be full; the log says more\n"

// fileLimit limits the size of files that a process may write.
func fileLimit(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: ^uint64(0)}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
}

// ready asks a process for its readiness.
func (p *process) ready(t *testing.T) (int, string) {
	t.Helper()
	line := p.stderr.wait(t, `msg=monitoring listen=\S+$`)
	resp, err := http.Get("http://" + line[strings.LastIndex(line, "=")+1:] + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// readyWhile checks a bot's readiness before its store is full, while it is full, and afterwards.
func readyWhile(t *testing.T, store string, fill, empty func(*process)) {
	t.Helper()
	p := launch(t, []string{store, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
	c := newPage(t, "Ann")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	command := func() string {
		answer, ok := c.post("/command", map[string]string{"person": "playground:ann", "chat": "playground:ann", "line": "/new 2", "lang": "en"})
		if !ok {
			t.Errorf("a command wasn't answered: %v", c.failed)
		}
		return answer
	}
	expect := func(when string, status int, want string) {
		t.Helper()
		for range 2 {
			if got, text := p.ready(t); got != status || text != want {
				t.Errorf("%s: %d %s", when, got, text)
			}
		}
	}
	expect("at first", http.StatusOK, "ready\n")
	for range 2 {
		fill(p)
		if answer := command(); answer != trouble {
			t.Errorf("a command with a full store was answered with %q", answer)
		}
		expect("while the store is full", http.StatusServiceUnavailable, noRoom)
		p.stderr.wait(t, `level=WARN msg="the store refuses changes`)
		empty(p)
		expect("when there is room again", http.StatusOK, "ready\n")
		p.stderr.wait(t, `level=INFO msg="the store takes changes again"`)
	}
	if answer := command(); answer == trouble {
		t.Errorf("a command at the end was answered with %q", answer)
	}
}

func TestReadyOnAFullDisk(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	readyWhile(t, "SEDMABOT_STORE_PATH="+filepath.Join(t.TempDir(), "data.db"),
		func(p *process) { fileLimit(t, p.cmd.Process.Pid, 0) }, func(p *process) { fileLimit(t, p.cmd.Process.Pid, ^uint64(0)) })
}

func TestReadyOnAFullRedis(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	server := redistest.Start(t)
	limit := func(bytes int) func(*process) {
		return func(*process) {
			if answer, err := server.Do("CONFIG", "SET", "maxmemory", fmt.Sprint(bytes)); answer != "+OK" {
				t.Error(answer, err)
			}
		}
	}
	readyWhile(t, "SEDMABOT_STORE_REDIS_URL="+server.URL(), limit(1), limit(0))
}

// A bot that nobody has used since its start must also notice a full disk. Checking must leave nothing behind in the
// store.
func TestReadyOnADiskThatWasFull(t *testing.T) {
	t.Parallel()
	config := dataFile(t)
	path := strings.TrimPrefix(config, "store.path: ")
	p := start(t, config, "playground.listen: 127.0.0.1:0")
	if status, text := p.ask("/readyz"); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
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
