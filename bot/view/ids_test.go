package view

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTableIDsAreNotShown reads all golden screens of the table and the rooms, whose tables have the id "k3". Only the
// list of matches names matches by it, because /replay takes such names, and so does the
// file that a record is sent in.
func TestTableIDsAreNotShown(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`\bk3(-\d+)?\b`)
	named := []string{"matches", "record"}
	files, err := filepath.Glob("../*/testdata/*.??.txt")
	club, other := filepath.Glob("../club/*/testdata/*.??.txt")
	if err := errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, club...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		for _, screen := range strings.Split(string(data), "\n== ") {
			switch shown := id.FindString(screen); {
			case shown == "":
			case slices.Contains(named, name):
				found++
			default:
				t.Errorf("%s shows the id %s:\n%s", file, shown, screen)
			}
		}
	}
	if found == 0 {
		t.Error("the golden screens name no table: the test looks for the wrong id")
	}
}
