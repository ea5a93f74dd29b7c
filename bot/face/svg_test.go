package face

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"strings"
	"testing"

	"sedmabot/game"
)

// Every card of every deck is in the sprite of each face, exactly once, and so is a back.
func TestSpritesHaveEveryCard(t *testing.T) {
	t.Parallel()
	files := Sprites()
	for _, f := range faces {
		for _, d := range []game.Deck{game.German32, game.French52, game.French104} {
			want := map[string]bool{"back": true}
			for _, c := range kinds(d) {
				want[c.String()] = true
			}
			symbols, defined, used := map[string]int{}, map[string]bool{}, map[string]bool{}
			in := xml.NewDecoder(bytes.NewReader(files[SpriteName(f, d)]))
			for {
				token, err := in.Token()
				if token == nil {
					if err.Error() != "EOF" {
						t.Fatalf("%s: %v", SpriteName(f, d), err)
					}
					break
				}
				e, ok := token.(xml.StartElement)
				if !ok {
					continue
				}
				for _, a := range e.Attr {
					switch {
					case a.Name.Local == "style" || strings.Contains(a.Value, "NaN"):
						t.Errorf("%s has %s=%q", SpriteName(f, d), a.Name.Local, a.Value)
					case a.Name.Local == "id" && e.Name.Local == "symbol":
						symbols[a.Value]++
					case a.Name.Local == "id":
						defined[a.Value] = true
					case a.Name.Local == "href":
						used[strings.TrimPrefix(a.Value, "#")] = true
					}
				}
			}
			for name := range want {
				if symbols[name] != 1 {
					t.Errorf("%s has %q %d times", SpriteName(f, d), name, symbols[name])
				}
			}
			if len(symbols) != len(want) {
				t.Errorf("%s has %d symbols, want %d", SpriteName(f, d), len(symbols), len(want))
			}
			for name := range used {
				if !defined[name] {
					t.Errorf("%s refers to %q, which it doesn't have", SpriteName(f, d), name)
				}
			}
		}
	}
}

// A phone loads one of them before the first card can be touched.
func TestSpritesAreSmall(t *testing.T) {
	t.Parallel()
	for name, data := range Sprites() {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d compressed", name, len(data), b.Len())
		if b.Len() > 30_000 {
			t.Errorf("%s has %d bytes, compressed", name, b.Len())
		}
	}
}
