package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration must be accepted, or refused in one line. The error must not contain a secret, whatever is written
// before it.
func FuzzConfig(f *testing.F) {
	text, err := os.ReadFile(example)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, "")
	f.Add([]byte("telegram:\n  token: x\n  mode: webhook\n"), "auto")
	f.Add([]byte("store: {path: x, redis_url: 'redis://:x@h'}\n"), "1")
	f.Add([]byte("a: &a [*a]\n"), "-1")
	f.Add([]byte("discord: {shards: 99999999999999999999}\nlog: [\n"), "\x00")
	f.Add([]byte("? [a]\n: {b: c}\n"), "*")
	file := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		refused := func(text []byte) string {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := loadConfig(file, func(name string) (string, bool) {
				if strings.HasSuffix(name, "_FILE") {
					return "", false
				}
				return value, true
			})
			if err == nil {
				return ""
			}
			if err.Error() == "" || strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("the error is %q", err)
			}
			return err.Error()
		}
		refused(text)
		const secret = "secret-1234567"
		for _, key := range []string{"telegram:\n  token: ", "store:\n  redis_url: "} {
			line := strings.Join(strings.Fields(value), " ") + secret // on one line, because a new line would be another key
			if output := refused([]byte(key + line)); strings.Contains(output, secret) {
				t.Errorf("%s%s is refused with %q", key, line, output)
			}
		}
	})
}
