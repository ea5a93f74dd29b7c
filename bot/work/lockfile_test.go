package work

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// onLinux skips a test of Linux-only features on other systems.
func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("lock files are for Linux")
	}
}

func mustLock(t *testing.T, holder string, dirs ...string) *lockFile {
	t.Helper()
	l, err := openLock(holder, dirs...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

// fileIn returns the name of the lock file in a directory.
func fileIn(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("in the directory there are %v, %v", names, err)
	}
	return names[0]
}

func TestLockFileTellsWhoIsDead(t *testing.T) {
	t.Parallel()
	onLinux(t)
	dir := t.TempDir()
	a, b := mustLock(t, "a", dir), mustLock(t, "b", dir)
	if a.name != b.name {
		t.Errorf("one file has two names: %s and %s", a.name, b.name)
	}
	ofA := leaderDoc{Name: "a", Lock: a.name}
	if b.dead(ofA) || a.dead(leaderDoc{Name: "b", Lock: b.name}) {
		t.Error("one who lives is dead")
	}
	a.close()
	for name, test := range map[string]struct {
		reader *lockFile
		doc    leaderDoc
		want   bool
	}{
		"the dead one":       {b, ofA, true},
		"no lock file":       {b, leaderDoc{Name: "a"}, false},
		"another lock file":  {b, leaderDoc{Name: "a", Lock: "x"}, false},
		"a reader without":   {nil, ofA, false},
		"a reader elsewhere": {mustLock(t, "c", t.TempDir()), ofA, false},
	} {
		if got := test.reader.dead(test.doc); got != test.want {
			t.Errorf("%s: dead is %v", name, got)
		}
	}
}

// TestLockFileIsNotItsCopy makes files that look like the one that is locked.
func TestLockFileIsNotItsCopy(t *testing.T) {
	t.Parallel()
	onLinux(t)
	dir := t.TempDir()
	a := mustLock(t, "a", dir)
	ofA := leaderDoc{Name: "a", Lock: a.name}
	path := fileIn(t, dir)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	copied := t.TempDir()
	if err := os.WriteFile(filepath.Join(copied, filepath.Base(path)), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if l := mustLock(t, "b", copied); l.name == a.name || l.dead(ofA) {
		t.Error("a copy is taken for the file")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if l := mustLock(t, "c", dir); l.name == a.name || l.dead(ofA) {
		t.Error("a new file is taken for the old one")
	}
}

func TestLockFileFallsBack(t *testing.T) {
	t.Parallel()
	onLinux(t)
	good := t.TempDir()
	want := mustLock(t, "a", good).name
	path := fileIn(t, good)

	link, empty := t.TempDir(), t.TempDir()
	if err := os.Symlink(path, filepath.Join(link, filepath.Base(path))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(empty, filepath.Base(path)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	for name, dir := range map[string]string{"a link": link, "an empty file": empty, "no directory": missing} {
		if l, err := openLock("b", dir); err == nil {
			l.close()
			t.Errorf("%s will do", name)
		}
		if l := mustLock(t, name, dir, good); l.name != want {
			t.Errorf("%s: the next directory was not used", name)
		}
	}
	if _, err := os.Stat(missing); !os.IsNotExist(err) {
		t.Errorf("a directory was made: %v", err)
	}
	if l, err := openLock("b"); err == nil {
		l.close()
		t.Error("there is a lock file without a directory")
	}
}
