package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration is taken or refused in one line that names the file or the
// variable, and never shows a secret.
func FuzzConfig(f *testing.F) {
	text, err := os.ReadFile(example)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, "")
	f.Add([]byte("telegram:\n  token: secret-1234567\n  mode: webhook\n"), "auto")
	f.Add([]byte("store: {path: x, redis_url: 'redis://:secret-1234567@h'}\n"), "1")
	f.Add([]byte("a: &a [*a]\n"), "-1")
	f.Add([]byte("discord: {shards: 99999999999999999999}\nlog: [\n"), "\x00")
	file := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := loadConfig(file, func(name string) string {
			if strings.HasSuffix(name, "_FILE") {
				return ""
			}
			return value
		})
		if err != nil && (strings.Contains(err.Error(), "secret-1234567") || err.Error() == "") {
			t.Errorf("the error is %q", err)
		}
	})
}
