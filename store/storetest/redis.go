package storetest

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// RedisServer is a redis-server process of a test's own, on a loopback port, with an append-only file. What it has
// written there outlives the process; nothing waits for the disk, so that a busy one delays no test.
type RedisServer struct {
	Addr string // host:port

	t      testing.TB
	dir    string
	args   []string
	config string // of a Sentinel: the file, which it writes itself
	cmd    *exec.Cmd
	done   chan struct{} // closed when the process and what it forked have ended
}

// program returns the server that tests run: redis-server, or another one that SEDMABOT_TEST_REDIS names, such as
// valkey-server.
func program() string { return cmp.Or(os.Getenv("SEDMABOT_TEST_REDIS"), "redis-server") }

// Redis starts a redis-server, or the server in SEDMABOT_TEST_REDIS, that ends with the test; args go to it as they are
// ("--maxmemory", "2mb"). If it isn't installed, the test is skipped, or fails if SEDMABOT_TEST_REQUIRE has the word redis.
func Redis(t testing.TB, args ...string) *RedisServer {
	t.Helper()
	return begin(t, &RedisServer{args: args})
}

// begin starts a server at an address of its own.
func begin(t testing.TB, r *RedisServer) *RedisServer {
	t.Helper()
	if _, err := exec.LookPath(program()); err != nil {
		for word := range strings.SplitSeq(os.Getenv("SEDMABOT_TEST_REQUIRE"), ",") {
			if strings.TrimSpace(word) == "redis" {
				t.Fatalf("no %[1]s in PATH, and SEDMABOT_TEST_REQUIRE asks for redis: install Debian's package %[1]s", program())
			}
		}
		t.Skipf("no %[1]s in PATH: install Debian's package %[1]s to run this test", program())
	}
	r.t, r.dir = t, t.TempDir()
	r.Addr = Address(t)
	t.Cleanup(r.Kill)
	r.Start()
	return r
}

// URL is the server's address for redisstore.Open.
func (r *RedisServer) URL() string { return "redis://" + r.Addr }

// patience is how long a server that hangs is waited for.
const patience = 2 * time.Minute

// Kill ends the process by SIGKILL.
func (r *RedisServer) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill() // it may have ended by itself
		<-r.done
		r.cmd = nil
	}
}

// Start starts the server again after Kill, on the same port and the same append-only file.
func (r *RedisServer) Start() {
	r.t.Helper()
	if err := r.start(); err != nil {
		r.t.Fatal(err)
	}
}

// Pause stalls the process by SIGSTOP: connections stay open, nothing is answered.
func (r *RedisServer) Pause() { r.signal(syscall.SIGSTOP) }

// Resume ends Pause.
func (r *RedisServer) Resume() { r.signal(syscall.SIGCONT) }

func (r *RedisServer) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// start starts the process and waits until it answers.
func (r *RedisServer) start() error {
	host, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return err
	}
	logfile := filepath.Join(r.dir, "redis.log")
	args := []string{"--bind", host, "--port", port, "--dir", r.dir, "--logfile", logfile, "--save", "",
		"--appendonly", "yes", "--appendfsync", "no"}
	cmd := exec.Command(program(), append(args, r.args...)...)
	if r.config != "" {
		file := filepath.Join(r.dir, "sentinel.conf")
		text := fmt.Sprintf("bind %s\nport %s\ndir %s\nlogfile %s\n%s", host, port, r.dir, logfile, r.config)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		cmd = exec.Command(program(), file, "--sentinel")
	}
	cmd.Stdout = io.Discard // a pipe: its end is that of what the server forked, too, which may still write into dir
	if err := cmd.Start(); err != nil {
		return err
	}
	r.cmd, r.done = cmd, make(chan struct{})
	go func(done chan struct{}) {
		_ = cmd.Wait() // a server that is killed ends with an error
		close(done)
	}(r.done)

	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		answer, err := r.Do("PING")
		if err == nil && answer == "+PONG" {
			return nil
		}
		select {
		case <-r.done:
			log, _ := os.ReadFile(logfile)
			return fmt.Errorf("redis-server ended at once:\n%s", log)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return errors.New("redis-server does not answer")
}

// Do sends one command on a connection of its own and returns the first line of the answer.
func (r *RedisServer) Do(words ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", r.Addr, patience)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	fmt.Fprintf(conn, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(word), word)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}
