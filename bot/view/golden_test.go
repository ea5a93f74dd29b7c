package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/table"
)

// sitting returns a lobby of four with Eva, Petr and an AI.
func sitting(t *testing.T, language string) (*scene, table.Player) {
	s := open(t, "sedma-4p", language)
	other := petr
	other.Lang = language
	s.do(other, table.Join{Seat: -1})
	s.do(eva, table.AddAI{})
	return s, other
}

func playing(t *testing.T, language string) (*scene, table.Player) {
	s, other := sitting(t, language)
	s.do(eva, table.Start{})
	return s, other
}

func TestLobbyScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := sitting(t, language)
		screentest.Golden(t, language, "lobby", s.show(Reach{petr.ID: ByButton}))
		s.do(eva, table.AddAI{})
		screentest.Golden(t, language, "lobby-full", s.show(nil))
		s.do(eva, table.Close{})
		screentest.Golden(t, language, "lobby-closed", s.show(nil))
	})
}

// TestSettingsScreens shows every page of the settings.
func TestSettingsScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := sitting(t, language)
		show := func(name string, choices ...string) {
			for _, c := range choices {
				what, value, _ := strings.Cut(c, " ")
				s.do(eva, table.Choose{What: what, Value: value})
			}
			screentest.Golden(t, language, "settings-"+name, s.show(nil))
		}
		show("first", "page settings")
		show("game", "page game")
		show("games", "page games")
		show("players", "game hola")
		show("house", "game sedma", "players 4", "burn 5-10-15", "end t20", "limit 3600", "page house")
		show("burn", "page burn")
		show("limit", "page limit")
		show("places", "page places")
		show("done", "page seats")
		s.do(eva, table.AddAI{})
		show("draw", "draw partners")
		s = open(t, "soccer-neutral", language)
		show("venue", "page places", "venue 0")
		s = open(t, "soccer-home", language)
		show("at-home", "page seats")
	})
}

func TestTrickScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := playing(t, language)
		screentest.Golden(t, language, "deal-start", s.show(Reach{petr.ID: ByButton}))
		s.until(func(p table.Public) bool {
			return p.View.Phase == game.Follow && p.Turn >= 0 && p.Seats[p.Turn].AI == ""
		})
		screentest.Golden(t, language, "deal-follow", s.show(nil))
		s.until(func(p table.Public) bool {
			return p.View.Phase == game.Decide && p.Seats[p.Turn].AI == "" && !s.table.Deal.Forced()
		})
		screentest.Golden(t, language, "deal-decide", s.show(nil))
		s.until(func(p table.Public) bool {
			return len(p.View.Tricks) > 2 && s.table.Deal.Forced() && p.Seats[p.Turn].AI == ""
		})
		screentest.Golden(t, language, "deal-forced", s.show(nil))
	})
}

func TestLateScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := playing(t, language)
		s.table.Pace = 1 // with Pace 0, players are never called
		s.until(func(p table.Public) bool { return p.Turn >= 0 && p.Seats[p.Turn].AI == "" && !s.table.Deal.Forced() })
		s.now = s.table.Since.Add(table.CallAfter)
		s.wait()
		screentest.Golden(t, language, "called", s.show(nil))
		s.now = s.table.Due()
		s.wait()
		screentest.Golden(t, language, "warned", s.show(nil))
		seat := s.table.Public().Turn
		s.table.Seats[seat].Away, s.table.Seats[seat].Warned = true, false
		screentest.Golden(t, language, "away", s.show(nil))
		s.do(petr, table.Leave{})
		screentest.Golden(t, language, "left", s.show(nil))
	})
}

func TestEndScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := playing(t, language)
		s.until(func(p table.Public) bool { return p.Phase == table.Pause })
		screentest.Golden(t, language, "deal-over", s.show(nil))
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		screentest.Golden(t, language, "match-over", s.show(nil))
		s.do(eva, table.Close{})
		screentest.Golden(t, language, "match-closed", s.show(nil))
	})
}

func TestClosedDealScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s, _ := playing(t, language)
		s.until(func(p table.Public) bool { return len(p.View.Tricks) == 1 })
		s.do(eva, table.Close{})
		screentest.Golden(t, language, "deal-closed", s.show(nil))
	})
}

func TestOtherGameScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		for _, preset := range []string{"sedma-3p", "sedma-3p-solo-hearts", "sedma-3p-hartmann", "ristikontra", "hola-6p", "osmova-4p-170-points", "soccer-home", "sedma-2p-kase1"} {
			s := open(t, preset, language)
			s.do(eva, table.Start{})
			s.until(func(p table.Public) bool { return len(p.View.Tricks) > 3 && p.Turn >= 0 && p.Seats[p.Turn].AI == "" })
			screentest.Golden(t, language, preset, s.show(nil))
			s.until(func(p table.Public) bool { return p.Phase == table.Pause || p.Phase == table.Over })
			screentest.Golden(t, language, preset+"-over", s.show(nil))
		}
	})
}

// TestLaterDealScreens shows summaries that mention earlier deals.
func TestLaterDealScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		for preset, deals := range map[string]int{"sedma-3p-cash": 3, "sedma-4p-pool100": 2, "soccer-home": 4, "ristikontra": 2} {
			s := open(t, preset, language)
			s.do(eva, table.Start{})
			s.until(func(p table.Public) bool { return len(p.Past) == deals })
			for _, p := range allPosts(s.table.Public(), s.table.Private, nil) {
				if strings.HasPrefix(p.Key, "deal:") {
					screentest.Golden(t, language, preset+"-later", screentest.Words(t, p.Screen, p.Screen.WithoutPicture()))
				}
			}
		}
	})
}

func TestReplyScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		screentest.Golden(t, language, "exists", screentest.Words(t, TableExists("", c), TableExists("https://example.com/1/2", c),
			TableRuns("", "https://example.com/1/2", c.Text("table.runs"), c, c.Text("table.runs.tell", "command", "/settings")), TableRuns("t1", "", c.Text("table.runs.join"), c)))
	})
}

// TestMoreScreens shows More to the host, to another player, to a manager of the chat and
// to a spectator, and the seeds of the finished deals.
func TestMoreScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s, _ := playing(t, language)
		s.until(func(p table.Public) bool { return len(p.Past) == 2 && len(p.View.Tricks) == 3 && p.Turn >= 0 })
		more := func(who Presser) screen.Screen { return More(s.table.Public(), who, c) }
		screentest.Golden(t, language, "more", screentest.Words(t, more(Presser{ID: eva.ID, Chat: "test:chat"}), more(Presser{ID: petr.ID}),
			more(Presser{ID: "test:9", Chat: "test:chat", Manages: true}), more(Presser{ID: "test:9"})))
		screentest.Golden(t, language, "proof", screentest.Words(t, Proof(s.table.Public(), c)))
		alone, contest := s.table.Public(), s.table.Public()
		alone.Seats, contest.Policy.Runs = slices.Clone(alone.Seats), true
		alone.Seats[1].Player = table.Player{}
		screentest.Golden(t, language, "sure", screentest.Words(t, Ask(s.table.Public(), ActLeave, c), Ask(alone, ActLeave, c), Ask(contest, ActLeave, c),
			Ask(s.table.Public(), ActClose, c), Ask(s.table.Public(), ActLast, c), Answered(ActLeave, c), Answered(ActClose, c), Answered(ActLast, c)))
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		screentest.Golden(t, language, "more-over", screentest.Words(t, more(Presser{ID: eva.ID, Chat: "test:chat"})))
	})
}

// TestDailyScreens shows the daily deal during play and after it.
func TestDailyScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s := open(t, "sedma-4p", language)
		var err error
		s.table, _, err = table.StartDaily(s.table, table.Daily{Date: "2026-03-01", Zone: "Europe/Prague", Ends: noon.Add(time.Hour)}, table.Env{Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		s.until(func(p table.Public) bool { return p.Turn == 0 })
		screentest.Golden(t, language, "daily", s.show(nil))
		if got, want := GuestLive(s.table.Public(), c).Detail, c.Text("match.hands", "n", 1); got != want {
			t.Errorf("the page says that the match ends after %q, want %q", got, want)
		}
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		shown := s.show(nil)
		s.do(table.Player{}, table.Compare{AI: table.Tally{Score: 2, Points: 70}})
		screentest.Golden(t, language, "daily-over", shown+s.show(nil))
		seed := fmt.Sprintf("%x", s.table.Seed)
		if strings.Contains(shown, seed) || strings.Contains(s.show(nil), seed) {
			t.Error("the seed is told")
		}
	})
}
