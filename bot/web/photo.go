package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
)

// A page doesn't load people's photos from their platforms: that would tell the platform who sees the table, and the
// address of a photo tells who somebody is there. The server loads them, and only for pages of the table.
const (
	maxPhoto   = 256 << 10 // bytes
	maxPhotos  = 300       // photos that are kept in memory
	photosSize = 16 << 20  // bytes of all photos that are kept in memory
	photoFor   = time.Hour // how long a photo is kept in memory and in the browser
	noPhotoFor = time.Minute
)

// photoHosts are the hosts of profile photos, and of the servers to which these lead.
// https://core.telegram.org/bots/webapps#webappuser
// https://discord.com/developers/docs/reference#image-formatting
var photoHosts = []string{"t.me", "telegram.org", "telesco.pe", "cdn-telegram.org", "cdn.discordapp.com"}

// photoKinds are the media types that a page shows. None of them can contain a script.
var photoKinds = []string{"image/jpeg", "image/png", "image/webp", "image/gif"}

// photos are the photos that were loaded lately, by address.
type photos struct {
	mu    sync.Mutex
	known cache.Cache[string, *photo]
}

// photo is a photo that is loaded once.
type photo struct {
	load  func() ([]byte, error)
	until time.Time // guarded by photos.mu
	size  int       // of what was loaded, in bytes; guarded by photos.mu
}

// errPhoto reports that a platform has no photo at an address.
var errPhoto = errors.New("no photo")

// get returns a photo. It is loaded at most once in photoFor, or once in noPhotoFor if that fails.
func (p *photos) get(client *http.Client, address string) ([]byte, error) {
	p.mu.Lock()
	e, ok := p.known.Get(address)
	if !ok || !time.Now().Before(e.until) {
		e = &photo{until: time.Now().Add(photoFor), load: sync.OnceValues(func() ([]byte, error) { return loadPhoto(client, address) })}
		p.known.Put(address, e, maxPhotos)
	}
	p.mu.Unlock()
	data, err := e.load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.size != len(data) {
		e.size = len(data)
		p.known.Shrink(photosSize, func(e *photo) int { return e.size })
	}
	if err != nil {
		if soon := time.Now().Add(noPhotoFor); soon.Before(e.until) {
			e.until = soon
		}
	}
	return data, err
}

// loadPhoto loads a photo from a platform.
func loadPhoto(client *http.Client, address string) ([]byte, error) {
	if client == nil {
		return nil, errPhoto
	}
	c := *client
	c.Timeout = writeTimeout
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > 3 || !isPhoto(r.URL) {
			return errPhoto
		}
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || !isPhoto(u) {
		return nil, errPhoto
	}
	resp, err := c.Get(address)
	if err != nil {
		return nil, errPhoto // the error has the address
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxPhoto+1))
	if err != nil || resp.StatusCode != http.StatusOK || len(data) > maxPhoto || !slices.Contains(photoKinds, http.DetectContentType(data)) {
		return nil, errPhoto
	}
	return data, nil
}

// isPhoto reports whether an address is one at which a platform keeps photos.
func isPhoto(u *url.URL) bool {
	return u.Scheme == "https" && u.Port() == "" && slices.ContainsFunc(photoHosts, func(host string) bool {
		return u.Hostname() == host || strings.HasSuffix(u.Hostname(), "."+host)
	})
}

// photoPath returns the path of a person's photo at a table, or "". Another photo has another path.
func photoPath(table string, p chat.Person) string {
	if p.Photo == "" {
		return ""
	}
	return "photos/" + table + "/" + p.Mark + "/" + photoHash(p.Photo)
}

func photoHash(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:6])
}

// photo serves the photo of a player to those who may see the table.
func (s *Site) photo(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("table")
	v, _, err := s.session(r, r.FormValue("as"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	visitor, err := v.visitor(id)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	t, err := s.Pages().Table(r.Context(), id)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if _, ok := t.Admits(visitor); !ok {
		http.NotFound(w, r)
		return
	}
	for _, p := range t.People {
		if p.Photo == "" || p.Mark != r.PathValue("mark") || photoHash(p.Photo) != r.PathValue("hash") {
			continue
		}
		data, err := s.photos.get(s.Photos, p.Photo)
		if err != nil {
			w.WriteHeader(http.StatusNoContent) // the page has the initial of the name
			return
		}
		w.Header().Set("Cache-Control", "private, max-age=3600, immutable")
		w.Header().Set("Content-Type", http.DetectContentType(data))
		_, _ = w.Write(data)
		return
	}
	http.NotFound(w, r)
}
