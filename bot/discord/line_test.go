package discord

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/budget"
	"sedmabot/bot/clocktest"
)

// waitingEdit is an edit that waits to be made in a test of many channels.
type waitingEdit struct {
	group, move int
	table       bool
	asked, at   time.Time
}

// channels plays at many tables for some minutes. A move needs an edit of the table's message and one of the hand of the
// next player, who moves some time later; the mover's own hand is edited by the answer to the press, which doesn't count. At the first
// table, a move takes a second if busy is set. It returns how long the edits of the other tables waited.
func channels(groups int, every time.Duration, busy bool) (hands, tables []time.Duration, sent []time.Time) {
	line := budget.NewFairQueue[string](overall, window)
	random := rand.New(rand.NewPCG(1, uint64(groups)))
	begin := time.Unix(1_700_000_000, 0)
	until := begin.Add(3 * time.Minute)
	think := func(group int) time.Duration {
		if busy && group == 0 {
			return time.Second
		}
		return every
	}
	var waiting []waitingEdit // by at
	add := func(e waitingEdit) {
		i, _ := slices.BinarySearchFunc(waiting, e, func(a, b waitingEdit) int { return a.at.Compare(b.at) })
		waiting = slices.Insert(waiting, i, e)
	}
	pending := map[int]bool{} // tables with an edit that waits: it shows the newest move, so later ones join it
	move := func(group, no int, at time.Time) {
		add(waitingEdit{group: group, move: no, asked: at, at: at})
		if !pending[group] {
			pending[group] = true
			add(waitingEdit{group: group, table: true, asked: at, at: at})
		}
	}
	for g := range groups {
		move(g, 0, begin.Add(time.Duration(random.Int64N(int64(think(g))))))
	}
	for len(waiting) > 0 {
		e := waiting[0]
		waiting = waiting[1:]
		place, stands := fmt.Sprint("edit ", e.group, e.move%6), time.Duration(0)
		if e.table {
			place, stands = fmt.Sprint("edit ", e.group), behind
		}
		if wait := line.Take(place, e.at, stands); wait > 0 {
			e.at = e.at.Add(wait + time.Duration(random.IntN(20))*time.Millisecond) // a process comes back a little late
			add(e)
			continue
		}
		sent = append(sent, e.at)
		waited := e.at.Sub(e.asked)
		if e.table {
			delete(pending, e.group)
		} else if next := e.at.Add(think(e.group)); next.Before(until) {
			move(e.group, e.move+1, next)
		}
		switch {
		case busy && e.group == 0:
		case e.table:
			tables = append(tables, waited)
		default:
			hands = append(hands, waited)
		}
	}
	slices.Sort(hands)
	slices.Sort(tables)
	return hands, tables, sent
}

// Channels share Discord's limit of all requests fairly: hands go first, and all tables wait alike.
func TestChannelsShareTheLimit(t *testing.T) {
	t.Parallel()
	clocktest.Single(t)
	for _, c := range []struct {
		groups      int
		every       time.Duration
		busy        bool
		hand, table time.Duration // the longest wait of 99 in 100
	}{
		{201, 30 * time.Second, true, 0, 0},
		{400, 30 * time.Second, false, 100 * time.Millisecond, time.Second},
		{200, 8 * time.Second, false, 2 * time.Second, 6 * time.Second},
		{1000, 30 * time.Second, false, 15 * time.Second, 20 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d groups, a move in %v", c.groups, c.every), func(t *testing.T) {
			t.Parallel()
			hands, tables, sent := channels(c.groups, c.every, c.busy)
			at := func(waits []time.Duration, percent int) time.Duration {
				return waits[len(waits)*percent/100].Round(time.Millisecond)
			}
			t.Logf("%.1f requests a second; hands p50 %v, p99 %v; tables p50 %v, p99 %v", float64(len(sent))/sent[len(sent)-1].Sub(sent[0]).Seconds(),
				at(hands, 50), at(hands, 99), at(tables, 50), at(tables, 99))
			if at(hands, 99) > c.hand || at(tables, 99) > c.table {
				t.Errorf("hands wait for %v, tables for %v", at(hands, 99), at(tables, 99))
			}
			for i, at := range sent {
				if n := i - 50; n >= 0 && at.Sub(sent[n]) < time.Second {
					t.Fatalf("51 requests within %v", at.Sub(sent[n]))
				}
			}
		})
	}
}
