package upkeep

import (
	"path/filepath"
	"testing"
	"time"

	"sedmabot/bot/league"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// TestRebuildUsesTheGivenClock rebuilds a home's book at a time one year from now. Jobs must be due by that clock.
func TestRebuildUsesTheGivenClock(t *testing.T) {
	t.Parallel()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Now().AddDate(1, 0, 0)
	b := book{
		name: "test:home", partition: store.Partition("test:home"),
		results: map[string]league.Result{"a-1": {No: 1, At: now, Family: "sedma"}}, ids: []string{"a-1"}, missing: []string{"a-1"},
	}
	if err := b.write(t.Context(), s, now); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		at   time.Time
		want int
	}{{now.Add(-time.Second), 0}, {now.Add(time.Minute), 1}} {
		jobs, _, err := s.Claim(t.Context(), test.at, time.Minute, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) != test.want {
			t.Errorf("%v from the given time %d jobs are due, want %d", test.at.Sub(now), len(jobs), test.want)
		}
	}
}
