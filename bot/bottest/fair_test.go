package bottest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// fair is a number of groups that share one Telegram token: in each, two people play, and each moves some time
// after it is their turn. In one group more, six people play as fast as they can if busy is set.
type fair struct {
	groups int
	every  time.Duration
	busy   bool
	// processes share the token and a store. Each press goes to one of them.
	processes int
}

const busy = -999 // the group at full pace

// person returns the id of a player of a group.
func person(group, n int) int64 { return int64(10_000 + 10*group + n) }

// waited is how long it took from a press until the hand and the group's table showed something newer.
type waited struct {
	mu           sync.Mutex
	hand, table  []time.Duration
	moves, extra int // of the groups, and of the busy one
}

// Many groups share one token within Telegram's limits. While there is room for all, a group at full pace delays no other
// one: the hand follows a press within 0.1 s, and the table within a second. Beyond, all wait alike.
func TestManyGroupsShareOneToken(t *testing.T) {
	t.Parallel()
	clocktest.Unraced(t)
	all := []fair{{201, time.Minute, true, 1}, {60, 15 * time.Second, true, 3}}
	promised := len(all)
	if Long() {
		all = append(all, fair{201, 30 * time.Second, true, 1}, fair{201, 30 * time.Second, true, 3}, fair{400, 30 * time.Second, false, 1},
			fair{1000, 30 * time.Second, false, 1}, fair{200, 8 * time.Second, false, 1})
	}
	for i, f := range all {
		lasts := time.Minute
		if i >= promised { // only measured
			lasts = 2 * time.Minute
		}
		t.Run(fmt.Sprintf("%d groups, a move in %v, processes: %d", f.groups, f.every, f.processes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f.play(t, lasts) })
		})
	}
}

func (f fair) play(t *testing.T, lasts time.Duration) {
	server := &overheard{limited: newLimited()}
	var words []store.Change // pictures need time, and don't matter here
	say := func(key store.Key) {
		words = append(words, store.Change{Partition: key.Partition, Writes: []store.Write{{Name: key.Name, Data: []byte(`{"v":1,"d":{"words":true}}`)}}})
	}
	id := func(n int64) string { return "telegram:" + strconv.FormatInt(n, 10) }
	say(doc.HomeKey(id(busy)))
	for i := range f.groups + 1 {
		say(doc.HomeKey(id(-1000 - int64(i))))
		for n := range 6 {
			say(doc.PlayerKey(id(person(i, n))))
		}
	}
	file := storetest.NewMemory()
	defer file.Close()
	var exchange budget.Exchange
	if f.processes > 1 {
		exchange = work.Exchange(file)
	}
	var bots []*bot.Bot
	var ctx context.Context
	for range f.processes {
		b, running, end := runProcess(t, server, file, exchange, bot.Config{Pace: time.Second}, words...)
		defer end()
		bots, ctx, words = append(bots, b), running, nil
	}
	defer close(server.released)
	time.Sleep(2 * time.Second)

	var w waited
	var playing sync.WaitGroup
	until := time.Now().Add(time.Minute + lasts)
	table := func(group int64, people []int64, game string, think time.Duration) {
		do := func(person int64, command, press string) {
			in := chat.Input{
				Player: chat.Player{ID: id(person), Name: "P" + strconv.FormatInt(person, 10), Lang: "en"},
				Chat:   chat.Chat{ID: id(group), Home: id(group)}, Command: command, Press: press,
			}
			if command == "new" {
				in.Args = map[string]string{"rules": game}
			}
			bots[rand.IntN(len(bots))].Handle(ctx, in)
		}
		do(people[0], "new", "")
		for _, p := range people[1:] {
			do(p, "join", "")
		}
		do(people[0], "start", "")
		for time.Now().Before(until) {
			time.Sleep(50 * time.Millisecond)
			for _, p := range people {
				hand := server.newest(p)
				if hand.play == "" || !strings.Contains(hand.text, "Your turn") {
					continue
				}
				time.Sleep(think)
				pressed := time.Now()
				do(p, "", hand.play)
				if group == busy {
					w.mu.Lock()
					w.extra++
					w.mu.Unlock()
					continue
				}
				var shown, told time.Time
				for (shown.IsZero() || told.IsZero()) && time.Since(pressed) < 2*time.Minute {
					time.Sleep(20 * time.Millisecond)
					if at := server.newest(p).at; shown.IsZero() && !at.Before(pressed) {
						shown = at
					}
					if at := server.newest(group).at; told.IsZero() && !at.Before(pressed) {
						told = at
					}
				}
				if until.Sub(pressed) < lasts && time.Now().Before(until) {
					w.mu.Lock()
					w.moves, w.hand, w.table = w.moves+1, append(w.hand, shown.Sub(pressed)), append(w.table, told.Sub(pressed))
					w.mu.Unlock()
				}
			}
		}
	}
	for i := range f.groups - 1 {
		playing.Go(func() {
			time.Sleep(time.Duration(i) * 50 * time.Minute / time.Duration(60*f.groups)) // not all at once
			table(-1000-int64(i), []int64{person(i, 0), person(i, 1)}, "sedma-2p", f.every)
		})
	}
	if f.busy {
		var people []int64
		for n := range 6 {
			people = append(people, person(f.groups, n))
		}
		playing.Go(func() { table(busy, people, "hola-6p", 500*time.Millisecond) })
	}
	playing.Wait()

	f.report(t, server, &w, until, lasts)
}

// report writes what was measured, and checks what is promised.
func (f fair) report(t *testing.T, server *overheard, w *waited, until time.Time, lasts time.Duration) {
	slices.Sort(w.hand)
	slices.Sort(w.table)
	at := func(waits []time.Duration, percent int) time.Duration { return waits[(len(waits)-1)*percent/100] }
	server.mu.Lock()
	defer server.mu.Unlock()
	measured, loud, tables := 0, 0, 0
	for _, d := range server.log {
		if until.Sub(d.at) < lasts && d.at.Before(until) {
			measured++
			switch {
			case d.chat == busy || d.chat >= person(f.groups, 0):
				loud++
			case d.chat < 0:
				tables++
			}
		}
	}
	t.Logf("%.1f deliveries a second (%d of %d of the busy group, %d of others' tables), %d refused; %d moves; hand p50 %v, p99 %v; table p50 %v, p99 %v; %d moves in the busy group",
		float64(measured)/lasts.Seconds(), loud, measured, tables, server.refused, w.moves, at(w.hand, 50), at(w.hand, 99), at(w.table, 50), at(w.table, 99), w.extra)
	if server.refused > 0 {
		t.Errorf("%d answers of 429", server.refused)
	}
	if f.every >= time.Minute && (at(w.hand, 99) > 100*time.Millisecond || at(w.table, 99) > 1100*time.Millisecond) {
		t.Errorf("of 100 moves, one is shown after %v in the hand and %v at the table", at(w.hand, 99), at(w.table, 99))
	}
}
