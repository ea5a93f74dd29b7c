package tables

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

func TestOnlyTheNewestHandStays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hand := func(at chat.Address, origin string) doc.Answer {
		return doc.Answer{Address: at, Until: now.Add(time.Minute), Origin: origin}
	}
	over := hand("test:1", "one")
	over.Until = now
	for name, c := range map[string]struct {
		before doc.Hands
		opened doc.Answer
		want   doc.Hands
	}{
		"the first":                        {nil, hand("test:1", "one"), doc.Hands{hand("test:1", "one")}},
		"another":                          {doc.Hands{hand("test:1", "one")}, hand("test:2", "two"), doc.Hands{hand("test:1", "one"), hand("test:2", "two")}},
		"a press on it":                    {doc.Hands{hand("test:1", "one")}, hand("test:2", "one"), doc.Hands{hand("test:2", "one")}},
		"a press on one that goes":         {doc.Hands{hand("test:1", "one"), hand("test:2", "two")}, hand("test:3", "one"), doc.Hands{hand("test:1", "one"), hand("test:2", "two")}},
		"a press on one that is long gone": {doc.Hands{hand("test:2", "two")}, hand("test:3", "one"), doc.Hands{hand("test:2", "two"), hand("test:3", "one")}},
		"what cannot be taken away":        {doc.Hands{over, hand("test:2", "two")}, hand("test:3", "three"), doc.Hands{hand("test:2", "two"), hand("test:3", "three")}},
	} {
		if diff := cmp.Diff(c.want, opened(c.before, c.opened, now)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var all doc.Hands
	for range 100 {
		all = opened(all, hand("test:1", ""), now)
	}
	if len(all) != maxHands {
		t.Errorf("%d hands are recorded", len(all))
	}
}
