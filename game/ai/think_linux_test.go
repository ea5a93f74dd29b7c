package ai

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sedmabot/game"
	"sedmabot/game/gametest"
)

// BenchmarkThink measures the processor time of the strongest opponent's moves, which doesn't depend on what else the
// machine does.
func BenchmarkThink(b *testing.B) {
	for _, name := range []string{"sedma-4p", "sedma-2p"} {
		b.Run(name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			used := func() time.Duration {
				var t unix.Timespec
				if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
					b.Fatal(err)
				}
				return time.Duration(t.Nano())
			}
			r := gametest.Preset(b, name)
			var times []time.Duration
			for deal := 0; b.Loop(); deal++ {
				s, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{byte(deal), byte(deal >> 8), 77}), deal%r.Players)
				for err == nil && !s.Over() {
					v := s.View(s.Turn())
					before := used()
					move := Think(strongest, v)
					if len(v.Legal) > 1 {
						times = append(times, used()-before)
					}
					s, err = game.Apply(s, v.Seat, move)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(times)
			for name, share := range map[string]int{"median-ms": 50, "p99-ms": 99} {
				b.ReportMetric(float64(times[len(times)*share/100].Microseconds())/1000, name)
			}
		})
	}
}
