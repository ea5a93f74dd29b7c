package redisstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
	"sedmabot/store/storetest"
)

// long reports whether the suite runs on everything that speaks Redis, instead of one server and one cluster.
var long = os.Getenv("SEDMABOT_TEST_LONG") == "1"

func TestMain(m *testing.M) {
	clocktest.AtOnce(12)
	m.Run()
}

var prefixes atomic.Int64

// suite runs the suite on the Redis at address, each test with a store of its own.
func suite(t *testing.T, address string, options redisstore.Options, skip ...string) {
	storetest.Run(t, func(t *testing.T) store.Store {
		own := options
		own.Prefix = fmt.Sprint("test", prefixes.Add(1))
		return open(t, address, own)
	}, skip...)
}

// open opens a store in the Redis at address. Its calls have a long timeout.
func open(t testing.TB, address string, options redisstore.Options) *redisstore.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), address, redisstore.Patient(options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	suite(t, redistest.Start(t).URL(), redisstore.Options{})
}

// Miniredis takes four times as long as Redis, and finds nothing else. So it stands in where there is no Redis.
func TestStoreOnMiniredis(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("redis-server"); err == nil && !long {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	suite(t, "redis://"+miniredis.RunT(t).Addr(), redisstore.Options{}, storetest.Reported) // it has no sharded channels
}
