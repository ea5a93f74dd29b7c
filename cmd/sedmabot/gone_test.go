package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Somebody deletes or replaces the data file under the running bot. It says so, and a backup has what it still holds.
func TestTheDataFileIsDeletedOrReplaced(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"replaced": func(path string) error { return os.Rename(write(t, "other", ""), path) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "data.db")
			p := launch(t, []string{"SEDMABOT_STORE_PATH=" + path, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
			p.stdout.wait(t, "^The playground is at ")
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			p.stderr.wait(t, "level=ERROR msg=\"the data file was deleted or replaced")
			status, output := once(t, path, "backup", path+".backup")
			if status != 0 || !strings.Contains(output, " documents, ") {
				t.Errorf("exit status %d: %s", status, output)
			}
			p.kill()
		})
	}
}
