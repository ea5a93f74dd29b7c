//go:build !race

package main

// raced says whether the race detector makes everything slow.
const raced = false
