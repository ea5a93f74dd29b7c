package arena

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// python is the command of the example player in Python.
func python(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "python3") {
			t.Fatal("no python3 in PATH, and SEDMABOT_TEST_REQUIRE asks for it")
		}
		t.Skip("no python3 in PATH: install it to run the example player")
	}
	return "python3 testdata/player.py"
}

// The example player needs nothing but the protocol, and beats someone who plays the first legal move.
func TestPlayerInPython(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	command := python(t)
	for _, name := range []string{"sedma-2p", "sedma-4p"} {
		rules := gametest.Preset(t, name)
		var log bytes.Buffer
		p, err := start(t.Context(), command, &log)
		if err != nil {
			t.Fatal(err)
		}
		first := func(s game.State) (game.Move, error) { return s.Legal()[0], nil }
		report, err := Play(t.Context(), rules, p.choose, first, 100, 1)
		p.stop()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, &log)
		}
		if report.Score.Mean-report.Score.Width <= 0 {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

// A player refuses a game that it doesn't know, and the arena passes its message on.
func TestPlayerInPythonRefuses(t *testing.T) {
	t.Parallel()
	var out, log bytes.Buffer
	err := Command(t.Context(), []string{"--a", "exec:" + python(t), "--b", "easy", "--rules", "hola-4p", "--deals", "1"}, &out, &log)
	if err == nil || !strings.Contains(err.Error(), "I play sedma-2p and sedma-4p") {
		t.Errorf("%v\n%s%s", err, &out, &log)
	}
}
