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
