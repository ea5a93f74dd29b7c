package doc

import (
	"testing"

	"sedmabot/store"
)

// A version replaces another one if its count of writes is the same. While this program and one before it run together, that one
// adds 1 for each write, and nothing was lost.
func TestVersionsThatReplaceOthers(t *testing.T) {
	t.Parallel()
	const known = 7<<16 + 40000
	for version, want := range map[int64]bool{
		known: false, known + 1: false, known + 9: false, known - 1: true, 7 << 16: true, known + 20000: true,
		store.Following(known): false,
	} {
		if replaces(version, known) != want {
			t.Errorf("%d replaces %d: %v", version, known, !want)
		}
	}
	if replaces(58, 57) || replaces(57, 58) || replaces(store.Following(57), 57) {
		t.Error("versions of a program before this one don't tell")
	}
}
