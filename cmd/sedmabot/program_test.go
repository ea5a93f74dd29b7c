package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
)

// patience is the timeout for events that may never come.
const patience = 2 * time.Minute

// program is the whole program, running in this process.
type program struct {
	t      *testing.T
	watch  *clocktest.Clock
	stop   context.CancelFunc
	ended  chan struct{} // closed when run has returned err
	err    error
	stdout *lines
	stderr *lines
}

// tireless switches off the limit of presses per player, because test players press as fast as they can.
const tireless = "limits.presses: 0"

// start runs the program with these lines of configuration, each "section.key: value". The program stops when the test
// ends. It must stop without an error, and must not have logged one.
func start(t *testing.T, config ...string) *program {
	t.Helper()
	file := write(t, "config.yaml", testSections(config))
	return begin(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		return run(ctx, []string{"--config", file}, nil, stdout, stderr)
	})
}

// startEager is like start, but without Telegram's rate limits.
func startEager(t *testing.T, config ...string) *program {
	t.Helper()
	c, err := loadConfig(write(t, "config.yaml", testSections(config)), none)
	if err != nil {
		t.Fatal(err)
	}
	c.eager = true
	return begin(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		return serve(ctx, c, stdout, stderr)
	})
}

func begin(t *testing.T, run func(ctx context.Context, stdout, stderr io.Writer) error) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &program{t: t, watch: clocktest.Start(t), stop: cancel, ended: make(chan struct{}), stdout: newLines(), stderr: newLines()}
	go func() {
		defer close(p.ended)
		defer p.stdout.Close()
		p.err = run(ctx, p.stdout, p.stderr)
	}()
	t.Cleanup(func() {
		p.end()
		if t.Failed() {
			t.Logf("the program's log:\n%s", p.stderr)
		}
	})
	return p
}

// end stops the program and waits for it.
func (p *program) end() {
	p.t.Helper()
	p.stop()
	began := p.watch.Now()
	<-p.ended
	if took := p.watch.Now() - began; took > stopping {
		p.t.Errorf("the program took %v to stop", took)
	}
	if p.err != nil {
		p.t.Errorf("the program ended with: %v", p.err)
	}
	if wrong := errorsIn(p.stderr); len(wrong) > 0 {
		p.t.Errorf("errors in the log:\n%s", strings.Join(wrong, "\n"))
	}
}

// errorsIn returns the lines of errors in a log, but for those of a Redis that doesn't answer in time: on a busy machine, the bot
// itself may be too slow to hear it.
func errorsIn(log *lines) (all []string) {
	for _, line := range linesOf(log.String()) {
		if strings.Contains(line, "level=ERROR") && !strings.Contains(line, "redis does not answer within") {
			all = append(all, line)
		}
	}
	return all
}

// fails waits until the program ends with one line that contains all the words.
func (p *program) fails(words ...string) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("the program did not end")
	}
	err := p.err
	p.err = nil
	if err == nil {
		p.t.Fatal("the program ended without an error")
	}
	if strings.Contains(err.Error(), "\n") {
		p.t.Errorf("more than one line: %v", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			p.t.Errorf("%q is missing in: %v", w, err)
		}
	}
	if log := p.stderr.String(); log != "" {
		p.t.Logf("logged before: %s", log)
	}
}

// playgroundURL waits until the program prints its playground's address, and returns it.
func (p *program) playgroundURL() string {
	p.t.Helper()
	return strings.TrimPrefix(p.stdout.wait(p.t, `^The playground is at http://\S+$`), "The playground is at ")
}

// testSections returns the configuration of a program that runs beside others on this machine.
func testSections(config []string) string {
	config = append(slices.Clip(config), tireless)
	if !slices.ContainsFunc(config, func(line string) bool { return strings.HasPrefix(line, "monitor.listen") }) {
		config = append(config, "monitor.listen: 127.0.0.1:0")
	}
	return sections(config)
}

// sections returns a configuration file made of "section.key: value" lines.
func sections(config []string) string {
	of := map[string][]string{}
	for _, line := range config {
		section, rest, _ := strings.Cut(line, ".")
		of[section] = append(of[section], rest)
	}
	var b strings.Builder
	for section, keys := range of {
		fmt.Fprintf(&b, "%s:\n", section)
		for _, key := range keys {
			fmt.Fprintf(&b, "  %s\n", key)
		}
	}
	return b.String()
}

// dataFile returns a store.path line with a new file for the test.
func dataFile(t *testing.T) string {
	return "store.path: " + filepath.Join(t.TempDir(), "data", "sedmabot.db")
}

// lines collects the output of a program, so that a test can wait for a line.
type lines struct {
	mu      sync.Mutex
	text    bytes.Buffer
	closed  bool
	changed chan struct{}
}

func newLines() *lines { return &lines{changed: make(chan struct{})} }

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wake()
	return l.text.Write(b)
}

// Close marks the end of the output.
func (l *lines) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wake()
	return nil
}

func (l *lines) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait returns the first line that matches, as soon as there is one.
func (l *lines) wait(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	late := time.After(patience)
	for {
		l.mu.Lock()
		text, closed, changed := l.text.String(), l.closed, l.changed
		l.mu.Unlock()
		for line := range strings.Lines(text) {
			if line, complete := strings.CutSuffix(line, "\n"); complete && re.MatchString(line) {
				return line
			}
		}
		if closed {
			t.Fatalf("it ended without a line %q:\n%s", pattern, text)
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("no line %q:\n%s", pattern, text)
		}
	}
}

// binary returns the path of the program. Under the race detector, its processes would take too long.
func binary(t *testing.T) string {
	t.Helper()
	if clocktest.Raced {
		t.Skip("processes take too long under the race detector")
	}
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// process is the program as a separate process.
type process struct {
	cmd    *exec.Cmd
	stdout *lines
	stderr *lines
	ended  chan struct{}
}

// launch starts the binary with these environment variables. It is killed when the test ends, if it is still running.
func launch(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p, err := begun(binary(t), t.TempDir(), env, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("the log of a process:\n%s", p.stderr)
		}
	})
	return p
}

// begun starts a program as a process in a folder. The caller must end it.
func begun(file, folder string, env []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(file, args...), stdout: newLines(), stderr: newLines(), ended: make(chan struct{})}
	p.cmd.Dir = folder
	p.cmd.Env = slices.Concat(os.Environ(), []string{variable(tireless), variable("monitor.listen: 127.0.0.1:0")}, env)
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // a killed process returns an error here
		p.stdout.Close()
	}()
	return p, nil
}

// kill ends the process with SIGKILL.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // fails if it has ended already
	<-p.ended
}

// status sends a signal and returns the exit status, or -1 if the process doesn't end within 10 s. If the signal is 0,
// it only waits until the process ends.
func (p *process) status(s syscall.Signal) int {
	limit := patience
	if s != 0 {
		_ = p.cmd.Process.Signal(s) // fails if it has ended already
		limit = stopping
	}
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(limit):
		return -1
	}
}

// variable returns the environment variable for a line of configuration.
func variable(line string) string {
	key, value, _ := strings.Cut(line, ": ")
	return "SEDMABOT_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_")) + "=" + value
}

// linesOf returns the lines of a text.
func linesOf(text string) []string {
	var all []string
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		all = append(all, s.Text())
	}
	return all
}
