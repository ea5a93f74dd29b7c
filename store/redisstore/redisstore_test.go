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
	return openWith(t, address, redisstore.Options{})
}

// suite runs the suite on the Redis at address.
func suite(t *testing.T, address string, options redisstore.Options) {
	storetest.Run(t, func(t *testing.T) store.Store { return openWith(t, address, redisstore.Patient(options)) })
}

func openWith(t testing.TB, address string, options redisstore.Options) *redisstore.Store {
	t.Helper()
	options.Prefix = fmt.Sprint("test", prefixes.Add(1))
	s, err := redisstore.Open(t.Context(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	suite(t, storetest.Redis(t).URL(), redisstore.Options{})
}

func TestStoreOnMiniredis(t *testing.T) {
	t.Parallel()
	suite(t, "redis://"+miniredis.RunT(t).Addr(), redisstore.Options{})
}
