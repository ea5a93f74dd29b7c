package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A source is the strings of some Go files, except of tests.
type source struct {
	all  []string // every string
	keys []string // strings that must be keys of texts
}

// read adds the strings of one Go file. A string is a key if it has the form of one and begins like a text's key, or if
// it has a dot and is the argument of a function that looks up a text. lookUps has the index of the key among that
// function's arguments, by the function's name.
func (s *source) read(file *ast.File, lookUps map[string]int, begins map[string]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, ok := stringOf(n); ok {
				s.all = append(s.all, text)
				if begin, _, _ := strings.Cut(text, "."); begins[begin] && keyForm.MatchString(text) {
					s.keys = append(s.keys, text)
				}
			}
		case *ast.CallExpr:
			at, ok := lookUps[calledName(n)]
			if !ok || at >= len(n.Args) {
				return true
			}
			if text, ok := stringOf(n.Args[at]); ok && strings.Contains(text, ".") {
				s.keys = append(s.keys, text)
			}
		}
		return true
	})
}

// keyForm matches a whole key. A string that ends with a dot is only the beginning of one.
var keyForm = regexp.MustCompile(`^[a-z0-9_]+(\.[a-z0-9_]+)+$`)

// stringOf returns the value of a string literal.
func stringOf(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// calledName returns the name of the function or method that is called, without its package or receiver.
func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// goFiles parses the Go files below a folder, except tests.
func goFiles(t *testing.T, folder string) (files []*ast.File) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil { // else the file is being edited; the compiler reports the error
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// lookUpsIn returns the functions and methods that look up a text: they have a parameter key, and arguments for the text
// after it.
func lookUpsIn(files []*ast.File) map[string]int {
	out := map[string]int{}
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			at := 0
			for _, field := range f.Type.Params.List {
				for _, name := range field.Names {
					if _, variadic := f.Type.Params.List[len(f.Type.Params.List)-1].Type.(*ast.Ellipsis); variadic && name.Name == "key" {
						out[f.Name.Name] = at
					}
					at++
				}
			}
		}
	}
	return out
}

// begins returns the first words of all keys.
func begins(texts map[string]text) map[string]bool {
	out := map[string]bool{}
	for key := range texts {
		begin, _, _ := strings.Cut(key, ".")
		out[begin] = true
	}
	return out
}

func TestEveryKeyInTheCodeHasAText(t *testing.T) {
	t.Parallel()
	en := catalogues[0]
	files := goFiles(t, "..")
	lookUps := lookUpsIn(files)
	for _, name := range []string{"Text", "Parts", "Say", "Spans", "NewRefusal"} {
		if _, ok := lookUps[name]; !ok {
			t.Errorf("no function %s takes a key: the test looks for the wrong names", name)
		}
	}
	var code source
	for _, file := range files {
		code.read(file, lookUps, begins(en.texts()))
	}
	seen := map[string]bool{}
	for _, key := range code.keys {
		seen[key] = true
		if !en.Has(key) && !en.Has("page."+key) { // the playground's page asks for its own texts without that word
			t.Errorf("no text for %q", key)
		}
	}
	if texts := len(en.texts()); len(seen) < texts/3 {
		t.Errorf("only %d of %d texts were found in the code: the test looks in the wrong place", len(seen), texts)
	}
}

// TestAMissingTextIsFound checks the test above: each of these calls asks for a text that doesn't exist.
func TestAMissingTextIsFound(t *testing.T) {
	t.Parallel()
	lookUps := lookUpsIn(goFiles(t, ".."))
	for call, want := range map[string][]string{
		`w.Say(screen.Plain, "nowhere.at_all", "n", 1)`: {"nowhere.at_all"},
		`w.Spans("nowhere.at_all")`:                     {"nowhere.at_all"},
		`c.Text("nowhere.at_all")`:                      {"nowhere.at_all"},
		`chat.NewRefusal("nowhere.at_all", "n", 1)`:     {"nowhere.at_all"},
		`room.reply(in, "button.nothing")`:              {"button.nothing"},
		`key := "board.nothing"`:                        {"board.nothing"},
		`key := "board." + kind`:                        nil,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+call+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		var code source
		code.read(file, lookUps, begins(catalogues[0].texts()))
		if slices.Sort(code.keys); !slices.Equal(slices.Compact(code.keys), want) {
			t.Errorf("%s: found %q, not %q", call, code.keys, want)
		}
	}
}

// TestNoTextIsUnused checks that the code uses every text. If the code builds a key
// from parts, its first part counts as a use of all matching texts.
func TestNoTextIsUnused(t *testing.T) {
	t.Parallel()
	var code source
	for _, file := range goFiles(t, "../..") {
		code.read(file, nil, nil)
	}
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
		used := slices.ContainsFunc(code.all, func(s string) bool {
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
