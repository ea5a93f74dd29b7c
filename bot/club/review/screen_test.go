package review

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// played returns a finished match between Eva, Petr and AIs. Everybody plays their first legal move.
func played(t *testing.T, preset, language string) table.Table {
	t.Helper()
	r := gametest.Preset(t, preset)
	env := table.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	next := func() table.Env {
		binary.BigEndian.PutUint64(env.Seed[:], binary.BigEndian.Uint64(env.Seed[:])+1)
		return env
	}
	eva := table.Player{ID: "test:1", Name: "Eva", PlayerSettings: table.PlayerSettings{Lang: language}}
	s := table.New("k3", "test:home", table.Chat{ID: "test:chat"}, eva, r, 0, table.DefaultLimit, env.Now)
	do := func(p table.Player, c table.Command) {
		var err error
		if s, _, err = table.Apply(s, p, c, next()); err != nil {
			t.Fatalf("%s: %#v: %v", p.Name, c, err)
		}
	}
	do(table.Player{ID: "test:2", Name: "Petr"}, table.Join{Seat: -1})
	do(eva, table.Start{})
	for s.Phase != table.Over {
		seat := s.Public().Turn
		if s.Phase == table.Playing && s.Seats[seat].AI == "" {
			do(s.Seats[seat].Player, table.Play{Deal: s.DealNo, Decision: s.Deal.Decisions(seat), Move: s.Deal.View(seat).Legal[0]})
			continue
		}
		now := next()
		var wanted *table.Wanted
		for s, _, wanted = table.Advance(s, now); wanted != nil; {
			s, _, wanted = table.Answer(s, now, wanted.View.Legal[0])
		}
	}
	return s
}

// replayed returns one step of the last deal in a finished match; -1 is the last step.
func replayed(t *testing.T, s table.Table, step int) Replay {
	t.Helper()
	d, past := s.Deal, s.Past[len(s.Past)-1]
	states := []game.State{}
	for n := range len(d.Moves()) + 1 {
		at, err := game.Replay(d.Rules(), d.Deck(), d.Dealer(), d.Moves()[:n])
		if err != nil {
			t.Fatal(err)
		}
		if cards := cardsIn(at.View(game.Nobody).Log); cards < len(states) {
			states[cards] = at
		} else {
			states = append(states, at)
		}
	}
	if step < 0 {
		step = len(states) - 1
	}
	tricks := len(d.View(game.Nobody).Tricks)
	if len(d.View(game.Nobody).Trick) > 0 {
		tricks++
	}
	r := Replay{
		Match: Match{
			Table: "k3", No: 2, At: time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC), Rules: d.Rules(),
			Seats: s.Seats, Scores: s.Match.Scores, Ticket: "abcDEF-_012",
		},
		Deals: len(s.Past), Deal: len(s.Past), Steps: len(states) - 1, Tricks: tricks, Solo: game.Nobody, Past: past,
	}
	if d.Rules().Teams == game.SoloKing {
		r.Solo = d.Solo()
	}
	return replayedDeal{states, r}.at(step)
}

func TestReplayScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "sedma-3p-solo-hearts", "ristikontra"} {
			s := played(t, preset, language)
			if preset == "sedma-4p" {
				screentest.Golden(t, language, "replay-dealt", screentest.Words(t, replayed(t, s, 0).Screen(c)))
				screentest.Golden(t, language, "replay-card", screentest.Words(t, replayed(t, s, 14).Screen(c)))
				own := replayed(t, s, 14)
				own.Played, own.Coaching = true, true
				screentest.Golden(t, language, "replay-coaching", screentest.Words(t, own.Screen(c)))
			}
			screentest.Golden(t, language, "replay-end-"+preset, screentest.Words(t, replayed(t, s, -1).Screen(c)))
		}
	})
}

func TestMatchAndRecordScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		s := played(t, "sedma-4p", language)
		m := replayed(t, s, 0).Match
		long := m
		long.No, long.Seats = 1, []table.Seat{{Player: table.Player{ID: "test:9", Name: strings.Repeat("Ab", 32)}}, {AI: "x"}, {AI: "x"}, {AI: "x"}}
		screentest.Golden(t, language, "matches", screentest.Words(t, Matches([]Match{m, long}, c)))
		screentest.Golden(t, language, "matches-empty", screentest.Words(t, Matches(nil, c)))
		screentest.Golden(t, language, "record", screentest.Words(t, Record(m, []byte("{}"), c)))
	})
}
