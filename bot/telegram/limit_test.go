package telegram

import (
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/rates"
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
