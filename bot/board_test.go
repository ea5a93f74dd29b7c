package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/league"
	"sedmabot/game/table"
)

// manages is an input of a person who manages a home and sets something there.
func (w *town) manages(player, home, what, value string) {
	w.t.Helper()
	in := w.in(player, home)
	in.Admin, in.Press = true, homeSetting(what, value, home).String()
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%s: %s", in.Press, r.Toast)
	}
}

// has checks what a reply shows.
func (w *town) has(r chat.Reply, words ...string) {
	w.t.Helper()
	if r.Screen == nil {
		w.t.Fatalf("no screen: %q", r.Toast)
	}
	for _, word := range words {
		lacks := strings.HasPrefix(word, "!")
		if strings.Contains(r.Screen.String(), strings.TrimPrefix(word, "!")) == lacks {
			w.t.Errorf("%q:\n%s", word, r.Screen)
		}
	}
}

// A season is as long as its home sets, in the home's time zone. The board shows when
// it ends. After that the leaders have a medal beside their names, and the hall of fame
// lists them. The ratings are kept.
func TestASeasonIsAsLongAsItsHomeSays(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:months"
		w.manages("test:ben", home, "season", "1")
		w.manages("test:ben", home, "zone", "cz")
		for range league.HallMatches {
			w.match(home, "2", "test:ben", "test:cat")
		}
		w.has(w.command("test:ben", home, "leaderboard"), "until 1 Feb 2000", "Europe/Prague", "1. ", "2. ", "!🥇")
		before, err := w.boards.MemberNames(t.Context(), home, "test:ben")
		if err != nil || before["test:ben"] == "" {
			t.Fatal(before, err)
		}
		w.pass(40 * 24 * time.Hour)
		w.has(w.command("test:ben", home, "leaderboard"), "until 1 Mar 2000", "Nobody has finished a match")
		w.match(home, "2", "test:ben", "test:cat")
		board := w.command("test:ben", home, "leaderboard")
		w.has(board, "🥇", "🥈", "1 match")
		w.has(w.command("test:ben", home, "leaderboard", "period", "all"), "🥇", "6 matches")
		w.has(w.presses("test:ben", home, mustPress(t, board, "Hall of fame")), "January 2000", "🥇", "🥈")
		w.has(w.command("test:ben", home, "stats"), "Medals: ")
		w.accounts("in the second season")
	})
}

// A board has pages, which buttons turn. A reader who is not on the page sees
// themselves and their neighbours below it. Equal results share a rank. Matches with an
// AI are listed separately.
func TestPagesOfABoard(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		const home = "test:many"
		people := 24
		who := func(i int) string { return fmt.Sprintf("test:p%02d", i) }
		for i := range people / 4 { // each foursome plays one match, all with the same outcome
			r := seated(func(seats []table.Seat) {
				for seat := range seats {
					seats[seat].Player = table.Player{ID: who(4*i + seat), Name: who(4*i + seat)}
				}
			})
			r.At = w.docs.Now()
			if err := w.boards.EnterElsewhere(t.Context(), home, fmt.Sprint("m", i, "-1"), r); err != nil {
				t.Fatal(err)
			}
		}
		w.match(home, "2", "test:solo") // with an AI
		page := w.command(who(21), home, "leaderboard", "period", "week")
		w.has(page, "Places 1 to 10 of 25", "⋯", "▸ 13. test:p21", "1. test:p00", "1. test:p18", "!test:p20", "By stakes won")
		page = w.presses(who(21), home, mustPress(t, page, "▼ Down"))
		w.has(page, "Places 11 to 20 of 25", "1. test:p20", "13. test:p01")
		page = w.presses(who(21), home, mustPress(t, page, "▼ Down"))
		w.has(page, "Places 21 to 25 of 25", "▸ 13. test:p21", "!⋯", "25. solo", "with the AI: 1 match")
		w.has(w.presses(who(21), home, mustPress(t, page, "▲ Up")), "Places 11 to 20 of 25")
		w.has(w.command(who(21), home, "leaderboard", "where", "everywhere"), "All chats")
	})
}
