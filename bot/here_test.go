package bot

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// TestATableIsHereAlready opens a table where there is one, as everyone who may do that: each is told what they can do.
func TestATableIsHereAlready(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		told := func(who string, want, not string) {
			t.Helper()
			r := b.Handle(t.Context(), called(who, "new", map[string]string{"players": "2"}))
			if r.Screen == nil {
				t.Fatalf("%s: %+v", who, r)
			}
			if text := r.Toast + "\n" + r.Screen.String(); !strings.Contains(text, want) || strings.Contains(text, not) {
				t.Errorf("%s is told\n%s\nwant %q, not %q", who, text, want, not)
			}
		}
		do := func(who, command string) {
			b.Handle(t.Context(), called(who, command, map[string]string{"players": "2"}))
		}
		do("ann", "new")
		told("ann", "here, close this one first", "host")
		told("ben", "Join it, or ask its host", "No seat")
		do("ben", "join")
		told("ann", "here, close this one first", "host")
		told("ben", "the host has to close this one first", "Join")
		told("cat", "No seat is free", "Join")
		do("ann", "start")
		told("ann", "here, close this one first", "host")
		told("ben", "the host has to close this one first", "Join")
		told("cat", "A match is in progress", "Join")
		time.Sleep(table.StaleAfter)
		told("ben", "here, close this one first", "host")
	})
}

// alone returns a command that a person gives in their private chat.
func alone(who, command string) chat.Input {
	in := called(who, command, map[string]string{"players": "2"})
	in.Chat, in.Admin = chat.Chat{ID: in.Player.ID, Home: in.Player.ID, Private: true, Lang: "en"}, true
	return in
}

// TestATableInAPrivateChatIsNoSoloGame asks for games against the AI where the private chat has a table that isn't one. A
// lobby in which nobody else sits makes room; a table with other people stays.
func TestATableInAPrivateChatIsNoSoloGame(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"solo", "tutorial"} {
		for _, from := range []string{"the private chat", "the group"} {
			inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
				open := func() (tab table.Table) {
					t.Helper()
					id, err := b.tables.OpenTable(t.Context(), alone("ann", "").Chat)
					if err == nil {
						tab, err = b.tables.Load(t.Context(), id)
					}
					if err != nil {
						t.Fatal(err)
					}
					return tab
				}
				ask := func() string {
					in := alone("ann", command)
					if in.Args = nil; from == "the group" {
						in.Chat, in.Admin = by("ann").Chat, false
					}
					r := b.Handle(t.Context(), in)
					if r.Screen != nil {
						r.Toast += r.Screen.String()
					}
					return r.Toast
				}
				b.Handle(t.Context(), alone("ann", "new"))
				lobby := open()
				if said, now := ask(), open(); lobby.Phase != table.Lobby || now.ID == lobby.ID || now.Phase != table.Playing || !strings.Contains(said, "against the AI") && command == "solo" || strings.Contains(said, "already") {
					t.Errorf("%s from %s, with a lobby: %q, a table in %s", command, from, said, now.Phase)
				}
				b.Handle(t.Context(), alone("ann", "close"))
				in := alone("ann", "")
				in.Press = view.Press{Action: view.ActSure, Table: open().ID, What: view.ActClose}.String()
				b.Handle(t.Context(), in)
				b.Handle(t.Context(), alone("ann", "new"))
				shared := open()
				seat := alone("ben", "hello")
				seat.Args = map[string]string{"payload": view.SeatPayload + shared.ID}
				b.Handle(t.Context(), seat)
				for _, phase := range []table.Phase{table.Lobby, table.Playing} {
					if said, now := ask(), open(); now.ID != shared.ID || now.Phase != phase || !strings.Contains(said, "Others are at the table") || strings.Contains(said, "already") {
						t.Errorf("%s from %s, with Ben at the table: %q, a table in %s", command, from, said, now.Phase)
					}
					b.Handle(t.Context(), alone("ann", "start"))
				}
			})
		}
	}
}
