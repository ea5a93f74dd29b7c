package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/store"
)

// model is the simplest possible store. The backends must agree with it, except for version and token numbers, which it
// takes from them.
type model struct {
	docs    map[store.Key]modelDoc
	jobs    map[modelJobID]modelJob
	boards  map[store.Key]map[string]store.Row
	version map[store.Key]int64 // by key: largest version so far
}

func newModel() *model {
	return &model{make(map[store.Key]modelDoc), make(map[modelJobID]modelJob), make(map[store.Key]map[string]store.Row), make(map[store.Key]int64)}
}

// clone returns a model that later changes of m don't reach. Data are never changed in place.
func (m *model) clone() *model {
	c := &model{maps.Clone(m.docs), maps.Clone(m.jobs), maps.Clone(m.boards), maps.Clone(m.version)}
	for board, rows := range c.boards {
		c.boards[board] = maps.Clone(rows)
	}
	return c
}

type modelDoc struct {
	version int64
	data    []byte
	expires time.Time
}

type modelJobID struct {
	partition int
	id        string
}

type modelJob struct {
	at    time.Time // if parked: when the job is due; if leased: when the lease ends
	token int64     // 0 if the job is parked
	wake  time.Time
	set   time.Time // if parked: when its due time was set
	left  bool      // a claim doubted its due time and left it; the store may have made it due then, or not
}

// due reports whether a job can be claimed, and since when. doubted reports that its due time isn't believed.
func (j modelJob) due(now time.Time) (since time.Time, due, doubted bool) {
	if doubted = j.token == 0 && j.set.After(now.Add(store.Skew)); doubted {
		return earlier(j.at, now), true, true
	}
	return j.at, !j.at.After(now), false
}

// current returns the version of a document at a time, or 0 if there is none.
func (m *model) current(key store.Key, now time.Time) int64 {
	doc := m.docs[key]
	if !doc.expires.IsZero() && !doc.expires.After(now) {
		return 0
	}
	return doc.version
}

// refusals returns the errors with which a change may be refused. If there are any, it must fail with one of them.
// Otherwise it must succeed.
func (m *model) refusals(c store.Change) (errs []error) {
	if c.Done != nil {
		if job := m.jobs[modelJobID{c.Partition, c.Done.ID}]; job.token == 0 || job.token != c.Done.Token {
			errs = append(errs, store.ErrFenced)
		}
	}
	for _, w := range c.Writes {
		if w.Expect != store.Any && w.Expect != m.current(store.Key{Partition: c.Partition, Name: w.Name}, c.Now) {
			errs = append(errs, store.ErrConflict)
		}
	}
	return errs
}

// apply applies a change that succeeded, without the versions.
func (m *model) apply(c store.Change) {
	for _, w := range c.Writes {
		key := store.Key{Partition: c.Partition, Name: w.Name}
		if w.Data == nil {
			delete(m.docs, key)
		} else {
			m.docs[key] = modelDoc{-1, w.Data, w.Expires}
		}
	}
	for _, r := range c.Rows {
		board := store.Key{Partition: c.Partition, Name: r.Board}
		if m.boards[board] == nil {
			m.boards[board] = make(map[string]store.Row)
		}
		if r.Delete {
			delete(m.boards[board], r.Member)
		} else {
			m.boards[board][r.Member] = r
		}
	}
	if c.Done != nil {
		id := modelJobID{c.Partition, c.Done.ID}
		next := earlier(c.Next, m.jobs[id].wake)
		delete(m.jobs, id)
		if !next.IsZero() {
			m.jobs[id] = modelJob{at: next, set: c.Now}
		}
	}
	for _, mark := range c.Due {
		id := modelJobID{c.Partition, mark.ID}
		job := m.jobs[id]
		if job.token == 0 {
			if at := earlier(job.at, mark.At); !at.Equal(job.at) || c.Now.After(at) {
				job.at, job.set = at, c.Now
			}
		} else {
			job.mark(mark.At, c.Now)
		}
		m.jobs[id] = job
	}
	if h := c.Claim; h != nil {
		id := modelJobID{c.Partition, h.ID}
		job := m.jobs[id]
		if job.token == 0 {
			job = modelJob{at: h.Until, token: h.Token}
		} else {
			job.mark(c.Now, c.Now)
		}
		m.jobs[id] = job
	}
}

// mark makes a held job due after its release.
func (j *modelJob) mark(at, now time.Time) {
	if now.After(j.at) {
		at = earlier(at, j.at)
	}
	j.wake = earlier(j.wake, at)
}

// earlier returns the earlier of two times. A zero time means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// window returns at most n rows of a board, as store.Store.Board does, and the total number of rows.
func (m *model) window(board store.Key, from, n int, around string) ([]store.Standing, int) {
	rows := slices.SortedFunc(maps.Values(m.boards[board]), func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Member, b.Member))
	})
	if around != "" {
		at := slices.IndexFunc(rows, func(r store.Row) bool { return r.Member == around })
		if at < 0 {
			return nil, len(rows)
		}
		from = max(0, min(at-n/2, len(rows)-n))
	}
	var standings []store.Standing
	rank := 1
	for i, r := range rows[:min(from+n, len(rows))] {
		if r.Score != rows[max(0, i-1)].Score {
			rank = i + 1
		}
		if i >= from {
			standings = append(standings, store.Standing{Member: r.Member, Rank: rank, Score: r.Score, Data: r.Data})
		}
	}
	return standings, len(rows)
}

// run is one random sequence of operations.
type run struct {
	*model
	store store.Store
	ctx   context.Context
	wall  time.Time   // start of the run; documents expire an hour before or after it
	now   time.Time   // current time for the jobs
	held  []store.Job // all jobs that were ever claimed
	past  []int64     // versions of documents
	token int64       // token of the latest claim
}

func modelAgrees(s *suite) {
	s.Store.Close() // each sequence opens its own store
	rapid.Check(s.T, func(t *rapid.T) {
		r := &run{
			model: newModel(),
			store: s.open(s.T),
			ctx:   s.ctx,
			wall:  s.now,
			now:   s.now,
			token: 1 << 62,
		}
		defer r.store.Close()
		t.Repeat(map[string]func(*rapid.T){
			"commit":  r.commit,
			"commit ": r.commit, // listed twice to run twice as often
			"claim":   r.claim,
			"release": r.release,
			"wait":    func(t *rapid.T) { r.now = r.now.Add(r.span(t, 0, 4000)) },
			"board":   r.board,
			"":        r.documents,
		})
	})
}

var (
	drawPartition = rapid.SampledFrom([]int{part, part + 4})
	drawName      = rapid.SampledFrom([]string{"a", "b", "c", "{p04}"})
	drawID        = rapid.SampledFrom([]string{"x", "y", "z"})
)

func (r *run) span(t *rapid.T, from, to int) time.Duration {
	return time.Duration(rapid.IntRange(from, to).Draw(t, "ms")) * time.Millisecond
}

// job returns a random job that was claimed earlier.
func (r *run) job(t *rapid.T) *store.Job {
	if len(r.held) == 0 {
		return nil
	}
	job := r.held[max(0, len(r.held)-1-rapid.IntRange(0, 4).Draw(t, "claims ago"))]
	return &job
}

func (r *run) commit(t *rapid.T) {
	c := r.change(t)
	want := r.refusals(c)
	free := c.Claim != nil && r.jobs[modelJobID{c.Partition, c.Claim.ID}].token == 0
	err := r.store.Commit(r.ctx, c)
	if len(want) == 0 && err != nil || len(want) > 0 && !slices.ContainsFunc(want, func(w error) bool { return errors.Is(err, w) }) {
		t.Fatalf("commit %+v: %v, want %v", c, err, want)
	}
	if c.Claim != nil && c.Claim.Claimed != (err == nil && free) {
		t.Fatalf("commit %+v: held: %v, free: %v, %v", c, c.Claim.Claimed, free, err)
	}
	if err != nil {
		return
	}
	r.apply(c)
	if free {
		r.held = append(r.held, store.Job{Partition: c.Partition, ID: c.Claim.ID, Token: c.Claim.Token})
	}
	r.versions(t, c)
}

// change returns a random change.
func (r *run) change(t *rapid.T) store.Change {
	c := store.Change{Partition: drawPartition.Draw(t, "partition"), Now: r.wall}
	if rapid.IntRange(0, 3).Draw(t, "now") == 0 {
		c.Now = r.wall.Add(2 * time.Hour)
	}
	if rapid.Bool().Draw(t, "done") {
		if c.Done = r.job(t); c.Done != nil {
			c.Partition = c.Done.Partition
			if rapid.Bool().Draw(t, "again") {
				c.Next = r.now.Add(r.span(t, -1000, 5000))
			}
		}
	}
	for _, name := range rapid.SliceOfNDistinct(drawName, 0, 3, rapid.ID).Draw(t, "names") {
		key := store.Key{Partition: c.Partition, Name: name}
		w := store.Write{Name: name, Expect: r.current(key, c.Now)}
		switch rapid.IntRange(0, 7).Draw(t, "expect") {
		case 0:
			w.Expect = 0
		case 1:
			w.Expect = r.version[key] + 1
		case 2:
			if len(r.past) > 0 {
				w.Expect = rapid.SampledFrom(r.past).Draw(t, "past")
			}
		case 3, 4:
			w.Expect = store.Any
		}
		if rapid.IntRange(0, 4).Draw(t, "delete") > 0 {
			w.Data = append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "data")...)
		}
		switch rapid.IntRange(0, 5).Draw(t, "expires") {
		case 0:
			w.Expires = r.wall.Add(-time.Hour)
		case 1:
			w.Expires = r.wall.Add(time.Hour)
		}
		c.Writes = append(c.Writes, w)
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		row := store.Row{Board: drawName.Draw(t, "board"), Member: drawID.Draw(t, "member")}
		row.Score = float64(rapid.IntRange(-2, 2).Draw(t, "score")) / 2
		row.Data = rapid.SampledFrom([][]byte{nil, []byte("r")}).Draw(t, "row")
		row.Delete = rapid.IntRange(0, 4).Draw(t, "delete row") == 0
		c.Rows = append(c.Rows, row)
	}
	for range rapid.IntRange(0, 2).Draw(t, "marks") {
		mark := store.Mark{ID: drawID.Draw(t, "id"), At: r.now.Add(r.span(t, -1000, 5000))}
		if !r.jobs[modelJobID{c.Partition, mark.ID}].left {
			c.Due = append(c.Due, mark)
		}
	}

	if id := drawID.Draw(t, "hold"); rapid.Bool().Draw(t, "holds") && (c.Done == nil || c.Done.ID != id) &&
		!slices.ContainsFunc(c.Due, func(m store.Mark) bool { return m.ID == id }) {
		r.token++
		c.Claim = &store.Claim{ID: id, Token: r.token, Until: r.now.Add(r.span(t, 1, 3000))}
	}
	return c
}

// versions checks the new versions of a commit's documents and stores them in the model.
func (r *run) versions(t *rapid.T, c store.Change) {
	for _, w := range c.Writes {
		key := store.Key{Partition: c.Partition, Name: w.Name}
		doc, stored := r.docs[key]
		if !stored {
			continue
		}
		last := r.version[key]
		if r.current(key, r.wall) == 0 { // the document expired at once, so its version can't be read
			doc.version = last + 1
		} else if doc.version = r.read(t, key).Version; doc.version <= last || w.Expect > 0 && doc.version != w.Version {
			t.Fatalf("document %v has version %d after %d, and was written with %d", key, doc.version, last, w.Version)
		}
		r.past = append(r.past, doc.version)
		r.docs[key] = doc
		r.version[key] = doc.version
	}
}

func (r *run) read(t *rapid.T, key store.Key) store.Doc {
	docs, err := r.store.Get(r.ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

func (r *run) claim(t *rapid.T) {
	limit, lease := rapid.IntRange(1, 5).Draw(t, "limit"), r.span(t, 1000, 3000) // so long that no hold is doubted
	doubted := false
	due := make(map[int][]time.Time) // by partition: when each job became due
	waiting := 0
	for id, job := range r.jobs {
		if since, is, _ := job.due(r.now); is {
			due[id.partition] = append(due[id.partition], since)
			waiting++
		}
	}
	jobs, next, err := r.store.Claim(r.ctx, r.now, lease, limit)
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) != min(limit, waiting) {
		t.Fatalf("claimed %+v at %v, %d are due", jobs, r.now, waiting)
	}
	for _, times := range due {
		slices.SortFunc(times, time.Time.Compare)
	}
	for _, got := range jobs {
		id := modelJobID{got.Partition, got.ID}
		job := r.jobs[id]
		times := due[got.Partition]
		since, is, doubts := job.due(r.now)
		doubted = doubted || doubts
		if doubts && !got.Due.After(since) {
			since = got.Due // it has been doubted before
		}
		if len(times) == 0 || !is || !got.Due.Equal(since) || !doubted && !since.Equal(times[0]) {
			t.Fatalf("claimed %+v, which the model has as %+v, out of those due since %v", got, job, times)
		}
		due[got.Partition] = times[1:]
		if got.Taken != (job.token != 0) {
			t.Fatalf("claimed %+v, which the model has as %+v", got, job)
		}
		if got.Token == 0 || slices.ContainsFunc(r.held, func(old store.Job) bool {
			return old.Partition == got.Partition && old.ID == got.ID && old.Token == got.Token
		}) {
			t.Fatalf("claimed %+v with a token used before", got)
		}
		if !job.wake.After(r.now) {
			job.wake = time.Time{}
		}
		job.at, job.token, job.left = r.now.Add(lease), got.Token, false
		r.jobs[id] = job
	}
	r.held = append(r.held, jobs...)
	for id, job := range r.jobs {
		_, _, doubts := job.due(r.now)
		job.left = job.left || doubts
		r.jobs[id] = job
	}

	var want time.Time
	for _, job := range r.jobs {
		want = earlier(want, job.at)
	}
	if waiting > len(jobs) {
		want = r.now
	}
	if !next.Equal(want) && (!doubted || next.After(want)) {
		t.Fatalf("next claim at %v, want %v", next, want)
	}
}

func (r *run) release(t *rapid.T) {
	job := r.job(t)
	if job == nil {
		return
	}
	c := store.Change{Partition: job.Partition, Done: job, Now: r.now}
	if rapid.Bool().Draw(t, "again") {
		c.Next = r.now.Add(r.span(t, -1000, 5000))
	}
	want := r.refusals(c)
	err := r.store.Release(r.ctx, *job, c.Now, c.Next)
	if len(want) == 0 && err != nil || len(want) > 0 && !errors.Is(err, want[0]) {
		t.Fatalf("release %+v: %v, want %v", job, err, want)
	}
	if err == nil {
		r.apply(c)
	}
}

func (r *run) board(t *rapid.T) {
	board := store.Key{Partition: drawPartition.Draw(t, "partition"), Name: drawName.Draw(t, "board")}
	from, n := rapid.IntRange(0, 4).Draw(t, "from"), rapid.IntRange(0, 4).Draw(t, "n")
	around := rapid.SampledFrom([]string{"", "x", "y", "stranger"}).Draw(t, "around")
	got, all, err := r.store.Board(r.ctx, board.Partition, board.Name, from, n, around)
	if err != nil {
		t.Fatal(err)
	}
	want, total := r.window(board, from, n, around)
	if diff := gocmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" || all != total {
		t.Fatalf("board %v from %d, %d rows, around %q: %d in all, want %d (-want +got):\n%s", board, from, n, around, all, total, diff)
	}
}

// documents checks all documents, with Get and with Scan.
func (r *run) documents(t *rapid.T) {
	for _, p := range []int{part, part + 4} {
		var keys []store.Key
		for _, name := range []string{"a", "b", "c", "{p04}"} {
			keys = append(keys, store.Key{Partition: p, Name: name})
		}
		docs, err := r.store.Get(r.ctx, keys...)
		if err != nil {
			t.Fatal(err)
		}
		var standing []store.Doc
		for i, doc := range docs {
			want := r.docs[keys[i]]
			if version := r.current(keys[i], r.wall); doc.Version != version || version != 0 && !bytes.Equal(doc.Data, want.data) {
				t.Fatalf("document %+v, want %+v", doc, want)
			}
			if doc.Version != 0 {
				standing = append(standing, doc)
			}
		}
		scanned, next, err := r.store.Scan(r.ctx, p, "", "")
		if err != nil || next != "" {
			t.Fatalf("scan: %q, %v", next, err)
		}
		if diff := gocmp.Diff(fmt.Sprint(standing), fmt.Sprint(scanned)); diff != "" {
			t.Fatalf("scan of partition %d (-want +got):\n%s", p, diff)
		}
	}
}
