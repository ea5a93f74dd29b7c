package table_test

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// lesson returns a table with a lesson for the first of the people.
func lesson(t fataler) table.Table {
	t.Helper()
	s, err := table.NewLesson("k3", people[0].ID, table.Chat{ID: people[0].ID}, people[0], 0, table.DefaultLimit, noon)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// meant are the moves of the player that the lesson was made for.
var meant = strings.Fields("9a 9h stop 9l stop 8l Ah 7h 9b stop Kb")

// playLesson plays a lesson to its end. The player makes the moves that choose returns
// for their views. playLesson returns how many moves the AI was asked for.
func playLesson(t fataler, s table.Table, choose func(game.View) game.Move) (over table.Table, asked int) {
	t.Helper()
	env := table.Env{Now: noon}
	for s.Phase == table.Playing {
		var wanted *table.Wanted
		if s, _, wanted = table.Advance(s, env); wanted != nil {
			asked++
			s, _, _ = table.Answer(s, env, wanted.View.Legal[0])
			continue
		}
		if s.Phase != table.Playing {
			break
		}
		v := s.Deal.View(0)
		if v.Turn != 0 {
			t.Fatalf("the lesson waits for seat %d", v.Turn)
		}
		p, _ := s.Private(people[0].ID)
		if v.Decisions[0] > 0 && (p.Made == 0 || p.Then.Turn != 0 || !slices.Contains(p.Then.Legal, p.Made) || p.Then.Decisions[0] != v.Decisions[0]-1) {
			t.Fatalf("the latest of %d decisions is %s, of %v", v.Decisions[0], p.Made, p.Then.Legal)
		}
		var err error
		if s, _, err = table.Apply(s, people[0], table.Play{Deal: s.DealNo, Decision: v.Decisions[0], Move: choose(v)}, env); err != nil {
			t.Fatalf("decision %d with %v: %v", v.Decisions[0], v.Hand, err)
		}
	}
	return s, asked
}

// line returns a player who makes the moves that the lesson was made for, with some of
// them replaced: by decision, from 0.
func line(t fataler, instead map[int]string) func(game.View) game.Move {
	return func(v game.View) game.Move {
		text := meant[v.Decisions[0]]
		if other, ok := instead[v.Decisions[0]]; ok {
			text = other
		}
		m, err := game.ParseMove(text)
		if err != nil {
			t.Fatalf("%v", err)
		}
		return m
	}
}

// TestTheLessonShowsTheGame plays the lesson's line and finds there all that a lesson
// promises.
func TestTheLessonShowsTheGame(t *testing.T) {
	t.Parallel()
	s, asked := playLesson(t, lesson(t), line(t, nil))
	if asked > 0 {
		t.Errorf("the AI was asked for %d moves", asked)
	}
	tricks := s.Past[0].Tricks
	found := map[string]bool{}
	for i, trick := range tricks {
		led := trick.Plays[0].Card.Rank()
		took := 0
		for j, p := range trick.Plays {
			if p.Card.Rank() == led || p.Card.Rank() == '7' {
				took = j
			}
			switch round := j / 4; {
			case j%4 == 0 && round > 0 && p.Seat == 0:
				found["the player continues"] = true
			case j%4 == 0 && round > 0:
				found["an opponent continues"] = p.Seat%2 == 1 || found["an opponent continues"]
			case p.Seat == 0 && j%4 == 3 && p.Card.Rank() == 'A' && trick.Plays[took].Seat == 2:
				found["an ace for the winning partner"] = true
			}
		}
		switch {
		case took == 0:
			found["nobody matches"] = true
		case trick.Plays[took].Card.Rank() == led:
			found["taken with a match"] = true
		default:
			found["taken with a seven"] = true
		}
		if i == len(tricks)-1 && trick.Winner%2 == 0 {
			found["the last trick"] = true
		}
	}
	for _, e := range s.Deal.View(game.Nobody).Log {
		if e.Seat == 0 && e.Move == game.Stop {
			found["the player stops"] = true
		}
	}
	for _, what := range []string{
		"nobody matches", "taken with a match", "taken with a seven", "the player continues", "an opponent continues",
		"the player stops", "an ace for the winning partner", "the last trick",
	} {
		if !found[what] {
			t.Errorf("the line has not: %s", what)
		}
	}
	points := s.Past[0].Score.Points
	last := s.Past[0].Result
	if points[0]+points[1] != 90 || points[0] < 50 || points[0]-40 >= 50 || last.LastTrick%2 != 0 {
		t.Errorf("%v points: the last trick does not decide whether it is 50 of 90", points)
	}
}

// The AI plays the cards of the lesson's script as long as the player's cards leave each trick to the side that wins it in
// the script. If a card gives a trick to the other side, the AI chooses its own cards from then on.
func TestTheLessonKeepsItsLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		instead map[int]string
		line    bool
	}{
		"other nines":              {map[int]string{0: "9b", 1: "9l", 3: "9h", 8: "9a"}, true},
		"another card to throw in": {map[int]string{5: "Kb", 10: "8l"}, true},
		"no ace for the partner":   {map[int]string{6: "Kb", 8: "Ah", 10: "9b"}, true},
		"the player stops at once": {map[int]string{1: "stop"}, false},
		"no seven":                 {map[int]string{7: "Kb"}, false},
	} {
		player := line(t, c.instead)
		if !c.line {
			taught := player
			player = func(v game.View) game.Move { // off the line, the rest is any legal moves
				if m := taught(v); v.Decisions[0] < 8 && slices.Contains(v.Legal, m) {
					return m
				}
				return v.Legal[0]
			}
		}
		if _, asked := playLesson(t, lesson(t), player); (asked == 0) != c.line {
			t.Errorf("%s: the AI was asked for %d moves", name, asked)
		}
	}
}

// Whatever the player presses, they lead, and choose between continuing and stopping when the other side is winning points.
func TestEveryLessonIsLedAndContinued(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		chosen := 0
		playLesson(t, lesson(t), func(v game.View) game.Move {
			if v.Phase == game.Decide && len(v.Legal) > 1 && v.Winner%2 == 1 && v.Taking.Points > 0 {
				chosen++
			}
			return rapid.SampledFrom(v.Legal).Draw(t, "move")
		})
		if chosen == 0 {
			t.Fatal("there was nothing to choose")
		}
	})
}

// TestEveryLessonEnds: whatever the player presses, the lesson comes to its end.
func TestEveryLessonEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, _ := playLesson(t, lesson(t), func(v game.View) game.Move { return rapid.SampledFrom(v.Legal).Draw(t, "move") })
		if points := s.Past[0].Score.Points; s.Phase != table.Over || points[0]+points[1] != 90 {
			t.Fatalf("it ends %s, with %v points", s.Phase, points)
		}
	})
}

// TestAnEarlierLessonGoesOn: lessons used to be dealt from a seed. One that was begun
// then is played to its end by the AI as it always plays.
func TestAnEarlierLessonGoesOn(t *testing.T) {
	t.Parallel()
	s := table.New("k3", people[0].ID, table.Chat{ID: people[0].ID}, people[0], gametest.Preset(t, "sedma-4p"), 0, table.DefaultLimit, noon)
	s.LastDeal = true
	s, _, err := table.Apply(s, people[0], table.Start{}, table.Env{Now: noon, Seed: sha256.Sum256([]byte("sedma, lesson 370"))})
	if err != nil {
		t.Fatal(err)
	}
	s.Lesson = true
	s.Inherit()
	if v := s.Deal.View(0); v.Turn != 0 {
		t.Fatalf("the former lesson began with seat %d", v.Turn)
	}
	s, asked := playLesson(t, s, func(v game.View) game.Move { return v.Legal[0] })
	if asked == 0 || s.Phase != table.Over {
		t.Errorf("%d moves were asked for, and it is %s", asked, s.Phase)
	}
}

// TestALessonCountsNowhere: no event tells of its end. The rematch is a match to 3, of
// which events do tell.
func TestALessonCountsNowhere(t *testing.T) {
	t.Parallel()
	now, ann := noon, people[0]
	s := lesson(t)
	var err error
	play := func() (events []table.Event) {
		for s.Phase == table.Playing || s.Phase == table.Pause {
			var more []table.Event
			if due := s.Due(); !due.IsZero() && !due.After(now) {
				s, more = advance(s, table.Env{Now: now, Seed: table.Seed{1}}, firstLegal)
			} else {
				seat := s.Public().Turn
				v := s.Deal.View(seat)
				if s, more, err = table.Apply(s, ann, table.Play{Deal: s.DealNo, Decision: s.Deal.Decisions(seat), Move: v.Legal[0]}, table.Env{Now: now}); err != nil {
					t.Fatal(err)
				}
			}
			events = append(events, more...)
		}
		return events
	}
	for _, e := range play() {
		if _, started := e.(table.DealStarted); !started {
			t.Errorf("a lesson tells of %T", e)
		}
	}
	if !s.Lesson || s.Phase != table.Over || len(s.Past) != 1 || !s.Public().Result.Lesson {
		t.Fatalf("after a lesson: %s, %d deals", s.Phase, len(s.Past))
	}
	if s, _, err = table.Apply(s, ann, table.Rematch{}, table.Env{Now: now, Seed: table.Seed{2}}); err != nil || s.Lesson || s.LastDeal || s.Phase != table.Playing || s.Match.Rules.Target != 3 {
		t.Fatalf("the rematch: %v, %+v", err, s)
	}
	over := 0
	for _, e := range play() {
		if _, ok := e.(table.MatchOver); ok {
			over++
		}
	}
	if over != 1 {
		t.Errorf("of the match after it %d ends are told", over)
	}
}
