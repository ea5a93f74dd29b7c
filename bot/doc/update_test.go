package doc

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// TestUpdate checks that commits of others between the read and the write are not lost,
// and that an update gives up after Attempts conflicts.
func TestUpdate(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	for name, c := range map[string]struct {
		others  int // number of conflicting commits before the update's own
		due     bool
		step    error
		want    error
		tries   int
		version int64
		nudges  int
	}{
		"at once":          {tries: 1, version: 1},
		"work due":         {due: true, tries: 1, version: 1, nudges: 1},
		"others first":     {others: 3, due: true, tries: 4, version: 4, nudges: 1},
		"just in time":     {others: Attempts - 1, tries: Attempts, version: Attempts},
		"too many others":  {others: 100, due: true, want: ErrBusy, tries: Attempts, version: Attempts},
		"nothing to write": {step: ErrSame, tries: 1},
		"an error":         {step: failed, want: failed, tries: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := boltstore.Open(filepath.Join(t.TempDir(), "test.db"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			tries := 0
			now := time.Unix(1e9, 0)
			d := &Docs{Store: s, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Wakes: make(chan struct{}, 10)}
			key := HomeKey("discord:1")
			add := func(docs []store.Doc, change *store.Change) error {
				var h Home
				if err := Decode(docs[0], &h); err != nil {
					return err
				}
				h.Played++
				change.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: Encode(h)}}
				return nil
			}
			err = d.Update(t.Context(), "", []store.Key{key}, func(docs []store.Doc, change *store.Change) error {
				if change.Partition != key.Partition || !change.Now.Equal(now) {
					t.Errorf("the change is of partition %d, at %v", change.Partition, change.Now)
				}
				if tries++; tries <= c.others {
					if err := d.Update(t.Context(), "", []store.Key{key}, add); err != nil {
						t.Error(err)
					}
				}
				if c.due {
					change.Due = []store.Mark{{ID: key.Name, At: change.Now}}
				}
				return errors.Join(add(docs, change), c.step)
			})
			if nudges := len(d.Wakes); !errors.Is(err, c.want) || tries != c.tries || nudges != c.nudges {
				t.Errorf("%v after %d tries and %d nudges, want %v, %d and %d", err, tries, nudges, c.want, c.tries, c.nudges)
			}
			var h Home
			version, err := d.Get(context.Background(), key, &h)
			if n := store.Writes(version); err != nil || n != c.version || h.Played != int(c.version) {
				t.Errorf("%d changes are counted in version %d: %v", h.Played, version, err)
			}
		})
	}
}

// TestUpdateOncePerEvent checks that an event changes a document once, however often it arrives.
func TestUpdateOncePerEvent(t *testing.T) {
	t.Parallel()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &Docs{Store: s, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	for i, want := range []error{nil, ErrRepeated} {
		var h Home
		if err := Set(t.Context(), d, "event", HomeKey("discord:1"), &h, func() error { h.Played++; return nil }); !errors.Is(err, want) {
			t.Errorf("time %d: %v, want %v", i+1, err, want)
		}
	}
	var h Home
	if _, err := d.Get(t.Context(), HomeKey("discord:1"), &h); err != nil || h.Played != 1 {
		t.Errorf("it was changed %d times: %v", h.Played, err)
	}
}
