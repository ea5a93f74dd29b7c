package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"sedmabot/store"
)

// trips counts round trips.
type trips struct{ n atomic.Int64 }

func (c *trips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.n.Add(1)
		return next(ctx, cmd)
	}
}

func (c *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.n.Add(1)
		return next(ctx, cmds)
	}
}

func TestRoundTrips(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	s, err := Open(t.Context(), "redis://"+server.Addr(), Patient(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var count trips
	s.client.AddHook(&count)
	now := time.Now()
	steps := []struct {
		name  string
		trips int64
		call  func() error
	}{
		{"commit", 1, func() error {
			return s.Commit(t.Context(), store.Change{
				Writes: []store.Write{{Name: "a", Expect: store.Any, Data: []byte("x")}, {Name: "b", Expect: store.Any, Data: []byte("x")}},
				Rows:   []store.Row{{Board: "league", Member: "ann", Score: 1}},
				Due:    []store.Mark{{ID: "job", At: now}},
			})
		}},
		{"get", 1, func() error {
			_, err := s.Get(t.Context(), store.Key{Name: "a"}, store.Key{Partition: 7, Name: "b"}, store.Key{Name: "b"})
			return err
		}},
		{"get of one partition", 1, func() error {
			_, err := s.Get(t.Context(), store.Key{Name: "a"}, store.Key{Name: "b"})
			return err
		}},
		{"get of nothing", 0, func() error { _, err := s.Get(t.Context()); return err }},
		{"board", 1, func() error { _, _, err := s.Board(t.Context(), 0, "league", 0, 10, "ann"); return err }},
		{"scan", 2, func() error { _, _, err := s.Scan(t.Context(), 0, "", ""); return err }},
		{"busy claim", 2, func() error {
			jobs, _, err := s.Claim(t.Context(), now.Add(time.Second), time.Minute, 5)
			if len(jobs) != 1 {
				t.Errorf("claimed %+v", jobs)
			}
			now = now.Add(2 * time.Minute)
			return err
		}},
		{"idle claim", 1, func() error { _, _, err := s.Claim(t.Context(), now.Add(-90*time.Second), time.Minute, 5); return err }},
	}
	for round := range 2 { // the first one loads the scripts
		for _, step := range steps {
			before := count.n.Load()
			if err := step.call(); err != nil {
				t.Fatal(err)
			}
			if n := count.n.Load() - before; round > 0 && n != step.trips {
				t.Errorf("%s: %d round trips, want %d", step.name, n, step.trips)
			}
		}
	}
}

// A document may be written again between a Claim's look at what has expired and its sweep.
func TestSweepLooksAgain(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), "redis://"+miniredis.RunT(t).Addr(), Patient(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Now()
	for name, expires := range map[string]time.Time{"old": now.Add(-time.Hour), "renewed": now.Add(time.Hour), "for good": {}} {
		err := s.Commit(t.Context(), store.Change{Writes: []store.Write{{Name: name, Data: []byte("x"), Expires: expires}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	calls := []call{s.sweep(0, now.UnixMilli(), []string{"old", "renewed", "for good", "none"})}
	if err := s.pipe(t.Context(), calls); err != nil {
		t.Fatal(err)
	}
	if swept, err := calls[0].answer.Int(); err != nil || swept != 1 {
		t.Errorf("swept %d documents, %v", swept, err)
	}
	docs, err := s.Get(t.Context(), store.Key{Name: "renewed"}, store.Key{Name: "for good"})
	if err != nil || docs[0].Version == 0 || docs[1].Version == 0 {
		t.Errorf("documents %+v, %v", docs, err)
	}
}

func TestConnect(t *testing.T) {
	t.Parallel()
	single := func(address string) *redis.Options {
		t.Helper()
		client, _, err := connect(address, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		return client.(*redis.Client).Options()
	}
	if o := single("redis://bot:a%2Cb%40@cards.example:6380/3"); o.Addr != "cards.example:6380" || o.Username != "bot" || o.Password != "a,b@" || o.DB != 3 || o.TLSConfig != nil {
		t.Errorf("%+v", o)
	}
	if o := single("rediss://cards.example"); o.Addr != "cards.example:6379" || o.TLSConfig == nil || o.TLSConfig.ServerName != "cards.example" {
		t.Errorf("%+v", o)
	}
	if o := single("unix:///run/redis.sock"); o.Network != "unix" || o.Addr != "/run/redis.sock" {
		t.Errorf("%+v", o)
	}
	client, where, err := connect("rediss://bot:s3cret@a:1, b:2,rediss://c:3", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	o := client.(*redis.ClusterClient).Options()
	if where != "a:1,b:2,c:3" || strings.Join(o.Addrs, ",") != where || o.Username != "bot" || o.Password != "s3cret" || o.TLSConfig == nil {
		t.Errorf("%s: %+v", where, o.Addrs)
	}
}

func TestSentinelAddresses(t *testing.T) {
	t.Parallel()
	client, where, err := connect("rediss+sentinel://bot:a%2Cb%40@one:1, two/cards%20here/3?sentinel_username=watch&sentinel_password=p%26q", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	o := client.(*redis.Client).Options()
	if where != "one:1,two:26379/cards here" || o.Username != "bot" || o.Password != "a,b@" || o.DB != 3 || o.TLSConfig == nil || o.TLSConfig.ServerName != "" {
		t.Errorf("%s: %+v", where, o)
	}
	for _, address := range []string{
		"redis+sentinel://", "redis+sentinel://a", "redis+sentinel://a/", "redis+sentinel:///name", "redis+sentinel://a,,b/name", "redis+sentinel://a/name/",
		"redis+sentinel://a/name/x", "redis+sentinel://a/name?s3cret=1", "redis+sentinel://u:s3cret%zz@a/name", "http+sentinel://u:s3cret@a/name", "+sentinel://a/name",
	} {
		client, _, err := connect(address, Options{})
		if err == nil {
			client.Close()
			t.Errorf("%s is taken", address)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// fakeRedis answers instead of Redis, once it is told to continue, and records the requests.
type fakeRedis struct {
	mu    sync.Mutex
	came  [][]string // the commands of each round trip
	allow chan struct{}
}

func (d *fakeRedis) DialHook(next redis.DialHook) redis.DialHook { return next }

func (d *fakeRedis) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(_ context.Context, cmd redis.Cmder) error {
		d.answer(cmd)
		return cmd.Err()
	}
}

func (d *fakeRedis) ProcessPipelineHook(redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(_ context.Context, cmds []redis.Cmder) error {
		d.answer(cmds...)
		return nil
	}
}

// answer answers each command with its first argument, as its value or, if it begins with "bad", as its error.
func (d *fakeRedis) answer(cmds ...redis.Cmder) {
	var words []string
	for _, cmd := range cmds {
		words = append(words, fmt.Sprint(cmd.Args()[1]))
	}
	d.mu.Lock()
	d.came = append(d.came, words)
	d.mu.Unlock()
	<-d.allow
	for i, cmd := range cmds {
		if strings.HasPrefix(words[i], "bad") {
			cmd.SetErr(errors.New(words[i]))
		}
		cmd.(once).SetVal(words[i])
	}
}

func TestCommitsShareRoundTrips(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{}) // created outside the bubble, as it looks up its address
	defer client.Close()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeRedis{allow: make(chan struct{})}
		client.AddHook(fake)
		w := wire{client: client, limit: limit}
		var all sync.WaitGroup
		begin := func(ctx context.Context, word string, want string) {
			all.Go(func() {
				cmd := once{redis.NewCmd(t.Context(), "say", word)}
				err := w.process(ctx, cmd)
				if got := fmt.Sprint(err); got != want {
					t.Errorf("%s: %v, want %v", word, got, want)
				}
				if got, _ := cmd.Text(); err == nil && got != word {
					t.Errorf("%s got the answer of %s", word, got)
				}
			})
			synctest.Wait()
		}
		// Each lane takes one commit at once; then there is nothing to go with.
		for i := range lanes {
			begin(t.Context(), fmt.Sprint("first ", i), "<nil>")
		}
		// Commits from here on wait, and one of them gives up.
		impatient, leave := context.WithCancel(t.Context())
		for i := range crowd {
			begin(t.Context(), fmt.Sprint("later ", i), "<nil>")
		}
		begin(impatient, "impatient", context.Canceled.Error())
		begin(t.Context(), "bad", "bad")
		begin(t.Context(), "last", "<nil>")
		leave()
		synctest.Wait()
		if len(fake.came) != lanes {
			t.Errorf("%d round trips on their way, want %d", len(fake.came), lanes)
		}
		close(fake.allow)
		all.Wait()

		var sizes []int
		for _, words := range fake.came {
			sizes = append(sizes, len(words))
			if slices.Contains(words, "impatient") {
				t.Error("what nobody waits for was sent")
			}
		}
		slices.Sort(sizes) // the two last are on lanes of their own
		if want := append(slices.Repeat([]int{1}, lanes), 2, crowd); !slices.Equal(sizes, want) {
			t.Errorf("round trips of %v commits, want %v", sizes, want)
		}
		// Every lane is free again.
		for i := range lanes + 1 {
			begin(t.Context(), fmt.Sprint("again ", i), "<nil>")
			if n := len(fake.came); n != lanes+3+i {
				t.Errorf("%d round trips, want %d", n, lanes+3+i)
			}
		}
	})
}
