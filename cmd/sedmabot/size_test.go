package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// Limits of size, so that one person can keep a part of the program in mind.
const (
	maxFunctionLines = 100
	leastSentences   = 2 // sentences in a package comment
)

// fakes are the packages that only tests import. Their lines don't count.
var fakes = []string{
	"bot/bottest", "bot/bottest/browser", "bot/clocktest", "bot/screen/screentest", "bot/discord/discordtest", "bot/telegram/telegramtest", "game/gametest", "store/storetest",
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	unraced(t)
	reportAll(t, tooLong(packages(t)))
}

// tooLong returns the faults of functions with too many lines.
func tooLong(all []sourced) (faults []string) {
	for _, p := range all {
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
					faults = append(faults, fmt.Sprintf("%s.%s has %d lines, more than %d", p.path, fn.Name.Name, lines, maxFunctionLines))
				}
			}
		}
	}
	return faults
}

// Every package must have a comment with which a newcomer can start.
func TestPackagesAreExplained(t *testing.T) {
	t.Parallel()
	unraced(t)
	reportAll(t, unexplained(packages(t)))
}

// unexplained returns the faults of package comments.
func unexplained(all []sourced) (faults []string) {
	for _, p := range all {
		var comments []string
		for _, f := range p.files {
			if f.Doc != nil {
				comments = append(comments, f.Doc.Text())
			}
		}
		switch {
		case len(comments) != 1:
			faults = append(faults, fmt.Sprintf("%s has %d package comments, not 1", p.path, len(comments)))
		case p.name != "main" && !strings.HasPrefix(comments[0], "Package "+p.name+" "):
			faults = append(faults, fmt.Sprintf("the comment of %s doesn't begin with %q", p.path, "Package "+p.name))
		case sentences(comments[0]) < leastSentences:
			faults = append(faults, fmt.Sprintf("the comment of %s has fewer than %d sentences", p.path, leastSentences))
		}
	}
	return faults
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
