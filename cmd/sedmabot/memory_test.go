package main

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
)

// TestUseMemory checks in processes of their own what the garbage collector gets with and without the environment
// variables.
func TestUseMemory(t *testing.T) {
	clocktest.Waits(t)
	if os.Getenv("SEDMABOT_TEST_MEMORY") != "" {
		if err := useMemory(); err != nil {
			t.Fatal(err)
		}
		limit := "none"
		switch n := debug.SetMemoryLimit(-1); {
		case n == 123<<20:
			limit = "of the variable"
		case n < math.MaxInt64 && n > 1<<20:
			limit = "of the machine"
		}
		t.Logf("growth %d, limit %s", debug.SetGCPercent(-1), limit)
		return
	}
	t.Parallel()
	for env, want := range map[string]string{
		"":                           "growth 400, limit of the machine",
		"GOGC=100":                   "growth 100, limit of the machine",
		"GOMEMLIMIT=123MiB":          "growth 400, limit of the variable",
		"GOGC=off GOMEMLIMIT=123MiB": "growth -1, limit of the variable",
		"AUTOMEMLIMIT=off GOGC=50":   "growth 50, limit none",
	} {
		c := exec.Command(os.Args[0], "-test.run", "^TestUseMemory$", "-test.v")
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "GO") {
				c.Env = append(c.Env, v)
			}
		}
		c.Env = append(append(c.Env, "SEDMABOT_TEST_MEMORY=1"), strings.Fields(env)...)
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("with %q: %v, want %q\n%s", env, err, want, out)
		}
	}
}

// A large heap grows by a smaller part of itself, and by a larger one again when it is small. One that fills fast grows more.
func TestGrowthOfTheHeap(t *testing.T) {
	for busy, all := range map[bool]map[uint64]int{
		true:  {0: 400, 1 << 20: 400, 25 << 20: 400, 32 << 20: 300, 40 << 20: 220, 64 << 20: 150, 320 << 20: 110},
		false: {0: 400, 1 << 20: 400, 8 << 20: 400, 12 << 20: 300, 16 << 20: 200, 32 << 20: 125, 320 << 20: 102},
	} {
		for used, want := range all {
			if got := growthOf(used, busy); got != want {
				t.Errorf("%d MB: %d %%, want %d %%", used>>20, got, want)
			}
		}
	}
	at := time.Now()
	for allocated, want := range map[uint64]bool{10 << 20: false, 40 << 20: true} {
		last := collection{at, 5 << 30}
		if now := (collection{at.Add(time.Second / 2), last.allocated + allocated}); now.busy(last) != want || now.busy(collection{}) {
			t.Errorf("%d MB in half a second: busy %v, want %v", allocated>>20, !want, want)
		}
	}
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	percent := func() int {
		now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(now)
		return int(now[0].Value.Uint64())
	}
	ballast := make([]byte, 300<<20)
	setGrowth(collection{})
	for percent() > 120 { // the test hangs if the collector is never set again
		runtime.GC()
	}
	runtime.KeepAlive(ballast)
	for percent() < 200 {
		runtime.GC()
	}
}
