package bottest

import (
	"flag"
	"strconv"
)

// AtOnce lets n tests of a package run at a time, for those that mostly wait,
// unless -parallel says how many. TestMain calls it.
func AtOnce(n int) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}
