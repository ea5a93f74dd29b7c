package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a running process.
type program struct {
	*exec.Cmd
	log    *os.File
	exited chan struct{}
}

// start runs a program. Its output goes to a file in dir.
func start(dir string, env []string, name string, args ...string) (*program, error) {
	log, err := os.CreateTemp(dir, "log")
	if err != nil {
		return nil, err
	}
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr, c.Dir = log, log, dir
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // if pressbench is killed
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &program{c, log, make(chan struct{})}
	go func() { _ = c.Wait(); close(p.exited) }()
	return p, nil
}

// stop ends the program.
func (p *program) stop() {
	_ = p.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(10 * time.Second):
		_ = p.Process.Kill()
		<-p.exited
	}
	p.log.Close()
}

// said returns the last lines of the program's output.
func (p *program) said() string {
	text, _ := os.ReadFile(p.log.Name())
	return string(text[max(0, len(text)-2000):])
}

// ended reports whether the program has ended on its own.
func (p *program) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// ticks is the number of clock ticks per second in /proc (USER_HZ, which is 100 on all of Linux's usual platforms).
const ticks = 100

// cpu returns the CPU time of the program, user and system.
func (p *program) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third field on
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks
}

// memory returns the resident memory of the program, in bytes.
func (p *program) memory() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.Process.Pid))
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// quiet waits until the program hardly uses the CPU, for most at most.
func (p *program) quiet(most time.Duration) {
	const look = 500 * time.Millisecond
	for end := time.Now().Add(most); time.Now().Before(end); {
		before := p.cpu()
		time.Sleep(look)
		if p.cpu()-before <= look/20 {
			return
		}
	}
}

// free returns an address of this machine on which nobody listens.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// redis is a redis-server that keeps everything in memory.
type redis struct {
	*program
	at string
}

func startRedis(dir string) (*redis, error) {
	at, err := free()
	if err != nil {
		return nil, err
	}
	_, port, _ := strings.Cut(at, ":")
	p, err := start(dir, nil, "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir)
	if err != nil {
		return nil, err
	}
	for range 100 {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			return &redis{p, at}, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.stop()
	return nil, fmt.Errorf("redis-server did not start: %s", p.said())
}

// measured is a script that returns the bytes of all documents with their names, and the number of records of deals. It leaves
// out those of handled events, which are kept for a quarter of an hour.
const measured = `local bytes, deals, at = 0, 0, '0'
repeat
  local found = redis.call('SCAN', at, 'COUNT', 1000)
  at = found[1]
  for _, k in ipairs(found[2]) do
    if redis.call('TYPE', k).ok == 'string' and not string.find(k, ':doc:seen:', 1, true) then
      bytes = bytes + #k + redis.call('STRLEN', k)
      if string.find(k, ':record:', 1, true) then deals = deals + 1 end
    end
  end
until at == '0'
return bytes .. ' ' .. deals`

// kept returns the bytes of all documents in the store, and the number of deals of which there is a record.
func (r *redis) kept() (bytes, deals int, err error) {
	c, err := net.Dial("tcp", r.at)
	if err != nil {
		return 0, 0, err
	}
	defer c.Close()
	fmt.Fprintf(c, "*3\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n0\r\n", len(measured), measured)
	var length int
	_, err = fmt.Fscanf(c, "$%d\r\n%d %d\r\n", &length, &bytes, &deals)
	return bytes, deals, err
}

// door is a file that is added to the bot's package while it is built here: see profile.go.txt.
//
//go:embed profile.go.txt
var door []byte

// build returns the bot's executable. from is a folder with its source, a commit of this repository, or an executable,
// which is used as it is. Source is built into the test binary of cmd/sedmabot: with an environment variable of its
// tests it runs as the program does, but leaves no gaps between its deliveries.
func (b *bench) build(from, dir string) (string, error) {
	info, err := os.Stat(from)
	switch {
	case err == nil && !info.IsDir():
		return filepath.Abs(from)
	case err != nil:
		source := filepath.Join(dir, "source-"+from)
		if err := os.MkdirAll(source, 0o755); err != nil {
			return "", err
		}
		script := fmt.Sprintf("git -C %q archive %q | tar -x -C %q", filepath.Join(b.here, "../.."), from, source)
		if out, err := exec.Command("bash", "-o", "pipefail", "-c", script).CombinedOutput(); err != nil {
			return "", fmt.Errorf("no file, folder or commit %s: %s", from, out)
		}
		from = source
	}
	if from, err = filepath.Abs(from); err != nil {
		return "", err
	}
	if memory, err := os.ReadFile(filepath.Join(from, "cmd/sedmabot/memory.go")); err == nil && bytes.Contains(memory, []byte("func useMemory()")) {
		door = append(door, "\nfunc init() { _ = useMemory() } // as main does\n"...)
	}
	added := filepath.Join(dir, "profile_test.go")
	if err := os.WriteFile(added, door, 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(from, "cmd/sedmabot/pressbench_test.go"): added}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "bot-"+filepath.Base(from))
	c := exec.Command("go", "test", "-c", "-trimpath", "-ldflags=-s -w", "-overlay", list, "-o", out, "./cmd/sedmabot")
	c.Dir = from
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", from, err, said)
	}
	return out, nil
}
