package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// The garbage collector runs when the heap has grown by growth percent, which is 100 for most Go programs. With 400, a
// press takes a ninth less CPU, and a process with 64 busy tables takes 60 MB more. A large heap grows only to twice what is
// in use, and by some spare bytes. It counts as large above 48 MB, or above 128 MB if the program allocates more than fast:
// with 100 presses a second, larger heaps save a fifth of the CPU, and with 30, nothing.
const (
	growth = 400
	fast   = 64 << 20 // bytes a second
)

// useMemory lets the garbage collector run less often while there is enough memory. It runs more often when the process
// comes near nine tenths of the memory that its container or its service has, or else the machine. The environment
// variables GOGC and GOMEMLIMIT override both.
func useMemory() error {
	if _, set := os.LookupEnv("GOGC"); !set {
		setGrowth(collection{})
	}
	_, err := memlimit.Set(memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	return err
}

// collection is a run of the garbage collector.
type collection struct {
	at        time.Time
	allocated uint64 // bytes since the start of the program
}

// busy reports whether the program has allocated fast since the last collection.
func (c collection) busy(last collection) bool {
	return float64(c.allocated-last.allocated) > fast*c.at.Sub(last.at).Seconds()
}

// setGrowth sets by how much the heap may grow, and sets it again after each run of the garbage collector.
func setGrowth(last collection) {
	// The sizes from which the collector computes its goal: https://go.dev/doc/gc-guide#GOGC
	base := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(base)
	metrics.Read(allocated)
	all := uint64(0)
	for _, s := range base {
		all += s.Value.Uint64()
	}
	now := collection{time.Now(), allocated[0].Value.Uint64()}
	debug.SetGCPercent(growthOf(all, now.busy(last)))
	cycle := &struct{ self *int }{} // the next run of the collector finds it unused
	runtime.AddCleanup(cycle, setGrowth, now)
}

// growthOf returns by how many percent a heap may grow of which that many bytes are in use. busy: see [collection.busy].
func growthOf(used uint64, busy bool) int {
	small, spare := uint64(48<<20), uint64(8<<20)
	if busy {
		small, spare = 128<<20, 32<<20
	}
	used = max(used, 1)
	goal := min(max(2*used+spare, small), used*(100+growth)/100)
	return int(100 * (goal - used) / used)
}
