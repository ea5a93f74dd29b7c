// Package redistest starts private servers for tests: a Redis ([Start]), one with TLS, a Redis Cluster, and a Redis with
// Sentinels. It also gives tests free addresses, and relays that stand between a client and a server. It is apart from
// package storetest, so that a test of a store in memory links no client of Redis.
package redistest

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Server is a private redis-server process for one test, on a loopback port, with an append-only file. That file
// outlives the process. Nothing waits for the disk, so a busy disk delays no test.
type Server struct {
	Addr string // host:port

	t      testing.TB
	dir    string
	args   []string
	config string // Sentinel: initial content of its config file, which it rewrites
	cmd    *exec.Cmd
	done   chan struct{} // closed when the process and its children have ended
}

// program returns the server that tests run: redis-server, or another one that SEDMABOT_TEST_REDIS names, such as
// valkey-server.
func program() string { return cmp.Or(os.Getenv("SEDMABOT_TEST_REDIS"), "redis-server") }

// Start starts a redis-server, or the server in SEDMABOT_TEST_REDIS, which stops when the test ends. args are
// command-line options ("--maxmemory", "2mb"). If it is not installed, the test is skipped; if SEDMABOT_TEST_REQUIRE contains
// the word redis, it fails.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return begin(t, &Server{args: args})
}

// begin starts a server at an address of its own.
func begin(t testing.TB, r *Server) *Server {
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

// URL returns the server's address for redisstore.Open.
func (r *Server) URL() string { return "redis://" + r.Addr }

// patience is how long to wait for a server before the test fails.
const patience = 2 * time.Minute

// Kill ends the process with SIGKILL.
func (r *Server) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill() // it may have ended already
		<-r.done
		r.cmd = nil
	}
}

// Start restarts the server after Kill, on the same port and with the same append-only file.
func (r *Server) Start() {
	r.t.Helper()
	if err := r.start(); err != nil {
		r.t.Fatal(err)
	}
}

// start starts the process and waits until it answers.
func (r *Server) start() error {
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
	cmd.Stdout = io.Discard // a pipe: it ends only when the server's children, which may still write into dir, have ended too
	if err := cmd.Start(); err != nil {
		return err
	}
	r.cmd, r.done = cmd, make(chan struct{})
	go func(done chan struct{}) {
		_ = cmd.Wait() // a killed server returns an error
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

// Do sends one command on a new connection and returns the first line of the answer.
func (r *Server) Do(words ...string) (string, error) {
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

// try sends a command through a client, and returns the decoded answer.
func (r *Server) try(words ...any) (any, error) {
	client := redis.NewClient(&redis.Options{Addr: r.Addr, Protocol: 2, MaxRetries: -1, DialTimeout: patience, ReadTimeout: patience})
	defer client.Close()
	return client.Do(context.Background(), words...).Result()
}

// text returns the answer to a command as text, for a look at the state.
func (r *Server) text(words ...any) string {
	answer, _ := r.try(words...)
	return fmt.Sprint(answer)
}

// waitFor waits until ok returns true. If that takes too long, the test fails and shows state.
func waitFor(t testing.TB, what string, ok func() bool, state func() string) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s\n%s", patience, what, state())
		}
	}
}
