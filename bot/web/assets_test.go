package web

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// The browser gets one script with all modules. Their comments are left out, but every line of code keeps its place, since
// errors name it. A module that takes or gives something in another way than the script knows would end it.
func TestTheScriptHasAllModules(t *testing.T) {
	t.Parallel()
	served, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(string(served.files[script]), "\n")
	names, err := files.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	changed := regexp.MustCompile(`^(import|export) |^ *(//|/\*| \*)`)
	before, shorter := map[string]int{}, 0
	for _, m := range served.modules {
		before[m.name] = m.before
	}
	for _, file := range names {
		name := file.Name()
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		source, err := files.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		first, ok := before[strings.TrimSuffix(name, ".js")]
		if !ok {
			t.Errorf("no module leads to %s", name)
			continue
		}
		for i, want := range strings.Split(strings.TrimSuffix(string(source), "\n"), "\n") {
			line := got[first+i]
			if line == "" && want != "" {
				shorter++
			}
			if line != want && !changed.MatchString(want) || strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ") {
				t.Errorf("%s, line %d: %q became %q", name, i+1, want, line)
				break
			}
			if in, at := served.place(first + i + 1); in+".js" != name || at != i+1 {
				t.Errorf("%s, line %d is taken for %s, line %d", name, i+1, in, at)
				break
			}
		}
		if !bytes.Contains(served.files[name], []byte(script)) {
			t.Errorf("%s doesn't lead to the script: %s", name, served.files[name])
		}
	}
	if shorter < 100 {
		t.Errorf("only %d comments were left out", shorter)
	}
}
