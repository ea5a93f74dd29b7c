package record_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game/record"
)

// For every worked position and deal, the command must print the expected outcome.
func TestVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var v struct {
			ID, Ruleset, Kind string
			Options           map[string]any
			Setup             map[string]any
			Actions           []string
			Expect            map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind != "position" && v.Kind != "deal" {
			continue
		}
		n++
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			rules := map[string]any{"preset": v.Ruleset}
			for k, value := range v.Options {
				rules[k] = value
			}
			v.Setup["rules"], v.Setup["actions"] = rules, v.Actions
			if v.Kind == "position" {
				v.Setup["mode"] = "position"
			}
			in, err := json.Marshal(v.Setup)
			if err != nil {
				t.Fatal(err)
			}
			got := replay(t, string(in))
			if deals, ok := got["deals"].([]any); ok {
				got = deals[0].(map[string]any)
			}
			winners := []any{}
			if tricks, ok := got["tricks"].([]any); ok {
				for _, trick := range tricks {
					winners = append(winners, trick.(map[string]any)["winner"])
				}
			}
			got["trick_winners"] = winners
			for key, want := range v.Expect {
				value, ok := got[key]
				if !ok {
					t.Errorf("no %q in the answer", key)
				}
				if key == "hands" {
					for _, hands := range []any{want, value} {
						for _, hand := range hands.([]any) {
							slices.SortFunc(hand.([]any), func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
						}
					}
				}
				if diff := cmp.Diff(want, value); diff != "" {
					t.Errorf("%s (-want +got):\n%s", key, diff)
				}
			}
		})
	}
	if n == 0 {
		t.Error("no vectors")
	}
}

// replay returns the command's answer to one record, even if that is a refusal.
func replay(t *testing.T, in string) map[string]any {
	t.Helper()
	var out bytes.Buffer
	err := record.AnswerLines(strings.NewReader(strings.ReplaceAll(in, "\n", " ")), &out)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return got
}
