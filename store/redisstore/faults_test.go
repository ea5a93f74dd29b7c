package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
	"sedmabot/store/storetest"
)

// cluster starts a Redis Cluster of one node, which checks slots as a larger one does, and returns its address.
func cluster(t *testing.T, args ...string) (*redistest.Server, string) {
	t.Helper()
	server := redistest.Start(t, append([]string{"--cluster-enabled", "yes"}, args...)...)
	if answer, err := server.Do("CLUSTER", "ADDSLOTSRANGE", "0", "16383"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if answer, err := server.Do("SET", "probe", "x"); answer == "+OK" {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(answer, err)
		}
	}
	return server, server.URL() + "," + server.Addr
}

// The suite passes on one server that is a cluster. TestRealCluster has three masters.
func TestStoreOnCluster(t *testing.T) {
	t.Parallel()
	if !long {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	_, address := cluster(t)
	suite(t, address, redisstore.Options{})
}

// processes opens two stores on the same data, as two processes have.
func processes(t *testing.T, address string) [2]*redisstore.Store {
	t.Helper()
	var both [2]*redisstore.Store
	for i := range both {
		both[i] = open(t, address, redisstore.Options{})
	}
	return both
}

// Two processes lose their connections in the middle of their commits, and a third one keeps its own. All of them see
// one order of their calls: no commit whose answer was lost is half done, or done again.
func TestWhatProcessesSeeHasAnOrder(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	server := redistest.Start(t)
	line := cable.New(t, server.Addr)
	broken := &breaking{Store: hasty(t, "redis://"+line.Addr()), line: line}
	storetest.Ordered(t, broken, hasty(t, "redis://"+line.Addr()), hasty(t, server.URL()))
	if broken.failed.Load() == 0 {
		t.Error("no commit failed")
	}
}

// breaking is a store whose connections go dead while its tenth commit is under way, and its thirtieth.
type breaking struct {
	store.Store
	line            *cable.Cable
	commits, failed atomic.Int64
}

func (s *breaking) Commit(ctx context.Context, c store.Change) error {
	if n := s.commits.Add(1); n%20 == 10 {
		go s.line.Cut()
	}
	err := s.Store.Commit(ctx, c)
	if err != nil && !errors.Is(err, store.ErrConflict) && ctx.Err() == nil {
		s.failed.Add(1)
	}
	return err
}

// hasty opens a store whose calls have the default timeout.
func hasty(t *testing.T, address string) *redisstore.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), address, redisstore.Options{})
	for began := time.Now(); err != nil; s, err = redisstore.Open(t.Context(), address, redisstore.Options{}) {
		if time.Since(began) > patience {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func put(name, data string) store.Change {
	return store.Change{Writes: []store.Write{{Name: name, Expect: store.Any, Data: []byte(data)}}}
}

func get(t *testing.T, s store.Store, name string) store.Doc {
	t.Helper()
	docs, err := s.Get(t.Context(), store.Key{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

func TestProcessesShareOneRedis(t *testing.T) {
	t.Parallel()
	both := processes(t, redistest.Start(t).URL())
	const workers, times = 16, 10
	now := time.Now()
	var all sync.WaitGroup
	for i := range workers {
		s := both[i%2]
		all.Go(func() {
			for done := 0; done < times; {
				docs, err := s.Get(t.Context(), store.Key{Name: "count"})
				if err != nil {
					t.Error(err)
					return
				}
				n, _ := strconv.Atoi(string(docs[0].Data))
				err = s.Commit(t.Context(), store.Change{
					Writes: []store.Write{{Name: "count", Expect: docs[0].Version, Data: []byte(strconv.Itoa(n + 1))}},
					Due:    []store.Mark{{ID: fmt.Sprint("job ", n), At: now}},
				})
				if err == nil {
					done++
				} else if !errors.Is(err, store.ErrConflict) {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if got := string(get(t, both[0], "count").Data); got != strconv.Itoa(workers*times) {
		t.Errorf("counted to %s", got)
	}

	var claimed atomic.Int64
	for _, s := range both {
		all.Go(func() {
			for {
				jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Minute, 5)
				if err != nil || len(jobs) == 0 {
					return
				}
				claimed.Add(int64(len(jobs)))
			}
		})
	}
	all.Wait()
	if claimed.Load() != workers*times {
		t.Errorf("%d jobs claimed, want %d", claimed.Load(), workers*times)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	free, watch := redistest.Address(t), clocktest.Start(t)
	closed, open := redistest.Start(t), redistest.Start(t)
	if answer, err := closed.Do("CONFIG", "SET", "requirepass", "right"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	const password = "correct the user and the password in store.redis_url"
	for address, want := range map[string]string{
		"redis://" + closed.Addr:                         password,
		"redis://:s3cret@" + closed.Addr:                 password,
		"redis://bot:s3cret@" + open.Addr:                password,
		"redis://bot:s3cret@" + free:                     "connection refused",
		"redis://:s3cret@" + free + ",redis://" + free:   "connection refused",
		"redis://bot:s3cret/x@" + free:                   "malformed",
		"redis://bot:s3cret#x@" + free:                   "malformed",
		"redis://bot:s3cret@localhost:99999":             "malformed",
		"redis://localhost:6379,localhost:0":             "malformed",
		"redis+sentinel://localhost:redis/cards":         "malformed",
		"redis://bot:s3cret%zz@" + free:                  "malformed",
		"redis://bot:s3cret@" + free + "/db":             "malformed",
		"redis://bot:s3cret@" + free + "?s3cret=1":       "malformed",
		"http://bot:s3cret@" + free:                      "malformed",
		"s3cret":                                         "malformed",
		"redis://" + free + ",redis://:s3cret@host:port": "malformed",
	} {
		begin := watch.Now()
		s, err := redisstore.Open(t.Context(), address, redisstore.Options{})
		if err == nil {
			s.Close()
			t.Errorf("%s: opened", address)
			continue
		}
		if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "s3cret") || strings.Contains(text, "\n") {
			t.Errorf("%s: %q, want one line with %q and no password", address, text, want)
		}
		if took := watch.Now() - begin; took > 4*time.Second {
			t.Errorf("%s: it took %v", address, took)
		}
	}
	if _, err := redisstore.Open(t.Context(), "redis://"+free, redisstore.Options{Prefix: "a{b}"}); err == nil || !strings.Contains(err.Error(), "prefix") {
		t.Errorf("a prefix with braces: %v", err)
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, command := range [][]string{
		{"ACL", "SETUSER", "bot", "on", ">s3cret#/@", "~sedma:*", "+@all", "-@dangerous"},
		{"ACL", "SETUSER", "default", "off"},
	} {
		if answer, err := server.Do(command...); answer != "+OK" {
			t.Fatal(answer, err)
		}
	}
	s := open(t, "redis://bot:s3cret%23%2F%40@"+server.Addr, redisstore.Options{})
	if err := s.Commit(t.Context(), put("a", "x")); err != nil {
		t.Error(err)
	}
	for _, user := range []string{"", "bot:wr0ng@"} {
		_, err := redisstore.Open(t.Context(), "redis://"+user+server.Addr, redisstore.Patient(redisstore.Options{}))
		if err == nil || strings.Contains(err.Error(), "wr0ng") {
			t.Errorf("user %q: %v", user, err)
		}
	}
}

func TestScriptsComeBack(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	now := time.Now()
	for i := range 3 {
		if answer, err := server.Do("SCRIPT", "FLUSH"); answer != "+OK" {
			t.Fatal(answer, err)
		}
		c := put("a", "x")
		c.Due = []store.Mark{{ID: "job", At: now}}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if answer, err := server.Do("SCRIPT", "FLUSH"); answer != "+OK" {
			t.Fatal(answer, err)
		}
		jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Second, 10)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("round %d: claimed %+v, %v", i, jobs, err)
		}
		if err := s.Release(t.Context(), jobs[0], now, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}

// proxy forwards between a store and its Redis. While it is mute it still forwards requests, but cuts the connection
// instead of forwarding an answer.
type proxy struct {
	net.Listener
	mute  atomic.Bool
	muted atomic.Int64 // answers that were cut off
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	return &proxy{Listener: redistest.Listen(t)}
}

func (p *proxy) port() string { return strconv.Itoa(p.Addr().(*net.TCPAddr).Port) }

func (p *proxy) serve(target string) {
	redistest.Relay(p, target, func() redistest.Ears {
		return redistest.Ears{Answered: func(int) bool {
			if p.mute.Load() {
				p.muted.Add(1)
				return false
			}
			return true
		}}
	})
}

// A commit whose answer was lost is not repeated, and not reported as done or refused.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	check := func(t *testing.T, p *proxy, address string) {
		s := processes(t, address)[0]
		if err := s.Commit(t.Context(), put("a", "before")); err != nil {
			t.Fatal(err)
		}
		version := get(t, s, "a").Version
		p.mute.Store(true)
		err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "a", Expect: version, Data: []byte("after")}}})
		p.mute.Store(false)
		if err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrFenced) {
			t.Errorf("commit: %v, want an open outcome", err)
		}
		if p.muted.Load() == 0 { // it may be more than one, because a cluster's client also asks for the slots
			t.Error("no answer was cut off")
		}
		if doc := get(t, s, "a"); string(doc.Data) != "after" || store.Writes(doc.Version) != store.Writes(version)+1 {
			t.Errorf("document %q at version %d, want one write after %d", doc.Data, doc.Version, version)
		}

		// Concurrent commits share round trips; each of them is done once or not at all.
		const many = 20
		var versions [many]int64
		for i := range many {
			if err := s.Commit(t.Context(), put(fmt.Sprint("doc ", i), "before")); err != nil {
				t.Fatal(err)
			}
			versions[i] = get(t, s, fmt.Sprint("doc ", i)).Version
		}
		p.mute.Store(true)
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() {
				err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: fmt.Sprint("doc ", i), Expect: versions[i], Data: []byte("after")}}})
				if err == nil || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrFenced) {
					t.Errorf("commit %d of many: %v, want an open outcome", i, err)
				}
			})
		}
		all.Wait()
		p.mute.Store(false)
		done := 0
		for i, version := range versions {
			switch doc := get(t, s, fmt.Sprint("doc ", i)); {
			case string(doc.Data) == "after" && store.Writes(doc.Version) == store.Writes(version)+1:
				done++
			case string(doc.Data) != "before" || doc.Version != version:
				t.Errorf("document %d: %q at version %d, want one write after %d or none", i, doc.Data, doc.Version, version)
			}
		}
		if done == 0 {
			t.Error("no commit reached Redis")
		}
	}
	t.Run("one redis", func(t *testing.T) {
		t.Parallel()
		p := newProxy(t)
		go p.serve(redistest.Start(t).Addr)
		check(t, p, "redis://"+p.Addr().String())
	})
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		p := newProxy(t)
		server, _ := cluster(t, "--cluster-announce-ip", "127.0.0.1", "--cluster-announce-port", p.port())
		go p.serve(server.Addr)
		check(t, p, "redis://"+p.Addr().String()+","+p.Addr().String())
	})
}

func TestStalledRedis(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	if err := s.Commit(t.Context(), put("a", "before")); err != nil {
		t.Fatal(err)
	}
	version := get(t, s, "a").Version
	soon, watch := hasty(t, server.URL()), clocktest.Start(t)
	server.Pause()
	defer server.Resume()
	for name, call := range map[string]func(ctx context.Context) error{
		"commit": func(ctx context.Context) error { return soon.Commit(ctx, put("a", "after")) },
		"get":    func(ctx context.Context) error { _, err := soon.Get(ctx, store.Key{Name: "a"}); return err },
		"claim": func(ctx context.Context) error {
			_, _, err := soon.Claim(ctx, time.Now(), time.Second, 1)
			return err
		},
	} {
		begin := watch.Now()
		err := call(t.Context())
		if err == nil || !strings.Contains(err.Error(), "does not answer") {
			t.Errorf("%s: %v", name, err)
		}
		if took := watch.Now() - begin; took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		begin = watch.Now()
		if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) || watch.Now()-begin > time.Second {
			t.Errorf("%s with 100ms took %v, %v", name, watch.Now()-begin, err)
		}
		cancel()
	}
	server.Resume()
	if err := soon.Commit(t.Context(), put("b", "x")); err != nil {
		t.Error(err)
	}
	if n := store.Writes(get(t, s, "a").Version) - store.Writes(version); n > 2 {
		t.Errorf("two commits were done %d times", n)
	}
}

// A failover may lose a document's newest write. A change that was computed from it is refused, also after the next write.
func TestWhatWasLostIsNotOverwritten(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	do := func(words ...string) {
		t.Helper()
		if _, err := server.Do(words...); err != nil {
			t.Fatal(err)
		}
	}
	write := func(expect int64) (version int64) {
		t.Helper()
		if err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "a", Expect: expect, Data: []byte("x")}}}); err != nil {
			t.Fatal(err)
		}
		return get(t, s, "a").Version
	}
	refused := func(lost, now int64) {
		t.Helper()
		err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: "a", Expect: lost, Data: []byte("late")}}})
		if !errors.Is(err, store.ErrConflict) || store.Writes(lost) != store.Writes(now) {
			t.Errorf("after version %d was lost, %d was written, and a change of the former: %v", lost, now, err)
		}
	}
	lost := write(0)
	do("FLUSHALL")
	version := write(0)
	refused(lost, version)
	for _, expect := range []int64{version, store.Any} {
		const at = "sedma:{p00}:doc:a"
		do("COPY", at, "kept", "REPLACE")
		lost := write(expect)
		do("COPY", "kept", at, "REPLACE")
		refused(lost, write(expect))
		do("COPY", "kept", at, "REPLACE")
	}
}

func TestRedisKilledAndRestarted(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	now := time.Now()
	const n = 100
	for i := range n {
		c := put(fmt.Sprint("doc ", i), fmt.Sprint(i))
		c.Due = []store.Mark{{ID: fmt.Sprint("job ", i), At: now}}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	soon := hasty(t, server.URL())
	interruptions := s.Interruptions()
	server.Kill()
	if err := soon.Commit(t.Context(), put("a", "x")); err == nil {
		t.Error("a commit without Redis succeeded")
	}
	server.Start()
	if err := s.Commit(t.Context(), put("a", "x")); err != nil {
		t.Error(err)
	}
	if interruptions == 0 || s.Interruptions() <= interruptions {
		t.Errorf("%d interruptions before the restart, %d after it", interruptions, s.Interruptions())
	}
	for i := range n {
		if doc := get(t, s, fmt.Sprint("doc ", i)); string(doc.Data) != fmt.Sprint(i) {
			t.Errorf("document %d is %q", i, doc.Data)
		}
	}
	jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Minute, 2*n)
	if err != nil || len(jobs) != n {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
}

// A Redis that takes no more connections hangs up before it has read a command. Calls then wait for a connection that it has.
func TestARedisWithoutRoomForMoreConnections(t *testing.T) {
	t.Parallel()
	const room = 2
	server := redistest.Start(t, "--maxclients", strconv.Itoa(room))
	s := open(t, server.URL(), redisstore.Options{})
	held, err := net.Dial("tcp", server.Addr) // with this one and the store's first, it is full
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	var all sync.WaitGroup
	for i := range 10 {
		name := fmt.Sprint("n", i)
		all.Go(func() {
			for j := range 10 {
				if err := s.Commit(t.Context(), put(name, strconv.Itoa(j))); err != nil {
					t.Errorf("change %s: %v", name, err)
				}
				if docs, err := s.Get(t.Context(), store.Key{Name: name}, store.Key{Partition: 1, Name: name}); err != nil || string(docs[0].Data) != strconv.Itoa(j) {
					t.Errorf("read %s: %v, %v", name, docs, err)
				}
			}
		})
	}
	all.Wait()
}

func TestRedisOutOfMemory(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	now := time.Now()
	if err := s.Commit(t.Context(), store.Change{Due: []store.Mark{{ID: "job", At: now}}, Writes: []store.Write{{Name: "a", Data: []byte("before")}}}); err != nil {
		t.Fatal(err)
	}
	jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Minute, 1)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("claimed %+v, %v", jobs, err)
	}
	if answer, err := server.Do("CONFIG", "SET", "maxmemory", "1"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	full := store.Change{
		Writes: []store.Write{{Name: "a", Expect: store.Any}, {Name: "b", Data: []byte("new")}},
		Rows:   []store.Row{{Board: "league", Member: "ann", Score: 1}},
		Due:    []store.Mark{{ID: "other", At: now}},
		Done:   &jobs[0],
		Next:   now,
	}
	err = s.Commit(t.Context(), full)
	if err == nil || !strings.Contains(err.Error(), "OOM") {
		t.Errorf("commit: %v", err)
	}
	if more, _, err := s.Claim(t.Context(), now.Add(2*time.Minute), time.Minute, 1); err == nil {
		t.Errorf("claimed %+v", more)
	}
	if doc := get(t, s, "a"); string(doc.Data) != "before" {
		t.Errorf("half of a change was done: %q", doc.Data)
	}
	if answer, err := server.Do("CONFIG", "SET", "maxmemory", "0"); answer != "+OK" {
		t.Fatal(answer, err)
	}
	if rows, all, err := s.Board(t.Context(), 0, "league", 0, 10, ""); err != nil || all != 0 {
		t.Errorf("half of a change was done: %+v, %v", rows, err)
	}
	if err := s.Commit(t.Context(), full); err != nil { // the job is still held
		t.Error(err)
	}
	if doc := get(t, s, "a"); doc.Version != 0 {
		t.Errorf("document %+v", doc)
	}
}

// A process that gets no answer, or whose Redis goes back to an older state, holds jobs without knowing. It gets them again
// at once, though another process has to wait for the end of their leases.
func TestAProcessKnowsWhatItHolds(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var cut atomic.Int64 // the number of the answer that is cut, from 1
	relay := redistest.Listen(t)
	go redistest.Relay(relay, server.Addr, func() redistest.Ears {
		return redistest.Ears{Answered: func(int) bool { return cut.Add(-1) != 0 }}
	})
	own, other := open(t, "redis://"+relay.Addr().String(), redisstore.Options{}), open(t, server.URL(), redisstore.Options{})
	now := own.Now().Truncate(time.Millisecond)
	job := func(s *redisstore.Store, want int) (job store.Job) {
		t.Helper()
		jobs, _, err := s.Claim(t.Context(), now, time.Minute, 1)
		if err != nil || len(jobs) != want {
			t.Fatalf("claimed %+v, %v, want %d", jobs, err, want)
		}
		if want > 0 {
			return jobs[0]
		}
		return job
	}
	release := func(job store.Job) {
		t.Helper()
		if err := own.Release(t.Context(), job, now, now); err != nil {
			t.Fatal(err)
		}
	}
	mark := store.Change{Due: []store.Mark{{ID: "job", At: now}}, Now: now}
	if err := own.Commit(t.Context(), mark); err != nil {
		t.Fatal(err)
	}
	release(job(own, 1)) // from now on, Redis knows the scripts

	cut.Store(2)
	if jobs, _, err := own.Claim(t.Context(), now, time.Minute, 1); err == nil {
		t.Fatalf("claimed %+v without an answer", jobs)
	}
	job(other, 0)
	known := job(own, 1)
	job(own, 0)
	if err := own.Release(t.Context(), known, now, time.Time{}); err != nil {
		t.Fatal(err)
	}

	cut.Store(1)
	claim := store.Change{Claim: &store.Claim{ID: "job", Token: store.NewToken(), Until: now.Add(time.Minute)}, Now: now}
	if err := own.Commit(t.Context(), claim); err == nil {
		t.Fatal("committed without an answer")
	}
	job(other, 0)
	first := job(own, 1)

	var keys []string
	for _, name := range []string{"held", "lease"} {
		keys = append(keys, "sedma:{p00}:"+name)
	}
	do := func(args ...string) {
		t.Helper()
		if answer, err := server.Do(args...); err != nil || strings.HasPrefix(answer, "-") {
			t.Fatal(args, answer, err)
		}
	}
	for _, key := range keys {
		do("COPY", key, key+":older")
	}
	for range 3 {
		release(first)
		first = job(own, 1)
	}
	release(first)
	for _, key := range keys {
		do("COPY", key+":older", key, "REPLACE")
	}
	do("DEL", "sedma:{p00}:due")
	do("CLIENT", "KILL", "TYPE", "normal")
	job(other, 0)
	watch := clocktest.Start(t)
	for deadline := time.Now().Add(patience); ; {
		jobs, _, err := own.Claim(t.Context(), now, time.Minute, 1)
		if len(jobs) == 1 {
			if took := watch.Now(); took > 3*time.Second {
				t.Errorf("claimed %v after the rollback", took)
			}
			break
		}
		if err == nil || time.Now().After(deadline) {
			t.Fatalf("claimed %+v, %v", jobs, err)
		}
	}
}

// A job that one process leaves goes to another one at once.
func TestAJobIsLeftToAnotherProcess(t *testing.T) {
	t.Parallel()
	both := processes(t, redistest.Start(t).URL())
	now := both[0].Now().Truncate(time.Millisecond)
	if err := both[0].Commit(t.Context(), store.Change{Due: []store.Mark{{ID: "job", At: now}}, Now: now}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0, 1} {
		s := both[max(0, i-1)]
		jobs, _, err := s.Claim(t.Context(), now, time.Minute, 1)
		if err != nil || len(jobs) != want {
			t.Fatalf("claim %d: %+v, %v", i, jobs, err)
		}
		if want == 1 && !jobs[0].Due.Equal(now) {
			t.Errorf("claim %d: due since %v, want %v", i, jobs[0].Due, now)
		}
		if i == 0 {
			if err := s.Commit(t.Context(), store.Change{Done: &jobs[0], Next: jobs[0].Due, Leave: time.Hour, Now: now}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// When all connections have gone dead, with their answers and the messages of subscriptions, the store is soon back.
func TestConnectionsThatGoDead(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	server := redistest.Start(t)
	line := cable.New(t, server.Addr)
	s, other, watch := hasty(t, "redis://"+line.Addr()), hasty(t, server.URL()), clocktest.Start(t)
	changes := s.Watch(t.Context(), store.Key{Name: "a"})
	<-changes
	busy := func() (failed int64) {
		var all sync.WaitGroup
		var failures atomic.Int64
		for i := range 64 {
			all.Go(func() {
				name := strconv.Itoa(i)
				_, _, err := s.Claim(t.Context(), time.Now(), time.Second, 1)
				if _, read := s.Get(t.Context(), store.Key{Name: name}); errors.Join(err, read, s.Commit(t.Context(), put(name, "x"))) != nil {
					failures.Add(1)
				}
			})
		}
		all.Wait()
		return failures.Load()
	}
	if n := busy(); n > 0 {
		t.Fatalf("%d of 64 failed", n)
	}
	line.Cut()
	began := watch.Now()
	for good := 0; good < 20; good++ { // one after the other, they use few of the connections
		if _, err := s.Get(t.Context(), store.Key{Name: "1"}); err != nil {
			good = 0
		}
	}
	for busy() > 0 {
	}
	if err := other.Commit(t.Context(), put("a", "new")); err != nil {
		t.Fatal(err)
	}
	for docs := range changes {
		if string(docs[0].Data) == "new" {
			break
		}
	}
	if took := watch.Now() - began; took > 15*time.Second {
		t.Errorf("back after %v", took)
	}
}
