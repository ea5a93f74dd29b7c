package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot"
)

// document is a text in Markdown that people read.
type document struct {
	path string // from the root
	text string
}

// documents returns all of them, but those that tests compare with.
func documents(t *testing.T) []document {
	t.Helper()
	var all []document
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "data", "testdata", "dist", "node_modules"}, d.Name()) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		all = append(all, document{name, string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d documents were found", len(all))
	}
	return all
}

// The README is short enough that people read it to the end, and its lines fit a terminal.
func TestTheREADMEIsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) > 220 {
		t.Errorf("the README has %d lines: move some to the page of a package", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > 120 {
			t.Errorf("README.md:%d has %d characters", i+1, n)
		}
	}
}

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	mdBlock   = regexp.MustCompile(`(?m)^    +\S.*$`)
	mdSpan    = regexp.MustCompile("`([^`\n]+)`")
	notSlug   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchor returns the anchor that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

// code returns what a document shows as code: the lines of its blocks, and its spans.
func (d document) code() (lines, spans []string) {
	for _, line := range mdBlock.FindAllString(d.text, -1) {
		lines = append(lines, strings.TrimSpace(line))
	}
	for _, span := range mdSpan.FindAllStringSubmatch(d.text, -1) {
		spans = append(spans, span[1])
	}
	return lines, spans
}

// Each link within the project leads to a file, and to a heading in it.
func TestLinksOfDocuments(t *testing.T) {
	t.Parallel()
	for _, d := range documents(t) {
		for _, link := range mdLink.FindAllStringSubmatch(d.text, -1) {
			if strings.Contains(link[1], "://") || strings.HasPrefix(link[1], "mailto:") {
				continue
			}
			path, heading, _ := strings.Cut(link[1], "#")
			target := d.path
			if path != "" {
				target = filepath.Join(filepath.Dir(d.path), path)
			}
			text, err := os.ReadFile(filepath.Join(root, target))
			if info, statErr := os.Stat(filepath.Join(root, target)); statErr != nil || strings.HasPrefix(target, "..") {
				t.Errorf("%s: %s leads to no file", d.path, link[0])
				continue
			} else if heading == "" || info.IsDir() {
				continue
			}
			found := err == nil && slices.ContainsFunc(mdHeading.FindAllStringSubmatch(string(text), -1), func(h []string) bool { return anchor(h[1]) == heading })
			if !found {
				t.Errorf("%s: %s leads to no heading of %s", d.path, link[0], target)
			}
		}
	}
}

// subcommands returns the program's commands, by their first word.
func subcommands() map[string]bool {
	all := map[string]bool{}
	for _, c := range commands() {
		word, _, _ := strings.Cut(c.name, " ")
		all[word] = true
	}
	return all
}

// The program knows each command that a document tells people to run, and the tools find what they are given.
func TestCommandsOfDocuments(t *testing.T) {
	t.Parallel()
	known := subcommands()
	if !known["backup"] || !known["version"] {
		t.Fatalf("the usage lists %v", known)
	}
	run := regexp.MustCompile(`(?:^(?:sudo |SEDMABOT_\S+ )*|/)sedmabot(?:-older)? +([a-z]\S*)`)
	local := regexp.MustCompile(`(?:^| )(\./[A-Za-z0-9_/.-]+|\.ci/[a-z]+)`)
	for _, d := range documents(t) {
		lines, spans := d.code()
		for _, line := range slices.Concat(lines, spans) {
			words, _, _ := strings.Cut(line, "    ") // the rest is a remark
			tool := strings.HasPrefix(words, "go ") || strings.HasPrefix(words, "bash ")
			for _, m := range run.FindAllStringSubmatch(words, -1) {
				if !known[m[1]] {
					t.Errorf("%s: %q: the program has no command %q", d.path, line, m[1])
				}
			}
			for _, m := range local.FindAllStringSubmatch(words, -1) {
				path := strings.TrimSuffix(m[1], "/...")
				if _, err := os.Stat(filepath.Join(root, path)); tool && err != nil {
					t.Errorf("%s: %q: there is no %s", d.path, line, path)
				}
			}
		}
	}
}

// Each command that a document tells people to write in a chat exists: on Discord after "/sedma", on Telegram alone.
func TestChatCommandsOfDocuments(t *testing.T) {
	t.Parallel()
	discord, telegram := map[string]bool{}, map[string]bool{"newbot": true, "newapp": true} // BotFather's
	for _, c := range bot.Commands() {
		discord[c.Name], telegram[cmp.Or(c.Other, c.Name)] = true, true
	}
	paths := []string{"interactions", "telegram", "livez", "readyz", "metrics", "data"} // of http.listen and monitor.listen, and a volume
	command := regexp.MustCompile(`^/(sedma )?([a-z]+)( |$)`)
	for _, d := range documents(t) {
		_, spans := d.code()
		for _, span := range spans {
			m := command.FindStringSubmatch(span)
			if m == nil || slices.Contains(paths, m[2]) {
				continue
			}
			if known := m[1] != "" && discord[m[2]] || m[1] == "" && telegram[m[2]]; !known {
				t.Errorf("%s: the bot doesn't know %q", d.path, span)
			}
		}
	}
}

// Each variable that documents and deployment files name is a key of the configuration, or known to compose or the tests.
func TestVariablesOfDocuments(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, key := range keys(new(Config).settings()) {
		known[variableOf(key)] = true
	}
	others := regexp.MustCompile(`^SEDMABOT_(TEST_[A-Z]+|IMAGE|MEMORY|REDIS_IMAGE|DOMAIN|UPSTREAM)$`)
	all := documents(t)
	for _, path := range []string{"Dockerfile", "compose.yaml", "cmd/sedmabot/deploy/sedmabot.service", "cmd/sedmabot/deploy/Caddyfile", "cmd/sedmabot/deploy/helm/templates/deployment.yaml"} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, document{path, string(text)})
	}
	for _, d := range all {
		for _, name := range regexp.MustCompile(`SEDMABOT_[A-Z_]+`).FindAllString(d.text, -1) {
			if !known[name] && !others.MatchString(name) {
				t.Errorf("%s: nothing reads %s", d.path, name)
			}
		}
	}
}

// workflows returns the workflows by file name.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(text)
	}
	return out
}

// Each action of a workflow is pinned by its commit, with its release beside it for dependabot and people.
func TestActionsArePinned(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`^(\./\S+|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`)
	for file, text := range workflows(t) {
		for _, uses := range regexp.MustCompile(`(?m)^ +(?:- )?uses: (.*)$`).FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(uses[1]) {
				t.Errorf("%s: %s is not pinned", file, uses[1])
			}
		}
	}
}

// Releases and checks use the newest Go of the version in go.mod: the version there is the oldest that will do, so taken as
// it is, it would leave out all later repairs. Each job has a time limit.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	minor := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))
	for file, text := range workflows(t) {
		setups := strings.Count(text, "uses: actions/setup-go@")
		if newest := strings.Count(text, "go-version: "+minor[1]+".x\n"); newest != setups || strings.Contains(text, "go-version-file") {
			t.Errorf("%s: %d of %d times it asks for the newest Go %s", file, newest, setups, minor[1])
		}
		for _, image := range regexp.MustCompile(`container: golang:(\S+)`).FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(image[1], minor[1]+"-") {
				t.Errorf("%s: golang:%s isn't the newest Go %s", file, image[1], minor[1])
			}
		}
		if jobs, limits := strings.Count(text, "\n    runs-on: "), strings.Count(text, "\n    timeout-minutes: "); jobs != limits {
			t.Errorf("%s: %d of %d jobs have a time limit", file, limits, jobs)
		}
	}
}
