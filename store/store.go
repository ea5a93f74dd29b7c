// Package store defines the contract between the bot and its storage backend: versioned documents, jobs that are due at
// a time, and score boards, all changed together by one atomic commit. Package redisstore implements it in Redis, and
// package boltstore in a single key-value file. Package storetest is the test suite that every backend passes: the
// specification in executable form.
//
// # Partitions
//
// Everything lives in one of [Partitions] partitions. [Partition] chooses it from the id of a home (where a community
// lives). A [Change] touches one partition and is atomic there; nothing is atomic across partitions. To change a second
// partition, the holder of the first step's job writes a second, idempotent step.
//
// # Documents and versions
//
// A document is bytes under a name. Each write makes its version larger. If a document was deleted or has expired, a new
// one of that name begins with a larger version than any before. So a version never identifies two different contents, even
// if the store forgets its newest commits: see [Following].
// Versions do not survive a backup and a restore: a program that counts its own steps counts them inside the document.
//
// A change lists the versions it was computed from. If one of them is no longer current, Commit writes nothing and
// returns [ErrConflict]: load again and compute again. So no update is ever lost, without a lock.
//
// # Jobs
//
// A job is an id that is due at a time. A [Mark] makes it due, or brings it forward; it never postpones it. Many marks
// collapse into one run. [Store.Claim] gives a due job to one worker under a lease. A mark that arrives during the lease
// is kept, and makes the job due again after its release. The holder completes the work with a commit that names the job
// in Done (or with [Store.Release]) and says when it is due next. If the holder crashes or is slow, the lease expires
// and another worker gets the job. From then on the first holder is fenced: their commit is refused as a whole with
// [ErrFenced]. A holder whose lease has expired may still commit, until another worker claims the job. To make a job due
// and do it yourself at once, claim it in the same change, with a [Claim].
//
// A lease belongs to the Store that claimed it: to one process, from its start to its end. An answer may get lost, and a
// store may go back to an older state, in which the process holds what it has completed. So Claim first makes due what this
// Store holds and its caller doesn't know: after a Claim or a Commit that failed, or a completion whose outcome was unknown
// and that wasn't repeated within [Patience]. The lease of a process that was killed just ends.
//
// # Expiry
//
// A document with Expires is absent from that moment on. Reads use the wall clock of the calling process; Commit uses
// the later of the wall clock and the change's Now. Each call of Claim deletes some expired documents.
//
// # Clocks
//
// Clocks step back, and one of several processes may have a wrong one. So a stored time is an appointment, not a fact.
// With a parked job, the store keeps when its due time was set. A job whose due time was set more than [Skew] after the
// claimer's now is due at once: its worker computes a new due time, by a clock that is right. A job may therefore run
// early, and then must find nothing to do. Nor does Claim believe a lease that ends more than Skew and [Late] later than
// its own new leases would.
//
// # Durability
//
// If Commit returns nil, the whole change is stored, and every later call, in any process, sees it. With boltstore it is
// on the disk (fsync) by then: neither kill -9 nor a power cut loses it. With redisstore it is in Redis, and a kill -9
// of the bot loses nothing. Redis's own settings decide how much a crash of Redis or its machine loses. With an
// append-only file and appendfsync always, nothing is lost; with everysec, a crash of the machine loses about the last
// second. A failover to a replica may undo about the last second. Both undo the newest commits as a whole, never parts
// of one. [Store.Interruptions] shows when that may have happened.
//
// ErrConflict, ErrFenced and the errors of [Change.Check] mean that nothing was written. After any other error of Commit
// the outcome is unknown: all of the change is stored, or none of it (the answer may have been lost after the write).
// No backend repeats a commit whose outcome is unknown. The caller loads again to find out. If a move was committed, it
// is then "already played", and a repeated Done is fenced.
//
// Times are stored in milliseconds, rounded up. A caller's now is rounded down, so nothing happens early.
//
// # Scale
//
// The measurements ran on two busy cores of a server, shared by the bot, Redis and the test. One Redis took 6,800
// commits a second from 64 clients with a round trip each: 0.8 times a loop of bare scripts with the same bytes. If the
// 64 clients are in one process, they share round trips. With ten or more other programs on each core they made 0.95 to
// 1.3 times that loop; with fewer, 1.1 to 1.7 times, at most 14,000 a second. Compared with bare scripts that also share
// round trips, that is 0.4 to 0.9 times (redisstore, BenchmarkCommit).
//
// A process with 10,000 open tables and an otherwise idle machine was measured too (bot/bottest, BenchmarkTables). With
// 1,000 tables changing every 10 s it used 1.7 to 1.8 ms of a core for each change and its messages. Half of the changes
// were shown within 1 ms and 99 in 100 within 4 ms. The tables used 80 bytes of memory each, and the cache of 512 tables
// 4 MB. An idle process used a tenth of a percent of a core. A stored table with its message state has 5 to 13 kB.
//
// A change costs 2 commits: the move, and the record of the messages shown. The estimates assume that one table in ten
// is at play at a time and moves every 10 s. A move edits one message in the chat and one hand.
//
//	tables   moves/s  commits/s  cores for the bot  Redis masters  memory of Redis  messages/s
//	10^4         100        200               0.2              1           0.1 GB         200
//	10^6      10,000     20,000                20              4            13 GB      20,000
//	10^7     100,000    200,000               200             30           130 GB     200,000
//
// With 10^4 tables, one machine with one process, and one Redis or none, runs at a thirtieth of its capacity. The limit
// is the platform. Telegram accepts about 30 messages a second from one token: 150 tables at play, or 1,500 open ones.
// Beyond that, changes collapse into fewer edits and are shown later, and nothing is lost. In a fast game a group reaches
// its own limit, 20 messages a minute, before that. Fifty busy groups together stay below both limits (bot/bottest,
// TestFiftyGroupsWithinTelegramsLimits). Discord accepts 50 requests a second from one token; the answers to presses
// don't count. That is about 250 tables at play, or 500 if hands are opened as answers to presses.
//
// With 10^6 tables, the first limit is the processes' cores, some 20, on any number of machines. The next is Redis: its
// single thread does a third of the commits, so a cluster of four masters or more is needed. With 10^7 tables, the limit
// is the number of partitions, as a partition lies on one master. [Partitions] masters of the lower speed take 109,000
// commits a second, enough for 5 million tables. In both cases the limits of one token are reached long before. With
// 10^6 tables some 700 Telegram tokens would have to share the store, with 10^7 some 7,000.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Partitions is the number of partitions. It is part of the stored format and never changes.
const Partitions = 16

// MaxName is the maximum length in bytes of the names of documents and of the ids of jobs, boards and members. They may
// contain any bytes, but must not be empty.
const MaxName = 1024

// MaxRows is the maximum number of standings that one call of Board returns.
const MaxRows = 1000

// Skew is how far the clocks of processes may differ without being noticed.
const Skew = 2 * time.Second

// Late is how long ago the caller of Claim may have looked at its clock when the claim takes effect. A store or a network
// that is slow doesn't take jobs from their holders. A caller must not wait longer for the answer.
const Late = 5 * time.Second

// Believed reports whether a stored time for which something waits can be right: it lies no further ahead of now than
// its own longest wait. A moment in the past waits for nothing, so its longest wait is 0.
func Believed(at, now time.Time, longest time.Duration) bool {
	return !at.After(now.Add(longest + Skew))
}

// Believe returns at if it is [Believed]. Otherwise the wait begins again, so the caller stores the result.
func Believe(at, now time.Time, longest time.Duration) time.Time {
	if Believed(at, now, longest) {
		return at
	}
	return now.Add(longest)
}

// Any, as a [Write]'s Expect, accepts any current version, and also an absent document.
const Any = -1

// random is the number of low bits of a version that are random.
const random = 16

// Following returns the version of the write that follows a version. The high bits count writes, and come again if the
// store forgets its newest commits. The low bits are random, so the same version comes
// again once in 65,536 such cases.
func Following(version int64) int64 { return (Writes(version)+1)<<random + rand.Int64N(1<<random) }

// Writes returns the count of writes in a version. Of two different versions of a document with the same count, one was
// forgotten by the store.
func Writes(version int64) int64 { return version >> random }

// Errors of Commit and Release that mean that nothing was written.
var (
	// ErrConflict reports that a version that the change expects isn't the current one. Load again.
	ErrConflict = errors.New("the document was changed meanwhile")
	// ErrFenced reports that another worker holds the job, or none does. Drop the work: the job's holder does it.
	ErrFenced = errors.New("the job is no longer held")
)

// ErrDamaged reports that the stored data differs from the data that was written. Trying again doesn't help. Nothing was
// done. If Get, Scan or Commit knows which documents are damaged, it returns a [Damaged].
var ErrDamaged = errors.New("the stored data is damaged")

// Damaged is the ErrDamaged of single documents; all other documents can be used.
type Damaged struct{ Keys []Key }

// Error returns the numbers of damaged documents by kind. It shows no document's name.
func (d *Damaged) Error() string {
	kinds := map[string]int{}
	for _, key := range d.Keys {
		kinds[key.Kind()]++
	}
	return "damaged documents: " + Kinds(kinds)
}

// Is reports whether target is ErrDamaged.
func (d *Damaged) Is(target error) bool { return target == ErrDamaged }

// Kinds formats numbers of documents by kind: "12 (10 table, 2 member)".
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

// Key identifies a document. Within a partition, callers choose the names freely.
type Key struct {
	Partition int
	Name      string
}

// maxKind is the maximum length of a kind, in bytes.
const maxKind = 16

// Kind returns the part of the name that may be logged: the lower-case letters before the first colon. If the name
// doesn't begin like that, Kind returns "".
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

// Doc is a document as it was read. If the document is absent, Version is 0 and Data is nil.
type Doc struct {
	Key     Key
	Version int64
	Data    []byte
}

// Write replaces or deletes a document.
type Write struct {
	Name    string
	Expect  int64     // the version that must be current; 0: the document must be absent; or Any
	Data    []byte    // nil deletes; empty is a document without bytes
	Expires time.Time // when the document expires; zero: never
	Version int64     // the document's new version, set by a Commit that returns nil, if Expect > 0 and Data isn't nil
}

// Row sets a member's row on a board, or deletes it. Setting the same row twice has the same effect as once.
type Row struct {
	Board, Member string
	Score         float64 // more is better; finite
	Data          []byte  // returned in Standing
	Delete        bool
}

// Mark makes a job due at At, or leaves it if it is due sooner. A clock that is ahead finds jobs overdue and leases over, and
// what it marks must not wait for it. So a job that is due already at the change's Now counts as set by that clock (see
// Clocks), and a held job whose lease has ended by then is due when the lease ends at the latest.
type Mark struct {
	ID string
	At time.Time // not zero
}

// Claim makes a job due at the change's Now, as a Mark does. If the job is parked or new, Claim also claims it for the
// caller at once. If the job has a holder, even one whose lease has expired, Claim only marks it.
type Claim struct {
	ID      string
	Token   int64     // a NewToken
	Until   time.Time // when the lease ends
	Claimed bool      // set by a Commit that returns nil: whether the caller has the job

	Read []string // names of documents that the job needs, all in the change's partition
	Docs []Doc    // set by a Commit that sets Claimed: those documents after the change; nil if one of them is damaged
}

// Keys returns the keys of the documents in Read.
func (h *Claim) Keys(partition int) []Key {
	keys := make([]Key, len(h.Read))
	for i, name := range h.Read {
		keys[i] = Key{partition, name}
	}
	return keys
}

// Change is what one Commit does, all or nothing. Writes name different documents. Done is the job whose work the
// change completes. Commit releases it, and it is due again at Next (zero: only if marked) or at an earlier mark that
// arrived while it was held. Commit applies the marks in Due after that release, and Claim last. Claim names neither the
// job in Done nor one in Due.
type Change struct {
	Partition int
	Writes    []Write
	Rows      []Row
	Due       []Mark
	Done      *Job
	Next      time.Time
	Leave     time.Duration // for so long, this Store's Claim leaves the job in Done to other processes
	Claim     *Claim        // nil: none
	Now       time.Time     // the caller's current time; zero: the wall clock
}

// Version returns the Version of the change's write of a document, or 0.
func (c Change) Version(name string) int64 {
	for _, w := range c.Writes {
		if w.Name == name {
			return w.Version
		}
	}
	return 0
}

// Job is a due job held under a lease. Anyone who has its Token may complete it.
type Job struct {
	Partition int
	ID        string
	Token     int64
	Due       time.Time // when it became claimable: when it was due, or when its last holder's lease expired
	Taken     bool      // its last holder's lease expired: nobody knows how much of the job was done
	Docs      []Doc     // of a job that a Claim claimed: the Claim's Docs; otherwise nil
}

// Standing is a row as the board shows it.
type Standing struct {
	Member string
	Rank   int // from 1: one more than the number of rows with a better score, so that ties share a rank
	Score  float64
	Data   []byte
}

// Store keeps documents, jobs and boards. Its methods may be called from many goroutines; other processes may use the
// same data at the same time where the backend allows it.
type Store interface {
	// Get returns the documents in the order of keys, with Version 0 for those that are absent, in one round trip. The
	// documents of one partition are a consistent snapshot.
	Get(ctx context.Context, keys ...Key) ([]Doc, error)

	// Commit writes the change, all or nothing, in one round trip. The package comment describes its errors.
	Commit(ctx context.Context, change Change) error

	// Claim returns at most limit jobs that are due at now, each held by the caller until now+lease. Those whose due time or
	// lease isn't believed (see Clocks) count as due since now, and so do those that the caller holds without knowing (see
	// Jobs). Those that this Store leaves to others don't count at all. In each partition the
	// job that has been due longest comes first. Partitions with due jobs take turns: none waits for more than Partitions
	// calls of one Store. No job is held twice. next is when the next job can be claimed, as far as this call knows: now if
	// more jobs are due, zero if no job is parked or held. An earlier mark may arrive at any time.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (jobs []Job, next time.Time, err error)

	// Release is a Commit that only completes the job. The job is due again at next; zero: only if marked.
	Release(ctx context.Context, job Job, now, next time.Time) error

	// Board returns at most n rows of a board (no more than MaxRows), the best score first, equal scores by member, and the
	// total number of rows. The first one is row from (0 is the best). If around names a member, from is ignored and that
	// member is in the middle, as far as the ends of the board allow. If they aren't on the board, Board returns only the
	// total.
	Board(ctx context.Context, partition int, board string, from, n int, around string) ([]Standing, int, error)

	// Scan pages through a partition's documents whose names begin with prefix, in the order of names. Begin with an empty
	// cursor, then pass the one returned until it is empty. A document that exists during the whole scan is returned
	// exactly once. If the error is a [Damaged], docs has all other documents of the page, and next is valid.
	Scan(ctx context.Context, partition int, prefix, cursor string) (docs []Doc, next string, err error)

	// Watch reports documents when they change, until ctx ends or the store is closed. Then it closes the channel. First it
	// sends all the documents as they are, absent ones with Version 0. Later it sends those whose versions differ from the
	// ones sent last. If several changes come before the reader receives, it gets only the newest state. A slow reader delays
	// no commit. A change is noticed at once, or at the latest after a few seconds, also if it is an expiry or was undone. As
	// long as the documents can't be read, nothing is sent.
	Watch(ctx context.Context, keys ...Key) <-chan []Doc

	// Interruptions counts the moments after which the newest commits may have been undone: new connections to the data, and
	// calls that did not reach it. If the backend never undoes a commit, it is always 0.
	Interruptions() int64

	// Close closes the store. Waiting calls and later ones fail.
	Close() error
}

// Check returns an error if the change is malformed: no such partition, a name that is empty or too long, a document
// written twice, a score that isn't a finite number, a mark without a time. Backends call it first.
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
	if h := c.Claim; h != nil {
		if h.Token <= 0 || h.Until.IsZero() || c.Now.IsZero() {
			return fmt.Errorf("job %q: held without a token, an end or a present", h.ID)
		}
		if c.Done != nil && c.Done.ID == h.ID || slices.ContainsFunc(c.Due, func(m Mark) bool { return m.ID == h.ID }) {
			return fmt.Errorf("job %q: held and completed or marked in one change", h.ID)
		}
		for _, name := range h.Read {
			if err := checkName("document", name); err != nil {
				return err
			}
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
