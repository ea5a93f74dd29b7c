//go:build !race

package ai

// raceEnabled makes long tests short under the race detector.
const raceEnabled = false
