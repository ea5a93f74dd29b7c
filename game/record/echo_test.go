package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sedmabot/game/record"
)

// Even if an invalid record is very long, the error about it must stay short.
func TestErrorsOfLongRecordsAreShort(t *testing.T) {
	t.Parallel()
	const size = 20_000
	long := map[string]json.RawMessage{
		"text":   []byte(`"` + strings.Repeat("x", size) + `"`),
		"escape": []byte(`"` + strings.Repeat(`\u0001`, size) + `"`),
		"number": []byte(strings.Repeat("9", size)),
		"list":   []byte("[" + strings.Repeat(`"x",`, size) + `"x"]`),
		"object": []byte(`{"` + strings.Repeat("x", size) + `":1}`),
	}
	refused := 0
	try := func(what string, text []byte) {
		var out bytes.Buffer
		err := record.Answer(bytes.NewReader(text), &out)
		if err != nil && !errors.Is(err, record.ErrRefused) {
			t.Fatal(err)
		}
		if err == nil {
			return
		}
		refused++
		if out.Len() > 1000 {
			t.Errorf("%s: an answer of %d bytes: %.100s", what, out.Len(), &out)
		}
	}
	rules := `{"preset":"sedma-2p","players":2,"teams":"auto","deck":"german32","hand_size":4,"removed":[],"wild":["7"],"dark":false,` +
		`"special_seven":null,"card_points":{"A":10,"T":10},"burn":{"default":1},"stakes":[1,2,3],"target":10}`
	for _, text := range []string{
		`{"rules":"sedma-2p","mode":"match","dealer":1,"dealer_by":"seed","scores":[0,0],"pool":0,"abeyance":0,"trace":false,"deals":[{"deck":["9a"],"seed":"00","actions":["0:9a"]}]}`,
		`{"rules":` + rules + `,"home":1,"deck":["9a"],"actions":["0:9a"]}`,
		`{"rules":"sedma-2p","mode":"position","leader":0,"hands":[["9a"],["9l"]],"stock":[],"captured":[["Ta"],[]],"tricks_won":[0,0],"rounds_won":[0,0],"passed":false,"lead_run":[0,"9",1],"solo":0,"actions":["0:dance"]}`,
	} {
		if _, err := record.Read([]byte(text)); err != nil {
			t.Fatal(err)
		}
		var document any
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		each(document, func(path string, put func(any)) {
			for _, kind := range slices.Sorted(maps.Keys(long)) {
				put(long[kind])
				b, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				try(path+" a long "+kind, b)
			}
		})
	}
	for kind, value := range long {
		try("no record but a long "+kind, value)
	}
	if refused < 100 {
		t.Errorf("only %d were refused", refused)
	}
}

// each calls f for every value inside a JSON value, with a function that replaces it. After f returns, the old value is
// restored.
func each(v any, f func(path string, put func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			was := v[key]
			f(key, func(other any) { v[key] = other })
			v[key] = was
			each(was, func(path string, put func(any)) { f(key+"."+path, put) })
		}
	case []any:
		for i, was := range v {
			f(fmt.Sprint(i), func(other any) { v[i] = other })
			v[i] = was
			each(was, func(path string, put func(any)) { f(fmt.Sprint(i)+"."+path, put) })
		}
	}
}
