package redisstore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// The time is that of Redis, however wrong this process's own clock is. Sync finds out how wrong, also in a cluster.
func TestTheTimeIsThatOfRedis(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	_, cluster := cluster(t)
	for _, address := range []string{redistest.Start(t).URL(), cluster} {
		var off atomic.Int64
		off.Store(int64(time.Hour))
		s := open(t, address, redisstore.Options{Now: func() time.Time { return time.Now().Add(time.Duration(off.Load())).Round(0) }})
		check := func(when string, want time.Duration) {
			t.Helper()
			if got := time.Until(s.Now()); (got - want).Abs() > time.Second {
				t.Errorf("%s, the time is %v ahead, want %v", when, got, want)
			}
		}
		check("after Open", 0)
		off.Store(0)
		check("after a step of the own clock", -time.Hour)
		off.Store(int64(-time.Minute))
		if ahead, err := s.Sync(t.Context()); err != nil || (ahead-time.Minute).Abs() > time.Second {
			t.Errorf("redis is %v ahead: %v", ahead, err)
		}
		check("after Sync", 0)
	}
}

// Every call gives the same answer, however wrong this process's own clock is: all times are those of Redis.
func TestStoreWithAWrongClock(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	clocktest.Single(t)
	server := redistest.Start(t)
	for _, off := range []time.Duration{-2 * time.Hour, 2 * time.Hour} {
		t.Run(off.String(), func(t *testing.T) {
			t.Parallel()
			suite(t, server.URL(), redisstore.Options{Now: func() time.Time { return time.Now().Add(off) }})
		})
	}
}
