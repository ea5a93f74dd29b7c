// Package storetest is the test suite for every backend of package store. For each promise in the documentation of
// package store, there is a test here. One test also compares random sequences of operations with a simple model. A
// backend's tests call [Run].
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/store"
)

// Reported is the name of the test that a watch reports a change at once.
const Reported = "a watch reports a change at once"

// Run runs the suite, without the tests that skip names. Each call of open must return a new, empty store, and close it
// when its test ends.
func Run(t *testing.T, open func(t *testing.T) store.Store, skip ...string) {
	for _, test := range []struct {
		name string
		run  func(s *suite)
	}{
		{"documents are read in the order of keys", documentsInOrder},
		{"a version stands until the next write", versions},
		{"versions grow across deletions", versionsAcrossDeletions},
		{"no update is lost", lostUpdates},
		{"a conflict leaves nothing behind", conflictLeavesNothing},
		{"a fenced commit leaves nothing behind", fencedLeavesNothing},
		{"names are any bytes", names},
		{"documents of any size", sizes},
		{"malformed changes are refused", malformed},
		{"documents expire", expiry},
		{"an expired document gives way", expiredGivesWay},
		{"expired documents are swept away", sweeping},
		{"scan pages through everything once", scan},
		{"scan keeps to its prefix", scanPrefix},

		{"a mark makes a job due", markDue},
		{"many marks are one run", marksCollapse},
		{"an earlier mark brings a job forward", broughtForward},
		{"a mark while held causes another run", wakeWhileHeld},
		{"a later mark while held waits for its time", wakeLater},
		{"a mark by a clock ahead doesn't wait for it", markedAhead},
		{"done and marked in one change", doneAndMarked},
		{"a job is held by the change that makes it due", heldAtOnce},
		{"a job of somebody else's is only marked", heldByAnother},
		{"a hold returns the documents after the change", heldReads},
		{"a lease that ended is claimed by another", leaseEnds},
		{"a lease that ended unclaimed is still good", leaseEndedUnclaimed},
		{"a stale holder is fenced", staleHolder},
		{"a job is released once", releasedOnce},
		{"nothing is early", nothingEarly},
		{"a claim that is late", claimsLate},
		{"a clock that jumps", clockJumps},
		{"a clock that steps back", clockBack},
		{"claim takes the longest due first", claimOrder},
		{"claim says when to come again", claimNext},
		{"partitions take turns", turns},
		{"concurrent claims never share a job", concurrentClaims},
		{"a job is left to other processes", leftToOthers},

		{"a board is ordered", boardOrder},
		{"ties share a rank", boardTies},
		{"a board around a member", boardAround},
		{"a row is set, not added", boardSet},
		{"a board of many rows", boardMany},

		{"a watch reports changes", watchChanges},
		{Reported, watchAtOnce},
		{"a watch sends a slow reader the newest state", watchSlowly},
		{"a watch reports an expiry", watchExpiry},
		{"a watch ends", watchEnds},
		{"many watches", watchMany},

		{"a cancelled call fails", cancelled},
		{"a closed store fails", closed},
		{"concurrent calls have an order", concurrentCalls},
		{"random operations agree with the model", modelAgrees},
	} {
		if slices.Contains(skip, test.name) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			now := time.Now()
			if s, ok := s.(interface{ Now() time.Time }); ok {
				now = s.Now() // documents expire by this clock, which may be behind by half a round trip
			}
			test.run(&suite{T: t, open: open, Store: s, ctx: t.Context(), now: now.Truncate(time.Millisecond)})
		})
	}
}

// suite is the state of one test: its own store and the current time by that store's clock.
type suite struct {
	*testing.T
	store.Store
	open func(t *testing.T) store.Store
	ctx  context.Context
	now  time.Time
}

const part = 3 // the partition of tests that need one

func key(name string) store.Key { return store.Key{Partition: part, Name: name} }

// later returns the suite's current time plus d.
func (s *suite) later(d time.Duration) time.Time { return s.now.Add(d) }

// commit commits a change in part that must succeed.
func (s *suite) commit(c store.Change) {
	s.Helper()
	s.refuse(nil, c)
}

// refuse commits a change in part that must fail with want.
func (s *suite) refuse(want error, c store.Change) {
	s.Helper()
	if c.Partition == 0 {
		c.Partition = part
	}
	if c.Now.IsZero() {
		c.Now = s.now
	}
	if err := s.Commit(s.ctx, c); !errors.Is(err, want) {
		s.Fatalf("commit: %v, want %v", err, want)
	}
}

// put writes a document in part, whatever version it has, and returns its new version.
func (s *suite) put(name, data string) int64 {
	s.Helper()
	s.commit(store.Change{Writes: []store.Write{{Name: name, Expect: store.Any, Data: []byte(data)}}})
	return s.get(name).Version
}

// get reads a document of part.
func (s *suite) get(name string) store.Doc {
	s.Helper()
	docs, err := s.Get(s.ctx, key(name))
	if err != nil {
		s.Fatal(err)
	}
	return docs[0]
}

// want checks a document of part. Empty data means that the document must be absent.
func (s *suite) want(name, data string) {
	s.Helper()
	doc := s.get(name)
	if got := string(doc.Data); got != data || (doc.Version == 0) != (data == "") {
		s.Fatalf("document %q is %q at version %d, want %q", name, got, doc.Version, data)
	}
}

// mark marks a job of part as due at a time.
func (s *suite) mark(id string, at time.Time) {
	s.Helper()
	s.commit(store.Change{Due: []store.Mark{{ID: id, At: at}}})
}

// claim claims all jobs that are due at a time, for ten seconds.
func (s *suite) claim(at time.Time) []store.Job {
	s.Helper()
	jobs, _, err := s.Claim(s.ctx, at, 10*time.Second, 100)
	if err != nil {
		s.Fatal(err)
	}
	return jobs
}

// one claims the only job that is due at a time, which must be id.
func (s *suite) one(id string, at time.Time) store.Job {
	s.Helper()
	jobs := s.claim(at)
	if len(jobs) != 1 || jobs[0].ID != id || jobs[0].Partition != part {
		s.Fatalf("claimed %+v, want %q alone", jobs, id)
	}
	return jobs[0]
}

// none checks that no job is due at a time.
func (s *suite) none(at time.Time) {
	s.Helper()
	if jobs := s.claim(at); len(jobs) != 0 {
		s.Fatalf("claimed %+v, want nothing", jobs)
	}
}

// release releases a job and expects the error want.
func (s *suite) release(job store.Job, now, next time.Time, want error) {
	s.Helper()
	if err := s.Release(s.ctx, job, now, next); !errors.Is(err, want) {
		s.Fatalf("release: %v, want %v", err, want)
	}
}

// board checks a window of a board of part, as lines of "rank member score data", and the board's number of rows.
func (s *suite) board(from, n int, around string, wantAll int, want ...string) {
	s.Helper()
	standings, all, err := s.Board(s.ctx, part, "league", from, n, around)
	if err != nil {
		s.Fatal(err)
	}
	var got []string
	for _, st := range standings {
		got = append(got, fmt.Sprintf("%d %s %g %s", st.Rank, st.Member, st.Score, st.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.Fatalf("board from %d, %d rows, around %q (-want +got):\n%s", from, n, around, diff)
	}
	if all != wantAll {
		s.Fatalf("board has %d rows, want %d", all, wantAll)
	}
}
