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
