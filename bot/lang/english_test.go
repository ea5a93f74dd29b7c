package lang

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.String("update", "", "record that all languages say what the English texts of these keys say; keys are separated by commas")

// englishSums has, for each key, a checksum of the English text from which the other languages' texts were made.
const englishSums = "english.sum"

// sum returns the first eight hexadecimal digits of the SHA-256 of a text.
func sum(t text) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(whole(t))))[:8] }

// A translation is out of date if the English text has changed since it was made. Somebody who has checked all eight
// translations of the keys a and b records that with: go test ./bot/lang -run Stale -update a,b
func TestNoTranslationIsStale(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(englishSums)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]string{}
	for line := range strings.Lines(string(data)) {
		key, sum, _ := strings.Cut(strings.TrimSpace(line), " ")
		made[key] = sum
	}
	texts := catalogues[0].texts()
	if *update != "" {
		for key := range strings.SplitSeq(*update, ",") {
			if texts[key] == nil {
				t.Fatalf("there is no text %q", key)
			}
			made[key] = sum(texts[key])
		}
		maps.DeleteFunc(made, func(key, _ string) bool { return texts[key] == nil })
		var out strings.Builder
		for _, key := range slices.Sorted(maps.Keys(made)) {
			fmt.Fprintln(&out, key, made[key])
		}
		if err := os.WriteFile(englishSums, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for key, text := range texts {
		if made[key] != sum(text) {
			t.Errorf("%s: the English text has changed since it was translated: %s", key, whole(text))
		}
	}
	for key := range made {
		if texts[key] == nil {
			t.Errorf("%s has a line in %s, but no text", key, englishSums)
		}
	}
}
