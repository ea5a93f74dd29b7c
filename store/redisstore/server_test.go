package redisstore_test

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/clock"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// Server understands the answers of a real server, also with a cluster's client.
func TestServer(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	redis := redistest.Start(t, "--maxmemory-policy", "allkeys-lru", "--appendfsync", "everysec")
	_, cluster := cluster(t, "--appendfsync", "always")
	for address, want := range map[string]redisstore.Server{
		redis.URL(): {AOF: true, Fsync: "everysec", Eviction: "allkeys-lru"},
		cluster:     {AOF: true, Fsync: "always", Eviction: "noeviction"},
	} {
		got, err := open(t, address, redisstore.Options{}).Server(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != "Redis" && got.Name != "Valkey" || !strings.Contains(got.Version, ".") || got.Ahead.Abs() > 2*time.Second {
			t.Errorf("%s, version %q, %v ahead", got.Name, got.Version, got.Ahead)
		}
		got.Name, got.Version, got.Ahead = "", "", 0
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
