package telegram

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"sedmabot/bot/chat"
)

// However often the bot tries, it must never send more within any period than Telegram allows. If it waits as long as
// it is told, the next attempt must succeed.
func TestLimitsAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := newLimits(false)
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
			if wait := l.take(peer, now); wait > 0 {
				if !rapid.Bool().Draw(t, "waits") {
					continue
				}
				now = now.Add(wait)
				if again := l.take(peer, now); again > 2*time.Millisecond {
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
	l := newLimits(false)
	now := time.Unix(1_700_000_000, 0)
	for i := range int64(3 * manyChats) {
		now = now.Add(time.Second)
		l.take(i+1, now)
	}
	if n := len(l.chats); n > manyChats {
		t.Errorf("%d chats are remembered", n)
	}
}

func TestGapOfGroupsAndPeople(t *testing.T) {
	t.Parallel()
	a := &Adapter{limits: newLimits(false)}
	for _, c := range []struct {
		to   chat.Target
		want time.Duration
	}{
		{chat.Target{Chat: "telegram:-1009"}, 3 * time.Second},
		{chat.Target{Chat: "telegram:-1009/17"}, 3 * time.Second},
		{chat.Target{Chat: "telegram:4211"}, time.Second},
		{chat.Target{Player: "telegram:4211"}, time.Second},
	} {
		if got := a.Gap(c.to); got != c.want {
			t.Errorf("the gap for %v is %v, want %v", c.to, got, c.want)
		}
	}
}

func TestEagernessEndsWhenTheServerAsks(t *testing.T) {
	t.Parallel()
	a := &Adapter{limits: newLimits(true)}
	now := time.Unix(1_700_000_000, 0)
	for range 100 {
		if wait := a.limits.take(-1009, now); wait != 0 {
			t.Fatalf("held back for %v", wait)
		}
	}
	group := chat.Target{Chat: "telegram:-1009"}
	if got := a.Gap(group); got != 0 {
		t.Errorf("the gap is %v", got)
	}
	a.limits.silence(-1009, now, time.Minute)
	if wait := a.limits.take(-1009, now.Add(50*time.Second)); wait != 10*time.Second {
		t.Errorf("50 s into a minute of silence, %v are left", wait)
	}
	if got := a.Gap(group); got != groupGap {
		t.Errorf("the gap is %v after the server asked for one", got)
	}
}

// An edit within the gap must be sent at once if the group was quiet. In a busy group, or while the bot sends much
// elsewhere, it must wait.
func TestAnEarlyEditIsForQuietTimes(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	at := func(d time.Duration) time.Time { return now.Add(d) }
	l := newLimits(false)
	for i := range 3 {
		if wait := l.early(-1, at(time.Duration(i)*time.Second)); (wait > 0) != (i > 2) {
			t.Errorf("edit %d waits for %v", i, wait)
		}
		l.take(-1, at(time.Duration(i)*time.Second))
	}
	if wait := l.early(-1, at(3*time.Second)); wait != 2*time.Second {
		t.Errorf("after three messages an edit waits for %v", wait)
	}
	if wait := l.early(-1, at(2*time.Second+groupGap)); wait != 0 {
		t.Errorf("after the gap an edit waits for %v", wait)
	}
	now = at(time.Hour)
	const others = 60
	for i := range others {
		sent := at(time.Duration(i) * time.Second / time.Duration(overallRate))
		group := -int64(100 + i)
		if wait := l.take(group, sent); wait > 0 {
			t.Fatalf("message %d waits for %v", i, wait)
		}
		if wait := l.early(group, sent); i < 20 && wait > 0 || i == others-1 && wait != groupGap {
			t.Errorf("after %d messages elsewhere an edit waits for %v", i, wait)
		}
	}
	l.take(-2, at(10*time.Second))
	if wait := l.early(-2, at(10*time.Second)); wait != 0 {
		t.Errorf("some seconds after many messages elsewhere an edit waits for %v", wait)
	}
}
