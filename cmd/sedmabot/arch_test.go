package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// ground are the packages that a room of the bot may import.
var ground = []string{"bot/cache", "bot/chat", "bot/doc", "bot/work", "bot/league", "bot/tables", "bot/deliver", "bot/screen", "bot/view", "bot/view/rules", "bot/lang", "bot/face", "game", "game/...", "store"}

// arrows lists which of our packages a package may import, not counting its tests. A name that ends in "/..." means all
// packages below it. A package without a row is refused, so a new package needs a reason and a row.
var arrows = map[string][]string{
	"game":       nil,
	"store":      nil,
	"bot/lang":   nil,
	"bot/budget": nil,
	"bot/cache":  nil,

	"game/table":      {"game"},
	"game/ai":         {"game"},
	"game/rating":     {},
	"game/record":     {"game"},
	"game/tournament": {},
	"game/gametest":   {"game"},
	"game/ai/arena":   {"game", "game/ai"},
	"game/puzzle":     {"game", "game/ai"},
	"bot/face":        {"bot/cache", "game"},

	"store/redisstore": {"store"},
	"store/boltstore":  {"store"},
	"store/storetest":  {"store"},
	"store/redistest":  nil,

	"bot/screen":     {"bot/lang", "bot/face", "game"},
	"bot/view/rules": {"bot/screen", "bot/lang", "bot/face", "game"},
	"bot/view":       {"bot/view/rules", "bot/screen", "bot/lang", "bot/face", "game/ai", "game/table", "game"},

	// The base packages of the bot. Each may use those before it.
	"bot/call":    nil,
	"bot/chat":    {"bot/screen", "bot/lang", "game", "game/table"},
	"bot/observe": {"bot/chat", "store"},
	"bot/doc":     {"bot/cache", "bot/observe", "bot/chat", "bot/screen", "bot/lang", "game", "game/...", "store"},
	"bot/work":    {"bot/budget", "bot/cache", "bot/observe", "bot/chat", "bot/doc", "game", "game/...", "store"},
	"bot/league":  {"bot/doc", "game", "game/...", "store"},
	"bot/tables":  {"bot/cache", "bot/chat", "bot/screen", "bot/view", "bot/lang", "bot/doc", "bot/work", "bot/league", "game", "game/...", "store"},
	"bot/deliver": {"bot/cache", "bot/observe", "bot/chat", "bot/doc", "bot/work", "bot/screen", "bot/view", "bot/lang", "game", "game/...", "store"},

	// The figures of what is observed.
	"bot/observe/metrics": {"bot/observe", "bot/doc", "store"},

	// The rooms use the base packages, and no room knows another.
	"bot/play":   ground,
	"bot/boards": ground,
	"bot/people": ground,
	"bot/upkeep": ground,
	"bot/pages":  ground,

	// The rooms that a match can do without, too.
	"bot/club/daily":       ground,
	"bot/club/marks":       ground,
	"bot/club/meet":        ground,
	"bot/club/puzzle":      ground,
	"bot/club/review":      ground,
	"bot/club/tournaments": ground,

	// The bot itself, which joins the rooms. Only features.go joins the club: see TestOneFileJoinsTheClub.
	"bot": append([]string{"bot/observe", "bot/play", "bot/club/...", "bot/boards", "bot/people", "bot/upkeep", "bot/pages"}, ground...),

	// An adapter knows the contract in bot/chat and small helpers, but no other part of the bot.
	"bot/discord":    {"bot/budget", "bot/discord/gateway", "bot/discord/message", "bot/discord/verdict", "bot/cache", "bot/chat", "bot/screen", "bot/lang", "bot/face"},
	"bot/telegram":   {"bot/telegram/rates", "bot/budget", "bot/cache", "bot/chat", "bot/screen", "bot/lang", "bot/face"},
	"bot/playground": {"bot/cache", "bot/chat", "bot/screen", "bot/view", "bot/lang", "bot/face"},
	"bot/web":        {"bot/cache", "bot/chat", "bot/screen", "bot/view", "bot/lang", "bot/face", "game"},
	"bot/bottest":    {"bot/clocktest", "bot", "bot/boards", "bot/people", "bot/view/rules", "bot/club/review", "bot/club/puzzle", "bot/club/daily", "bot/club/tournaments", "bot/chat", "bot/work", "bot/upkeep", "bot/screen", "bot/view", "bot/lang", "bot/playground", "game", "game/table", "game/record", "store", "store/storetest"},

	// The logins by which platforms' apps open the tables' pages.
	"bot/discord/activity": {"bot/discord/message", "bot/discord/verdict", "bot/cache", "bot/chat", "bot/face", "bot/screen"},
	"bot/telegram/miniapp": {"bot/chat", "bot/screen"},

	// Telegram's rate limits.
	"bot/telegram/rates": {"bot/budget", "bot/cache"},

	// A connection to Discord's gateway, Discord's refusals, and the messages that show screens there.
	"bot/discord/gateway": {"bot/chat"},
	"bot/discord/verdict": nil,
	"bot/discord/message": {"bot/chat", "bot/screen", "bot/face", "game"},

	// Fake platforms for the adapters' tests. They know the platform, but not the bot.
	"bot/discord/discordtest":   {"bot/bottest/cable", "bot/clocktest"},
	"bot/telegram/telegramtest": {"bot/bottest/cable"},

	// The network of tests, measuring time in them, and driving a browser.
	"bot/screen/screentest": {"bot/screen", "bot/lang"},
	"bot/bottest/cable":     nil,
	"bot/clocktest":         nil,
	"bot/bottest/browser":   nil,
	"bot/bottest/eyes":      nil,

	// The world of the rooms' own tests.
	"bot/bottest/town": {"bot", "bot/chat", "bot/doc", "bot/league", "bot/screen", "bot/upkeep", "bot/view", "bot/work", "game", "game/ai", "game/table", "store", "store/storetest"},

	"cmd/sedmabot": {"game/...", "store/...", "bot/...", "game", "store", "bot"},
}

// refused lists the packages outside the module that a package must not import directly. "" means everything outside
// the standard library.
var refused = map[string][]string{
	"game":            {"", "time", "math/rand", "math/rand/v2", "net", "os", "context", "log/slog"},
	"store":           {""},
	"game/table":      {"", "math/rand", "net", "os", "context", "log/slog"},
	"game/rating":     {"", "math/rand", "net", "os", "context", "log/slog"},
	"game/tournament": {"", "math/rand", "net", "os", "context", "log/slog"},
	"game/ai":         {"flag", "net", "os", "os/exec"},
	"game/ai/arena":   {"flag", "net", "os", "os/exec"},
	"game/puzzle":     {"flag", "net", "os", "os/exec"},
	"game/record":     {"flag", "net", "os", "os/exec"},
	"bot/chat":        {"net", "net/http"},
	"bot/observe":     {"net", "net/http", "github.com/VictoriaMetrics/metrics"},
	"bot/view":        {"math/rand", "net", "os", "context", "log/slog"},
	"bot/view/rules":  {"math/rand", "net", "os", "context", "log/slog"},
}

// TestScreensReachNoStore checks that no file with a room's screens can reach the store: a screen is built from the values
// that it is given.
func TestScreensReachNoStore(t *testing.T) {
	t.Parallel()
	found, faults := screensAtStores(packages(t))
	reportAll(t, faults)
	if found == 0 {
		t.Error("no file with screens was found")
	}
}

// reportAll reports each fault as an error.
func reportAll(t *testing.T, faults []string) {
	t.Helper()
	for _, fault := range faults {
		t.Error(fault)
	}
}

// screensAtStores returns how many files have a room's screens, and the faults of those that reach the store.
func screensAtStores(all []sourced) (found int, faults []string) {
	for _, p := range all {
		for _, f := range p.files {
			file := p.set.Position(f.Pos()).Filename
			if !strings.HasSuffix(file, "screen.go") || !strings.HasPrefix(p.path, "bot/") {
				continue
			}
			found++
			for _, path := range f.Imports {
				switch strings.Trim(path.Path.Value, `"`) {
				case "context", module + "store", module + "bot/doc", module + "bot/tables", module + "bot/work", module + "bot/deliver":
					faults = append(faults, fmt.Sprintf("%s imports %s", file, path.Path.Value))
				}
			}
		}
	}
	return found, faults
}

// TestOneFileJoinsTheClub checks that the rest of the bot knows nothing of the club: besides the file that joins its rooms,
// only the program's own commands may import them, and what draws all screens for tests.
func TestOneFileJoinsTheClub(t *testing.T) {
	t.Parallel()
	reportAll(t, knowingTheClub(packages(t)))
}

// knowingTheClub returns the faults of files that import a room of the club and may not.
func knowingTheClub(all []sourced) (faults []string) {
	for _, p := range all {
		if p.path == "cmd/sedmabot" || strings.HasPrefix(p.path, "bot/bottest") {
			continue
		}
		for _, f := range p.files {
			file := p.set.Position(f.Pos()).Filename
			for _, path := range f.Imports {
				if strings.HasPrefix(path.Path.Value, `"`+module+"bot/club/") && (p.path != "bot" || filepath.Base(file) != "features.go") {
					faults = append(faults, fmt.Sprintf("%s imports %s", file, path.Path.Value))
				}
			}
		}
	}
	return faults
}

// topLevel lists what the top folder of the project may contain, besides dot-files.
var topLevel = []string{
	"cmd", "game", "store", "bot", "deploy",
	"go.mod", "go.sum", "config.example.yaml", "Dockerfile", "compose.yaml",
	"README.md", "LICENSE", "PRIVACY.md", "TERMS.md",
}

const module, root = "sedmabot/", "../.."

// sourced is one of our packages, without its tests.
type sourced struct {
	path    string // import path without the module
	name    string
	imports []string
	set     *token.FileSet
	files   []*ast.File // those that are built on this system
}

// packages returns all packages. They are read once for all tests, which only look at them.
func packages(t *testing.T) []sourced {
	t.Helper()
	all, err := readPackages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readPackages = sync.OnceValues(func() ([]sourced, error) {
	list := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Name,Imports,GoFiles", "./...")
	list.Dir = root
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var all []sourced
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir, Name string
			Imports, GoFiles      []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		one := sourced{path: strings.TrimPrefix(p.ImportPath, module), name: p.Name, imports: p.Imports, set: token.NewFileSet()}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(one.set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			one.files = append(one.files, f)
		}
		all = append(all, one)
	}
	if len(all) < 10 {
		return nil, fmt.Errorf("go list found only %d packages", len(all))
	}
	return all, nil
})

func TestArrows(t *testing.T) {
	t.Parallel()
	reportAll(t, wrongArrows(packages(t)))
}

// wrongArrows returns the imports that arrows and refused don't allow.
func wrongArrows(all []sourced) (faults []string) {
	for _, p := range all {
		row, ok := arrows[p.path]
		if !ok {
			faults = append(faults, fmt.Sprintf("package %s has no row in arrows", p.path))
			continue
		}
		for _, path := range p.imports {
			if to, ours := strings.CutPrefix(path, module); ours {
				if !slices.ContainsFunc(row, func(may string) bool { return allows(may, to) }) {
					faults = append(faults, fmt.Sprintf("%s imports %s, its row allows %v", p.path, to, row))
				}
				continue
			}
			first, _, _ := strings.Cut(path, "/")
			foreign := strings.Contains(first, ".")
			if slices.ContainsFunc(refused[p.path], func(no string) bool { return no == path || no == "" && foreign }) {
				faults = append(faults, fmt.Sprintf("%s imports %s", p.path, path))
			}
		}
		if p.path == "bot" || len(row) > 0 && &row[0] == &ground[0] { // the rooms share a row
			continue
		}
		for _, may := range row {
			if !slices.ContainsFunc(p.imports, func(path string) bool { return allows(may, strings.TrimPrefix(path, module)) }) {
				faults = append(faults, fmt.Sprintf("%s imports no %s, but its row allows it", p.path, may))
			}
		}
	}
	return faults
}

func allows(may, to string) bool {
	if below, all := strings.CutSuffix(may, "/..."); all {
		return strings.HasPrefix(to, below+"/")
	}
	return may == to
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a clone: nothing tells which files belong to the project")
	}
	tracked := exec.CommandContext(t.Context(), "git", "ls-files", "-z")
	tracked.Dir = root
	out, err := tracked.Output()
	if err != nil {
		t.Fatal(err)
	}
	reportAll(t, misplaced(strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")))
}

// misplaced returns the faults of files whose first folder, or whose name, topLevel lacks.
func misplaced(files []string) (faults []string) {
	for _, file := range files {
		first, _, _ := strings.Cut(filepath.ToSlash(file), "/")
		if !strings.HasPrefix(first, ".") && !slices.Contains(topLevel, first) {
			faults = append(faults, first+" does not belong at the top level")
		}
	}
	return faults
}

// No package may have an init function or change its variables. Otherwise a test, or a second bot in the same process,
// could break.
func TestNoPackageState(t *testing.T) {
	t.Parallel()
	unraced(t)
	reportAll(t, packageState(packages(t)))
}

// packageState returns the faults of init functions and of package variables that are changed, or have no value.
func packageState(all []sourced) (faults []string) {
	for _, p := range all {
		if p.path == "bot/bottest/browser" {
			continue // a process for tests has one browser, which its tests share
		}
		vars := map[string]bool{}
		for _, f := range p.files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.Name == "init" && d.Recv == nil {
						faults = append(faults, fmt.Sprintf("%s: func init", p.set.Position(d.Pos())))
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						v, ok := s.(*ast.ValueSpec)
						if !ok || d.Tok != token.VAR {
							continue
						}
						embedded := directive(d.Doc) || directive(v.Doc)
						for _, n := range v.Names {
							vars[n.Name] = n.Name != "_"
							if len(v.Values) == 0 && !embedded {
								faults = append(faults, fmt.Sprintf("%s: package variable %s without a value: somebody means to change it", p.set.Position(n.Pos()), n.Name))
							}
						}
					}
				}
			}
		}
		for _, f := range p.files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					for _, at := range changed(fn, vars) {
						faults = append(faults, fmt.Sprintf("%s: a package variable is changed", p.set.Position(at)))
					}
				}
			}
		}
	}
	return faults
}

// directive reports whether a comment has a go:embed line.
func directive(c *ast.CommentGroup) bool {
	return c != nil && slices.ContainsFunc(c.List, func(l *ast.Comment) bool { return strings.HasPrefix(l.Text, "//go:embed") })
}

// changed returns where fn assigns to a variable of the package or an element of one, or takes its address. If fn has a
// local variable of the same name, the package's variable counts as hidden in all of fn.
func changed(fn *ast.FuncDecl, vars map[string]bool) []token.Pos {
	local := map[string]bool{}
	var written []*ast.Ident
	write := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.Ident:
				written = append(written, x)
				return
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.ParenExpr:
				e = x.X
			default:
				return
			}
		}
	}
	define := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			local[id.Name] = true
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				local[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				local[id.Name] = true
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if n.Tok == token.DEFINE {
					define(e)
				} else if e != nil {
					write(e)
				}
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok == token.DEFINE {
					define(e)
				} else {
					write(e)
				}
			}
		case *ast.IncDecStmt:
			write(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				write(n.X)
			}
		}
		return true
	})
	var at []token.Pos
	for _, id := range written {
		if vars[id.Name] && !local[id.Name] {
			at = append(at, id.Pos())
		}
	}
	return at
}

// made returns a package of one file.
func made(t *testing.T, path, file, text string) []sourced {
	t.Helper()
	p := sourced{path: path, set: token.NewFileSet()}
	f, err := parser.ParseFile(p.set, file, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p.name, p.files = f.Name.Name, []*ast.File{f}
	for _, i := range f.Imports {
		p.imports = append(p.imports, strings.Trim(i.Path.Value, `"`))
	}
	return []sourced{p}
}

// TestHouseRulesBark puts a fault into a package for each of the checks of this file and of size_test.go. They find it, and
// nothing in a package without it.
func TestHouseRulesBark(t *testing.T) {
	t.Parallel()
	screens := func(all []sourced) []string { _, faults := screensAtStores(all); return faults }
	const clean = "// Package p is one. It has two sentences.\npackage p\n"
	for name, tt := range map[string]struct {
		check            func([]sourced) []string
		path, file, text string
		faults           int
	}{
		"arrows: an allowed import":       {wrongArrows, "game/record", "p.go", clean + `import _ "sedmabot/game"`, 0},
		"arrows: a row that is too wide":  {wrongArrows, "game/record", "p.go", clean, 1},
		"arrows: upwards":                 {wrongArrows, "game", "p.go", clean + `import _ "sedmabot/bot/view"`, 1},
		"arrows: between rooms":           {wrongArrows, "bot/club/daily", "p.go", clean + `import _ "sedmabot/bot/club/puzzle"`, 1},
		"arrows: from the core to a club": {wrongArrows, "bot/play", "p.go", clean + `import _ "sedmabot/bot/club/daily"`, 1},
		"club: joined":                    {knowingTheClub, "bot", "features.go", clean + `import _ "sedmabot/bot/club/daily"`, 0},
		"club: known elsewhere":           {knowingTheClub, "bot", "handle.go", clean + `import _ "sedmabot/bot/club/daily"`, 1},
		"club: known to the ground":       {knowingTheClub, "bot/tables", "p.go", clean + `import _ "sedmabot/bot/club/daily"`, 1},
		"arrows: a package without a row": {wrongArrows, "bot/new", "p.go", clean, 1},
		"arrows: a clock in the rules":    {wrongArrows, "game", "p.go", clean + `import _ "time"`, 1},
		"arrows: a library in the rules":  {wrongArrows, "game", "p.go", clean + `import _ "golang.org/x/text/language"`, 1},
		"screens: none":                   {screens, "bot/club/daily", "screen.go", clean + `import _ "sedmabot/bot/view"`, 0},
		"screens: documents":              {screens, "bot/club/daily", "dailyscreen.go", clean + `import _ "sedmabot/bot/doc"`, 1},
		"screens: a context":              {screens, "bot/club/daily", "screen.go", clean + `import _ "context"`, 1},
		"state: none":                     {packageState, "bot", "p.go", clean + "var table = map[string]int{}\nfunc b() { table := 1; table++ }\nfunc c() int { return table[\"x\"] }", 0},
		"state: an element is changed":    {packageState, "bot", "p.go", clean + "var table = map[string]int{}\nfunc a() { table[\"x\"] = 1 }", 1},
		"state: an address is taken":      {packageState, "bot", "p.go", clean + "var table = map[string]int{}\nfunc a() { p := &table; _ = p }", 1},
		"state: a variable without value": {packageState, "bot", "p.go", clean + "var table map[string]int", 1},
		"state: init":                     {packageState, "bot", "p.go", clean + "func init() {}", 1},
		"size: a short function":          {tooLong, "bot", "p.go", clean + "func f() {" + strings.Repeat("\n", 98) + "}", 0},
		"size: a long function":           {tooLong, "bot", "p.go", clean + "func f() {" + strings.Repeat("\n", maxFunctionLines) + "}", 1},
		"comment: two sentences":          {unexplained, "bot", "p.go", clean, 0},
		"comment: none":                   {unexplained, "bot", "p.go", "package p", 1},
		"comment: one sentence":           {unexplained, "bot", "p.go", "// Package p explains little, e.g. nothing.\npackage p", 1},
		"comment: of another package":     {unexplained, "bot", "p.go", "// Package q is one. It has two sentences.\npackage p", 1},
	} {
		if faults := tt.check(made(t, tt.path, tt.file, tt.text)); len(faults) != tt.faults {
			t.Errorf("%s: %d faults, want %d: %q", name, len(faults), tt.faults, faults)
		}
	}
	if faults := misplaced([]string{"bot/bot.go", ".ci/run", "util/util.go", "NOTES.md"}); len(faults) != 2 {
		t.Errorf("top level: %q", faults)
	}
}
