package bot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOnlyTheNewestHandStays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hand := func(at Address, origin string, older ...answer) answer {
		return answer{Address: at, Until: now.Add(time.Minute), Origin: origin, Older: older}
	}
	over := hand("test:0", "zero")
	over.Until = now
	for name, c := range map[string]struct {
		before, called answer
		onAnswer       bool
		want           answer
	}{
		"the first":                            {answer{}, hand("test:1", "one"), false, hand("test:1", "one")},
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
	a := answer{}
	for range 100 {
		a = called(a, hand("test:1", ""), false, now)
	}
	if len(a.Older) != mostOlder {
		t.Errorf("%d older hands are kept", len(a.Older))
	}
}
