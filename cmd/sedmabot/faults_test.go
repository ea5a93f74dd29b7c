package main

import (
	"context"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// trouble is the text that people get while the store can't store their actions.
var trouble = lang.For("en").Text("reply.trouble")

// throughFault plays a deal in which the fault occurs on somebody's turn. Their
// press soon gets an honest answer. Then the fault ends, people press again, and
// the match continues to its end. No accepted press is lost.
func throughFault(t *testing.T, k kept, fault, mend func()) {
	t.Helper()
	p, c, people := onPlayground(t, k)
	c.lastDeal()
	moves(c, people, 4)
	wait(c, people)
	fault()
	watch := clocktest.Start(t)
	moves(c, people, 1)
	if took := watch.Now(); took > 4*time.Second {
		t.Errorf("a press was answered after %v", took)
	}
	if answer := c.answers[len(c.answers)-1]; answer != trouble {
		t.Errorf("a press was answered with %q", answer)
	}
	mend()
	played := len(c.accepted)
	playOn(c, people)
	if len(c.accepted) == played {
		t.Error("the match was over with the fault")
	}
	for _, answer := range c.answers {
		if !slices.Contains([]string{"", trouble, lang.For("en").Text("refusal.already")}, answer) {
			t.Errorf("somebody was told %q", answer)
		}
	}
	checkBoard(t, c)
	p.kill()
	checkAccepted(t, c, checkRecords(t, k, 1))
}

// wait waits until somebody can play.
func wait(c *onPage, people []*person) {
	c.until(func() bool { _, ann := people[0].turn(); _, cat := people[1].turn(); return ann || cat })
}

// again lets people press again on hands on which they have already pressed.
func again(people []*person) {
	for _, who := range people {
		who.pressed = ""
	}
}

// playOn plays the match to its end. Anyone who is told to try again does so.
func playOn(c *onPage, people []*person) {
	for !finished(c) {
		again(people)
		heard := len(c.answers)
		playUntil(c, people, func(crowd) bool { return finished(c) || slices.Contains(c.answers[heard:], trouble) })
	}
}

// keptIn returns a store in a private Redis of the test. The program reaches it at the given address.
func keptIn(t *testing.T, server *redistest.Server, address string) kept {
	return kept{"store.redis_url: redis://" + address, func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), server.URL(), redisstore.Options{})
	}}
}

func TestRedisKilledInPlay(t *testing.T) {
	t.Parallel()
	unhurried(t)
	server := redistest.Start(t)
	throughFault(t, keptIn(t, server, server.Addr), server.Kill, server.Start)
}

func TestRedisStalledInPlay(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	server := redistest.Start(t)
	throughFault(t, keptIn(t, server, server.Addr), server.Pause, func() {
		<-time.After(8 * time.Second) // 8 s, in addition to the 2 s that the press has waited
		server.Resume()
	})
}

func TestRedisFullInPlay(t *testing.T) {
	t.Parallel()
	unhurried(t)
	server := redistest.Start(t)
	limit := func(bytes string) func() {
		return func() {
			if answer, err := server.Do("CONFIG", "SET", "maxmemory", bytes); answer != "+OK" {
				t.Error(answer, err)
			}
		}
	}
	throughFault(t, keptIn(t, server, server.Addr), limit("1"), limit("0"))
}

// proxy stands between the program and its Redis. While wild is set, it delays answers and cuts some connections
// before an answer: 5 % of the answers are lost.
type proxy struct {
	net.Listener
	watch  *clocktest.Clock
	wild   atomic.Bool // until a second after the next cut
	cuts   atomic.Int64
	calmed atomic.Int64 // when wild was last unset, by the watch
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	p := &proxy{Listener: redistest.Listen(t), watch: clocktest.Start(t)}
	go redistest.Relay(p, target, func() redistest.Ears { return redistest.Ears{Answered: p.answered} })
	return p
}

func (p *proxy) answered(int) bool {
	if !p.wild.Load() {
		return true
	}
	switch rand.IntN(20) {
	case 0:
		p.cuts.Add(1)
		time.AfterFunc(time.Second, func() {
			if p.wild.Swap(false) {
				p.calmed.Store(int64(p.watch.Now()))
			}
		})
		return false
	case 1, 2, 3:
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
	}
	return true
}

// A match is played while connections to Redis are delayed and cut a dozen times. Each press must be accepted, or get
// an honest answer and be made again. Soon after the fault, a table is drawn.
func TestRedisCutAndDelayedInPlay(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	server := redistest.Start(t)
	link := newProxy(t, server.Addr)
	k := keptIn(t, server, link.Addr().String())
	p, c, people := onPlayground(t, k)
	var slowest time.Duration
	for !finished(c) && link.cuts.Load() < 12 {
		for link.wild.Store(true); link.wild.Load() && !finished(c); {
			moves(c, people, 1)
		}
		if finished(c) {
			break
		}
		c.until(func() bool { _, ann := people[0].turn(); _, cat := people[1].turn(); return ann || cat || finished(c) })
		slowest = max(slowest, link.watch.Now()-time.Duration(link.calmed.Load()))
	}
	if slowest > 3*time.Second { // the watch stops while a busy machine runs others
		t.Errorf("a table was not drawn until %v after the fault", slowest)
	}
	link.wild.Store(false)
	playOn(c, people)
	checkBoard(t, c)
	p.kill()
	checkAccepted(t, c, checkRecords(t, k, 0))
	t.Logf("%d connections were cut; %d presses, %d of them accepted; a table was drawn within %v of the fault's end", link.cuts.Load(), len(c.answers), len(c.accepted), slowest)
}

// checkAccepted checks that every card that was accepted is in the records.
func checkAccepted(t *testing.T, c *onPage, records []string) {
	t.Helper()
	for _, press := range c.accepted {
		f := strings.Split(press, ":") // play, table, deal, decision, card
		deal, err := strconv.Atoi(f[2])
		if err != nil || deal > len(records) {
			t.Fatalf("a press of deal %s was accepted, %d deals are kept", f[2], len(records))
		}
		if f[4] != "stop" && !strings.Contains(records[deal-1], ":"+f[4]+`"`) {
			t.Errorf("%s was accepted and is not in the record:\n%s", press, records[deal-1])
		}
	}
}
