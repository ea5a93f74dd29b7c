package bot

import (
	"strings"
	"testing"

	"sedmabot/bot/view"
)

// TestRepliesSpellCommands checks that a reply names a command as the person's platform
// spells it in their language.
func TestRepliesSpellCommands(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		for _, c := range []struct {
			command string
			args    map[string]string
			want    string
		}{
			{"leave", nil, "!new-cs"},
			{"replay", map[string]string{"id": "abc"}, "!replay-cs"},
			{"share", map[string]string{"code": "ABCDEF"}, "!share-cs"},
		} {
			in := by("ann")
			in.Player.Lang, in.Command, in.Args = "cs", c.command, c.args
			if r := b.Handle(t.Context(), in); !strings.Contains(r.Toast, c.want) {
				t.Errorf("%s: %q doesn't name %s", c.command, r.Toast, c.want)
			}
		}
		in := by("ann")
		in.Player.Lang, in.Press = "cs", view.Press{Table: "0abc", Action: view.ActJoin}.String()
		if r := b.Handle(t.Context(), in); !strings.Contains(r.Toast, "!new-cs") {
			t.Errorf("a press at a table that is gone: %q", r.Toast)
		}
	})
}

// TestRulesOfAnyGame checks that the rules of any game can be read, with and without a table.
func TestRulesOfAnyGame(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		ask := func(words string) string {
			in := by("ann")
			in.Command = "rules"
			in.Args = b.commands["rules"].Sort(strings.Fields(words))
			r := b.Handle(t.Context(), in)
			if r.Screen == nil {
				return r.Toast
			}
			return r.Screen.String()
		}
		for range 2 {
			for words, want := range map[string]string{
				"": "Rules: Sedma, 4 players", "osmova": "Rules: Sedma osmová, 4 players", "hola 6": "Rules: Hola, 6 players", "bridge": "I don't know “bridge”",
			} {
				if got := ask(words); !strings.HasPrefix(got, want) {
					t.Errorf("/rules %s says:\n%s", words, got)
				}
			}
			command(b, "ann", "new")
		}
	})
}
