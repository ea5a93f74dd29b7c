package doc

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/store"
)

// The release before this one reads the notes of this one, and the other way round. It knows the newest hand, and the others in it.
func TestHandsOfTheReleaseBefore(t *testing.T) {
	t.Parallel()
	const stored = `{"v":2,"d":{"answers":{"test:ann":{"address":"test:3","until":"2026-11-29T12:00:00Z","origin":"three","older":[{"address":"test:1","until":"2026-11-29T11:00:00Z","origin":"one"}]}}}}`
	var notes Notes
	if err := Decode(store.Doc{Version: 1, Data: []byte(stored)}, &notes); err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	want := Hands{{Address: "test:1", Until: noon.Add(-time.Hour), Origin: "one"}, {Address: "test:3", Until: noon, Origin: "three"}}
	if diff := cmp.Diff(want, notes.Hands["test:ann"]); diff != "" {
		t.Error(diff)
	}
	if got := string(Encode(notes)); got != stored {
		t.Errorf("stored as %s", got)
	}
}
