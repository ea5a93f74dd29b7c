package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// moves makes n moves, each by a person whose turn it is, unless the match has
// ended. If people are told to try again, they may.
func moves(c *onPage, people []*person, n int) {
	for range n {
		c.until(func() bool { _, ann := people[0].turn(); _, cat := people[1].turn(); return ann || cat || finished(c) })
		if !people[0].act() {
			people[1].act()
		}
		if n := len(c.answers); n > 0 && c.answers[n-1] == trouble {
			again(people)
		}
	}
}

// onPlayground starts the binary on a store and opens a table for two people and two AIs.
func onPlayground(t *testing.T, k kept, more ...string) (*process, *onPage, []*person) {
	t.Helper()
	env := []string{variable(k.config), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0", "SEDMABOT_TABLE_PACE=0"}
	for _, line := range more {
		env = append(env, variable(line))
	}
	p := launch(t, env)
	c := newPage(t, "Ann", "Cat")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	c.open()
	return p, c, everybody(c, 1)
}

// The program starts on a Redis Cluster whose first partition moves, which is TRYAGAIN until the end. Then a deal is played.
// Meanwhile the table's partition moves to another master, and that master is killed and restarted.
func TestMatchOnACluster(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	cluster := redistest.StartCluster(t)
	key := fmt.Sprintf("sedma:{p%02d}:due", store.Partition(playground.Home))
	k := kept{"store.redis_url: " + cluster.URL(), func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), cluster.URL(), redisstore.Options{})
	}}
	finish := cluster.Begin("sedma:{p00}:due")
	waiting := launch(t, []string{variable(k.config), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
	waiting.stderr.wait(t, `level=WARN msg="the store isn't ready yet: .*TRYAGAIN`)
	if status, text := waiting.ready(t); status != http.StatusServiceUnavailable || !strings.Contains(text, "isn't ready yet") {
		t.Errorf("/readyz: %d %s", status, text)
	}
	finish()
	waiting.stderr.wait(t, recovered)
	if status := waiting.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
	p, c, people := onPlayground(t, k)
	c.lastDeal()
	moves := func(n int) { moves(c, people, n) }
	moves(2)
	moved := make(chan *redistest.Server)
	go func() {
		defer close(moved)
		moved <- cluster.Move(key)
	}()
	moves(2)
	to := <-moved
	if to == nil {
		return // Move has reported the error
	}
	moves(2)

	to.Kill()
	moves(1) // no master has the table, so the move fails or its outcome is unknown
	cluster.Whole()
	again(people)
	moves(2)
	to.Start()
	playOn(c, people)
	checkBoard(t, c)
	cluster.Whole()
	p.kill()
	checkRecords(t, k, 1)
	if now := cluster.Owner(key); now == to {
		t.Error("the killed master has the partition: nothing failed over")
	}
}

// A deal is played through Sentinels, as an ACL user. Meanwhile the master is killed, is replaced, and returns as a
// replica.
func TestMatchThroughSentinels(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	sentinels := redistest.StartSentinels(t)
	k := kept{"store.redis_url: " + sentinels.URL(), func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), sentinels.URL(), redisstore.Options{})
	}}
	p, c, people := onPlayground(t, k)
	c.lastDeal()
	moves(c, people, 4)
	sentinels.Master.Kill()
	moves(c, people, 1) // the move fails, or its outcome is unknown
	sentinels.Replaced()
	again(people)
	moves(c, people, 4)
	sentinels.Master.Start()
	playOn(c, people)
	checkBoard(t, c)
	p.kill()
	checkRecords(t, k, 1)
}

// A deal is played on a Redis with TLS and an ACL user. A private CA has signed its certificate.
func TestMatchOverTLS(t *testing.T) {
	t.Parallel()
	unhurried(t)
	server, addr, ca := redistest.StartTLS(t, "--user", "bot", "on", ">s3cret@/", "~sedma:*", "+@all", "-@dangerous", "+info")
	url, trusted := "store.redis_url: rediss://bot:s3cret%40%2F@"+addr, "store.redis_ca: "+ca
	k := kept{url, func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), server.URL(), redisstore.Options{})
	}}
	p, c, people := onPlayground(t, k, trusted)
	c.lastDeal()
	playUntil(c, people, finished)
	checkBoard(t, c)
	p.kill()
	checkRecords(t, k, 1)

	place := "playground.listen: 127.0.0.1:0"
	if out, err := tool(t, "", "--config", write(t, "config.yaml", sections([]string{url, trusted, place})), "doctor"); err != nil || !strings.Contains(out, "good   store.redis_url") {
		t.Errorf("%v\n%s", err, out)
	}
	// refused starts the program until Redis has answered within the store's limit, which takes longer on a busy machine.
	refused := func(settings []string, words ...string) {
		t.Helper()
		p := start(t, settings...)
		for <-p.ended; errors.Is(p.err, redisstore.ErrSilent); <-p.ended {
			p.err = nil
			p = start(t, settings...)
		}
		p.fails(words...)
	}
	refused([]string{url, place}, "store.redis_ca", "certificate")
	refused([]string{url, place, "store.redis_ca: " + write(t, "ca.pem", "nothing")}, "store.redis_ca", "no certificate")
	refused([]string{strings.Replace(url, "s3cret", "wr0ng", 1), place, trusted}, "WRONGPASS")
}
