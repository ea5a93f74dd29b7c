package bottest

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

var (
	message = regexp.MustCompile(`level=(?:INFO|WARN|ERROR) msg=("[^"]*"|\S+)`)
	repeats = regexp.MustCompile(`(?m)^.* times=\d+ last=.*$`)
)

// Lines checks a log after a flood of less than a minute, in the format of slog's text handler. Each of these messages
// must have a line, and no message may have more than one, except the line that counts its repeats.
func Lines(t *testing.T, log string, want ...string) {
	t.Helper()
	lines := map[string]int{}
	for _, found := range message.FindAllStringSubmatch(repeats.ReplaceAllString(log, ""), -1) {
		lines[found[1]]++
	}
	for _, m := range slices.Sorted(maps.Keys(lines)) {
		if lines[m] > 1 {
			t.Errorf("%d lines of %s", lines[m], m)
		}
	}
	for _, m := range want {
		if lines[`"`+m+`"`] == 0 {
			t.Errorf("no line of %q:\n%s", m, log)
		}
	}
}
