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

var (
	update = flag.String("update", "", "record the texts of these keys, separated by commas: each translation must have changed with the English text")
	same   = flag.String("same", "", "with -update: languages, separated by commas, whose translations still say what the English text says")
)

// sumsFile has a line for each key: the key, and the checksum of its text in each language.
const sumsFile = "texts.sum"

// updating is the command that records texts.
const updating = "go test ./bot/lang -run Stale -update "

// sum returns the first eight hexadecimal digits of the SHA-256 of a text.
func sum(t text) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(whole(t))))[:8] }

// sums are the checksums of a key's texts by language.
type sums map[string]string

// line returns the sums as they are in a line, by languages in alphabetical order.
func (s sums) line() string {
	var words []string
	for _, code := range slices.Sorted(maps.Keys(s)) {
		words = append(words, code+":"+s[code])
	}
	return strings.Join(words, " ")
}

// readSums reads the lines of sumsFile.
func readSums(data string) map[string]sums {
	out := map[string]sums{}
	for line := range strings.Lines(data) {
		words := strings.Fields(line)
		out[words[0]] = sums{}
		for _, word := range words[1:] {
			code, sum, _ := strings.Cut(word, ":")
			out[words[0]][code] = sum
		}
	}
	return out
}

// stale returns what is wrong with a key, whose texts had the sums was and have the sums now. Where the English text has
// changed, the translations that haven't are wrong, except in languages that still say the same. was is nil for a new key.
func stale(key string, was, now sums, recording bool, same []string) (faults []string) {
	var old []string
	for _, code := range slices.Sorted(maps.Keys(now)) {
		if code != english && was != nil && was[english] != now[english] && was[code] == now[code] && !slices.Contains(same, code) {
			old = append(old, code)
		}
	}
	switch {
	case len(old) > 0:
		faults = append(faults, fmt.Sprintf("%s: the English text has changed, but not bot/lang/{%s}.yaml. Translate it there, then run: %s%s. If a translation still fits, add its language: -same %s",
			key, strings.Join(old, ","), updating, key, strings.Join(old, ",")))
	case !recording && was.line() != now.line():
		faults = append(faults, fmt.Sprintf("%s: a text has changed in bot/lang. Once all nine say the same, run: %s%s", key, updating, key))
	}
	return faults
}

// textSums returns the sums of all texts, by key.
func textSums() map[string]sums {
	out := map[string]sums{}
	for _, c := range catalogues {
		for key, text := range c.texts() {
			if out[key] == nil {
				out[key] = sums{}
			}
			out[key][c.code] = sum(text)
		}
	}
	return out
}

// A translation is out of date if the English text has changed since it was made. Somebody who has checked all translations
// of the keys a and b records that with: go test ./bot/lang -run Stale -update a,b
func TestNoTranslationIsStale(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(sumsFile)
	if err != nil {
		t.Fatal(err)
	}
	made, now := readSums(string(data)), textSums()
	if *update != "" {
		for key := range strings.SplitSeq(*update, ",") {
			if now[key] == nil {
				t.Fatalf("there is no text %q", key)
			}
			faults := stale(key, made[key], now[key], true, strings.Split(*same, ","))
			for _, fault := range faults {
				t.Error(fault)
			}
			if len(faults) == 0 {
				made[key] = now[key]
			}
		}
		maps.DeleteFunc(made, func(key string, _ sums) bool { return now[key] == nil })
		var out strings.Builder
		for _, key := range slices.Sorted(maps.Keys(made)) {
			fmt.Fprintln(&out, key, made[key].line())
		}
		if err := os.WriteFile(sumsFile, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for key, sums := range now {
		for _, fault := range stale(key, made[key], sums, false, nil) {
			t.Error(fault)
		}
	}
	for key := range made {
		if now[key] == nil {
			t.Errorf("%s has a line in bot/lang/%s, but no text: %sKEY, with any key, removes it", key, sumsFile, updating)
		}
	}
}

// TestStaleTranslationsAreFound checks the test above.
func TestStaleTranslationsAreFound(t *testing.T) {
	t.Parallel()
	was := sums{"en": "1", "cs": "2", "de": "3"}
	for name, tt := range map[string]struct {
		was, now  sums
		recording bool
		same      []string
		want      string // a part of the fault; "" is none
	}{
		"nothing has changed":              {was, sums{"en": "1", "cs": "2", "de": "3"}, false, nil, ""},
		"English alone":                    {was, sums{"en": "9", "cs": "2", "de": "3"}, false, nil, "not bot/lang/{cs,de}.yaml"},
		"English and Czech":                {was, sums{"en": "9", "cs": "8", "de": "3"}, false, nil, "not bot/lang/{de}.yaml"},
		"English, recorded":                {was, sums{"en": "9", "cs": "2", "de": "3"}, true, nil, "not bot/lang/{cs,de}.yaml"},
		"all, not recorded":                {was, sums{"en": "9", "cs": "8", "de": "7"}, false, nil, "-update key"},
		"all, recorded":                    {was, sums{"en": "9", "cs": "8", "de": "7"}, true, nil, ""},
		"German still fits, recorded":      {was, sums{"en": "9", "cs": "8", "de": "3"}, true, []string{"de"}, ""},
		"Czech alone":                      {was, sums{"en": "1", "cs": "8", "de": "3"}, false, nil, "-update key"},
		"Czech alone, recorded":            {was, sums{"en": "1", "cs": "8", "de": "3"}, true, nil, ""},
		"a new key":                        {nil, sums{"en": "1", "cs": "2", "de": "3"}, false, nil, "-update key"},
		"a new key, recorded":              {nil, sums{"en": "1", "cs": "2", "de": "3"}, true, nil, ""},
		"German still fits, without a say": {was, sums{"en": "9", "cs": "8", "de": "3"}, true, []string{"cs"}, "not bot/lang/{de}.yaml"},
	} {
		got := strings.Join(stale("key", tt.was, tt.now, tt.recording, tt.same), "\n")
		if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
