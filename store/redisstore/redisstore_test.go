package redisstore_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/storetest"
)

var prefixes atomic.Int64

// open opens a store of the test's own in the Redis at address.
func open(t testing.TB, address string) *redisstore.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), address, redisstore.Options{Prefix: fmt.Sprint("test", prefixes.Add(1))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	server := storetest.Redis(t)
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, server.URL()) })
}

func TestStoreOnMiniredis(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, "redis://"+server.Addr()) })
}
