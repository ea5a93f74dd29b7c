//go:build !race

package main

// raced reports whether the race detector is on, which makes everything slow.
const raced = false
