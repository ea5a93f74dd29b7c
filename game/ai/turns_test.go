package ai_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
)

// Searches must run in the order of their calls, and never more at once than allowed. If many wait, all of them
// together must end soon. If nobody waits for a search, it must have no time limit.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, room := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			turns := ai.NewTurns(room)
			var mu sync.Mutex
			var order []int
			at, most, free := 0, 0, 0
			think := func(i int) func(context.Context) {
				return func(ctx context.Context) {
					mu.Lock()
					order, at = append(order, i), at+1
					most = max(most, at)
					if _, limited := ctx.Deadline(); !limited {
						free++
					}
					mu.Unlock()
					select {
					case <-ctx.Done():
					case <-time.After(100 * time.Millisecond):
					}
					mu.Lock()
					at--
					mu.Unlock()
				}
			}
			began := time.Now()
			var group sync.WaitGroup
			for i := range 16 + room {
				group.Go(func() {
					if err := turns.Take(t.Context(), time.Minute, think(i)); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			group.Wait()
			if most != room {
				t.Errorf("%d at once, want %d", most, room)
			}
			for at, i := range order { // searches whose turns begin at once can run in any order
				if max(at-i, i-at) >= room {
					t.Errorf("the order is %v", order)
					break
				}
			}
			// Nobody waited when the first and the last searches began, so those had no limit.
			if free != 2*room && free != room+1 {
				t.Errorf("%d had no limit", free)
			}
			if took := time.Since(began); took > 300*time.Millisecond {
				t.Errorf("all took %v", took)
			}
		})
	}
}

// A caller that runs out of patience or is cancelled must leave the queue and not hold up the others.
func TestTurnsAreLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := ai.NewTurns(1)
		away, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		err := turns.Take(t.Context(), time.Second, func(context.Context) {
			if err := turns.Take(t.Context(), time.Second, func(context.Context) { t.Error("two at once") }); !errors.Is(err, ai.ErrCrowded) {
				t.Errorf("without room: %v", err)
			}
			if err := turns.Take(away, time.Second, func(context.Context) { t.Error("two at once") }); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("called away: %v", err)
			}
		})
		if err != nil {
			t.Error(err)
		}
		err = turns.Take(t.Context(), time.Second, func(ctx context.Context) {
			if _, limited := ctx.Deadline(); limited {
				t.Error("those who left still take a share")
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// With little time, the move must still be legal, and must come within about that time.
func TestShortOfTime(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	s, err := game.Deal(rules, game.Shuffle(rules.Pack(), [32]byte{3}), 1)
	if err != nil {
		t.Fatal(err)
	}
	v := s.View(s.Turn())
	for _, limit := range []time.Duration{-time.Second, 0, 50 * time.Microsecond, 500 * time.Microsecond, 2 * time.Millisecond, time.Hour} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		c := ai.Choose(ctx, "hard", v, game.Match{})
		cancel()
		if !slices.Contains(v.Legal, c.Move) || math.IsNaN(c.Score) {
			t.Errorf("within %v: %+v", limit, c)
		}
		if free := ai.Choose(t.Context(), "hard", v, game.Match{}); limit == time.Hour && c != free {
			t.Errorf("with all the time: %+v, without a limit %+v", c, free)
		}
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := ai.Part(short, v, game.Match{}, 1_000_000, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a million worlds in a millisecond: %v", err)
	}
}
