package rates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// crowd is a number of groups which share one bot. A move needs an edit of the group's table, and one of the hand of the
// next player, who moves after some time.
type crowd struct {
	groups int
	every  time.Duration // from a hand to the move
	busy   int           // in so many of the groups, it is a second
}

// delivery is a message that waits to be sent.
type delivery struct {
	chat  int64
	edit  bool // of a group's table
	group int
	move  int
	asked time.Time
	at    time.Time // when to try to send it
}

// run plays for a while, and returns how long the deliveries of the groups that aren't busy waited, hands and tables
// apart, and all times at which something was sent.
func (c crowd) run(l *Limits, lasts time.Duration) (hands, tables []time.Duration, sent []time.Time) {
	random := rand.New(rand.NewPCG(1, uint64(c.groups)))
	begin := time.Unix(1_700_000_000, 0)
	l.first = begin.Add(-time.Hour)
	var waiting []delivery // by at
	add := func(d delivery) {
		i, _ := slices.BinarySearchFunc(waiting, d, func(a, b delivery) int { return a.at.Compare(b.at) })
		waiting = slices.Insert(waiting, i, d)
	}
	pending := map[int]bool{} // groups with an edit that waits: it shows the newest move, so later ones join it
	move := func(group, no int, at time.Time) {
		add(delivery{chat: int64(1000*(group+1) + no%6), group: group, move: no, asked: at, at: at})
		if !pending[group] {
			pending[group] = true
			add(delivery{chat: -1 - int64(group), edit: true, group: group, asked: at, at: at})
		}
	}
	every := func(group int) time.Duration {
		if group < c.busy {
			return time.Second
		}
		return c.every
	}
	for g := range c.groups {
		move(g, 0, begin.Add(time.Duration(random.Int64N(int64(every(g))))))
	}
	for len(waiting) > 0 {
		d := waiting[0]
		waiting = waiting[1:]
		take := l.Take
		if d.edit {
			take = l.TakeEdit
		}
		if wait := take(d.chat, d.at); wait > 0 {
			d.at = d.at.Add(wait + time.Duration(random.IntN(20))*time.Millisecond) // a process comes back a little late
			add(d)
			continue
		}
		sent = append(sent, d.at)
		wait := d.at.Sub(d.asked)
		if d.edit {
			delete(pending, d.group)
		} else if next := d.at.Add(every(d.group)); next.Before(begin.Add(lasts)) {
			move(d.group, d.move+1, next)
		}
		switch {
		case d.group < c.busy:
		case d.edit:
			tables = append(tables, wait)
		default:
			hands = append(hands, wait)
		}
	}
	slices.Sort(hands)
	slices.Sort(tables)
	return hands, tables, sent
}

// Groups share the limit of all messages fairly: a busy one doesn't delay the quiet ones, and if all together want more
// than Telegram takes, hands still go first, and all tables wait alike.
func TestGroupsShareTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		crowd
		hand, table time.Duration // the longest wait of 99 in 100
	}{
		{crowd{201, 30 * time.Second, 1}, 100 * time.Millisecond, time.Second},
		{crowd{400, 30 * time.Second, 1}, time.Second, 5 * time.Second},
		{crowd{200, 8 * time.Second, 0}, 8 * time.Second, 12 * time.Second},
		{crowd{1000, 30 * time.Second, 0}, time.Minute, time.Minute},
	} {
		t.Run(fmt.Sprintf("%d groups, a move in %v", c.groups, c.every), func(t *testing.T) {
			t.Parallel()
			hands, tables, sent := c.run(New(false), 3*time.Minute)
			p99 := func(waits []time.Duration) time.Duration { return waits[len(waits)*99/100].Round(time.Millisecond) }
			t.Logf("%d messages, %.1f a second; hands p50 %v, p99 %v; tables p50 %v, p99 %v", len(sent),
				float64(len(sent))/sent[len(sent)-1].Sub(sent[0]).Seconds(), hands[len(hands)/2].Round(time.Millisecond), p99(hands), tables[len(tables)/2].Round(time.Millisecond), p99(tables))
			if p99(hands) > c.hand || p99(tables) > c.table {
				t.Errorf("hands wait for %v, tables for %v", p99(hands), p99(tables))
			}
			for i, at := range sent {
				if n := i - 30; n >= 0 && at.Sub(sent[n]) < time.Second {
					t.Fatalf("31 messages within %v", at.Sub(sent[n]))
				}
			}
		})
	}
}
