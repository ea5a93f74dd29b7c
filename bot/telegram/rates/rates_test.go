package rates

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"sedmabot/bot/budget"
)

// However often the bot tries, it must never send more within any period than Telegram allows. If it waits as long as
// it is told, and no other chat waits, the next attempt must succeed.
func TestLimitsAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := New(false)
		now := time.Unix(1_700_000_000, 0)
		var sent []struct {
			chat int64
			at   time.Time
		}
		chats := rapid.Int64Range(1, 40).Draw(t, "chats")
		for range rapid.IntRange(1, 300).Draw(t, "tries") {
			peer := rapid.Int64Range(1, chats).Draw(t, "chat")
			if peer%2 == 0 {
				peer = -peer
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "pause")) * time.Millisecond)
			if wait := l.Take(peer, now); wait > 0 {
				if !rapid.Bool().Draw(t, "waits") {
					continue
				}
				now = now.Add(wait)
				if again := l.Take(peer, now); again > 2*time.Millisecond && l.line.Len() < 2 {
					t.Fatalf("after waiting %v as told, %v more", wait, again)
				} else if again > 0 {
					continue
				}
			}
			sent = append(sent, struct {
				chat int64
				at   time.Time
			}{peer, now})
		}
		for i, s := range sent {
			inSecond, inMinute := 0, 0
			for _, earlier := range sent[:i+1] {
				if s.at.Sub(earlier.at) < time.Second {
					inSecond++
				}
				if earlier.chat == s.chat && s.at.Sub(earlier.at) < time.Minute {
					inMinute++
				}
			}
			if inSecond > 30 {
				t.Fatalf("%d messages in a second", inSecond)
			}
			if s.chat < 0 && inMinute > 20 {
				t.Fatalf("%d messages in a group in a minute", inMinute)
			}
		}
	})
}

func TestQuietChatsAreForgotten(t *testing.T) {
	t.Parallel()
	l := New(false)
	now := time.Unix(1_700_000_000, 0)
	for i := range int64(3 * maxChats) {
		now = now.Add(time.Second)
		l.Take(i+1, now)
	}
	if n := len(l.chats); n > maxChats {
		t.Errorf("%d chats are remembered", n)
	}
}

// An edit within the gap must be sent at once if the group was quiet. In a busy group, or while the bot sends much
// elsewhere, it must wait.
func TestAnEarlyEditIsForQuietTimes(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	at := func(d time.Duration) time.Time { return now.Add(d) }
	l := New(false)
	for i := range 3 {
		if wait := l.EditWait(-1, at(time.Duration(i)*time.Second)); (wait > 0) != (i > 2) {
			t.Errorf("edit %d waits for %v", i, wait)
		}
		l.Take(-1, at(time.Duration(i)*time.Second))
	}
	if wait := l.EditWait(-1, at(3*time.Second)); wait != 2*time.Second {
		t.Errorf("after three messages an edit waits for %v", wait)
	}
	if wait := l.EditWait(-1, at(2*time.Second+GroupGap)); wait != 0 {
		t.Errorf("after the gap an edit waits for %v", wait)
	}
	now = at(time.Hour)
	const others = 60
	for i := range others {
		sent := at(time.Duration(i) * time.Second / 20)
		group := -int64(100 + i)
		if wait := l.Take(group, sent); wait > 0 {
			t.Fatalf("message %d waits for %v", i, wait)
		}
		if wait := l.EditWait(group, sent); i < 20 && wait > 0 || i == others-1 && wait != GroupGap {
			t.Errorf("after %d messages elsewhere an edit waits for %v", i, wait)
		}
	}
	l.Take(-2, at(10*time.Second))
	if wait := l.EditWait(-2, at(10*time.Second)); wait != 0 {
		t.Errorf("some seconds after many messages elsewhere an edit waits for %v", wait)
	}
}

// Messages that other processes sent in a chat count at the times when this process heard of them. So the chat isn't late if this
// process hasn't sent anything there for a while, however much the others have.
func TestOthersMessagesCountWhenTheyWereHeard(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	l := New(false)
	l.first = now.Add(-time.Hour) // it isn't new
	l.Divide("a")
	l.line = budget.NewFairQueue[int64](overall, window) // with a part, as if there were no others
	for range 12 {
		now = now.Add(6 * time.Second)
		l.hear(budget.Use{Chat: hash(-1), Sent: 1}, now)
	}
	now = now.Add(3 * time.Second)
	if wait := l.TakeEdit(-1, now); wait > 0 {
		t.Errorf("after ten messages a minute by others, an edit waits for %v", wait)
	}
	for range 20 {
		l.hear(budget.Use{Chat: hash(-2), Sent: 1}, now)
	}
	if wait := l.TakeEdit(-2, now); wait < time.Minute {
		t.Errorf("after twenty messages at once by others, an edit waits for %v", wait)
	}
}

// A process that ends in a busy group may have used up the group's minute. The next one keeps the limit for both together if it
// begins there with an edit, or with a message after a kill. After a stop, it needn't wait with a message.
func TestAProcessThatFollowsAnother(t *testing.T) {
	t.Parallel()
	t.Run("edits", func(t *testing.T) { follow(t, (*Limits).TakeEdit, New(false)) })
	killed := New(false)
	killed.Follow()
	t.Run("messages after a kill", func(t *testing.T) { follow(t, (*Limits).Take, killed) })
}

func follow(t *testing.T, take func(l *Limits, id int64, now time.Time) time.Duration, next *Limits) {
	const busy, quiet = -7, -8
	at := time.Unix(1_700_000_000, 0)
	old, sent := New(false), []time.Time(nil)
	edits := func(l *Limits, until time.Time) {
		for at.Before(until) {
			if wait := take(l, busy, at); wait > 0 {
				at = at.Add(wait)
				continue
			}
			sent = append(sent, at)
		}
	}
	if old.Take(busy, at) > 0 {
		t.Fatal("the first message waits")
	}
	sent = append(sent, at)
	edits(old, at.Add(50*time.Second))
	edits(next, at.Add(2*time.Minute))
	checkMinutes(t, sent)
	for range chatBurst {
		if wait := next.Take(quiet, at); wait > 0 {
			t.Errorf("a quiet group waits for %v", wait)
		}
	}
}

// checkMinutes reports every minute in which a group got more than Telegram allows.
func checkMinutes(t *testing.T, sent []time.Time) {
	t.Helper()
	for i, from := range sent {
		n := 0
		for _, other := range sent[i:] {
			if other.Sub(from) < time.Minute {
				n++
			}
		}
		if n > 20 {
			t.Errorf("%d messages in the minute from %v on", n, from.Sub(sent[0]))
		}
	}
}

// Processes that are killed one after the other in the pauses of a busy group, and that share a store, keep its limit for all together.
func TestProcessesThatFollowEachOtherInPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var data []byte
		var sent []time.Time
		live := func(name string, sends, pause time.Duration) {
			l := New(false)
			part := l.Divide(name)
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			go part.Run(ctx, "telegram", func(_ context.Context, _ string, change func(old []byte) []byte) error {
				data = change(data)
				return nil
			}, slog.New(slog.DiscardHandler))
			for end := time.Now().Add(sends); time.Now().Before(end); {
				wait := l.Take(-7, time.Now())
				if wait == 0 {
					sent = append(sent, time.Now())
				}
				time.Sleep(min(wait, time.Until(end)))
			}
			time.Sleep(pause)
		}
		live("1", 10400*time.Millisecond, 8050*time.Millisecond)
		live("2", 10400*time.Millisecond, 8050*time.Millisecond)
		live("3", 2*time.Minute, 0)
		checkMinutes(t, sent)
	})
}

// Somebody who posts many messages delays others no more than by one: their edits share one turn.
func TestPostedMessagesShareTheTurnsOfTheirPerson(t *testing.T) {
	t.Parallel()
	for _, served := range []bool{false, true} {
		l, at := New(false), time.Unix(1_700_000_000, 0)
		l.first = at.Add(-time.Hour)
		for i := range 2000 {
			id := int64(-1000 - i)
			if served {
				l.Serve(id, -1-int64(i%20))
			}
			l.TakeEdit(id, at)
		}
		last := time.Duration(0)
		for hand := range int64(20) {
			wait, from := l.Take(1000+hand, at), time.Duration(0)
			for wait > 0 && from < time.Minute {
				from += wait
				wait = l.Take(1000+hand, at.Add(from))
			}
			last = max(last, from)
		}
		if served && last > 2*time.Second {
			t.Errorf("others' hands wait for %v behind 2,000 posted tables of 20 people", last)
		}
	}
}
