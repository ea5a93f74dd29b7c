package redisstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
	"sedmabot/store/storetest"
)

// A watch goes on after its connection was cut, after Redis was killed, and while Redis doesn't answer.
func TestWatchThroughFaults(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for name, fault := range map[string]func(t *testing.T, server *redistest.Server){
		"cut": func(t *testing.T, server *redistest.Server) {
			if _, err := server.Do("CLIENT", "KILL", "TYPE", "pubsub"); err != nil {
				t.Fatal(err)
			}
		},
		"all cut": func(t *testing.T, server *redistest.Server) {
			if _, err := server.Do("CLIENT", "KILL", "TYPE", "normal"); err != nil && !strings.Contains(err.Error(), "EOF") {
				t.Fatal(err)
			}
		},
		"killed": func(_ *testing.T, server *redistest.Server) {
			server.Kill()
			server.Start()
		},
		"paused": func(_ *testing.T, server *redistest.Server) {
			server.Pause()
			time.AfterFunc(time.Second, server.Resume)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t)
			both := processes(t, server.URL())
			storetest.WatchThrough(t, both[0], both[1], func() { fault(t, server) })
		})
	}
}

// Without sharded channels, as before Redis 7, and without the right to them, a watch still notices each change.
func TestWatchWithoutChannels(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	t.Run("older", func(t *testing.T) {
		t.Parallel()
		server := redistest.Start(t, "--rename-command", "SSUBSCRIBE", "", "--rename-command", "SPUBLISH", "")
		both := processes(t, server.URL())
		storetest.WatchThrough(t, both[0], both[1], func() {})
	})
	t.Run("without rights", func(t *testing.T) {
		t.Parallel()
		server := redistest.Start(t)
		if answer, err := server.Do("ACL", "SETUSER", "bot", "on", ">secret", "~sedma:*", "resetchannels", "+@all", "-@dangerous"); answer != "+OK" {
			t.Fatal(answer, err)
		}
		both := processes(t, strings.Replace(server.URL(), "redis://", "redis://bot:secret@", 1))
		storetest.WatchThrough(t, both[0], both[1], func() {})
	})
}

// A watch goes on after a partition moved to another master of a cluster, and after a failover.
func TestWatchInACluster(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	cluster := redistest.StartCluster(t)
	both := processes(t, cluster.URL())
	const name = "sedma:{p03}:doc:a"
	storetest.WatchThrough(t, both[0], both[1], func() { cluster.Move(name) })
	cluster.Whole()
	storetest.WatchThrough(t, both[0], both[1], func() { cluster.Owner(name).Kill() })
}

// A watch goes on after Sentinels replaced the master.
func TestWatchThroughSentinels(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	sentinels := redistest.StartSentinels(t)
	both := processes(t, sentinels.URL())
	storetest.WatchThrough(t, both[0], both[1], func() {
		sentinels.Master.Kill()
		sentinels.Replaced()
	})
}

// Many watches share one connection, and without a watch there is none.
func TestWatchesShareAConnection(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := open(t, server.URL(), redisstore.Options{})
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer client.Close()
	connections := func(t *testing.T, want int) {
		t.Helper()
		for began := time.Now(); ; {
			list, err := client.Do(t.Context(), "CLIENT", "LIST", "TYPE", "pubsub").Text()
			if err != nil {
				t.Fatal(err)
			}
			n := strings.Count(list, "\n")
			if n == want {
				return
			}
			if time.Since(began) > patience {
				t.Fatalf("%d connections, want %d:\n%s", n, want, list)
			}
		}
	}
	t.Run("watching", func(t *testing.T) {
		for range 10 {
			for p := range store.Partitions {
				<-s.Watch(t.Context(), store.Key{Partition: p, Name: "a"})
			}
		}
		connections(t, 1)
	})
	connections(t, 0)
}
