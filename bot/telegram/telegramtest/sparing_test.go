package telegramtest

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
)

// A sparing server must find a photo that is uploaded twice. Otherwise it would prove nothing.
func TestAPhotoThatIsUploadedTwiceIsFound(t *testing.T) {
	t.Parallel()
	picture := func(width int) string {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 1))); err != nil {
			t.Fatal(err)
		}
		return "photo.png\n" + b.String()
	}
	for name, tt := range map[string]struct {
		sparing bool
		second  func(first string) (given, file string)
		found   bool
	}{
		"the same":                   {true, func(string) (string, string) { return "", picture(1) }, true},
		"the same, in abundance":     {false, func(string) (string, string) { return "", picture(1) }, false},
		"another one":                {true, func(string) (string, string) { return "", picture(2) }, false},
		"the first, named by its id": {true, func(first string) (string, string) { return first, "" }, false},
	} {
		s := made()
		s.Sparing = tt.sparing
		group := s.Group("Cards")
		first, second := &Message{Chat: group.ID}, &Message{Chat: group.ID}
		if refused := s.photo("sendPhoto", "", picture(1), first); refused != nil {
			t.Fatal(refused)
		}
		given, file := tt.second(first.Photo)
		if refused := s.photo("sendPhoto", given, file, second); refused != nil {
			t.Fatal(refused)
		}
		if found := strings.Contains(strings.Join(s.problems, ""), "the same photo"); found != tt.found {
			t.Errorf("%s: problems %q", name, s.problems)
		}
	}
}
