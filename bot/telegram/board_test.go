package telegram

import (
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// After a match, the group's leaderboard is a picture with the same in words below it. A group that wants words only gets
// words.
func TestTheLeaderboardIsAPictureOrWords(t *testing.T) {
	t.Parallel()
	clocktest.Unraced(t)
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, func(m *match) { m.ben.Start("") })
		m.tap(m.ben, m.table, "Join")
		m.tap(m.ann, m.see(m.group, "Everyone is here"), "Start")
		m.play(func() bool { return !m.shows("the match is over") })
		ask := func() telegramtest.Message {
			said := m.ann.SayIn(m.group, 0, "/leaderboard")
			board, err := m.group.Wait(soon(t), func(x telegramtest.Message) bool { return x.ID > said && strings.Contains(x.Text, "Leaderboard") })
			if err != nil {
				t.Fatal(err)
			}
			return board
		}
		for _, words := range []bool{false, true} {
			if words {
				if _, err := m.ann.PressData(soon(t), m.table, "cfg:pictures:off:"+chatID(m.group.ID, 0)); err != nil {
					t.Fatal(err)
				}
			}
			board := ask()
			if (board.Photo == "") != words || !strings.Contains(board.Text, "Ann") || !strings.Contains(board.Text, "Ben") {
				t.Errorf("words only %v: the leaderboard is the picture %q: %q", words, board.Photo, board.Text)
			}
		}
	})
}
