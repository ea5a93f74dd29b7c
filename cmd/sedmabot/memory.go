package main

import (
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// growth is by how many percent the heap may grow before the garbage collector runs, unless GOGC sets it. Go's default is
// 100. With 400, a press took 11 % less of a core, and the process 60 MB more.
const growth = 400

// useMemory lets the garbage collector run less often while there is enough memory. It runs more often when the process
// comes near nine tenths of the memory that its container or its service has, or else the machine. The environment
// variables GOGC and GOMEMLIMIT override both.
func useMemory() error {
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(growth)
	}
	_, err := memlimit.Set(memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	return err
}
