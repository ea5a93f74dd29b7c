package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// A release's build sets these with -ldflags '-X main.release=v1.2.3 -X main.commit=… -X main.date=…'.
// They are empty in any other build, and the program never changes them.
var (
	release = ""
	commit  = ""
	date    = ""
)

// version returns the program's version, commit, date and platform, a line each.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(release, commit, date, info)
}

// versionName returns the program's version alone.
func versionName() string {
	first, _, _ := strings.Cut(version(), "\n")
	return strings.TrimPrefix(first, "sedmabot ")
}

// buildLabels returns the version, the commit and Go's version, as the labels of a metric. An unknown one is empty.
func buildLabels() string {
	commit := ""
	for line := range strings.Lines(version()) {
		if found, ok := strings.CutPrefix(line, "commit "); ok {
			commit = strings.TrimSpace(found)
		}
	}
	return fmt.Sprintf("commit=%q,go=%q,version=%q", commit, runtime.Version(), versionName())
}

// versionOf returns the lines of version. A release's own values override those
// that the go command recorded; what neither knows is left out.
func versionOf(release, commit, date string, info *debug.BuildInfo) string {
	modified := false
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && commit == "":
			commit = s.Value
		case s.Key == "vcs.time" && date == "":
			date = s.Value
		case s.Key == "vcs.modified":
			modified = s.Value == "true" && release == ""
		}
	}
	switch {
	case release != "":
	case info.Main.Version != "":
		release = info.Main.Version
	default:
		release = "(unknown)"
	}
	lines := []string{"sedmabot " + release}
	if commit != "" {
		line := "commit " + commit
		if modified {
			line += ", with changes"
		}
		lines = append(lines, line)
	}
	if date != "" {
		lines = append(lines, "date "+date)
	}
	return strings.Join(append(lines, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH), "\n")
}
