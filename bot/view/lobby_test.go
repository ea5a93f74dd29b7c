package view

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/table"
)

// captionLimit is the limit of the text beside a picture on Telegram (https://core.telegram.org/bots/api#sendphoto).
const captionLimit = 1024

// lobbies calls check with the lobby of every preset in every language, from one player to a full table, and with each
// page of the settings. The names are long, and the second player can't be reached.
func lobbies(t *testing.T, check func(where string, tb table.Table, s screen.Screen)) {
	t.Helper()
	for i, preset := range game.Presets() {
		for j, language := range lang.Languages() {
			if testing.Short() && (i+j)%5 > 0 {
				continue
			}
			s := open(t, preset, language)
			s.table.Seats[0].Player.Name = strings.Repeat("Ä", 32)
			show := func(where string) {
				check(preset+" in "+language+": "+where, s.table, chatPosts(s.table.Public(), s.table.Chats[0], Reach{petr.ID: ByButton})[0].Screen)
			}
			show("empty")
			s.do(petr, table.Join{Seat: -1})
			show("two players")
			for range s.table.Rules.Players - 2 {
				s.do(eva, table.AddAI{})
			}
			show("full")
			pages := []table.Page{table.SettingsPage, table.GamePage, table.GamesPage, table.HousePage, table.LimitPage, table.LevelPage, table.PlacesPage}
			family := game.Family(preset)
			if len(game.FamilyPlayers(family)) > 1 {
				pages = append(pages, table.PlayersPage)
			}
			if len(game.Lengths(s.table.Rules)) > 1 {
				pages = append(pages, table.LengthPage)
			}
			for _, h := range table.HouseRules(s.table.Rules) {
				pages = append(pages, table.Page(h.Name))
			}
			for _, page := range pages {
				s.do(eva, table.Choose{What: "page", Value: string(page)})
				show(string(page))
			}
		}
	}
}

// TestLobbyHasFewButtons checks that a lobby has at most five buttons, one more if somebody can't be reached, and two more while two people
// choose sides. With its picture, it fits a caption.
func TestLobbyHasFewButtons(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	lobbies(t, func(where string, tb table.Table, s screen.Screen) {
		check(t, where, s)
		if n := s.Letters(); n >= captionLimit || s.Picture == nil {
			t.Errorf("%s: %d characters:\n%s", where, n, s)
		}
		if tb.Page != table.SeatsPage {
			return
		}
		private, n := 0, 0
		for _, row := range s.Rows {
			n += len(row)
			for _, b := range row {
				if b.Private != "" {
					private++
				}
			}
		}
		most := 5
		if tb.Public().Partners() && tb.Public().People() == 2 {
			most = 7 // they are asked whether they play together
		}
		if want := min(1, slices.IndexFunc(tb.Seats, func(s table.Seat) bool { return s.Player.ID == petr.ID })); private != max(0, want) || n-private > most || len(s.Menus) > 0 {
			t.Errorf("%s: %d buttons and %d menus:\n%s", where, n, len(s.Menus), s)
		}
	})
}

// TestLobbyPictureAndWordsAgree checks that the picture of a lobby and its words name the same seats, with the same sides and
// AI levels. Words take the picture's place where a chat shows none.
func TestLobbyPictureAndWordsAgree(t *testing.T) {
	t.Parallel()
	lobbies(t, func(where string, tb table.Table, s screen.Screen) {
		if tb.Page == table.PlacesPage {
			return // its own lines and choices name the seats
		}
		if tb.Page == table.GamePage || tb.Page == table.GamesPage {
			allGames(t, where, tb, s)
			return
		}
		places := s.Picture.Draw.Lobby.Seats
		if len(places) != len(tb.Seats) {
			t.Fatalf("%s: %d seats in the picture, %d at the table", where, len(places), len(tb.Seats))
		}
		words := strings.Split(string(screen.AppendWords(nil, s.Face, s.Picture.Words)), "\n")
		for i, p := range places {
			want := p.Name
			if p.Note != "" {
				want += " (" + p.Note + ")"
			}
			if p.Side != tb.Rules.Side(i) || !strings.Contains(words[p.Side], want) {
				t.Errorf("%s: the picture has %+v, and the words are %q", where, p, words)
			}
			if free := tb.Seats[i].AI == "" && tb.Seats[i].Player.ID == ""; p.Free != free {
				t.Errorf("%s: seat %d is free: %t, in the picture %t", where, i, free, p.Free)
			}
			if name := tb.Seats[i].Player.Name; name != "" && p.Name != name {
				t.Errorf("%s: seat %d is called %q, in the picture %q", where, i, name, p.Name)
			}
		}
		if tb.Page == table.SeatsPage {
			for _, line := range words {
				if text := s.WithoutPicture().String(); !strings.Contains(text, line) {
					t.Errorf("%s: without the picture, nothing says %q:\n%s", where, line, text)
				}
			}
		}
	})
}

// allGames checks that the first page of the games has four of them in its picture and in its words, with the table's own,
// which it marks, and that the second one has the others.
func allGames(t *testing.T, where string, tb table.Table, s screen.Screen) {
	t.Helper()
	games, words := s.Picture.Draw.Games, s.String()
	first := tb.Page == table.GamePage
	if want := map[bool]int{true: 4, false: len(game.Families()) - 4}[first]; len(games.Tiles) != want || first != (games.Chosen >= 0) {
		t.Fatalf("%s: %+v", where, games)
	}
	for _, tile := range games.Tiles {
		if !strings.Contains(words, tile.Name) || len(tile.Cards) != 2 || tile.Points == "" || tile.People == "" {
			t.Errorf("%s: a tile has %+v:\n%s", where, tile, words)
		}
	}
}

// TestLobbyPictureChangesWithTheSeats checks that the picture is drawn again for other seats, and for another game, but not
// for another length.
func TestLobbyPictureChangesWithTheSeats(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-4p", "en")
	name := func() string { return chatPosts(s.table.Public(), s.table.Chats[0], nil)[0].Screen.Picture.Name() }
	for _, step := range []struct {
		what    string
		do      func()
		changes bool
	}{
		{"length", func() { s.do(eva, table.Choose{What: "length", Value: "t5"}) }, false},
		{"settings", func() { s.do(eva, table.Choose{What: "page", Value: "house"}) }, false},
		{"time", func() { s.do(eva, table.Choose{What: "limit", Value: "3600"}) }, false},
		{"a player", func() { s.do(petr, table.Join{Seat: -1}) }, true},
		{"the AI", func() { s.do(eva, table.AddAI{}) }, true},
		{"its level", func() { s.do(eva, table.Choose{What: "level", Value: "easy"}) }, false}, // it is Eva's partner
		{"partners", func() { s.do(eva, table.Choose{What: "with", Value: s.table.Public().Mark(1)}) }, true},
		{"another game", func() { s.do(eva, table.Choose{What: "game", Value: "osmova"}) }, true},
	} {
		before := name()
		step.do()
		if changed := name() != before; changed != step.changes {
			t.Errorf("%s: the picture changes: %t", step.what, changed)
		}
	}
}

// TestMoreOfALobby shows what is behind More: to the host, to another player, to a manager of the chat, and to somebody
// without a seat. Everything that a lobby doesn't show is there.
func TestMoreOfALobby(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s, _ := sitting(t, language)
		more := func(who Presser) screen.Screen { return More(s.table.Public(), who, c) }
		screentest.Golden(t, language, "more-lobby", screentest.Words(t, more(Presser{ID: eva.ID, Chat: "test:chat"}), more(Presser{ID: petr.ID, Chat: "test:chat"}),
			more(Presser{ID: "test:9", Chat: "test:chat", Manages: true}), more(Presser{ID: "test:9", Chat: "test:chat"}), more(Presser{ID: "test:9"})))
	})
}

// TestAFirstMatchIsOfferedMore checks that the lobby of a rematch after a short match against an AI that errs offers more.
func TestAFirstMatchIsOfferedMore(t *testing.T) {
	t.Parallel()
	offer := lang.For("en").Text("lobby.offer", "length", "Length", "settings", "Settings")
	for _, first := range []bool{true, false} {
		s := open(t, "sedma-4p", "en")
		s.do(petr, table.Join{Seat: -1})
		if first {
			s.do(eva, table.Choose{What: "length", Value: table.FirstLength})
			s.do(eva, table.Choose{What: "level", Value: table.DefaultLevel})
		}
		shows := func() bool {
			return strings.Contains(chatPosts(s.table.Public(), s.table.Chats[0], nil)[0].Screen.String(), offer)
		}
		if shows() {
			t.Errorf("first %t: the first lobby offers more", first)
		}
		s.do(eva, table.Start{})
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		s.do(petr, table.Rematch{})
		if shows() != first {
			t.Errorf("first %t: the rematch offers more: %t", first, !first)
		}
	}
}

// TestALobbyNumbersNamesThatCannotBeDrawn checks that the words say which player a number in the picture means.
func TestALobbyNumbersNamesThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-4p", "en")
	s.do(table.Player{ID: "test:9", Name: "张伟"}, table.Join{Seat: -1})
	shown := chatPosts(s.table.Public(), s.table.Chats[0], nil)[0].Screen
	if got := shown.Picture.Draw.Lobby.Seats[1].Name; got != strconv.Itoa(2) || !strings.Contains(shown.String(), "2: 张伟") {
		t.Errorf("the seat is called %q in the picture, and the words are:\n%s", got, shown)
	}
}
