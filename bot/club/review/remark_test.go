package review

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Remarks are read as they were written.
func TestRemarks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all remarks
		for range rapid.IntRange(0, 5).Draw(t, "deals") {
			deal := []remark{}
			for range rapid.IntRange(0, 5).Draw(t, "choices") {
				m := remark{Scores: rapid.SliceOfN(rapid.IntRange(-3000, 3000), 2, 12).Draw(t, "scores"), Cost: rapid.IntRange(0, 6000).Draw(t, "cost")}
				if rapid.IntRange(0, 3).Draw(t, "left out") == 0 {
					m = remark{}
				}
				deal = append(deal, m)
			}
			all = append(all, deal)
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		var read remarks
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all, read); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Remarks that an earlier version wrote with reasons are read without them.
func TestRemarksWithReasons(t *testing.T) {
	t.Parallel()
	const stored = `"YmL+wMiQMpsxhZuTQYSJi4GVgYEBEAAA//8="`
	var read remarks
	if err := json.Unmarshal([]byte(stored), &read); err != nil {
		t.Fatal(err)
	}
	want := remarks{{{Scores: []int{120, 20, -35}, Cost: 100}, {Scores: []int{5, 0}}}, {}}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Fatal(diff)
	}
}

// Damaged remarks are refused, whatever they contain.
func TestDamagedRemarks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if err != nil {
			t.Fatal(err)
		}
		var r remarks
		if err := json.Unmarshal(text, &r); err == nil && len(r) > maxRemarks {
			t.Fatal(len(r))
		}
	})
}
