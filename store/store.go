// Package store is the contract between the bot and whatever keeps its data: versioned documents, jobs that are due at
// a time, and score boards, changed together by one atomic commit. It is what Redis (package redisstore) and a single
// key-value file (package boltstore) both do; package storetest is the suite that every backend passes, and so the
// specification in executable form.
//
// # Partitions
//
// Everything lives in one of [Partitions] partitions, chosen by [Partition] from the id of a home (where a community
// lives). A [Change] touches one partition and is atomic there; nothing is atomic across partitions. What must cross is
// written in a second, idempotent step by whoever holds the job of the first.
//
// # Documents and versions
//
// A document is bytes under a name. Each write gives it the next version, one more than what stood; a new document begins
// with a version larger than any that its name had before, if it was deleted or has expired. So a version that was read
// once never stands again for other bytes. Versions do not survive a backup and a restore: a program that counts its own
// steps counts them inside the document.
//
// A change says which versions it was computed from. If one of them no longer stands, nothing of the change is done and
// the answer is [ErrConflict]: load again, compute again. So no update is ever lost, without a lock.
//
// # Jobs
//
// A job is an id that is due at a time. A [Mark] makes it due, or brings it forward; it never puts it off. Many marks
// collapse into one run. [Store.Claim] hands a due job to one worker under a lease; a mark that comes while the lease
// lasts is kept, and makes the job due again after its release. The holder ends his work with a commit that names the
// job in Done (or with [Store.Release]) and says when it is due next. If he does not, because he crashed or is slow, the
// lease ends and another worker gets the job; from then on the first is fenced: his commit is refused as a whole with
// [ErrFenced]. A lease that has ended without another claim is still good. Who makes a job due and would do it himself at
// once asks for it in the same change, with a [Hold].
//
// # Expiry
//
// A document with Expires is absent from that moment on: by the wall clock of the calling process, or in a Commit by
// the later of the wall clock and the change's Now. Claim sweeps such documents away, some at each call.
//
// # What is kept, and when
//
// A nil error of Commit means that the whole change stands and that every later call, in any process, sees it. With
// boltstore it is on the disk (fsync) by then: neither kill -9 nor a power cut loses it. With redisstore it is in
// Redis: a kill -9 of the bot loses nothing; what a crash of Redis or its machine loses is decided by Redis's own
// settings (append-only file with appendfsync always: nothing; everysec: about the last second, at a crash of the
// machine only), and a failover to a replica may undo about the last second. Each undoes the newest commits as a whole,
// never parts of one. [Store.Interruptions] tells when that may have happened.
//
// ErrConflict, ErrFenced and the errors of [Change.Check] mean that nothing was done. Any other error of Commit leaves
// the outcome open: the change stands as a whole or not at all (the answer may have been lost after the work was done).
// No backend repeats a commit whose outcome is open. The caller loads again and sees which; a move that was committed is
// then "already played", and a repeated Done is fenced.
//
// Times are kept to the millisecond, rounded up, while a caller's now is rounded down: nothing is early.
//
// # How far it goes
//
// Measured on two busy cores of a server, shared by the bot, Redis and the test: one Redis took 6,800 commits a second
// from 64 clients with a round trip each, 0.8 of a loop of bare scripts with the same bytes. 64 clients of one process
// share round trips: 0.95 to 1.3 times that loop with ten and more other programs at each core, 1.1 to 1.7 times with
// fewer, at most 14,000 a second, but 0.4 to 0.9 of bare scripts that share theirs (redisstore, BenchmarkCommit). With
// nothing beside it a process with 10,000 open tables, 1,000 of which changed every 10 s, spent 1.7 to 1.8 ms of a core on
// each change with all that it shows, and showed half of them within 1 ms and 99 in 100 within 4 ms (bot/bottest,
// BenchmarkTables); of its memory the tables took 80 bytes each and 4 MB for the 512 that it keeps in mind, and a tenth of
// a percent of a core while nothing happened. A table with what is known of its messages has 5 to 13 kB. A change costs 2
// commits: the move, and the note of what was shown. To reckon with: one table in ten is at play at a time, and moves every
// 10 s; a move is an edit in the chat and one of a hand.
//
//	tables   moves/s  commits/s  cores for the bot  Redis masters  memory of Redis  messages/s
//	10^4         100        200               0.2              1           0.1 GB         200
//	10^6      10,000     20,000                20              4            13 GB      20,000
//	10^7     100,000    200,000               200             30           130 GB     200,000
//
// At 10^4 one machine with one process, and one Redis or none, is asked for a thirtieth of what it can do. What bites is
// the platform: Telegram takes about 30 messages a second of one token, which is 150 tables at play, 1,500 open ones;
// beyond, changes collapse into fewer edits and come later, and nothing is lost. A group's own limit, 20 messages a minute,
// binds before that in a fast game: fifty busy groups together stay below both (bot/bottest,
// TestFiftyGroupsWithinTelegramsLimits). Discord takes 50 requests a second of one token beside the answers to
// presses, which are free: about 250 tables at play, or 500 where hands are called up as answers.
//
// At 10^6 it is the processes' cores first, some 20, which any number of machines share; then one Redis, whose single
// thread does a third of that: a cluster of four masters or more carries it. At 10^7 the number of partitions bites, as a
// partition lies on one master: [Partitions] masters of the lower speed take 109,000 commits a second, which is 5 million tables.
// On either, the limits of one token were met long before: at 10^6 some 700 tokens of Telegram would have to share the
// store, at 10^7 some 7,000.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Partitions is the number of partitions. It is part of the stored format and never changes.
const Partitions = 16

// MaxName is the length in bytes that names of documents, ids of jobs, boards and members may have. They are any bytes,
// but not empty.
const MaxName = 1024

// MaxRows is the number of standings that one call of Board returns at most.
const MaxRows = 1000

// Any as a [Write]'s Expect takes whatever stands, also nothing.
const Any = -1

// What Commit and Release answer when nothing was done.
var (
	// ErrConflict: a version that the change expects does not stand. Load again.
	ErrConflict = errors.New("the document was changed meanwhile")
	// ErrFenced: the job is held by another worker, or by none. Drop the work: whoever holds the job does it.
	ErrFenced = errors.New("the job is no longer held")
)

// ErrDamaged reports that what is stored isn't what was written. Trying again doesn't help. Get, Scan and Commit return it
// as a [Damaged] if they know which documents it is about. Nothing was done.
var ErrDamaged = errors.New("the stored data is damaged")

// Damaged is the ErrDamaged of single documents; all others can be used.
type Damaged struct{ Keys []Key }

// Error returns how many documents of which kind are damaged. It shows no name.
func (d *Damaged) Error() string {
	kinds := map[string]int{}
	for _, key := range d.Keys {
		kinds[key.Kind()]++
	}
	return "damaged documents: " + Kinds(kinds)
}

// Is reports that a Damaged is an ErrDamaged.
func (d *Damaged) Is(target error) bool { return target == ErrDamaged }

// Kinds returns numbers of documents by kind as a text: "12 (10 table, 2 member)".
func Kinds(numbers map[string]int) string {
	all := 0
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(numbers)) {
		all += numbers[kind]
		parts = append(parts, fmt.Sprintf("%d %s", numbers[kind], cmp.Or(kind, "of unknown kind")))
	}
	return fmt.Sprintf("%d (%s)", all, strings.Join(parts, ", "))
}

// Partition returns the partition of a home, in [0, Partitions). It is a stable hash of the id: part of the stored format.
func Partition(home string) int {
	h := fnv.New32a()
	h.Write([]byte(home))
	return int(h.Sum32() % Partitions)
}

// Key names a document. Names are free within a partition.
type Key struct {
	Partition int
	Name      string
}

// maxKind is the longest kind.
const maxKind = 16

// Kind returns the part of the name that may be logged: the lower-case letters before the first colon. It is "" if the
// name doesn't begin like that.
func (k Key) Kind() string {
	for i := range min(len(k.Name), maxKind+1) {
		switch c := k.Name[i]; {
		case c == ':':
			return k.Name[:i]
		case c < 'a' || c > 'z':
			return ""
		}
	}
	return ""
}

// Doc is a document as it was read. Version 0 and no data: there is none.
type Doc struct {
	Key     Key
	Version int64
	Data    []byte
}

// Write replaces or deletes a document.
type Write struct {
	Name    string
	Expect  int64     // the version that must stand; 0: there must be none; Any
	Data    []byte    // nil deletes; empty is a document without bytes
	Expires time.Time // from then on the document is absent; zero: never
}

// Row sets a member's row on a board, or deletes it. To set the same row twice is to set it once.
type Row struct {
	Board, Member string
	Score         float64 // more is better; finite
	Data          []byte  // comes back in Standing
	Delete        bool
}

// Mark says that a job is due at At, or sooner if it already was.
type Mark struct {
	ID string
	At time.Time // not zero
}

// Hold makes a job due at the change's Now, as a Mark does, and claims it at once for the caller if it is parked, or was no
// job at all. If somebody holds it, or its lease ended and nobody has claimed it since, it is no more than the mark.
type Hold struct {
	ID    string
	Token int64     // of the caller's choice, and large: no other holder ever has it
	Until time.Time // when the lease ends
	Held  bool      // set by a Commit that returns nil: the caller has the job
}

// Change is what one Commit does, all or nothing. Writes name different documents. Done is the job whose work the
// change completes: it is released, and due again at Next (zero: not by itself) or at an earlier mark that came while it
// was held. Marks in Due come after that release, and Hold, which is of another job than both, after all.
type Change struct {
	Partition int
	Writes    []Write
	Rows      []Row
	Due       []Mark
	Done      *Job
	Next      time.Time
	Hold      *Hold     // nil: none
	Now       time.Time // the caller's present; zero: the wall clock
}

// Job is a due job held under a lease. Whoever has its Token may complete it.
type Job struct {
	Partition int
	ID        string
	Token     int64
	Due       time.Time // since when it could be claimed: it was due, or the lease of its last holder ended
}

// Standing is a row as the board shows it.
type Standing struct {
	Member string
	Rank   int // from 1: one more than the rows with a better score, so that ties share a rank
	Score  float64
	Data   []byte
}

// Store keeps documents, jobs and boards. Its methods may be called from many goroutines; other processes may use the
// same data at the same time where the backend allows it.
type Store interface {
	// Get returns the documents in the order of keys, with Version 0 for those that are absent, in one round trip. What it
	// returns of one partition stood at one moment.
	Get(ctx context.Context, keys ...Key) ([]Doc, error)

	// Commit does the change, all or nothing, in one round trip: see the package comment for its errors.
	Commit(ctx context.Context, change Change) error

	// Claim returns at most limit jobs that are due at now, each held by the caller until now+lease, the longest due of a
	// partition first. Partitions with due jobs take turns: none waits for more than Partitions calls of one Store. No job
	// is held twice. next is when a further call will find something as far as this one saw: now if more is due, zero if no
	// job is parked or held. An earlier mark may come at any time.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (jobs []Job, next time.Time, err error)

	// Release is a Commit that does nothing but complete the job: due again at next, zero not by itself.
	Release(ctx context.Context, job Job, now, next time.Time) error

	// Board returns at most n rows of a board (no more than MaxRows), the best score first, equal scores by member, and the
	// number of rows in all. It begins at row from (0 is the best); or, if around names a member, with that member in the
	// middle as far as the ends of the board allow, and nothing but the number if he is not on it.
	Board(ctx context.Context, partition int, board string, from, n int, around string) ([]Standing, int, error)

	// Scan pages through a partition's documents whose names begin with prefix, in the order of names: begin with an empty
	// cursor, go on with the one returned until it is empty. A document that stands all the while comes exactly once. If
	// the error is a [Damaged], docs has all others of the page, and next is good to go on with.
	Scan(ctx context.Context, partition int, prefix, cursor string) (docs []Doc, next string, err error)

	// Interruptions counts the moments after which the newest commits may have been undone: new connections to the data, and
	// calls that did not reach it. It is 0 for good where no commit is ever undone.
	Interruptions() int64

	// Close lets go of the data; calls that come later, or wait, fail.
	Close() error
}

// Check returns an error if the change is malformed: no such partition, a name that is empty or too long, a document
// written twice, a score that is no number, a mark without a time. Backends call it first.
func (c Change) Check() error {
	if err := checkPartition(c.Partition); err != nil {
		return err
	}
	seen := make(map[string]bool, len(c.Writes))
	for _, w := range c.Writes {
		if err := checkName("document", w.Name); err != nil {
			return err
		}
		if seen[w.Name] {
			return fmt.Errorf("document %q written twice in one change", w.Name)
		}
		seen[w.Name] = true
		if w.Expect < Any {
			return fmt.Errorf("document %q: expected version %d", w.Name, w.Expect)
		}
	}
	for _, r := range c.Rows {
		if err := errors.Join(checkName("board", r.Board), checkName("member", r.Member)); err != nil {
			return err
		}
		if math.IsNaN(r.Score) || math.IsInf(r.Score, 0) {
			return fmt.Errorf("board %q: score %v", r.Board, r.Score)
		}
	}
	for _, m := range c.Due {
		if err := checkName("job", m.ID); err != nil {
			return err
		}
		if m.At.IsZero() {
			return fmt.Errorf("job %q: due at no time", m.ID)
		}
	}
	if c.Done != nil {
		if c.Done.Partition != c.Partition {
			return fmt.Errorf("job %q of partition %d completed in partition %d", c.Done.ID, c.Done.Partition, c.Partition)
		}
		if err := checkName("job", c.Done.ID); err != nil {
			return err
		}
	}
	if h := c.Hold; h != nil {
		if h.Token <= 0 || h.Until.IsZero() || c.Now.IsZero() {
			return fmt.Errorf("job %q: held without a token, an end or a present", h.ID)
		}
		if c.Done != nil && c.Done.ID == h.ID || slices.ContainsFunc(c.Due, func(m Mark) bool { return m.ID == h.ID }) {
			return fmt.Errorf("job %q: held and completed or marked in one change", h.ID)
		}
		return checkName("job", h.ID)
	}
	return nil
}

func checkPartition(p int) error {
	if p < 0 || p >= Partitions {
		return fmt.Errorf("no partition %d", p)
	}
	return nil
}

func checkName(what, name string) error {
	if name == "" {
		return fmt.Errorf("a %s without a name", what)
	}
	if len(name) > MaxName {
		return fmt.Errorf("the name of a %s has %d bytes, more than %d", what, len(name), MaxName)
	}
	return nil
}
