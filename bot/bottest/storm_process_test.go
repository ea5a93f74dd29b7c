package bottest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"
)

// outcome is what came of a run.
type outcome struct {
	Wrong  []string       `json:"wrong,omitempty"`
	Log    string         `json:"log,omitempty"`    // of a run that failed, or if the plan asks for it
	Digest string         `json:"digest"`           // of all that happened, in order: the same in each run of a plan
	States map[string]int `json:"states,omitempty"` // how often it reached each
	Counts counts         `json:"counts"`
	CPU    time.Duration  `json:"cpu"`
}

// counts are what a run did.
type counts struct{ Runs, Pressed, Answered, Matches, Deals int }

// stormProcess is a process that runs plans, one at a time. It has one processor, collects garbage between runs, and takes its
// random numbers from the plan. So a run depends on its plan alone, and not on what ran before or beside it.
type stormProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	all bytes.Buffer // its errors
}

const outcomeMark = "storm: "

// startStormProcess starts one. If it must be exact, it goes before other processes of the machine, where it may: a goroutine
// that they hold up for 10 ms has to let others pass, and some orders change.
func startStormProcess(t *testing.T, exact bool) *stormProcess {
	t.Helper()
	s := &stormProcess{cmd: exec.Command(os.Args[0], "-test.run=^TestStormProcess$", "-test.timeout=0")}
	if profile := os.Getenv("SEDMABOT_STORM_PROFILE"); profile != "" {
		s.cmd.Args = append(s.cmd.Args, "-test.cpuprofile="+profile)
	}
	s.cmd.Env = append(os.Environ(), "SEDMABOT_STORM_PROCESS=1", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = &s.all
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if exact {
		hurry(s.cmd.Process.Pid)
	}
	return s
}

// runTime is how long a run may take on a machine that is very busy. A run never ends if somebody waits for a mutex whose holder
// sleeps, because a bubble's time doesn't pass then.
const runTime = 8 * time.Minute

// run runs a plan. If the process ends instead of an answer, that is what is wrong with the run.
func (s *stormProcess) run(p plan) (o outcome, ended bool) {
	stuck := time.AfterFunc(runTime, func() { _ = s.cmd.Process.Kill() })
	defer stuck.Stop()
	_, _ = fmt.Fprintln(s.in, p.file())
	var said strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if data, ok := strings.CutPrefix(line, outcomeMark); ok {
			if err := json.Unmarshal([]byte(data), &o); err != nil {
				panic(err)
			}
			return o, false
		}
		said.WriteString(line)
		if err != nil {
			_ = s.cmd.Wait()
			return outcome{Wrong: []string{"0s: the process ended in the middle of the run"}, Log: said.String() + s.all.String()}, true
		}
	}
}

// end ends the process.
func (s *stormProcess) end() {
	_ = s.in.Close()
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait()
}

// TestStormProcess is a stormProcess.
func TestStormProcess(t *testing.T) {
	if os.Getenv("SEDMABOT_STORM_PROCESS") == "" {
		t.Skip("other tests start it")
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	commands() // in no run
	warmPages()
	plans := bufio.NewScanner(os.Stdin)
	plans.Buffer(nil, 1<<20)
	for plans.Scan() {
		var p plan
		if err := json.Unmarshal(plans.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		cryptotest.SetGlobalRandom(t, p.Seed)
		runtime.GC()
		before := cpu()
		o := weather(t, p)
		o.CPU = cpu() - before
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s%s\n", outcomeMark, data)
	}
}
