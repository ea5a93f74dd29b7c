package bot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/store/storetest"
)

// The platform is asked whether a person manages a chat only if the answer matters, and
// never for a person who is over their limit.
func TestTheRightIsAskedForLast(t *testing.T) {
	t.Parallel()
	s := storetest.NewMemory()
	defer s.Close()
	now := time.Now()
	b := New(Config{Store: s, Limits: tables.Limits{Presses: 1}, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
	asked, answer, trouble := 0, false, error(nil)
	do := func(player, command, press string) chat.Reply {
		now = now.Add(time.Second)
		return b.Handle(t.Context(), chat.Input{
			Player: chat.Player{ID: "x:" + player, Name: player, Lang: "en"}, Chat: chat.Chat{ID: "x:1", Home: "x:1", Lang: "en"},
			Manages: func(_ context.Context, chatID string) (bool, error) {
				if asked++; chatID != "x:1" && chatID != "x:2" {
					t.Errorf("it is asked who manages %q", chatID)
				}
				return answer, trouble
			},
			Command: command, Press: press,
		})
	}
	check := func(r chat.Reply, want string, asks int) {
		t.Helper()
		if !strings.Contains(r.Toast, want) || asked != asks {
			t.Errorf("told %q, want %q; asked %d times, want %d", r.Toast, want, asked, asks)
		}
		asked = 0
	}
	check(do("ann", "new", ""), "open", 0)
	docs, err := s.Get(t.Context(), doc.HomeKey("x:1"))
	if err != nil {
		t.Fatal(err)
	}
	var home doc.Home
	if err := doc.Decode(docs[0], &home); err != nil {
		t.Fatal(err)
	}
	id := home.Open["x:1"]
	press := func(p view.Press) string { p.Table = id; return p.String() }
	check(do("ben", "", press(view.Press{Action: view.ActJoin})), "You've joined", 0)
	check(do("ben", "", press(view.Press{Action: view.ActRules})), "", 0)
	check(do("eve", "", press(view.Press{Action: view.ActClose})), "You aren't at this table", 1)
	check(do("eve", "", view.Press{Action: view.ActClose, Table: "0000000000000"}.String()), "gone", 0)
	check(do("eve", "", press(view.Press{Action: view.ActKick, Place: 1})), "You aren't at this table", 1)
	check(do("ben", "", press(view.Press{Action: view.ActKick})), "A vote takes two other players", 1)
	check(do("ann", "", press(view.Press{Action: view.ActKick, Place: 1})), "", 0) // the host needs no administrator rights
	check(do("eve", "", press(view.Press{Action: view.ActDefault})), "manages this chat", 1)
	check(do("eve", "", screen.PressOf("cfg", "lang", "cs", "x:1")), "manages this chat", 1)
	check(do("eve", "", screen.PressOf("cfg", "lang", "cs", "x:2")), "isn't mine", 1)
	check(do("eve", "", screen.PressOf("mine", "lang", "cs", "x:2")), "isn't mine", 0)
	trouble = errors.New("no connection")
	check(do("eve", "", press(view.Press{Action: view.ActClose})), "try again", 1)
	trouble = nil
	for range 5 * atOnce {
		now = now.Add(-time.Second)
		do("eve", "", press(view.Press{Action: view.ActClose}))
	}
	if asked > atOnce {
		t.Errorf("asked %d times for somebody over their limit", asked)
	}
	asked, answer = 0, true
	check(do("fay", "", press(view.Press{Action: view.ActClose})), "", 1)
	check(do("ann", "", press(view.Press{Action: view.ActRest})), "closed", 0)
}
