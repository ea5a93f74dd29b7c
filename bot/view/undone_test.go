package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
)

// The line about undone moves is shown above everything else, and fits into an alert.
func TestUndone(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := playing(t, language)
		own, ok := s.table.Private(eva.ID)
		if !ok {
			t.Fatal("Eva does not sit at the table")
		}
		hand, notice := Hand(own), lang.For(language).Text("reply.undone")
		before := hand.String()
		if got := Undone(hand, lang.For(language)).String(); got != notice+"\n"+before {
			t.Errorf("the hand is\n%s\nand should be\n%s\n%s", got, notice, before)
		}
		if hand.String() != before {
			t.Error("the screen itself was changed")
		}
		if n := utf8.RuneCountInString(notice); n > alertLimit || strings.Contains(notice, "{") {
			t.Errorf("%d characters: %q", n, notice)
		}
	})
}
