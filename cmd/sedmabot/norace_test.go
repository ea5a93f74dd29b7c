//go:build !race

package main

// raced reports whether the race detector slows everything down.
const raced = false
