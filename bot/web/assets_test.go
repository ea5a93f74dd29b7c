package web

import (
	"bytes"
	"strings"
	"testing"
)

// Scripts are served without the lines that are comments, but each line of code stays where it is, since errors name it.
func TestScriptsKeepTheirLines(t *testing.T) {
	t.Parallel()
	served, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	shorter := 0
	for name, got := range served.files {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		source, err := files.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		shorter += len(source) - len(got)
		now := bytes.Split(got, []byte("\n"))
		for i, line := range bytes.Split(source, []byte("\n")) {
			want := line
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
				want = nil
			}
			if i >= len(now) || !bytes.Equal(now[i], want) {
				t.Errorf("%s, line %d: %q became another one", name, i+1, line)
				break
			}
		}
	}
	if shorter == 0 {
		t.Error("nothing was left out")
	}
}
