package web_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	urlpath "path"
	"regexp"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/game"
)

// Before the first card can be touched, a phone loads only the page, its styles and the cards
// of one face. It can be installed.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	clocktest.Single(t)
	r := open(t)
	size := 0
	load := func(path string) string {
		resp, err := http.Get(r.site.URL + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, resp.Status)
		}
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		size += b.Len()
		return string(data)
	}
	index := load("")
	paths := regexp.MustCompile(`(?:rel="stylesheet" href|rel="icon" href|src)="([^"]+)"`).FindAllStringSubmatch(index, -1) // the rest is loaded to install the page
	if len(paths) != 3 {
		t.Fatalf("the page loads %q", paths)
	}
	for _, path := range paths {
		load(path[1])
	}
	small := size
	for _, f := range []face.Face{face.French, face.German, face.Czech, face.Slovak, face.Hungarian, face.Skat, face.Plain} {
		for _, d := range []game.Deck{game.German32, game.French52} {
			size = small
			load("cards/" + face.SpriteOf(f, d).Name)
			if size > 80_000 {
				t.Errorf("the page has %d bytes with %s cards of %s", size, f, d)
			}
		}
	}
	t.Logf("%d bytes without cards", small)

	// The fields without which a browser does not offer to install the page: https://developer.mozilla.org/docs/Web/Progressive_web_apps/Guides/Making_PWAs_installable
	path := regexp.MustCompile(`rel="manifest" href="([^"]+)"`).FindStringSubmatch(index)
	if path == nil {
		t.Fatal("the page has no manifest")
	}
	var m struct {
		Name, Display string
		Start         string `json:"start_url"`
		Scope         string
		Icons         []struct{ Src, Sizes string }
	}
	if err := json.Unmarshal([]byte(load(path[1])), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "Sedma" || m.Display != "standalone" || m.Scope != m.Start || load(urlpath.Join(urlpath.Dir(path[1]), m.Start)) != index {
		t.Errorf("the manifest: %+v", m)
	}
	large := 0
	for _, icon := range m.Icons {
		if load(urlpath.Join(urlpath.Dir(path[1]), icon.Src)); icon.Sizes == "512x512" {
			large++
		}
	}
	if large == 0 {
		t.Errorf("no icon is large enough: %+v", m.Icons)
	}
}
