package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/store/redistest"
)

// asked returns the answer at an address for monitoring.
func asked(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := http.Get("http://" + address)
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

// The bot waits for a Redis that is away or loads its file. Until it is there, the bot says for what it waits, and tells systemd
// nothing.
func TestWaitsForRedis(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Waits(t)
	server := redistest.Start(t, "--key-load-delay", "200")
	// Redis answers each time that it has read 1,024 of them, and hurries as soon as its answer was seen.
	if answer, err := server.Do("EVAL", "for i = 1, 200000 do redis.call('SET', 'other:' .. i, 'x') end", "0"); err != nil || strings.HasPrefix(answer, "-") {
		t.Fatal(answer, err)
	}
	server.Kill()
	dir, err := os.MkdirTemp("", "systemd-*") // a short name, as in TestSystemd
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	monitor := redistest.Address(t)
	p := launch(t, []string{"SEDMABOT_STORE_REDIS_URL=" + server.URL(), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0", "SEDMABOT_MONITOR_LISTEN=" + monitor, "NOTIFY_SOCKET=" + socket})
	p.stderr.wait(t, `level=WARN msg="the bot waits for redis" err="redis at \S+: dial tcp .*refused: start it`)
	if status, text := asked(t, monitor+"/livez"); status != http.StatusOK {
		t.Errorf("/livez: %d %s", status, text)
	}
	if status, text := asked(t, monitor+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "the bot waits for redis at "+server.Addr) {
		t.Errorf("/readyz: %d %s", status, text)
	}
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		server.Start()
	}()
	for status, text := asked(t, monitor+"/readyz"); !strings.Contains(text, "LOADING"); status, text = asked(t, monitor+"/readyz") {
		if status == http.StatusOK {
			t.Fatal("Redis was never seen while it loaded its file")
		}
	}
	if answer, err := server.Do("CONFIG", "SET", "key-load-delay", "0"); answer != "+OK" {
		t.Error(answer, err)
	}
	<-begun
	p.stderr.wait(t, `level=INFO msg=starting`)
	said := make([]byte, 100)
	n, err := systemd.Read(said)
	if err != nil || string(said[:n]) != "READY=1" {
		t.Errorf("systemd was told %q, %v", said[:n], err)
	}
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// The program can be stopped while it waits.
func TestStopsWhileItWaits(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	p := start(t, "store.redis_url: redis://127.0.0.1:1", "playground.listen: 127.0.0.1:0")
	p.stderr.wait(t, "the bot waits for redis")
	p.end()
}

// Another start is of no use until somebody corrects the settings of Redis.
func TestRedisRefuses(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Waits(t)
	server := redistest.Start(t)
	if answer, err := server.Do("CONFIG", "SET", "requirepass", "s3cret"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	p := launch(t, []string{"SEDMABOT_STORE_REDIS_URL=redis://:wr0ng@" + server.Addr})
	if status, text := p.status(0), p.stderr.String(); status != uncorrected || !strings.Contains(text, "correct the user and the password") || strings.Contains(text, "wr0ng") {
		t.Errorf("exit status %d:\n%s", status, text)
	}
}

// A replica takes no changes. The log, /readyz and the doctor say what it is, and nothing says that changes are taken before one
// was.
func TestReplica(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Waits(t)
	master := redistest.Start(t)
	host, port, err := net.SplitHostPort(master.Addr)
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t, "--appendfsync", "everysec", "--replicaof", host, port)
	const what = "redis is a read-only replica (READONLY): "
	p := start(t, "store.redis_url: "+server.URL(), "playground.listen: 127.0.0.1:0")
	p.stderr.wait(t, `level=WARN msg="`+strings.NewReplacer("(", `\(`, ")", `\)`).Replace(what))
	p.playgroundURL()
	for status, text := p.ask("/readyz"); !strings.Contains(text, what); status, text = p.ask("/readyz") {
		if status == http.StatusOK {
			t.Fatal("it is ready")
		}
	}
	out, err := with(t, []string{"store.redis_url: " + server.URL()}, "doctor")
	if err == nil || !strings.Contains(out, "wrong  store.redis_url: it takes no changes: "+what) {
		t.Errorf("%v\n%s", err, out)
	}
	for _, line := range linesOf(p.stderr.String()) {
		late := strings.Contains(line, context.DeadlineExceeded.Error()) || strings.Contains(line, "does not answer within") // this machine is busy
		if strings.Contains(line, recovered) || strings.Contains(line, "can't be reached") && !late {
			t.Errorf("nothing was stored: %s", line)
		}
	}
	if answer, err := server.Do("REPLICAOF", "NO", "ONE"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	p.stderr.wait(t, recovered)
}

// The refusals of a network folder are told, and so is a lock that never comes. No empty file stays.
func TestFolderWithoutLocks(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Waits(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace, which makes locks fail")
	}
	traced := func(file, call, inject string) *process {
		t.Helper()
		args := []string{"-D", "-f", "-qq", "-o", "/dev/null", "-P", file, "-e", "trace=" + call, "-e", "inject=" + call + ":" + inject, binary(t)}
		p, err := begun(strace, t.TempDir(), []string{"SEDMABOT_STORE_PATH=" + file, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"}, args...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.kill)
		return p
	}
	path := func() string { return strings.TrimPrefix(dataFile(t), "store.path: ") }
	for _, tt := range []struct {
		call, fault string
		there       bool
	}{
		{"flock", "ENOLCK", false}, {"flock", "EOPNOTSUPP", false}, {"flock", "ENOSYS", false}, {"flock", "ESTALE", true}, {"openat", "ESTALE", true},
		{"mmap", "ENODEV", false}, {"pread64", "ESTALE", true}, {"pwrite64", "ESTALE", false}, {"pwrite64", "ESTALE", true}, {"fdatasync", "ESTALE", false},
	} {
		file := path()
		if tt.there {
			if out, err := with(t, []string{"store.path: " + file}, "restore", "../../bot/upkeep/testdata/schema2.jsonl"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		p := traced(file, tt.call, "error="+tt.fault)
		if tt.there && tt.call == "pwrite64" { // it runs already
			p.stderr.wait(t, "network folder")
			continue
		}
		if status, text := p.status(0), p.stderr.String(); status != 1 || !strings.Contains(text, "network folder") {
			t.Errorf("%v: exit status %d:\n%s", tt, status, text)
		}
		if _, err := os.Stat(file); (err == nil) != tt.there {
			t.Errorf("%v: the file: %v", tt, err)
		}
	}
	p := traced(path(), "flock", "delay_enter=5000000:when=1")
	p.stderr.wait(t, `level=WARN msg="the data file is not open yet: `)
}
