package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sedmabot/bot/clocktest"
)

// decoded returns a YAML file of the repository.
func decoded[T any](t *testing.T, path string) (v T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(path, err)
	}
	return v
}

// Archives must have the licences of the dependencies, the pages below deploy/, and what these link to. Packages are for
// Debian and Red Hat.
func TestReleaseIsWhole(t *testing.T) {
	t.Parallel()
	release := decoded[struct {
		Archives []struct{ Files []string }
		NFPMs    []struct{ Formats, Dependencies []string } `yaml:"nfpms"`
	}](t, ".goreleaser.yaml")
	if len(release.NFPMs) != 1 || !slices.Equal(release.NFPMs[0].Formats, []string{"deb", "rpm"}) {
		t.Errorf("packages: %+v", release.NFPMs)
	}
	if !slices.Contains(release.NFPMs[0].Dependencies, "ca-certificates") {
		t.Error("packages can't check a platform's certificate on a machine that has none")
	}
	files := release.Archives[0].Files
	packed := func(path string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
	}
	for _, path := range []string{"cmd/sedmabot/deploy/helm/Chart.yaml", "licenses/go/LICENSE"} {
		if !packed(path) {
			t.Errorf("archives lack %s", path)
		}
	}
	for _, d := range documents(t) {
		if !strings.HasPrefix(d.path, "cmd/sedmabot/deploy/") {
			continue
		}
		for _, link := range mdLink.FindAllStringSubmatch(d.text, -1) {
			path, _, _ := strings.Cut(link[1], "#")
			if target := filepath.Join(filepath.Dir(d.path), path); path != "" && !strings.Contains(link[1], "://") && !packed(target) {
				t.Errorf("archives lack %s, to which %s links", target, d.path)
			}
		}
	}
	image, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil || !strings.Contains(string(image), "COPY --from=build /doc /usr/share/doc/sedmabot\n") {
		t.Errorf("the image has no licences and pages: %v", err)
	}
}

// The notes of a release are its version's section of the page of changes, else that of the next version.
func TestReleaseNotes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "cmd/sedmabot/deploy/changes.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, newest, ok := strings.Cut(string(page), "\n## ")
	if !ok {
		t.Fatal("the page of changes has no section")
	}
	title, rest, _ := strings.Cut(newest, "\n")
	want, _, _ := strings.Cut(rest, "\n## ")
	for _, version := range []string{"v" + title, "v" + title + "-rc.1", "v99.0.0"} {
		if title == "Next version" && version != "v99.0.0" {
			continue
		}
		got, err := exec.Command("bash", filepath.Join(root, ".ci/notes"), version).Output()
		if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(want) {
			t.Errorf("notes of %s: %v\n%s", version, err, got)
		}
	}
}

// Each module of the program must have a licence that a release can carry.
func TestLicences(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	unraced(t)
	out := t.TempDir()
	if text, err := exec.Command("bash", filepath.Join(root, ".ci/licenses"), out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, path := range []string{"go/LICENSE", "github.com/redis/go-redis/v9/LICENSE", "golang.org/x/sys/LICENSE"} {
		if _, err := os.Stat(filepath.Join(out, path)); err != nil {
			t.Error(err)
		}
	}
}

// Each way to run the bot must give it the memory that one-machine.md advises. Compose must pass all of .env.
func TestLimitsOfDeployments(t *testing.T) {
	t.Parallel()
	const unit, page = "cmd/sedmabot/deploy/sedmabot.service", "cmd/sedmabot/deploy/one-machine.md"
	for path, want := range map[string]string{unit: "\nMemoryMax=256M\n", page: "a limit of 256 MB"} {
		if text, err := os.ReadFile(filepath.Join(root, path)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: %v", path, want, err)
		}
	}
	chart := decoded[struct {
		Resources struct{ Limits struct{ Memory string } }
	}](t, "cmd/sedmabot/deploy/helm/values.yaml")
	if got := chart.Resources.Limits.Memory; got != "256Mi" {
		t.Errorf("the chart's limit is %s", got)
	}
	compose := decoded[struct {
		Services map[string]struct {
			Memory string `yaml:"mem_limit"`
			Files  []struct {
				Path     string
				Required bool
			} `yaml:"env_file"`
		}
	}](t, "compose.yaml")
	for _, name := range []string{"bot-file", "bot", "bot-webhook"} {
		if s := compose.Services[name]; s.Memory != "${SEDMABOT_MEMORY:-256m}" || len(s.Files) != 1 || s.Files[0].Path != ".env" || s.Files[0].Required {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
