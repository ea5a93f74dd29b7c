package view

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// literals are the strings in the project's Go files below a folder, tests
// apart, and the keys with a point in them in calls that look up a text.
func literals(t *testing.T, folder string) (all, keys []string) {
	t.Helper()
	lookUps := map[string]int{"Text": 0, "Parts": 0, "spans": 0, "say": 1, "text": 1} // where their key stands
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, 0)
		if err != nil {
			return nil // somebody is writing it; the compiler will tell
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					all = append(all, s)
				}
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				at, ok := lookUps[f.Sel.Name]
				if !ok || at >= len(n.Args) {
					return true
				}
				if lit, ok := n.Args[at].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if s, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(s, ".") {
						keys = append(keys, s)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, keys
}

func TestEveryKeyInTheCodeHasAText(t *testing.T) {
	t.Parallel()
	en := lang.For("en")
	_, keys := literals(t, "..")
	if len(keys) < 50 {
		t.Fatalf("only %d keys were found: the test looks in the wrong place", len(keys))
	}
	for _, key := range keys {
		if !en.Has(key) {
			t.Errorf("no text for %q", key)
		}
	}
}

// TestNoTextIsUnused: a text that no code can ask for is left over. A key that
// is put together counts by its beginning.
func TestNoTextIsUnused(t *testing.T) {
	t.Parallel()
	all, _ := literals(t, "../..")
	page, err := filepath.Glob("../playground/page/*")
	if err != nil {
		t.Fatal(err)
	}
	var scripts strings.Builder
	for _, name := range page {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(data)
	}
	for _, key := range lang.For("en").Keys() {
		used := slices.ContainsFunc(all, func(s string) bool {
			begin, _, formatted := strings.Cut(s, "%")
			return s == key || (formatted || strings.HasSuffix(s, ".")) && strings.Contains(begin, ".") && strings.HasPrefix(key, begin)
		})
		if rest, ok := strings.CutPrefix(key, "page."); ok {
			used = used || strings.Contains(scripts.String(), rest)
		}
		if !used {
			t.Errorf("nothing says %q", key)
		}
	}
}

func TestEveryRefusalHasAText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../game/table/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of game/table: %v", err)
	}
	var refusals []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if id, is := ast.Unparen(typeOf(spec)).(*ast.Ident); ok && is && id.Name == "Refusal" {
				for _, v := range spec.Values {
					if s, err := strconv.Unquote(v.(*ast.BasicLit).Value); err == nil {
						refusals = append(refusals, s)
					}
				}
			}
			return true
		})
	}
	if len(refusals) < 10 {
		t.Fatalf("only %d refusals were found", len(refusals))
	}
	trouble := map[string]bool{}
	for _, language := range lang.Languages() {
		c := lang.For(language)
		trouble[c.Text("reply.trouble")] = true
		for _, r := range refusals {
			if said := Refusal(fmt.Errorf("join: %w", table.Refusal(r)), c); trouble[said] || said == "" {
				t.Errorf("%s: no text for the refusal %s", language, r)
			}
		}
		for rule := range ruleKeys {
			if said := Refusal(fmt.Errorf("play: %w", rule), c); trouble[said] || said == "" {
				t.Errorf("%s: no text for the violation %q", language, rule)
			}
		}
		for _, err := range []error{errors.New("disk on fire"), game.Rule("made up"), table.Refusal("made_up")} {
			if said := Refusal(err, c); said != c.Text("reply.trouble") {
				t.Errorf("%s: an unknown error says %q", language, said)
			}
		}
	}
}

func typeOf(spec *ast.ValueSpec) ast.Expr {
	if spec == nil || spec.Type == nil {
		return &ast.BadExpr{}
	}
	return spec.Type
}

// TestEveryViolationIsKnown: the engine's violations are all among ruleKeys.
func TestEveryViolationIsKnown(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../game/move.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if id, is := typeOf(spec).(*ast.Ident); ok && is && id.Name == "Rule" {
			s, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if _, known := ruleKeys[game.Rule(s)]; err != nil || !known {
				t.Errorf("no text for the violation %q", s)
			}
			found++
		}
		return true
	})
	if found != len(ruleKeys) {
		t.Errorf("the engine has %d violations, and %d have texts", found, len(ruleKeys))
	}
}
