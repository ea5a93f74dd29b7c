package redisstore_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// patience is the timeout for events that may never come.
const patience = 2 * time.Minute

// The suite passes on three masters with a replica each. Then counting continues
// while a partition moves to another master, and that master is killed.
func TestRealCluster(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	cluster := redistest.StartCluster(t)
	t.Run("suite", func(t *testing.T) {
		clocktest.Single(t)
		suite(t, cluster.URL(), redisstore.Options{})
	})
	t.Run("moved and failed over", func(t *testing.T) {
		both := processes(t, cluster.URL())
		name := "sedma:{p00}:doc:count"
		if err := both[0].Commit(t.Context(), put("count", "0")); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		stop := make(chan struct{})
		counted := make([]int, len(both))
		counts := make(chan int) // by whom, one for each time while somebody listens
		for i, s := range both {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := increment(t, s); err != nil {
						continue
					}
					counted[i]++
					select {
					case counts <- i:
					default:
					}
				}
			})
		}
		bothCount := func(when string) {
			t.Helper()
			late := time.After(patience)
			for seen := map[int]bool{}; len(seen) < len(both); {
				select {
				case i := <-counts:
					seen[i] = true
				case <-late:
					t.Errorf("only %v count %s", seen, when)
					return
				}
			}
		}
		bothCount("before the partition moves")
		to := cluster.Move(name)
		if cluster.Owner(name) != to {
			t.Error("the partition did not move")
		}
		cluster.Whole()
		bothCount("after the partition moved")
		close(stop)
		all.Wait()
		// Nothing may be lost before this point: resharding isn't a failover.
		n, err := strconv.Atoi(string(get(t, both[0], "count").Data))
		if err != nil || n < counted[0]+counted[1] {
			t.Errorf("counted to %d, %v, of %v", n, err, counted)
		}

		to.Kill()
		began := time.Now()
		for i := 0; i < 2; {
			if err := increment(t, both[i]); err == nil {
				i++
			} else if time.Since(began) > patience {
				t.Fatalf("nothing goes on after a master was killed: %v", err)
			}
		}
		t.Logf("changes were taken %v after a master was killed", time.Since(began))
		to.Start()
		cluster.Whole()
		if err := increment(t, both[0]); err != nil {
			t.Errorf("after the master came back: %v", err)
		}
	})
}

// increment tries to increment the counter, and reports whether it did.
func increment(t *testing.T, s *redisstore.Store) error {
	for {
		docs, err := s.Get(t.Context(), store.Key{Name: "count"})
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(docs[0].Data))
		err = s.Commit(t.Context(), store.Change{Writes: []store.Write{{
			Name: "count", Expect: docs[0].Version, Data: []byte(fmt.Sprint(n + 1)),
		}}})
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}
