package group

import (
	"bytes"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWaitWaitsForAllFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		g.Keep()
		var mu sync.Mutex
		done := 0
		for i := range 50 {
			g.Go(func() {
				time.Sleep(time.Duration(i%7) * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				done++
			})
			if i%10 == 9 {
				time.Sleep(3 * time.Millisecond) // some goroutines are idle by now
			}
		}
		if g.Wait(); done != 50 {
			t.Errorf("Wait returned after %d of 50 functions", done)
		}
	})
}

// workers returns the number of goroutines of groups. The number of all goroutines may still include one of an earlier
// test.
func workers() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Count(stacks, []byte("(*Group).work("))
}

func TestAGoroutineIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		g.Keep()
		defer g.Wait()
		for range 100 {
			g.Go(func() {})
			synctest.Wait()
		}
		if n := workers(); n != 1 {
			t.Errorf("100 functions, one after another, left %d goroutines", n)
		}
	})
}

func TestAnIdleGoroutineEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		g.Keep()
		defer g.Wait()
		for range 10 {
			g.Go(func() { time.Sleep(time.Millisecond) })
		}
		time.Sleep(rest / 2)
		if n := workers(); n != 10 {
			t.Errorf("%d goroutines wait for work after half of the rest", n)
		}
		g.Go(func() {})
		time.Sleep(rest * 3 / 4)
		synctest.Wait()
		if n := workers(); n != 1 {
			t.Errorf("%d goroutines are left, not only the one that worked last", n)
		}
	})
}

func TestWaitEndsIdleGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept, not Group
		kept.Keep()
		for range 10 {
			kept.Go(func() { time.Sleep(time.Millisecond) })
			not.Go(func() {})
		}
		synctest.Wait()
		if n := workers(); n != 10 {
			t.Errorf("%d goroutines are there, not only those with work", n)
		}
		kept.Wait()
		synctest.Wait()
		if n := workers(); n != 0 {
			t.Errorf("%d goroutines are left after Wait", n)
		}
		kept.Go(func() {})
		kept.Wait()
	})
}

// deep needs a stack of about 30 kB, like showing a table.
//
//go:noinline
func deep(n int) byte {
	var frame [3 << 10]byte
	if frame[n] = 1; n > 0 {
		frame[n] += deep(n - 1)
	}
	return frame[n]
}

// BenchmarkGo compares a group with goroutines that are new each time.
func BenchmarkGo(b *testing.B) {
	b.Run("group", func(b *testing.B) {
		var g Group
		g.Keep()
		defer g.Wait()
		done := make(chan struct{})
		for b.Loop() {
			g.Go(func() { deep(10); done <- struct{}{} })
			<-done
		}
	})
	b.Run("new", func(b *testing.B) {
		var g sync.WaitGroup
		done := make(chan struct{})
		for b.Loop() {
			g.Go(func() { deep(10); done <- struct{}{} })
			<-done
		}
		g.Wait()
	})
}
