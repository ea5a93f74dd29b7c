package arena

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// python starts the example player in Python. Its log is written to the buffer.
func python(t *testing.T) (Player, *bytes.Buffer) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "python3") {
			t.Fatal("no python3 in PATH, and SEDMABOT_TEST_REQUIRE asks for it")
		}
		t.Skip("no python3 in PATH: install it to run the example player")
	}
	var log bytes.Buffer
	c := exec.CommandContext(t.Context(), "python3", "testdata/player.py")
	c.Stderr = &log
	in, failed := c.StdinPipe()
	out, err := c.StdoutPipe()
	if err = errors.Join(failed, err, c.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = c.Wait()
	})
	return Program(in, out), &log
}

// The example player needs nothing but the protocol, and beats someone who plays the first legal move.
func TestPlayerInPython(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	for _, name := range []string{"sedma-2p", "sedma-4p"} {
		rules := gametest.Preset(t, name)
		p, log := python(t)
		first := func(s game.State) (game.Move, error) { return s.Legal()[0], nil }
		report, err := Play(t.Context(), rules, p, first, 100, 1)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, log)
		}
		if report.Score.Mean-report.Score.Width <= 0 {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

// A player refuses a game that it doesn't know, and the arena passes its message on.
func TestPlayerInPythonRefuses(t *testing.T) {
	t.Parallel()
	p, log := python(t)
	r := gametest.Preset(t, "hola-4p")
	s, err := game.Deal(r, r.Pack(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p(s); err == nil || !strings.Contains(err.Error(), "I play sedma-2p and sedma-4p") {
		t.Errorf("%v\n%s", err, log)
	}
}
