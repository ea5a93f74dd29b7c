package bot

import (
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
)

// A press whose feature no longer exists is answered with the same sentence, wherever it was made.
func TestWithdrawnButtonsAreAnswered(t *testing.T) {
	t.Parallel()
	b := declared(nil)
	in := chat.Input{Player: chat.Player{Lang: "en"}}
	want := in.Text("reply.withdrawn")
	for _, press := range []string{
		"finalin:2026-11-22:telegram:-1009", "finalout:2026-11-22:telegram:-1009", "cfg:final:on:telegram:-4", "cfg:page:final:discord:4211",
		"puzzle:quiz:1-2026-11-21:telegram:-4", "cfg:quiz:9:telegram:-4", "cfg:page:quiz:discord:4211", "cfg:puzzles:on:telegram:-4", "cfg:page:puzzles:discord:4211", "cfg:voice:on:discord:4211", "cfg:page:voice:discord:4211", "cfg:weekly:on:telegram:-4", "cfg:page:weekly:discord:4211", "mine:topics:on:", "mine:page:topics:discord:4211",
	} {
		_, do, err := b.read(press)
		if err != nil {
			t.Errorf("%q: %v", press, err)
			continue
		}
		if r := do(t.Context(), in); r.Toast != want || r.Outcome != chat.Refused {
			t.Errorf("%q: %+v, want %q", press, r, want)
		}
		if b.allows(table.Public{}, press) || b.atDoor(press) {
			t.Errorf("a page may press %q", press)
		}
	}
	for _, begin := range withdrawn {
		if word, _, _ := strings.Cut(begin, ":"); begin == word+":" && b.buttons[word].Read != nil {
			t.Errorf("%q is withdrawn, and a room has it", word)
		}
	}
}
