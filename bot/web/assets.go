package web

import (
	"bytes"
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
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
)

//go:embed page
var files embed.FS

// assets are the page's files. Their address has a hash of all of them, so a browser may keep them for good.
type assets struct {
	hash  string
	index []byte
	files map[string][]byte
}

// comments are those lines of a script that readers of the page needn't load. The lines stay, so that an error names its place.
var comments = regexp.MustCompile(`(?m)^[ \t]*//.*$`)

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
		if path.Ext(name) == ".js" {
			data = comments.ReplaceAll(data, nil)
		}
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
	a.hash = hex.EncodeToString(sum.Sum(nil)[:6])
	a.index = bytes.ReplaceAll(a.index, []byte("{{assets}}"), []byte("a/"+a.hash))
	return a, nil
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
	forGood(w, kindOf(name), data)
}

// cards serves the drawings of the cards in one face. Their name has a hash of them.
func (s *Site) cards(w http.ResponseWriter, r *http.Request) {
	sprite, ok := face.SpriteNamed(r.PathValue("name"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	forGood(w, kindOf(".svg"), sprite.SVG)
}

// forGood sends what never changes.
func forGood(w http.ResponseWriter, kind string, data []byte) {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data)
}
