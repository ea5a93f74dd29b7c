package chat

import (
	"testing"
	"time"
)

// TestBackOffDoubles checks that the waits double up to the longest, by After and by Nth.
func TestBackOffDoubles(t *testing.T) {
	t.Parallel()
	for _, b := range []BackOff{
		{500 * time.Millisecond, 30 * time.Second},
		{300 * time.Millisecond, 2 * time.Minute},
		{time.Second, 10 * time.Minute},
		{time.Second, time.Second},
		{3 * time.Second, time.Second},
	} {
		last := time.Duration(0)
		for n := range 100 {
			want := b.Max
			if n < 20 {
				want = min(b.First<<n, b.Max)
			}
			if last = b.After(last); last != want {
				t.Errorf("%v: wait %d is %v, wanted %v", b, n, last, want)
			}
			if got := b.Nth(n); got != want {
				t.Errorf("%v: wait %d asked for by its number is %v, wanted %v", b, n, got, want)
			}
		}
	}
}
