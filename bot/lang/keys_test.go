package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// literals returns all strings in the Go files below a folder, except in tests. keys
// are the string arguments with a dot in calls that look up a text.
func literals(t *testing.T, folder string) (all, keys []string) {
	t.Helper()
	lookUps := map[string]int{"Text": 0, "Parts": 0, "spans": 0, "say": 1, "text": 1} // index of the key argument, by function
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
			return nil // the file is being edited; the compiler reports the error
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
	en := catalogues[0]
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

// TestNoTextIsUnused checks that the code uses every text. If the code builds a key
// from parts, its first part counts as a use of all matching texts.
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
	for _, key := range slices.Sorted(maps.Keys(catalogues[0].texts())) {
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
