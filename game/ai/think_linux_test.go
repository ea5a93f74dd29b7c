package ai

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

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
				const thread = 1 // RUSAGE_THREAD, which package syscall has no name for
				var u syscall.Rusage
				if err := syscall.Getrusage(thread, &u); err != nil {
					b.Fatal(err)
				}
				return time.Duration(u.Utime.Nano() + u.Stime.Nano())
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
