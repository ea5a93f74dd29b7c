package tables

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

func TestOnlyTheNewestHandStays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hand := func(at chat.Address, origin string, older ...doc.Answer) doc.Answer {
		return doc.Answer{Address: at, Until: now.Add(time.Minute), Origin: origin, Older: older}
	}
	over := hand("test:0", "zero")
	over.Until = now
	for name, c := range map[string]struct {
		before, called doc.Answer
		onAnswer       bool
		want           doc.Answer
	}{
		"the first":                            {doc.Answer{}, hand("test:1", "one"), false, hand("test:1", "one")},
		"another":                              {hand("test:1", "one"), hand("test:2", "two"), false, hand("test:2", "two", hand("test:1", "one"))},
		"a press on it":                        {hand("test:1", "one"), hand("test:2", "one"), true, hand("test:2", "one")},
		"a press on one that goes":             {hand("test:2", "two", hand("test:1", "one")), hand("test:3", "one"), true, hand("test:2", "two", hand("test:1", "one"))},
		"a press on one that is long gone":     {hand("test:2", "two"), hand("test:3", "one"), true, hand("test:3", "one", hand("test:2", "two"))},
		"a press on one of an earlier program": {hand("test:1", ""), hand("test:2", "one"), true, hand("test:2", "one")},
		"another than one of those":            {hand("test:1", ""), hand("test:2", "two"), false, hand("test:2", "two", hand("test:1", ""))},
		"what cannot be taken away":            {hand("test:1", "one", over), hand("test:2", "one"), true, hand("test:2", "one")},
	} {
		if diff := cmp.Diff(c.want, called(c.before, c.called, c.onAnswer, now), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	a := doc.Answer{}
	for range 100 {
		a = called(a, hand("test:1", ""), false, now)
	}
	if len(a.Older) != maxOlder {
		t.Errorf("%d older hands are kept", len(a.Older))
	}
}
