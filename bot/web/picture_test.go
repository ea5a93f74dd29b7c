package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/web"
)

// A picture is at an address that nobody can make up, read, or change. Pictures that look the same have the same address.
func TestPicturesHaveAddresses(t *testing.T) {
	t.Parallel()
	sites := make([]*web.Site, 2)
	for i := range sites {
		r, err := open(t), error(nil)
		sites[i], err = web.New(web.Config{URL: "https://cards.example.org/sedma/", Pages: func() chat.Pages { return r.bot.Pages() }})
		if err != nil {
			t.Fatal(err)
		}
	}
	of := func(headline string) (p face.Picture, path string) {
		p = face.Picture{Table: &face.Table{Headline: headline, Winning: -1, Seats: []face.Seat{{Name: "Ann"}, {Name: "Ben"}}}}
		at, err := sites[0].PictureAddress(t.Context(), p)
		path, ok := strings.CutPrefix(at, "https://cards.example.org/sedma")
		if err != nil || !ok || len(at) > 1000 {
			t.Fatalf("the address is %q, %v", at, err)
		}
		return p, path
	}
	get := func(s *web.Site, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	p, path := of("Ann's turn")
	if _, same := of("Ann's turn"); same != path {
		t.Error("the same picture has two addresses")
	}
	if _, other := of("Ben's turn"); other == path {
		t.Error("two pictures have one address")
	}
	w := get(sites[0], path)
	if h := w.Header(); w.Code != http.StatusOK || h.Get("Content-Type") != "image/png" || h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Set-Cookie") != "" {
		t.Errorf("the picture: %d %v", w.Code, h)
	}
	if !bytes.Equal(w.Body.Bytes(), face.NewEasel().PNG(p)) {
		t.Error("the address shows another picture")
	}
	middle := len(path) / 2
	changed := map[byte]string{'A': "B"}[path[middle]]
	if changed == "" {
		changed = "A"
	}
	for name, wrong := range map[string]string{
		"changed": path[:middle] + changed + path[middle+1:], "short": "/pictures/AAAA.png", "no text": "/pictures/%FF.png", "without .png": strings.TrimSuffix(path, ".png"),
	} {
		if w := get(sites[0], wrong); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if w := get(sites[1], path); w.Code != http.StatusNotFound {
		t.Errorf("another bot shows the picture: %d", w.Code)
	}
}
