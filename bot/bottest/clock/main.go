package clock

import (
	"flag"
	"strconv"
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
