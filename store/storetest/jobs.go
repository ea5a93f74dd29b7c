package storetest

import (
	"fmt"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/store"
)

func markDue(s *suite) {
	s.none(s.later(time.Hour))
	s.mark("job", s.later(time.Second))
	s.none(s.later(999 * time.Millisecond))
	job := s.one("job", s.later(time.Second))
	if !job.Due.Equal(s.later(time.Second)) {
		s.Errorf("due since %v, want %v", job.Due, s.later(time.Second))
	}
	s.none(s.later(10 * time.Second)) // the job is leased
	s.release(job, s.later(2*time.Second), time.Time{}, nil)
	s.none(s.later(time.Hour))

	s.mark("job", s.now)
	job = s.one("job", s.now)
	s.release(job, s.now, s.later(time.Minute), nil)
	s.none(s.later(time.Minute - time.Millisecond))
	s.one("job", s.later(time.Minute))
}

func marksCollapse(s *suite) {
	for i := range 20 {
		s.mark("job", s.later(time.Duration(-i)*time.Millisecond))
	}
	s.commit(store.Change{Due: []store.Mark{{ID: "job", At: s.now}, {ID: "job", At: s.later(-time.Minute)}}})
	job := s.one("job", s.now)
	if !job.Due.Equal(s.later(-time.Minute)) {
		s.Errorf("due since %v, want %v", job.Due, s.later(-time.Minute))
	}
	for range 20 {
		s.mark("job", s.now)
	}
	s.release(job, s.now, time.Time{}, nil)
	job = s.one("job", s.now)
	s.release(job, s.now, time.Time{}, nil)
	s.none(s.later(time.Hour))
}

func broughtForward(s *suite) {
	s.mark("job", s.later(24*time.Hour))
	s.mark("job", s.later(time.Minute))
	s.mark("job", s.later(time.Hour)) // a mark never makes a job due later
	s.none(s.later(time.Minute - time.Millisecond))
	job := s.one("job", s.later(time.Minute))
	s.release(job, s.later(time.Minute), s.later(24*time.Hour), nil)
	s.mark("job", s.later(2*time.Minute))
	s.one("job", s.later(2*time.Minute))
}

func wakeWhileHeld(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.mark("job", s.later(time.Second))
	s.none(s.later(2 * time.Second)) // nobody else gets the job while it is leased
	s.release(job, s.later(2*time.Second), s.later(24*time.Hour), nil)
	job = s.one("job", s.later(2*time.Second))
	s.release(job, s.later(2*time.Second), time.Time{}, nil)
	s.none(s.later(48 * time.Hour)) // one mark causes one run

	s.mark("job", s.now)
	job = s.one("job", s.now)
	s.mark("job", s.now)
	s.release(job, s.now, time.Time{}, nil)
	s.one("job", s.now)
}

func wakeLater(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.mark("job", s.later(time.Hour))
	s.mark("job", s.later(time.Minute))
	s.release(job, s.now, time.Time{}, nil)
	s.none(s.later(time.Minute - time.Millisecond))
	job = s.one("job", s.later(time.Minute))

	s.mark("job", s.later(time.Hour))
	s.release(job, s.later(time.Minute), s.later(2*time.Minute), nil) // the holder asks for an earlier time
	job = s.one("job", s.later(2*time.Minute))
	s.release(job, s.later(2*time.Minute), time.Time{}, nil)
	s.none(s.later(2 * time.Hour))

	// A run after an expired lease takes care of marks that are due by then, but not of later ones.
	s.mark("job", s.now)
	s.one("job", s.now)
	s.mark("job", s.later(time.Second))
	job = s.one("job", s.later(10*time.Second))
	s.release(job, s.later(10*time.Second), time.Time{}, nil)
	s.none(s.later(time.Hour))
	s.mark("job", s.now)
	s.one("job", s.now)
	s.mark("job", s.later(time.Minute))
	job = s.one("job", s.later(10*time.Second))
	s.release(job, s.later(10*time.Second), time.Time{}, nil)
	s.none(s.later(59 * time.Second))
	s.one("job", s.later(time.Minute))
}

func markedAhead(s *suite) {
	ahead := s.later(72 * time.Hour)
	for _, c := range []store.Change{
		{Now: ahead, Due: []store.Mark{{ID: "job", At: ahead}}},
		{Now: ahead, Claim: &store.Claim{ID: "job", Token: store.NewToken(), Until: ahead.Add(time.Second)}},
	} {
		s.mark("job", s.now)
		job := s.one("job", s.now)
		s.commit(c)
		s.release(job, s.now, time.Time{}, nil)
		s.none(s.later(10*time.Second - time.Millisecond))
		job = s.one("job", s.later(10*time.Second)) // when the lease would have ended
		s.release(job, s.later(10*time.Second), time.Time{}, nil)
	}

	s.mark("job", s.later(48*time.Hour))
	s.commit(store.Change{Now: ahead, Due: []store.Mark{{ID: "job", At: ahead}}})
	job := s.one("job", s.now)
	s.release(job, s.now, time.Time{}, nil)
	s.none(s.later(100 * time.Hour))
}

func doneAndMarked(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.commit(store.Change{
		Writes: []store.Write{{Name: "a", Data: []byte("work")}},
		Due:    []store.Mark{{ID: "job", At: s.later(time.Minute)}, {ID: "other", At: s.later(time.Second)}},
		Done:   &job,
		Next:   s.later(time.Hour),
	})
	s.want("a", "work")
	s.release(s.one("other", s.later(time.Second)), s.later(time.Second), time.Time{}, nil)
	job = s.one("job", s.later(time.Minute))
	s.commit(store.Change{Done: &job, Next: s.later(2 * time.Minute), Due: []store.Mark{{ID: "job", At: s.later(time.Hour)}}})
	s.one("job", s.later(2*time.Minute))
}

// hold marks a job of part due and asks for its lease in the same commit, for ten seconds.
func (s *suite) hold(id string, at time.Time, want bool) store.Job {
	s.Helper()
	h := &store.Claim{ID: id, Token: 1<<62 + at.UnixNano()%(1<<60), Until: at.Add(10 * time.Second)}
	s.commit(store.Change{Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("move")}}, Claim: h, Now: at})
	if h.Claimed != want {
		s.Fatalf("%q is held: %v, want %v", id, h.Claimed, want)
	}
	return store.Job{Partition: part, ID: id, Token: h.Token}
}

func heldAtOnce(s *suite) {
	job := s.hold("job", s.now, true)
	s.none(s.later(9 * time.Second))
	s.mark("job", s.later(time.Second))
	s.release(job, s.later(time.Second), time.Time{}, nil)
	s.release(s.one("job", s.later(time.Second)), s.later(time.Second), s.later(time.Minute), nil)

	job = s.hold("job", s.later(2*time.Second), true) // the job was parked until now
	s.commit(store.Change{Done: &job, Next: s.later(time.Hour), Now: s.later(2 * time.Second)})
	s.release(job, s.later(2*time.Second), time.Time{}, store.ErrFenced)
	s.none(s.later(time.Hour - time.Millisecond))
	s.release(s.one("job", s.later(time.Hour)), s.later(time.Hour), time.Time{}, nil)

	job = s.hold("job", s.now, true)
	if other := s.one("job", s.later(10*time.Second)); !other.Due.Equal(s.later(10 * time.Second)) {
		s.Errorf("due since %v, want the end of the lease", other.Due)
	}
	s.release(job, s.later(11*time.Second), time.Time{}, store.ErrFenced)
}

func heldByAnother(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.hold("job", s.later(time.Second), false)
	s.want("a", "move")
	s.none(s.later(2 * time.Second))
	s.release(job, s.later(2*time.Second), time.Time{}, nil)
	s.release(s.one("job", s.later(2*time.Second)), s.later(2*time.Second), time.Time{}, nil)

	s.hold("job", s.now, true)
	s.hold("job", s.later(time.Minute), false) // a Claim doesn't get a job whose lease has expired
	s.one("job", s.later(time.Minute))

	h := &store.Claim{ID: "other", Token: 1 << 62, Until: s.later(time.Minute)}
	s.refuse(store.ErrConflict, store.Change{Writes: []store.Write{{Name: "a", Data: []byte("x")}}, Claim: h})
	s.none(s.later(time.Minute))
	if h.Claimed {
		s.Error("held by a change that was refused")
	}
}

func heldReads(s *suite) {
	s.put("kept", "as it was")
	s.put("written", "before")
	s.put("overwritten", "before")
	s.put("deleted", "before")
	s.commit(store.Change{Writes: []store.Write{{Name: "stale", Data: []byte("x"), Expires: s.later(time.Minute)}}})
	names := []string{"kept", "absent", "written", "overwritten", "created", "deleted", "expiring", "stale", "written"}
	hold := func(at time.Time, c store.Change) *store.Claim {
		c.Claim = &store.Claim{ID: "job", Token: 1 << 62, Until: s.later(time.Hour), Read: names}
		c.Now = at
		s.commit(c)
		return c.Claim
	}
	h := hold(s.later(2*time.Minute), store.Change{Writes: []store.Write{
		{Name: "written", Expect: s.get("written").Version, Data: []byte("after")},
		{Name: "overwritten", Expect: store.Any, Data: []byte("after")},
		{Name: "created", Data: []byte("new")},
		{Name: "deleted", Expect: s.get("deleted").Version},
		{Name: "expiring", Data: []byte("soon"), Expires: s.later(time.Hour)},
	}})
	if !h.Claimed || len(h.Docs) != len(names) {
		s.Fatalf("held: %v, with %d documents", h.Claimed, len(h.Docs))
	}
	for i, name := range names {
		want := s.get(name)
		if name == "stale" {
			want = store.Doc{Key: key(name)} // it has expired at the time of the change
		}
		if diff := cmp.Diff(want, h.Docs[i]); diff != "" {
			s.Errorf("%s (-stored +returned):\n%s", name, diff)
		}
	}
	if h := hold(s.later(3*time.Minute), store.Change{}); h.Claimed || h.Docs != nil {
		s.Errorf("a hold that isn't held returns %v", h.Docs)
	}
	s.release(store.Job{Partition: part, ID: "job", Token: 1 << 62}, s.now, time.Time{}, nil)
	names = nil
	if h := hold(s.now, store.Change{}); !h.Claimed || len(h.Docs) != 0 {
		s.Errorf("a hold that reads nothing: %v, %v", h.Claimed, h.Docs)
	}
	names = []string{"written"}
	s.release(store.Job{Partition: part, ID: "job", Token: 1 << 62}, s.now, time.Time{}, nil)
	if h := hold(s.now, store.Change{Writes: []store.Write{{Name: "written", Expect: s.get("written").Version, Data: []byte("again")}}}); len(h.Docs) != 1 || string(h.Docs[0].Data) != "again" {
		s.Errorf("a hold that reads only what it writes: %v", h.Docs)
	}
}

func leaseEnds(s *suite) {
	s.mark("job", s.now)
	first := s.one("job", s.now)
	s.none(s.later(10*time.Second - time.Millisecond))
	second := s.one("job", s.later(10*time.Second))
	if second.Token == first.Token {
		s.Errorf("both holders have token %d", first.Token)
	}
	if !second.Due.Equal(s.later(10 * time.Second)) {
		s.Errorf("due since %v, want the end of the lease", second.Due)
	}
	s.none(s.later(11 * time.Second))
	s.one("job", s.later(20*time.Second))
}

func leaseEndedUnclaimed(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.mark("job", s.later(30*time.Second))
	s.commit(store.Change{Now: s.later(20 * time.Second), Done: &job, Writes: []store.Write{{Name: "a", Data: []byte("late but good")}}})
	s.want("a", "late but good")
	s.none(s.later(29 * time.Second))
	s.one("job", s.later(30*time.Second))
}

func staleHolder(s *suite) {
	s.mark("job", s.now)
	first := s.one("job", s.now)
	second := s.one("job", s.later(10*time.Second))
	s.release(first, s.later(11*time.Second), s.later(11*time.Second), store.ErrFenced)
	s.none(s.later(11 * time.Second))
	s.release(second, s.later(12*time.Second), s.later(time.Minute), nil)
	s.release(first, s.later(13*time.Second), time.Time{}, store.ErrFenced)
	third := s.one("job", s.later(time.Minute))
	s.release(first, s.later(time.Minute), time.Time{}, store.ErrFenced)
	s.release(second, s.later(time.Minute), time.Time{}, store.ErrFenced)
	s.release(third, s.later(time.Minute), time.Time{}, nil)
}

func releasedOnce(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.now)
	s.release(job, s.now, s.later(time.Minute), nil)
	s.release(job, s.now, s.now, store.ErrFenced)
	s.none(s.now)
	s.one("job", s.later(time.Minute))
	s.release(store.Job{Partition: part, ID: "unknown", Token: 1}, s.now, s.now, store.ErrFenced)
	s.none(s.later(time.Minute))
}

func nothingEarly(s *suite) {
	at := s.later(10*time.Millisecond + 300*time.Microsecond)
	s.mark("job", at)
	s.none(at.Add(-time.Microsecond))
	s.none(s.later(10 * time.Millisecond))
	job := s.one("job", at.Add(time.Millisecond))
	if job.Due.Before(at) {
		s.Errorf("due since %v, before %v", job.Due, at)
	}
	claimed := at.Add(time.Millisecond)
	s.none(claimed.Add(10*time.Second - time.Microsecond))
	s.one("job", claimed.Add(10*time.Second+time.Millisecond))
}

func claimOrder(s *suite) {
	var due []store.Mark
	for i := range 20 {
		due = append(due, store.Mark{ID: fmt.Sprintf("job %d", i*7%20), At: s.later(time.Duration(i*7%20) * time.Millisecond)})
	}
	s.commit(store.Change{Due: due})
	for i := 0; i < 20; {
		jobs, next, err := s.Claim(s.ctx, s.later(time.Second), 500*time.Millisecond, 3)
		if err != nil {
			s.Fatal(err)
		}
		for _, job := range jobs {
			if want := fmt.Sprintf("job %d", i); job.ID != want {
				s.Fatalf("claimed %q, want %q", job.ID, want)
			}
			i++
		}
		if more := i < 20; len(jobs) == 0 || len(jobs) > 3 || more && next.After(s.later(time.Second)) {
			s.Fatalf("claimed %d jobs, more at %v", len(jobs), next)
		}
	}
	// If a job's holders crash again and again, it must not get ahead of jobs that were due before its lease expired.
	s.mark("patient", s.later(1200*time.Millisecond))
	jobs, _, err := s.Claim(s.ctx, s.later(2*time.Second), time.Second, 1)
	if err != nil || len(jobs) != 1 || jobs[0].ID != "patient" {
		s.Errorf("claimed %+v, %v, want patient", jobs, err)
	}
	if jobs, _, err := s.Claim(s.ctx, s.later(2*time.Second), time.Second, 0); err != nil || len(jobs) != 0 {
		s.Errorf("claimed %+v, %v at limit 0", jobs, err)
	}
}

func claimNext(s *suite) {
	next := func(at time.Time, limit, want int) time.Time {
		s.Helper()
		jobs, next, err := s.Claim(s.ctx, at, 10*time.Second, limit)
		if err != nil || len(jobs) != want {
			s.Fatalf("claimed %+v, %v, want %d", jobs, err, want)
		}
		return next
	}
	if got := next(s.now, 10, 0); !got.IsZero() {
		s.Errorf("an empty store has something at %v", got)
	}
	s.mark("a", s.later(time.Hour))
	s.commit(store.Change{Partition: 9, Due: []store.Mark{{ID: "b", At: s.later(time.Minute)}, {ID: "c", At: s.later(time.Minute)}}})
	if got := next(s.now, 10, 0); !got.Equal(s.later(time.Minute)) {
		s.Errorf("next %v, want %v", got, s.later(time.Minute))
	}
	if got := next(s.later(time.Minute), 1, 1); !got.Equal(s.later(time.Minute)) {
		s.Errorf("next %v though more is due", got)
	}
	if got := next(s.later(time.Minute), 10, 1); !got.Equal(s.later(time.Minute + 10*time.Second)) {
		s.Errorf("next %v, want the end of the leases", got)
	}
}

func turns(s *suite) {
	var flood []store.Mark
	for i := range 200 {
		flood = append(flood, store.Mark{ID: fmt.Sprintf("flood %d", i), At: s.later(-time.Hour)})
	}
	s.commit(store.Change{Due: flood})
	for _, p := range []int{0, part - 1, part + 1, store.Partitions - 1} {
		if err := s.Commit(s.ctx, store.Change{Partition: p, Due: []store.Mark{{ID: "small", At: s.now}}}); err != nil {
			s.Fatal(err)
		}
	}
	small := 0
	for range store.Partitions {
		jobs, _, err := s.Claim(s.ctx, s.now, time.Minute, 1)
		if err != nil || len(jobs) != 1 {
			s.Fatalf("claimed %+v, %v", jobs, err)
		}
		if jobs[0].ID == "small" {
			small++
		}
	}
	if small != 4 {
		s.Errorf("%d of 4 quiet partitions had their turn in %d calls", small, store.Partitions)
	}
}

func concurrentClaims(s *suite) {
	const jobs = 300
	for p := range 3 {
		c := store.Change{Partition: p + 1, Now: s.now}
		for i := range jobs / 3 {
			c.Due = append(c.Due, store.Mark{ID: fmt.Sprintf("job %d", i), At: s.now})
		}
		s.commit(c)
	}
	var mu sync.Mutex
	holders := make(map[string]int)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for {
				claimed, next, err := s.Claim(s.ctx, s.now, time.Minute, 7)
				if err != nil {
					s.Error(err)
					return
				}
				mu.Lock()
				for _, job := range claimed {
					holders[fmt.Sprint(job.Partition, job.ID)]++
				}
				mu.Unlock()
				if len(claimed) == 0 && next.After(s.now) {
					return
				}
			}
		})
	}
	all.Wait()
	if len(holders) != jobs {
		s.Errorf("%d jobs claimed, want %d", len(holders), jobs)
	}
	for job, n := range holders {
		if n != 1 {
			s.Errorf("job %s has %d holders", job, n)
		}
	}
}

// A claim that takes effect late gets no job that somebody else claimed meanwhile.
func claimsLate(s *suite) {
	s.mark("job", s.now)
	job := s.one("job", s.later(store.Late))
	s.none(s.now)
	s.release(job, s.later(store.Late), time.Time{}, nil)
}

// If the clock jumps back by a second, nobody gets a leased job, and its holder can complete it. If the clock jumps
// forward by a minute, the lease is over and its holder is fenced. When the clock is right again, nothing is lost.
func clockJumps(s *suite) {
	s.mark("job", s.now)
	first := s.one("job", s.now)
	s.none(s.later(-time.Second))
	s.mark("job", s.later(-time.Minute))
	s.release(first, s.later(-time.Minute), s.later(time.Hour-time.Minute), nil)

	second := s.one("job", s.later(-time.Minute))
	third := s.one("job", s.later(time.Minute))
	s.release(second, s.now, time.Time{}, store.ErrFenced)
	s.refuse(store.ErrFenced, store.Change{Now: s.later(-time.Minute), Done: &second, Writes: []store.Write{{Name: "a", Data: []byte("late")}}})
	s.want("a", "")

	s.mark("job", s.now)
	s.none(s.later(70*time.Second - time.Millisecond))
	s.release(third, s.now, s.later(time.Hour), nil)
	last := s.one("job", s.now)
	s.release(last, s.now, time.Time{}, nil)
	s.none(s.later(24 * time.Hour))
}

// A time that was set by a clock ahead is due at once: a due time that was brought forward or not, and a lease. A time
// that was set by a right clock is waited for, however far that is.
func clockBack(s *suite) {
	for _, step := range []time.Duration{time.Minute, time.Hour} {
		ahead := s.later(step)
		s.commit(store.Change{Now: ahead, Due: []store.Mark{{ID: "marked", At: ahead.Add(time.Second)}, {ID: "done", At: ahead}, {ID: "lost", At: ahead}}})
		for _, job := range s.claim(ahead) {
			if job.ID == "done" {
				s.release(job, ahead, ahead.Add(time.Second), nil)
			}
		}
		s.commit(store.Change{Now: s.now, Due: []store.Mark{{ID: "chosen", At: s.later(48 * time.Hour)}}})
		s.commit(store.Change{Partition: 9, Now: ahead, Due: []store.Mark{{ID: "elsewhere", At: ahead}}})
		for _, limit := range []int{1, 100} {
			jobs, next, err := s.Claim(s.ctx, s.now, 10*time.Second, limit)
			if err != nil || len(jobs) != min(limit, 3) || limit == 1 && !next.Equal(s.now) {
				s.Fatalf("claimed %+v, next at %v, %v", jobs, next, err)
			}
			for _, job := range jobs {
				if job.ID == "chosen" || job.Due.After(s.now) {
					s.Errorf("claimed %+v", job)
				}
				s.release(job, s.now, time.Time{}, nil)
			}
		}
		s.none(s.now)
	}
	s.none(s.later(48*time.Hour - time.Millisecond))
	s.one("chosen", s.later(48*time.Hour))
}

// A job that was left is due since the same time as before, but this Store doesn't get it, and the job keeps no other one
// waiting. Afterwards the Store gets it again.
func leftToOthers(s *suite) {
	s.mark("left", s.now)
	s.mark("next", s.later(time.Second))
	leave := func(leave time.Duration) {
		s.Helper()
		jobs, _, err := s.Claim(s.ctx, s.later(time.Second), 10*time.Second, 1)
		if err != nil || len(jobs) != 1 || jobs[0].ID != "left" || !jobs[0].Due.Equal(s.now) {
			s.Fatalf("claimed %+v, %v", jobs, err)
		}
		s.commit(store.Change{Done: &jobs[0], Next: jobs[0].Due, Leave: leave, Now: s.later(time.Second)})
	}
	leave(time.Nanosecond)
	leave(time.Hour)
	s.mark("left", s.later(-time.Second))
	s.hold("other", s.now, true)
	s.release(s.one("next", s.later(time.Second)), s.later(time.Second), time.Time{}, nil)
	jobs, next, err := s.Claim(s.ctx, s.later(time.Second), 10*time.Second, 10)
	if err != nil || len(jobs) != 0 || !next.Equal(s.later(10*time.Second)) {
		s.Errorf("claimed %+v, next at %v, %v", jobs, next, err)
	}
}
