package view

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// scene is a table for a test to play at.
type scene struct {
	t     testing.TB
	table table.Table
	now   time.Time
	seeds uint64
	think func(game.View) game.Move // how everybody plays
}

// noon is the start time of every scene.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var (
	eva  = table.Player{ID: "test:1", Name: "Eva"}
	petr = table.Player{ID: "test:2", Name: "Petr"}
)

// open returns a scene with a lobby where only Eva, the host, has a seat.
func open(t testing.TB, preset, language string) *scene {
	t.Helper()
	r := gametest.Preset(t, preset)
	host := eva
	host.Lang = language
	s := &scene{t: t, now: noon, think: first}
	s.table = table.New("k3", "test:home", table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: language}}, host, r, 0, table.DefaultLimit, s.now)
	return s
}

// first always plays the first legal move, which is good enough for golden files.
func first(v game.View) game.Move { return v.Legal[0] }

// advance advances a table to the current time, with the given AI.
func advance(t table.Table, env table.Env, choose func(game.View) game.Move) table.Table {
	t, _, wanted := table.Advance(t, env)
	for wanted != nil {
		t, _, wanted = table.Answer(t, env, choose(wanted.View))
	}
	return t
}

func (s *scene) env() table.Env {
	s.seeds++
	e := table.Env{Now: s.now}
	binary.BigEndian.PutUint64(e.Seed[:], s.seeds)
	return e
}

func (s *scene) do(p table.Player, c table.Command) {
	s.t.Helper()
	next, _, err := table.Apply(s.table, p, c, s.env())
	if err != nil {
		s.t.Fatalf("%s: %#v: %v", p.Name, c, err)
	}
	s.table = next
}

// wait advances the table to the current time. At a table with a pace, that is the time
// of its next move.
func (s *scene) wait() {
	if s.table.Pace > 0 {
		s.now = s.table.Due()
	}
	s.table = advance(s.table, s.env(), s.think)
}

// turn makes one move for the seat whose turn it is. The AI moves for its own seats.
func (s *scene) turn() {
	s.t.Helper()
	seat := s.table.Public().Turn
	v := s.table.Deal.View(seat)
	s.play(s.think(v))
}

func (s *scene) play(m game.Move) {
	s.t.Helper()
	seat := s.table.Public().Turn
	player := s.table.Seats[seat].Player
	if player.ID == "" {
		s.wait()
		return
	}
	s.do(player, table.Play{Deal: s.table.DealNo, Decision: s.table.Deal.Decisions(seat), Move: m})
}

// until plays until done reports true.
func (s *scene) until(done func(table.Public) bool) {
	s.t.Helper()
	for range 10000 {
		if done(s.table.Public()) {
			return
		}
		switch s.table.Phase {
		case table.Playing:
			s.turn()
		default:
			s.wait()
		}
	}
	s.t.Fatal("that never happened")
}

// allPosts returns all messages that a table should have.
func allPosts(p table.Public, private func(player string) (table.Private, bool), unreachable Reach) []screen.Post {
	return append(PastPosts(p), PresentPosts(p, private, unreachable, nil)...)
}

// show returns all posts of the table as text for tests.
func (s *scene) show(unreachable Reach) string {
	s.t.Helper()
	var b strings.Builder
	for _, p := range allPosts(s.table.Public(), s.table.Private, unreachable) {
		b.WriteString("== " + p.Key)
		if p.Player != "" {
			b.WriteString(" for " + p.Player)
		}
		if p.OldOnly {
			b.WriteString(", if it stands")
		}
		if p.Passing {
			b.WriteString(", passing")
		}
		for _, who := range p.Screen.Notify {
			b.WriteString(", calls " + who.Name)
		}
		b.WriteString("\n" + screentest.Words(s.t, p.Screen))
	}
	return b.String()
}
