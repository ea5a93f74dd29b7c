//go:build race

package clocktest

// Raced reports whether the race detector is on, which makes everything slow.
const Raced = true
