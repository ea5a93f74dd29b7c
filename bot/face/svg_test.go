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
	for _, f := range faces {
		for _, d := range []game.Deck{game.German32, game.French52, game.French104} {
			want := map[string]bool{"back": true}
			for _, c := range kinds(d) {
				want[c.String()] = true
			}
			symbols, defined, used := map[string]int{}, map[string]bool{}, map[string]bool{}
			sprite := SpriteOf(f, d)
			if got, ok := SpriteNamed(sprite.Name); !ok || !bytes.Equal(got.SVG, sprite.SVG) {
				t.Errorf("no sprite is named %s", sprite.Name)
			}
			in := xml.NewDecoder(bytes.NewReader(sprite.SVG))
			for {
				token, err := in.Token()
				if token == nil {
					if err.Error() != "EOF" {
						t.Fatalf("%s: %v", sprite.Name, err)
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
						t.Errorf("%s has %s=%q", sprite.Name, a.Name.Local, a.Value)
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
					t.Errorf("%s has %q %d times", sprite.Name, name, symbols[name])
				}
			}
			if len(symbols) != len(want) {
				t.Errorf("%s has %d symbols, want %d", sprite.Name, len(symbols), len(want))
			}
			for name := range used {
				if !defined[name] {
					t.Errorf("%s refers to %q, which it doesn't have", sprite.Name, name)
				}
			}
		}
	}
}

// A name of another drawing is unknown, so that a browser never keeps the wrong one.
func TestSpritesOfOtherVersionsAreUnknown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "-", "french-german32", "french-german32-000000000000.svg", "back-to-back.svg"} {
		if _, ok := SpriteNamed(name); ok {
			t.Errorf("a sprite is named %q", name)
		}
	}
}

// A phone loads one of them before the first card can be touched.
func TestSpritesAreSmall(t *testing.T) {
	t.Parallel()
	for _, draw := range sprites {
		sprite := draw()
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(sprite.SVG); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d compressed", sprite.Name, len(sprite.SVG), b.Len())
		if b.Len() > 30_000 {
			t.Errorf("%s has %d bytes, compressed", sprite.Name, b.Len())
		}
	}
}
