package store_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/store"
)

// A lease is lost if its caller can't know it, or knew it and gave up. Until then it isn't, and nor is somebody else's.
func TestLostLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h store.Holder
		lost := func(token int64) bool {
			return h.Doubtful() && h.Lost(store.Job{Partition: 3, ID: "job", Token: token})
		}
		want := func(when string, token int64, want bool) {
			t.Helper()
			if got := lost(token); got != want {
				t.Errorf("%s: lost: %v, want %v", when, got, want)
			}
		}
		cut := errors.New("the answer is lost")
		token, end := h.Claim(time.Minute)
		h.Doubt()
		want("while the claim runs", token, false)
		end([]store.Job{{Partition: 3, ID: "job", Token: token}}, nil)
		want("while the caller works", token, false)
		want("of another process", token+1, false)

		done := store.Change{Partition: 3, Done: &store.Job{Partition: 3, ID: "job", Token: token}}
		h.Commit(done)(false, store.ErrConflict)
		want("after a conflict", token, false)
		h.Commit(done)(false, cut)
		time.Sleep(store.Patience - 1)
		want("while the caller may repeat", token, false)
		end2 := h.Commit(done)
		time.Sleep(store.Patience)
		want("while the caller repeats", token, false)
		end2(false, nil)
		want("after the completion", token, true) // a store that has gone back holds it again

		claim := store.Change{Partition: 3, Claim: &store.Claim{ID: "job", Token: 7, Until: time.Now().Add(time.Minute)}, Now: time.Now()}
		end3 := h.Commit(claim)
		want("while the commit runs", 7, false)
		end3(true, nil)
		want("after a commit that claimed", 7, false)
		h.Commit(store.Change{Partition: 3, Done: &store.Job{Partition: 3, ID: "job", Token: 7}})(false, cut)
		time.Sleep(store.Patience)
		want("after the caller gave up", 7, true)
		h.Commit(claim)(false, cut)
		want("after a commit without an answer", 7, true)
		time.Sleep(time.Minute)
		h.Doubt()
		want("after the lease", 7, false)
	})
}
