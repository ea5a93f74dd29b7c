package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts run the program itself. The decks in them come from another program, which was written only from the
// description of game.Shuffle.
func TestScripts(t *testing.T) {
	t.Parallel()
	unhurried(t)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{filepath.Join("testdata", "verify.txtar")},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}
