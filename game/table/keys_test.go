package table_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game/table"
)

// TestKeysOfSettings checks the keys that settings have in stored tables.
func TestKeysOfSettings(t *testing.T) {
	t.Parallel()
	for text, into := range map[string]any{
		`{"id":"x:1","name":"Ann","lang":"cs","face":"german","locale":"en","quiet":true,"on_call":true,"words":true}`: new(table.Player),
		`{"id":"x:1","name":""}`: new(table.Player),
		`{"id":"x:2","lang":"cs","face":"german","bump":3,"quiet":true,"words":true,"home":"x:3"}`: new(table.Chat),
		`{"id":"x:2"}`: new(table.Chat),
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(encoded, &got), json.Unmarshal([]byte(text), &want)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}
