package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/rates"
	"sedmabot/bot/telegram/telegramtest"
)

func TestGapOfGroupsAndPeople(t *testing.T) {
	t.Parallel()
	a := &outbox{limits: rates.New(false)}
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

// After a kill, the first message to a group waits: the old process may have used up the group's minute. After a stop, it goes
// at once.
func TestAKillIsNoticedAtTheNextStart(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, dead := telegramtest.Within(t), atomic.Bool{}
			stored := chat.AgreeAlone()
			agree := func(ctx context.Context, name string, change func(now int) int) (int, error) {
				if dead.Load() {
					return 0, nil
				}
				return stored(ctx, name, change)
			}
			lives := func(c *Config) { c.Agree, c.Eager = agree, false }
			_, stop := connected(t, s, quiet, lives)
			dead.Store(killed)
			if err := stop(); err != nil {
				t.Fatal(err)
			}
			dead.Store(false)
			ann := s.Person("Ann")
			group := s.Group("Cards", ann)
			a, _ := adapter(t, s, lives)
			asked := make(chan struct{}, 1)
			run(t, a, func(context.Context, chat.Input) chat.Reply { asked <- struct{}{}; return chat.Reply{} })
			ann.SayIn(group, 0, "/rules")
			<-asked // it runs
			_, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, text("the table"), "")
			d := new(chat.DeliveryError)
			if held := errors.As(err, &d) && d.Held && d.After < 4*time.Second; held != killed || err != nil && !held {
				t.Errorf("killed: %v, and the first message: %v", killed, err)
			}
		})
	}
}

func TestEagernessEndsWhenTheServerAsks(t *testing.T) {
	t.Parallel()
	a := &outbox{limits: rates.New(true)}
	now := time.Unix(1_700_000_000, 0)
	for range 100 {
		if wait := a.limits.Take(-1009, now); wait != 0 {
			t.Fatalf("held back for %v", wait)
		}
	}
	group := chat.Target{Chat: "telegram:-1009"}
	if got := a.Gap(group); got != 0 {
		t.Errorf("the gap is %v", got)
	}
	a.limits.Block(-1009, now, time.Minute)
	if wait := a.limits.Take(-1009, now.Add(50*time.Second)); wait != 10*time.Second {
		t.Errorf("50 s into a minute of silence, %v are left", wait)
	}
	if got := a.Gap(group); got != rates.GroupGap {
		t.Errorf("the gap is %v after the server asked for one", got)
	}
}

// Replies that wait for a chat's limit come in the order of what was asked.
func TestRepliesThatWaitKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for range 10 {
		synctest.Test(t, func(t *testing.T) {
			s, asked := telegramtest.Within(t), 0
			a, _ := adapter(t, s, func(c *Config) { c.Eager = false })
			stop := run(t, a, func(_ context.Context, in chat.Input) chat.Reply {
				if in.Command != "rules" {
					return chat.Reply{}
				}
				asked++ // one person's inputs come one by one
				screen := text(fmt.Sprint("reply ", asked))
				return chat.Reply{Screen: &screen}
			})
			ann := s.Person("Ann")
			ann.Start("")
			time.Sleep(time.Minute) // of the bubble
			for range 6 {
				ann.Say(ann.Private(), "/rules")
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Minute)
			var got []string
			for _, m := range ann.Private().Messages() {
				got = append(got, m.Text)
			}
			if len(got) != 6 || !slices.IsSorted(got) {
				t.Errorf("replies: %q", got)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}
