package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sedmabot/bot/playground"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/storetest"
)

// A match on a Redis Cluster, while the table's partition moves to another
// master, that master is killed, and comes back.
func TestMatchOnACluster(t *testing.T) {
	t.Parallel()
	cluster := storetest.Cluster(t)
	key := fmt.Sprintf("sedma:{p%02d}:due", store.Partition(playground.Home))
	k := kept{"store.redis_url: " + cluster.URL(), func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), cluster.URL(), redisstore.Options{})
	}}
	p := launch(t, []string{variable(k.config), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0", "SEDMABOT_TABLE_PACE=0"})
	c := newPage(t, "Ann", "Cat")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	c.open()
	people := everybody(c, 1)
	moves := func(n int) { // n hands are played on, or the match is over
		for range n {
			c.until(func() bool { _, ann := people[0].turn(); _, cat := people[1].turn(); return ann || cat || finished(c) })
			if !people[0].act() {
				people[1].act()
			}
		}
	}
	moves(4)
	moved := make(chan *storetest.RedisServer)
	go func() {
		defer close(moved)
		moved <- cluster.Move(key)
	}()
	moves(4)
	to := <-moved
	if to == nil {
		return // Move said why
	}
	moves(4)

	to.Kill()
	moves(1) // nobody has the table: it is refused, or its outcome is not known
	cluster.Whole()
	for _, who := range people {
		who.pressed = ""
	}
	moves(4)
	to.Start()
	playUntil(c, people, finished)
	checkBoard(t, c)
	cluster.Whole()
	p.kill()
	checkRecords(t, k)
	if now := cluster.Owner(key); now == to {
		t.Error("the killed master has the partition: nothing failed over")
	}
}
