package table_test

import (
	"encoding/json"
	"testing"

	"sedmabot/game/table"
)

// TestKeysOfSettings checks the order of the keys in stored tables.
func TestKeysOfSettings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"id":"x:1","name":"Ann","lang":"cs","face":"german","locale":"en","quiet":true,"on_call":true,"words":true}`,
		`{"id":"x:1","name":""}`,
	} {
		var p table.Player
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(p); err != nil || string(got) != text {
			t.Errorf("%s, %v; want\n%s", got, err, text)
		}
	}
	for _, text := range []string{
		`{"id":"x:2","lang":"cs","face":"german","bump":3,"quiet":true,"words":true,"home":"x:3"}`,
		`{"id":"x:2"}`,
	} {
		var c table.Chat
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(c); err != nil || string(got) != text {
			t.Errorf("%s, %v; want\n%s", got, err, text)
		}
	}
}
