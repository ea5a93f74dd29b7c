package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
)

func TestVersionOf(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	checkout := &debug.BuildInfo{
		Main:     debug.Module{Version: "v0.0.0-20260102030405-abcdef012345+dirty"},
		Settings: []debug.BuildSetting{setting("vcs", "git"), setting("vcs.revision", "abcdef"), setting("vcs.time", "2026-01-02T03:04:05Z"), setting("vcs.modified", "true")},
	}
	platform := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for name, tt := range map[string]struct {
		release, commit, date string
		info                  *debug.BuildInfo
		want                  []string
	}{
		"a release":               {"v1.2.3", "123456", "2026-02-03T04:05:06Z", &debug.BuildInfo{}, []string{"sedmabot v1.2.3", "commit 123456", "date 2026-02-03T04:05:06Z"}},
		"a release in a checkout": {"v1.2.3", "123456", "2026-02-03T04:05:06Z", checkout, []string{"sedmabot v1.2.3", "commit 123456", "date 2026-02-03T04:05:06Z"}},
		"a checkout":              {"", "", "", checkout, []string{"sedmabot v0.0.0-20260102030405-abcdef012345+dirty", "commit abcdef, with changes", "date 2026-01-02T03:04:05Z"}},
		"no checkout":             {"", "", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, []string{"sedmabot (devel)"}},
		"nothing is known":        {"", "", "", &debug.BuildInfo{}, []string{"sedmabot (unknown)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := strings.Join(append(tt.want, platform), "\n")
			if got := versionOf(tt.release, tt.commit, tt.date, tt.info); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// The version has a commit and a date in a release, and after go install in a checkout.
func TestVersionOfABuild(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	bin := t.TempDir()
	installed := func(t *testing.T, variables string, flags ...string) string {
		t.Helper()
		install := exec.Command("go", append(append([]string{"install", "-ldflags=-s -w" + variables}, flags...), ".")...)
		install.Env = append(os.Environ(), "GOBIN="+bin)
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(filepath.Join(bin, "sedmabot"), "version").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Run("release", func(t *testing.T) {
		got := installed(t, " -X main.release=v1.2.3 -X main.commit=123456 -X main.date=2026-02-03T04:05:06Z")
		if !strings.HasPrefix(got, "sedmabot v1.2.3\ncommit 123456\ndate 2026-02-03T04:05:06Z\n") {
			t.Error(got)
		}
	})
	t.Run("checkout", func(t *testing.T) {
		if at, err := os.Stat("../../.git"); err != nil || !at.IsDir() {
			t.Skip("the go command records a commit only in a git clone; this folder is none")
		}
		head, err := exec.Command("git", "rev-parse", "HEAD").Output()
		if err != nil {
			t.Skipf("git can't name the commit: %v", err)
		}
		got := installed(t, "", "-buildvcs=true")
		if !strings.Contains(got, "\ncommit "+strings.TrimSpace(string(head))) || !strings.Contains(got, "\ndate 20") {
			t.Error(got)
		}
	})
}
