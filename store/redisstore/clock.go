package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// reading is what two clocks showed at the same moment.
type reading struct{ redis, own time.Time }

// Now returns the time by the clock of Redis, which is the same for all processes that share it. Between two
// measurements (see [Store.Sync]) this process only counts the time that passes, so a step of its own clock changes
// nothing. If Redis has never told its time, Now returns this process's own time.
func (s *Store) Now() time.Time {
	own := s.own()
	if last := s.clock.Load(); last != nil {
		return last.redis.Add(own.Sub(last.own))
	}
	return own
}

// Sync asks Redis for its time, which [Store.Now] follows from then on, and returns how far that is ahead of this
// process's own clock, to within half a round trip. In a cluster it asks the master of the first partition.
func (s *Store) Sync(ctx context.Context) (ahead time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var node redis.Cmdable = s.client
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		if node, err = cluster.MasterForKey(ctx, s.keys.set(0)); err != nil {
			return 0, fmt.Errorf("find the redis that tells the time: %w", plain(ctx, err))
		}
	}
	before := s.own()
	now, err := node.Time(ctx).Result()
	if err != nil {
		return 0, fmt.Errorf("ask redis for the time: %w", plain(ctx, err))
	}
	own := s.own()
	own = own.Add(-own.Sub(before) / 2)
	s.clock.Store(&reading{now, own})
	return now.Sub(own.Round(0)), nil
}
