package clock

import (
	"flag"
	"strconv"
	"testing"
)

// AtOnce runs up to n tests of a package in parallel, for tests that mostly wait. If -parallel is given, it does
// nothing. TestMain calls it.
func AtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// Waits skips a test with -short, because it waits for several seconds. The race detector runs it even then: what runs while a
// test waits may share memory.
func Waits(t *testing.T) {
	t.Helper()
	if testing.Short() && !Raced {
		t.Skip("-short leaves out tests that wait for seconds")
	}
}
