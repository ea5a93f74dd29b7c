package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
)

// TestMain can also run as an engine, so the arena can start this test binary as a program.
func TestMain(m *testing.M) {
	if os.Getenv("ARENA_TEST_ENGINE") != "" {
		if err := Engine(context.Background(), []string{"--level", "easy"}, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// rng is a small random generator: splitmix64.
type rng uint64

func (r *rng) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

// retell plays a random deal. At about every fourth move it turns the seat's request back into a state, and compares
// what the seat sees there. Unless complete is set, some requests lack their forced stops.
func retell(t gametest.T, r game.Rules, choose gametest.Chooser, complete bool) {
	s, err := game.Deal(r, gametest.Shuffled(r, choose), choose(r.Players))
	if err != nil {
		t.Fatalf("%v", err)
	}
	forced := []bool{}
	for !s.Over() {
		if !s.Forced() && choose(4) == 0 {
			question := ask(s, 1)
			kept := question.Actions[:0]
			leaveOut := !complete && choose(2) == 0
			for i, a := range question.Actions {
				if !leaveOut || !forced[i] {
					kept = append(kept, a)
				}
			}
			question.Actions = kept
			text, err := json.Marshal(question)
			if err != nil {
				t.Fatalf("%v", err)
			}
			var read request
			if err := json.Unmarshal(text, &read); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			rebuilt, _, err := read.state()
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			want, got := s.View(s.Turn()), rebuilt.View(s.Turn())
			for _, v := range []*game.View{&want, &got} {
				slices.Sort(v.Hand)
				slices.Sort(v.Legal)
			}
			if d := cmp.Diff(want, got); d != "" && !leaveOut {
				t.Fatalf("%s\n%s", text, d)
			}
			if !slices.Equal(want.Hand, got.Hand) || !slices.Equal(want.Counts, got.Counts) || want.Stock != got.Stock {
				t.Fatalf("%s\n%+v\n%+v", text, want, got)
			}
		}
		forced = append(forced, s.Forced())
		legal := s.Legal()
		if s, err = game.Apply(s, s.Turn(), legal[choose(len(legal))]); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

func TestRequestsTellWhatTheSeatSaw(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out tests that take long")
	}
	for _, name := range game.Presets() {
		r := gametest.Preset(t, name)
		random := rng(len(name))
		for range 2 {
			retell(t, r, random.below, false)
		}
	}
	random := func(t gametest.T, seed uint64) {
		choose := rng(seed)
		retell(t, gametest.Rules(t, choose.below), choose.below, true)
	}
	for _, seed := range []uint64{990, 3305, 3703, 4481} { // deals that failed before: with two equal cards in different hands, or with every stop in the request
		random(t, seed)
	}
	rapid.Check(t, func(t *rapid.T) { random(t, rapid.Uint64().Draw(t, "seed")) })
}

// An invalid request must get an error as its answer, and the engine must continue.
func TestEngine(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":1,"rules":"sedma-4p","dealer":3,"scores":[0,0],"seat":2,"hand":["7a","Ka","9l","Ub"],"actions":["0:9a","1:Ta"]}`,
		`{"id":2,"rules":"sedma-5p","dealer":3,"seat":2,"hand":[],"actions":[]}`,
		`what?`,
		`{"id":"four","rules":"sedma-4p","dealer":3,"seat":2,"hand":["7a","Ka","9l","9a"],"actions":["0:9a","1:Ta"]}`,
		`{"id":5,"rules":"sedma-4p","dealer":3,"seat":3,"hand":["7a","Ka","9l","Ub"],"actions":["0:9a","1:Ta"]}`,
		`{"id":6,"rules":"sedma-2p","dealer":0,"scores":[0,9],"seat":1,"hand":["9a","9l","9h","9b"],"actions":[]}`,
	}
	var out bytes.Buffer
	if err := Engine(t.Context(), nil, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{`"id":1,"move":`, `"id":2,"error":"input"`, `"error":"input"`, `"id":"four","error":"input"`, `"id":5,"error":"input"`, `"id":6,"move":"9`} {
		if i >= len(answers) || !strings.HasPrefix(answers[i], "{"+want) {
			t.Errorf("%s is answered by %q", lines[i], answers[min(i, len(answers)-1)])
		}
	}
}

// A level that runs as a program must play exactly as the level.
func TestProgramPlaysAsItsLevel(t *testing.T) {
	t.Setenv("ARENA_TEST_ENGINE", "yes")
	for _, name := range []string{"sedma-4p", "sedma-3p", "ristikontra"} {
		var out, wrong bytes.Buffer
		args := []string{"--a", "exec:exec " + os.Args[0], "--b", "easy", "--rules", name, "--deals", "4"}
		if err := Command(t.Context(), args, &out, &wrong); err != nil {
			t.Fatalf("%v %s", err, &wrong)
		}
		if !strings.Contains(out.String(), "score   +0.000 ± 0.000") {
			t.Errorf("a level against itself as a program:\n%s", &out)
		}
	}
}

// Play must find the better player, with a confidence interval that excludes zero.
func TestPlayFindsTheBetterOne(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-3p")
	first := func(s game.State) (game.Move, error) { return s.Legal()[0], nil }
	easy := func(s game.State) (game.Move, error) { return ai.Think("easy", s.View(s.Turn())), nil }
	report, err := Play(t.Context(), r, easy, first, 60, 1)
	if err != nil {
		t.Fatal(err)
	}
	if report.Score.Mean-report.Score.Width <= 0 || report.Deals != 6*60 || report.A.Moves == 0 {
		t.Errorf("%+v", report)
	}
}

// Even if an invalid request is very long, the answer about it must stay short.
func TestErrorsOfLongRequestsAreShort(t *testing.T) {
	t.Parallel()
	long, digits := strings.Repeat("x", 20_000), strings.Repeat("9", 20_000)
	good := map[string]string{"id": "1", "rules": `"sedma-2p"`, "dealer": "0", "scores": "[0,0]", "seat": "0", "hand": `["7a"]`, "actions": `["0:9a"]`}
	for key := range good {
		for _, value := range []string{`"` + long + `"`, digits, `["` + long + `"]`, "[" + digits + "]", `{"` + long + `":1}`} {
			request := map[string]json.RawMessage{}
			for k, v := range good {
				request[k] = json.RawMessage(v)
			}
			request[key] = json.RawMessage(value)
			b, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := Engine(t.Context(), nil, bytes.NewReader(append(b, '\n')), &out); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), `"error":"input"`) || out.Len() > 1000 {
				t.Errorf("%s of %.20s: an answer of %d bytes: %.200s", key, value, out.Len(), &out)
			}
		}
	}
}

// TestReadsEarlierReports checks that a report of an earlier version, which had other names, is read like one of today.
func TestReadsEarlierReports(t *testing.T) {
	for _, data := range []string{`{"rules":"sedma-4p","deals":300,"games":600}`, `{"rules":"sedma-4p","decks":300,"deals":600}`} {
		var r Report
		if err := json.Unmarshal([]byte(data), &r); err != nil || r.Decks != 300 || r.Deals != 600 || r.Rules != "sedma-4p" {
			t.Errorf("%s: %+v, %v", data, r, err)
		}
	}
}
