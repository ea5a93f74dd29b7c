package doc_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/doc"
)

// Stored homes and players have these keys.
func TestKeysOfSettings(t *testing.T) {
	t.Parallel()
	const home = `{"open":{"x:1":"k3"},"default":{"rules":"sedma-4p","limit":60000000000},"matches":["k3-1"],"season":6,"played":2,` +
		`"periods":["week"],"cup":"c1","lang":"cs","locale":"en","face":"german","zone":"Europe/Prague","openers":"admins",` +
		`"quiet":true,"words":true,"tell":{"x:2":"Ann"},"keep":30}`
	const player = `{"tables":["k3"],"lang":"cs","locale":"en","face":"german","quiet":true,"words":true,"on_call":true,` +
		`"asked":"x:3","door":"d","erasing":true}`
	again(t, home, new(doc.Home))
	again(t, `{}`, new(doc.Home))
	again(t, player, new(doc.Player))
	again(t, `{}`, new(doc.Player))
}

// again decodes a text and encodes it again.
func again(t *testing.T, text string, into any) {
	t.Helper()
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
