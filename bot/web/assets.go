package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
)

//go:embed page
var files embed.FS

// assets are the page's files. Their address has a hash of all of them, so a browser may keep them for good.
type assets struct {
	hash    string
	index   []byte
	files   map[string][]byte
	modules []module
}

// script is the file that has all modules of the page, so that a browser asks once for them. The file of a module leads to it.
const script = "sedma.js"

// module is a module of the page's scripts, without ".js", and how many lines of script stand before its first one.
type module struct {
	name   string
	before int
}

// These are what a module may write: comments, which readers of the page needn't load, and on a line of their own what it takes from
// other modules and gives to them.
var (
	comments = regexp.MustCompile(`(?m)^[ \t]*(//.*|/\*(?:[^*]|\*+[^*/])*\*+/)$`)
	imports  = regexp.MustCompile(`(?m)^import (\{(?: \w+,)* \w+ \}) from "\./([a-z]+)\.js";$`)
	exports  = regexp.MustCompile(`(?m)^export ((?:async )?(?:const|function|class) (\w+))`)
)

// loaded returns the files of the page. It reads them once.
var loaded = sync.OnceValues(loadAssets)

// loadAssets reads the files of the page.
func loadAssets() (assets, error) {
	a := assets{files: map[string][]byte{}}
	sum := sha256.New()
	err := fs.WalkDir(files, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		if name = strings.TrimPrefix(name, "page/"); name == "index.html" {
			a.index = data
			return nil
		}
		a.files[name] = data
		return nil
	})
	if err != nil {
		return a, err
	}
	a.join("page")
	all := ""
	for _, m := range a.modules {
		all += "$" + m.name + " as " + m.name + ", "
	}
	a.files[script] = fmt.Appendf(a.files[script], "export { %s };\n", strings.TrimSuffix(all, ", "))
	fmt.Fprintf(sum, "%s\n", a.files[script]) // it depends on this program, too
	a.hash = hex.EncodeToString(sum.Sum(nil)[:6])
	a.index = bytes.ReplaceAll(a.index, []byte("{{assets}}"), []byte("a/"+a.hash))
	return a, nil
}

// join adds a module to the script, after those from which it takes something. There it is a function that returns what the module
// gives to others, so the rest stays its own. No line is added before the module's last one, so that an error still has its place.
func (a *assets) join(name string) {
	if slices.ContainsFunc(a.modules, func(m module) bool { return m.name == name }) {
		return
	}
	source := a.files[name+".js"]
	for _, m := range imports.FindAllSubmatch(source, -1) {
		a.join(string(m[2]))
	}
	a.modules = append(a.modules, module{name, bytes.Count(a.files[script], []byte("\n"))})
	given := []string{}
	for _, m := range exports.FindAllSubmatch(source, -1) {
		given = append(given, string(m[2]))
	}
	source = comments.ReplaceAllFunc(source, func(c []byte) []byte { return bytes.Repeat([]byte("\n"), bytes.Count(c, []byte("\n"))) })
	source = imports.ReplaceAll(source, []byte("const $1 = $$$2;"))
	source = exports.ReplaceAll(source, []byte("$1"))
	names := strings.Join(given, ", ")
	a.files[script] = fmt.Appendf(a.files[script], "const $%s = (() => {%sreturn { %s };})();\n", name, source, names)
	a.files[name+".js"] = fmt.Appendf(nil, "import { %s as all } from \"./%s\";\nexport const { %s } = all;\n", name, script, names)
}

// place returns the line of a module that is at a line of the script.
func (a *assets) place(line int) (name string, at int) {
	for _, m := range a.modules {
		if m.before < line {
			name, at = m.name, line-m.before
		}
	}
	return name, at
}

// kindOf returns the media type of a file.
func kindOf(name string) string {
	switch path.Ext(name) { // the machine's own list of types may differ
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// page serves the page. It names the drawings of the cards that a reader with the browser's language will probably see, so
// that they are loaded at once, and has a sentence in that language for a browser that refuses its scripts.
func (s *Site) page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	c := lang.For(spoken(r))
	cards := face.SpriteOf(face.For("", c.Code(), game.German32), game.German32).Name
	_, _ = strings.NewReplacer("{{cards}}", cards, "{{stuck}}", html.EscapeString(c.Text("web.stuck"))).WriteString(w, string(s.assets.index))
}

// asset serves a file of the page. A file of another version of the page is not found.
func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, ok := s.assets.files[name]
	if !ok || r.PathValue("hash") != s.assets.hash {
		http.NotFound(w, r)
		return
	}
	forGood(w, kindOf(name))
	s.pack(w, r, name, data)
}

// cards serves the drawings of the cards in one face. Their name has a hash of them.
func (s *Site) cards(w http.ResponseWriter, r *http.Request) {
	sprite, ok := face.SpriteNamed(r.PathValue("name"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	forGood(w, kindOf(".svg"))
	s.pack(w, r, sprite.Name, sprite.SVG)
}

// forGood says that what follows never changes.
func forGood(w http.ResponseWriter, kind string) {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", kind)
}

// takesGzip matches an Accept-Encoding with gzip in it.
var takesGzip = regexp.MustCompile(`(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))`)

// pack sends data, with gzip if the browser takes it. Data with a name is always the same, so it is compressed once. It holds no
// secret.
func (s *Site) pack(w http.ResponseWriter, r *http.Request, name string, data []byte) {
	w.Header().Set("Vary", "Accept-Encoding")
	if takesGzip.MatchString(r.Header.Get("Accept-Encoding")) {
		w.Header().Set("Content-Encoding", "gzip")
		packed, _ := s.packed.LoadOrStore(name, sync.OnceValue(func() []byte { return gzipped(data) }))
		data = packed.(func() []byte)()
	}
	_, _ = w.Write(data)
}

// gzipped returns data with gzip.
func gzipped(data []byte) []byte {
	var out bytes.Buffer
	to, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = to.Write(data) // a buffer takes everything
	_ = to.Close()
	return out.Bytes()
}
