//go:build !race

package ai

// raceEnabled reports whether the race detector is on; long tests are then shortened.
const raceEnabled = false
