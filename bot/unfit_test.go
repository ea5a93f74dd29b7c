package bot

import (
	"strings"
	"testing"

	"sedmabot/bot/chat"
)

// TestNoTableWhereItCannotBeKept checks that the bot names the permissions it lacks
// instead of opening a table.
func TestNoTableWhereItCannotBeKept(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		in := by("ann")
		in.Command = "new"
		for _, test := range []struct {
			lacks []string
			visit bool
			lang  string
			want  string
		}{
			{[]string{"view", "threads"}, false, "en", "View Channels, Send Messages in Threads"},
			{[]string{"send"}, false, "cs", "Posílat zprávy"},
			{nil, true, "en", "manages this server to add me"},
		} {
			in.Lacks, in.Chat.Visit, in.Player.Lang = test.lacks, test.visit, test.lang
			if r := b.Handle(t.Context(), in); !strings.Contains(r.Toast, test.want) || r.Outcome != chat.Refused {
				t.Errorf("%+v: %+v", test, r)
			}
		}
		if got := s.take(); !strings.HasSuffix(got, " 0 commits") {
			t.Errorf("a table that cannot be kept cost %s", got)
		}
		in.Lacks, in.Chat.Visit = nil, false
		if r := b.Handle(t.Context(), in); r.Outcome == chat.Refused {
			t.Errorf("where nothing is lacking: %+v", r)
		}
	})
}
