package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Limits of size, so that one person can keep a part of the program in mind.
const (
	maxFunctionLines = 100
	leastSentences   = 2 // sentences in a package comment
)

// longFunctions lists the functions that may have more lines, with the reason.
var longFunctions map[string]string

// fakes are the packages that only tests import. Their lines don't count.
var fakes = []string{
	"bot/bottest", "bot/bottest/browser", "bot/bottest/clock", "bot/screen/screentest", "bot/discord/discordtest", "bot/telegram/telegramtest", "game/gametest", "store/storetest",
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	unraced(t)
	over := map[string]int{}
	for _, p := range packages(t) {
		if slices.Contains(fakes, p.path) {
			continue
		}
		for _, f := range p.files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				lines := p.set.Position(fn.End()).Line - p.set.Position(fn.Pos()).Line + 1
				if lines > maxFunctionLines {
					over[p.path+"."+fn.Name.Name] = lines
				}
			}
		}
	}
	holdTo(t, over, longFunctions, maxFunctionLines, "lines")
}

// holdTo reports everything that is over a limit without a reason, and every reason that is no longer needed.
func holdTo(t *testing.T, over map[string]int, reasons map[string]string, most int, unit string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(over)) {
		if reasons[name] == "" {
			t.Errorf("%s has %d %s, more than %d", name, over[name], unit, most)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if over[name] == 0 {
			t.Errorf("%s no longer needs to be an exception: it has at most %d %s", name, most, unit)
		}
	}
}

// Every package must have a comment with which a newcomer can start.
func TestPackagesAreExplained(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, p := range packages(t) {
		var comments []string
		for _, f := range p.files {
			if f.Doc != nil {
				comments = append(comments, f.Doc.Text())
			}
		}
		switch {
		case len(comments) != 1:
			t.Errorf("%s has %d package comments, not 1", p.path, len(comments))
		case p.name != "main" && !strings.HasPrefix(comments[0], "Package "+p.name+" "):
			t.Errorf("the comment of %s doesn't begin with %q", p.path, "Package "+p.name)
		case sentences(comments[0]) < leastSentences:
			t.Errorf("the comment of %s has fewer than %d sentences", p.path, leastSentences)
		}
	}
}

// sentences returns how many sentences end with a full stop.
func sentences(text string) (count int) {
	words := strings.Fields(text)
	for i, w := range words {
		next := cmp.Or(strings.Join(words[i+1:min(i+2, len(words))], ""), "A")
		if strings.HasSuffix(strings.TrimRight(w, ")]"), ".") && strings.ToLower(next[:1]) != next[:1] {
			count++
		}
	}
	return count
}

// The checks above must find what is over a limit.
func TestSizesAreMeasured(t *testing.T) {
	t.Parallel()
	const text = `// Package p explains little, e.g. nothing.
package p
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got := sentences(f.Doc.Text()); got != 1 {
		t.Errorf("%d sentences, want 1", got)
	}
}
