package face

import (
	"fmt"
	"testing"
)

// A retried delivery does not draw its picture again.
func TestAPictureIsDrawnOnce(t *testing.T) {
	t.Parallel()
	var d drawn
	times := 0
	file := func(name string) string {
		return string(d.file(name, func() []byte { times++; return []byte("drawn " + name) }))
	}
	for range 3 {
		if got := file("a"); got != "drawn a" || times != 1 {
			t.Errorf("%q after it was drawn %d times", got, times)
		}
	}
	for i := range 2 * maxDrawn {
		file(fmt.Sprint(i))
	}
	if n := len(d.files.All()); n != maxDrawn {
		t.Errorf("%d pictures are kept", n)
	}
	if got := file("a"); got != "drawn a" || times != 2*maxDrawn+2 {
		t.Errorf("%q after %d drawings", got, times)
	}
}
