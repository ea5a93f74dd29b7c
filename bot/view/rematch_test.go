package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/table"
)

// four plays a match of four people to its end; it has one deal.
func four(t *testing.T, language string) (*scene, []table.Player) {
	t.Helper()
	s := open(t, "sedma-4p", language)
	players := []table.Player{eva, petr, {ID: "test:3", Name: "Žofie"}, {ID: "test:4", Name: "Dan"}}
	for _, p := range players[1:] {
		s.do(p, table.Join{Seat: -1})
	}
	s.do(eva, table.Start{})
	s.do(eva, table.LastDeal{})
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	return s, players
}

// TestRematchScreens shows a rematch from the first press to the last one, and how its series stands.
func TestRematchScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, players := four(t, language)
		s.do(petr, table.Rematch{Best: 3})
		screentest.Golden(t, language, "rematch", s.show(nil))
		for _, p := range []table.Player{players[0], players[2], players[3]} {
			s.do(p, table.Rematch{})
		}
		s.do(s.host(), table.LastDeal{})
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		screentest.Golden(t, language, "series", s.show(nil))
	})
}

// host returns the player who is the host.
func (s *scene) host() table.Player {
	i := slices.IndexFunc(s.table.Seats, func(seat table.Seat) bool { return seat.Player.ID == s.table.Host })
	return s.table.Seats[i].Player
}

// The result keeps its buttons, unchanged, as long as somebody of that match may still press Rematch: in the lobby, and
// until the second deal begins, while the AI has a seat of theirs.
func TestTheRematchStaysOpen(t *testing.T) {
	t.Parallel()
	s, players := four(t, "en")
	result := func() string {
		for _, p := range allPosts(s.table.Public(), s.table.Private, nil) {
			if p.Key == "result:1" {
				return p.Screen.String()
			}
		}
		return ""
	}
	over := result()
	if !strings.Contains(over, "[Rematch] [Share]\n[Replay] [Coach] [More]\n") {
		t.Fatal(over)
	}
	s.do(players[0], table.Rematch{})
	s.do(players[2], table.Rematch{})
	if got := result(); !strings.Contains(got, "[Rematch]") {
		t.Errorf("in the lobby, the result is\n%s", got)
	}
	s.now = s.now.Add(table.RematchWait)
	s.wait()
	if got := result(); s.table.Phase != table.Playing || !strings.Contains(got, "[Rematch]") {
		t.Errorf("in phase %s, the result is\n%s", s.table.Phase, got)
	}
	s.do(players[1], table.Rematch{})
	s.do(players[3], table.Rematch{})
	if got := result(); strings.Contains(got, "[Rematch]") {
		t.Errorf("everybody plays, and the result is\n%s", got)
	}
}

// Nothing is drawn at the rematch of a soccer match: its lobby says who will be at home, and offers no draw.
func TestARematchSaysWhoIsAtHome(t *testing.T) {
	t.Parallel()
	s := open(t, "soccer-home", "en")
	s.do(petr, table.Join{Seat: -1})
	settings := func(page table.Page) screen.Screen {
		s.do(eva, table.Choose{What: "page", Value: string(page)})
		posts := allPosts(s.table.Public(), s.table.Private, nil)
		return posts[slices.IndexFunc(posts, func(p screen.Post) bool { return strings.HasPrefix(p.Key, "lobby:") })].Screen
	}
	first := settings(table.PlacesPage).Menus
	if at := first[len(first)-1]; len(at.Options) != 3 || at.Chosen != 0 {
		t.Errorf("the first match offers %+v", at)
	}
	s.do(eva, table.Start{})
	s.do(eva, table.LastDeal{})
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	s.do(eva, table.Rematch{})
	home := s.table.Public().AtHome
	again := settings(table.PlacesPage).Menus
	if at := again[len(again)-1]; len(at.Options) != 2 || at.Chosen != home {
		t.Errorf("seat %d is at home, and the rematch offers %+v", home, at)
	} else if text := fmt.Sprint(at); !strings.Contains(text, "Petr") || strings.Contains(text, "free") {
		t.Errorf("the seat that waits for Petr has another name: %s", text)
	}
	if got := settings("seats").String(); !strings.Contains(got, " is at home and leads in every deal.") || strings.Contains(got, "free seat is") {
		t.Errorf("the rematch says\n%s", got)
	}
}
