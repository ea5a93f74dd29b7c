package chat

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
)

// TestTextsNameCommandsAsTyped checks every text that names a command: it fits a toast
// and has the command as the person's platform spells it.
func TestTextsNameCommandsAsTyped(t *testing.T) {
	t.Parallel()
	english, err := os.ReadFile("../lang/en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`(?m)^([\w.]+): .*\{command\}`).FindAllSubmatch(english, -1)
	if len(keys) == 0 || len(keys) != len(commandIn) {
		t.Errorf("%d texts name a command, and commandIn has %d", len(keys), len(commandIn))
	}
	for _, key := range keys {
		key := string(key[1])
		for _, language := range lang.Languages() {
			in := Input{Player: Player{Lang: language}}
			if s := in.Text(key); !strings.Contains(s, "/"+commandIn[key]) {
				t.Errorf("%s: %s without a platform: %q", language, key, s)
			}
			var typed string
			in.Spelling = func(name, language string) string {
				typed = "/sedma " + lang.For(language).Text("slash."+name)
				return typed
			}
			s := in.Text(key)
			if typed == "" || !strings.Contains(s, typed) {
				t.Errorf("%s: %s is %q, without the command %q", language, key, s, typed)
			}
			if n := utf8.RuneCountInString(s); n > ToastLimit {
				t.Errorf("%s: %s has %d characters, more than %d: %s", language, key, n, ToastLimit, s)
			}
		}
	}
}

// A page takes no commands, so its texts name none, in any language, where they say something else.
func TestAPageIsToldNoCommands(t *testing.T) {
	t.Parallel()
	for _, code := range lang.Languages() {
		for key, command := range commandIn {
			in := Input{Player: Player{Lang: code}, Page: true}
			whole := Input{Player: Player{Lang: code}}.Text(key)
			if got := in.Text(key); got != whole && (strings.Contains(got, "/"+command) || strings.Contains(got, "\x00")) {
				t.Errorf("%s, %s: %q became %q", code, key, whole, got)
			}
		}
		for _, key := range []string{"reply.gone", "reply.no_match", "reply.no_puzzle", "refusal.closed", "reply.no_table"} {
			if got := (Input{Player: Player{Lang: code}, Page: true}).Text(key); strings.Contains(got, "/") || got == "" {
				t.Errorf("%s, %s: %q", code, key, got)
			}
		}
	}
}
