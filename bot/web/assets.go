package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"sedmabot/bot/face"
)

//go:embed page
var files embed.FS

// assets are the page's files, compressed. Their address has a hash of all of them, so a
// browser may keep them for good.
type assets struct {
	hash  string
	index []byte
	files map[string]asset
}

type asset struct {
	kind  string // the media type
	plain []byte
	small []byte // compressed by gzip
}

// loadAssets reads the files of the page.
func loadAssets() (assets, error) {
	a := assets{files: map[string]asset{}}
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
		a.files[name], err = newAsset(name, data)
		return err
	})
	if err != nil {
		return a, err
	}
	a.hash = hex.EncodeToString(sum.Sum(nil)[:6])
	a.index = bytes.ReplaceAll(a.index, []byte("{{assets}}"), []byte("a/"+a.hash))
	return a, nil
}

// newAsset returns the asset of a file.
func newAsset(name string, data []byte) (asset, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return asset{}, err
	}
	if _, err := w.Write(data); err != nil {
		return asset{}, err
	}
	if err := w.Close(); err != nil {
		return asset{}, err
	}
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) { // the machine's own list of types may differ
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".svg":
		kind = "image/svg+xml"
	case ".webmanifest":
		kind = "application/manifest+json"
	}
	return asset{kind: kind, plain: data, small: b.Bytes()}, nil
}

// page serves the page, which is the same for everyone.
func (s *Site) page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(s.assets.index)
}

// asset serves a file of the page. A file of another version of the page is not found.
func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	f, ok := s.assets.files[r.PathValue("name")]
	if !ok || r.PathValue("hash") != s.assets.hash {
		http.NotFound(w, r)
		return
	}
	f.serve(w, r)
}

// cards serves the drawings of the cards in one face. Their name has a hash of them. They
// are compressed only once, because that takes several milliseconds.
func (s *Site) cards(w http.ResponseWriter, r *http.Request) {
	sprite, ok := face.SpriteNamed(r.PathValue("name"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	small, _ := s.sprites.LoadOrStore(sprite.Name, sync.OnceValues(func() (asset, error) { return newAsset(sprite.Name, sprite.SVG) }))
	f, err := small.(func() (asset, error))()
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	f.serve(w, r)
}

// serve sends an asset, which never changes.
func (f asset) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Vary", "Accept-Encoding")
	if accepts(r, "gzip") && len(f.small) < len(f.plain) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(f.small)
		return
	}
	_, _ = w.Write(f.plain)
}

// accepts reports whether a browser takes answers in a coding.
func accepts(r *http.Request, coding string) bool {
	wanted, refused := weighed(r.Header.Values("Accept-Encoding"))
	return slices.Contains(wanted, coding) || slices.Contains(wanted, "*") && !slices.Contains(refused, coding)
}

// weighed returns what a header such as Accept-Language lists: what is wanted, and what has the
// weight 0 (https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2).
func weighed(header []string) (wanted, refused []string) {
	for _, part := range strings.Split(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.TrimSpace(name)
		_, weight, weighed := strings.Cut(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		if weighed && strings.Trim(weight, "0.") == "" {
			refused = append(refused, name)
		} else {
			wanted = append(wanted, name)
		}
	}
	return wanted, refused
}
