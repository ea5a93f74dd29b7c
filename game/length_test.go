package game

import (
	"slices"
	"testing"
)

// TestLengths checks what each kind of game offers.
func TestLengths(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"sedma-4p":        {"h1", "t3", "t5", "t10"},
		"zsirozas-4p":     {"h1", "t3", "t5", "t10"},
		"ristikontra":     {"h1", "t3", "t5", "t7", "t10"},
		"hola-2p":         {"h1", "t200", "t300"},
		"sedma-4p-cash":   {"h1", "h4", "h8"},
		"sedma-2p-points": {"h1", "h4", "h8"},
		"kovac-4p":        {"h1", "t1", "t3", "t5", "t10"},
		"sedmice-4p":      {"h1", "t120"},
		"soccer-home":     nil,
	} {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := Lengths(r); !slices.Equal(got, want) {
			t.Errorf("%s offers %v, not %v", name, got, want)
		}
	}
}

// TestLengthsLeadToGames checks for every preset that each length is a valid game that
// has that length, offers the same lengths again, and that Shorter goes through them
// all, from the longest to the shortest.
func TestLengthsLeadToGames(t *testing.T) {
	t.Parallel()
	for _, name := range Presets() {
		r, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		lengths := Lengths(r)
		if len(lengths) == 0 && !r.Soccer() || len(lengths) > 5 {
			t.Errorf("%s offers %v", name, lengths)
		}
		for i, length := range lengths {
			changed, err := WithLength(r, length)
			if err != nil || changed.Validate() != nil || getEnd(&changed) != length {
				t.Fatalf("%s as %s: %v, %v, %s", name, length, err, changed.Validate(), getEnd(&changed))
			}
			if again := Lengths(changed); !slices.Equal(again, lengths) {
				t.Errorf("%s offers %v, as %s it offers %v", name, lengths, length, again)
			}
			shorter, ok := Shorter(changed)
			if ok != (i > 0) || ok && getEnd(&shorter) != lengths[i-1] {
				t.Errorf("%s: shorter than %s of %v is %s, %v", name, length, lengths, getEnd(&shorter), ok)
			}
		}
		if _, err := WithLength(r, "t4"); err == nil {
			t.Errorf("%s takes a length that isn't offered", name)
		}
	}
}
