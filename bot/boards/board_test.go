package boards_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/boards"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
)

// won returns a match in which the first, third … player won against the others.
func won(at time.Time, who ...string) league.Result {
	r := league.Result{At: at, Family: "sedma"}
	for i, player := range who {
		side := i % 2
		r.Seats = append(r.Seats, league.ResultSeat{Player: player, Name: strings.TrimPrefix(player, "test:"), Side: side, Rank: side + 1, Won: side == 0, Stakes: 3 - 6*side})
	}
	return r
}

// enter enters a match in the ledger of a home.
func enter(t *testing.T, w *town.Town, home, match string, r league.Result) {
	t.Helper()
	if err := boards.New(w.Docs, nil, nil).EnterElsewhere(t.Context(), home, match, r); err != nil {
		t.Fatal(err)
	}
}

// A season is as long as its home sets, in the home's time zone. The board shows when
// it ends. After that the leaders have a medal beside their names, and the hall of fame
// lists them. The ratings are kept.
func TestASeasonIsAsLongAsItsHomeSays(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:months"
		w.Manages("test:ben", home, "season", "1")
		w.Manages("test:ben", home, "zone", "cz")
		for range league.HallMatches {
			w.Match(home, "2", "test:ben", "test:cat")
		}
		w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Feb 2000", "Europe/Prague", "1. ", "2. ", "ben", "!🥇")
		w.Pass(40 * 24 * time.Hour)
		w.Has(w.Command("test:ben", home, "leaderboard"), "No finished matches")
		w.Match(home, "2", "test:ben", "test:cat")
		board := w.Command("test:ben", home, "leaderboard")
		w.Has(board, "until 1 Mar 2000", "🥇", "🥈", "of 1 won")
		w.Has(w.Command("test:ben", home, "leaderboard", "period", "all"), "🥇", "of 6 won")
		w.Has(w.Presses("test:ben", home, w.Button(board, "Hall of fame")), "January 2000", "🥇", "🥈")
		w.Has(w.Command("test:ben", home, "stats"), "Medals: ")
		w.Accounts("in the second season")
	})
}

// Another length of seasons begins when the running season ends, or later, with a season of that length. Until then the
// board and the ratings go on as they were.
func TestAnotherLengthBeginsWithTheNextSeason(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:lengths"
		when := func(date string) {
			t.Helper()
			at, err := time.Parse(time.DateOnly, date)
			if err != nil {
				t.Fatal(err)
			}
			w.Pass(time.Until(at))
		}
		match := 0
		play := func() {
			match++
			enter(t, w, home, fmt.Sprint("m-", match), won(time.Now(), "test:ann", "test:ben"))
			w.Pass(time.Second)
		}
		rating := func() (shown int) {
			var m league.Member
			w.Get(doc.InHome(home, doc.MemberName(home, "test:ann")), &m)
			return m.Ratings["sedma"].Shown()
		}
		when("2000-02-10")
		play()
		for _, months := range []string{"12", "6", "1", "6"} {
			before := rating()
			w.Manages("test:ben", home, "season", months)
			play()
			w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Apr 2000", "1. ann", "2. ben", fmt.Sprint(match, " of ", match, " won"))
			if after := rating(); after <= before {
				t.Errorf("Ann has won, and her rating goes from %d to %d", before, after)
			}
		}
		when("2000-04-02")
		w.Has(w.Command("test:ben", home, "leaderboard"), "No finished matches")
		play()
		w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Jul 2000", "1. ann")
		when("2000-07-02")
		w.Has(w.Command("test:ben", home, "leaderboard"), "No finished matches")
		play()
		w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Jan 2001", "1. ann", "1 of 1 won")
		w.Manages("test:ben", home, "season", "1")
		w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Jan 2001", "1. ann")
		when("2001-01-02")
		w.Has(w.Command("test:ben", home, "leaderboard"), "No finished matches")
		play()
		w.Has(w.Command("test:ben", home, "leaderboard"), "until 1 Feb 2001", "1. ann")
		if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 {
			t.Error(err, a.Wrong)
		}
	})
}

// A board has pages, which buttons turn. A reader who is not on the page sees
// themselves and their neighbours below it. Equal results share a rank. Matches with an
// AI are listed separately.
func TestPagesOfABoard(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:many"
		who := func(i int) string { return fmt.Sprintf("test:p%02d", i) }
		for i := 0; i < 24; i += 4 { // each foursome plays one match, all with the same outcome
			enter(t, w, home, fmt.Sprint("m", i, "-1"), won(time.Now(), who(i), who(i+1), who(i+2), who(i+3)))
		}
		w.Match(home, "2", "test:solo") // with an AI
		page := w.Command(who(21), home, "leaderboard", "period", "week")
		w.Has(page, "Places 1 to 10 of 25", "⋯", "▸ 13. p21", "1. p00", "1. p18", "!p20", "By matches won")
		page = w.Presses(who(21), home, w.Button(page, "▼ Down"))
		w.Has(page, "Places 11 to 20 of 25", "1. p20", "13. p01")
		page = w.Presses(who(21), home, w.Button(page, "▼ Down"))
		w.Has(page, "Places 21 to 25 of 25", "▸ 13. p21", "!⋯", "solo – with the AI: 0 of 1 won")
		w.Has(w.Presses(who(21), home, w.Button(page, "▲ Up")), "Places 11 to 20 of 25")
		w.Has(w.Command(who(21), home, "leaderboard", "where", "everywhere"), "All chats")
	})
}

// On the boards over all chats, readers from other chats see a person's name only after the
// person has agreed. The board asks once, in private. The settings can change the answer.
func TestNamesLeaveAChatOnlyAfterTheirOwnersAgreed(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const here, there = "test:here", "test:there"
		const ask = "Show them your name instead?"
		for range league.HallMatches {
			w.Match(here, "2", town.Ann, "test:ben")
			w.Match(there, "2", "test:cat", "test:dan")
		}
		w.Pass(time.Minute) // the results reach the boards over all chats
		all := func(player, home string) chat.Reply {
			t.Helper()
			return w.Command(player, home, "leaderboard", "where", "everywhere")
		}
		w.Has(all("test:cat", there), "cat", "dan", "Player from another chat", "!"+town.AnnName, "!ben", "!"+ask)
		w.Has(all("test:eve", "test:nowhere"), "!cat", "!ben", "!"+town.AnnName)
		w.Has(w.Command("test:cat", there, "leaderboard"), "cat", "dan", "!another chat")

		// In private, only a person who is on the board is asked, until they have answered.
		w.Has(all("test:eve", "test:eve"), "!"+ask)
		private := all("test:ben", "test:ben")
		w.Has(private, "ben", ask, "!"+town.AnnName)
		r := w.Presses("test:ben", "test:ben", w.Button(private, "Keep it hidden"))
		w.Has(r, "Players from other chats see you here as", "!"+ask)
		w.Has(all("test:cat", there), "!ben")
		everywhere := w.Presses(town.Ann, here, w.Button(w.Command(town.Ann, here, "leaderboard"), "All chats"))
		r = w.Presses(town.Ann, here, w.Button(everywhere, "Show my name"))
		w.Has(r, "Players from other chats see your name here.", "!"+ask)
		w.Has(all("test:cat", there), town.AnnName, "!ben")

		w.Pass(town.Season) // the season ends, and the hall of fame over all chats lists its best
		hall := func(player, home string) chat.Reply {
			return w.Presses(player, home, town.Press("hall:season:all:0:1"))
		}
		w.Has(hall("test:eve", "test:nowhere"), "Season from January 2000", "Player from another chat", "!ben", "!cat", "!dan")
		w.Has(hall("test:cat", there), "!ben")
		w.Has(hall("test:ben", here), "!cat", "!dan")

		// The settings change it, and a version that doesn't know the answer only hides the name.
		w.Presses("test:ben", "test:ben", town.OwnSetting("seen", "yes", ""))
		w.Has(all("test:cat", there), "!ben") // nobody has played in this season
		all = func(player, home string) chat.Reply {
			t.Helper()
			return w.Command(player, home, "leaderboard", "where", "everywhere", "period", "all")
		}
		w.Has(all("test:cat", there), "ben", town.AnnName)
		key := doc.PlayerKey("test:ben")
		err := w.Docs.Store.Commit(t.Context(), store.Change{Partition: key.Partition, Now: time.Now(), Writes: []store.Write{{Name: key.Name, Expect: store.Any}}})
		if err != nil {
			t.Fatal(err)
		}
		w.Has(all("test:cat", there), "!ben", town.AnnName)
	})
}

// /stats of a person without a finished match says so, and speaks of nobody else.
func TestStatsOfANewcomer(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		if r := w.Command("test:eva", "test:here", "stats"); r.Toast != "You haven't finished a match here yet." {
			t.Errorf("/stats says %+v", r)
		}
	})
}
