package clocktest

import (
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Seldom lets a package's tests collect garbage less often than a program does. They live for seconds, and this saves up to a
// fifth of their work. With GOGC in the environment, it does nothing. TestMain calls it.
func Seldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// AtOnce runs up to n tests of a package in parallel, for tests that mostly wait, unless -parallel is given. It also does
// what [Seldom] does. TestMain calls it.
func AtOnce(n int) {
	Seldom()
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

// Waits skips a test with -short, because it waits for a second or works for half of one. The race detector runs it even then:
// what runs while a test waits may share memory.
func Waits(t *testing.T) {
	t.Helper()
	if testing.Short() && !Raced {
		t.Skip("-short leaves out tests that take long")
	}
}

// Whole skips a test that takes long because it needs a browser, several servers, the whole program or hundreds of random cases. It
// runs where SEDMABOT_TEST_REQUIRE has the word whole, as in .ci/run, and where -run chooses tests.
func Whole(t *testing.T) {
	t.Helper()
	Waits(t)
	if !IsWhole() && flag.Lookup("test.run").Value.String() == "" {
		t.Skip("it takes long: .ci/run runs it, and so do -run and SEDMABOT_TEST_REQUIRE=whole")
	}
}

// Unraced is [Whole] for a test that works for so long that the race detector leaves it out.
func Unraced(t *testing.T) {
	t.Helper()
	if Raced {
		t.Skip("it takes too long under the race detector")
	}
	Whole(t)
}

// Single skips a test under the race detector, which can't find anything there: one goroutine does all the work, or other tests
// have the same goroutines.
func Single(t *testing.T) {
	t.Helper()
	if Raced {
		t.Skip("its goroutines share nothing that no other test shares")
	}
}

// IsWhole reports whether tests that take long run, and others with all their cases.
func IsWhole() bool {
	return slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "whole")
}
