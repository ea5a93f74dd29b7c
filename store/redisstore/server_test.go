package redisstore_test

import (
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// Server understands the answers of a real server, also with a cluster's client.
func TestServer(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	redis := redistest.Start(t, "--maxmemory-policy", "allkeys-lru", "--appendfsync", "everysec")
	_, cluster := cluster(t, "--appendfsync", "always")
	for address, want := range map[string]redisstore.Server{
		redis.URL(): {AOF: "1", Fsync: "everysec", Eviction: "allkeys-lru"},
		cluster:     {AOF: "1", Fsync: "always", Eviction: "noeviction"},
	} {
		got, err := open(t, address, redisstore.Options{}).Server(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != "Redis" && got.Name != "Valkey" || !strings.Contains(got.Version, ".") {
			t.Errorf("%s, version %q", got.Name, got.Version)
		}
		got.Name, got.Version = "", ""
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
