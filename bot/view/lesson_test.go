package view

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// lessonScene returns a scene with a lesson for Eva.
func lessonScene(t testing.TB, language string) *scene {
	t.Helper()
	player := eva
	player.Lang = language
	lesson, err := table.NewLesson("k3", eva.ID, table.Chat{ID: eva.ID, ChatSettings: table.ChatSettings{Lang: language}}, player, 0, table.DefaultLimit, noon)
	if err != nil {
		t.Fatal(err)
	}
	return &scene{t: t, now: noon, think: first, table: lesson}
}

// mine reports whether Eva has a choice to make.
func mine(p table.Public) bool { return p.Turn == 0 && !p.View.Forced }

func TestLessonScreens(t *testing.T) {
	eachLanguage(t, func(t *testing.T, language string) {
		s := lessonScene(t, language)
		golden(t, language, "lesson-begin", s.show(nil))
		nine := s.table.Deal.View(0).Legal[0]
		s.play(nine)
		s.until(mine)
		golden(t, language, "lesson-decide", s.show(nil))
		s.play(game.Stop)
		s.until(func(p table.Public) bool { return mine(p) && p.View.Phase == game.Follow })
		golden(t, language, "lesson-follow", s.show(nil))
		s.until(func(p table.Public) bool { return p.Phase == table.Over })
		golden(t, language, "lesson-over", s.show(nil))
		s.do(eva, table.Rematch{})
		golden(t, language, "lesson-rematch", s.show(nil))
	})
}

// TestTheLessonHasSomethingToTeach checks the dealt cards. The first hand leads. It
// has a pair for a second round, a card worth points, and a seven. At least one
// opponent can take the trick.
func TestTheLessonHasSomethingToTeach(t *testing.T) {
	t.Parallel()
	s := lessonScene(t, "en")
	p, _ := s.table.Private(eva.ID)
	l := lessonOf(p)
	if p.Turn != p.Seat || len(l.pair) != 2 || len(l.counting) == 0 || !slices.ContainsFunc(l.hand, func(c game.Card) bool { return c.Rank() == '7' }) {
		t.Errorf("the hand %v, on turn %d", l.hand, p.Turn)
	}
	others := slices.Concat(s.table.Deal.View(1).Hand, s.table.Deal.View(3).Hand)
	if !slices.ContainsFunc(others, func(c game.Card) bool { return c.Rank() == l.pair[0].Rank() || c.Rank() == '7' }) {
		t.Errorf("nobody can take a %v from %v", l.pair[0], others)
	}
}

// TestRemarksFitTheTable checks remarks with any moves. Each remark is true about the
// table as the player sees it, and one remark always says what they can do.
func TestRemarksFitTheTable(t *testing.T) {
	t.Parallel()
	said, lessons := map[string]bool{}, map[string]table.Table{}
	for _, language := range lang.Languages() {
		lessons[language] = lessonScene(t, language).table
	}
	rapid.Check(t, func(t *rapid.T) {
		s := scene{table: lessons[rapid.SampledFrom(lang.Languages()).Draw(t, "language")]}
		for {
			p, _ := s.table.Private(eva.ID)
			l, w := lessonOf(p), own(p)
			w.remarks(p)
			check(t, "remarks", w.screen)
			var keys []string
			for _, group := range remarks {
				if i := slices.IndexFunc(group, func(r remark) bool { return r.when(l) }); i >= 0 {
					keys = append(keys, group[i].key)
					said[group[i].key] = true
				}
			}
			for _, key := range keys {
				if !fits(key, p) {
					t.Fatalf("%q is said of %+v", key, p.View)
				}
			}
			if last := keys[len(keys)-1]; (last == "wait") == (p.Turn == p.Seat) {
				t.Fatalf("%q is said, on turn %d", last, p.Turn)
			}
			seat := s.table.Public().Turn
			deal, err := game.Apply(s.table.Deal, seat, rapid.SampledFrom(s.table.Deal.View(seat).Legal).Draw(t, "move"))
			if err != nil {
				t.Fatal(err)
			}
			if s.table.Deal = deal; deal.Over() {
				return
			}
		}
	})
	for _, group := range remarks {
		for _, r := range group {
			if !said[r.key] {
				t.Errorf("%q was never said", r.key)
			}
		}
	}
}

// fits reports whether a remark is true, judged by the legal moves.
func fits(key string, p table.Private) bool {
	v := p.View
	playable := 0
	for _, m := range v.Legal {
		if _, card := m.Card(); card {
			playable++
		}
	}
	own := v.Winner == p.Seat || v.Winner == p.Rules.Next(p.Rules.Next(p.Seat))
	switch {
	case key == "welcome":
		return len(v.Log) == 0
	case strings.HasPrefix(key, "took"), key == "ours", key == "theirs", key == "draw":
		return len(v.Tricks) > 0
	case key == "stock", key == "last":
		return v.Stock == 0
	case key == "wait":
		return p.Turn != p.Seat
	case key == "decide.none":
		return v.Forced && playable == 0
	case key == "decide.ours":
		return own && playable > 0 && slices.Contains(v.Legal, game.Stop)
	case key == "decide.theirs":
		return !own && playable > 0 && slices.Contains(v.Legal, game.Stop)
	case strings.HasPrefix(key, "lead"):
		return len(v.Trick) == 0
	case key == "follow.give", key == "follow.ours":
		return own
	}
	return !own && len(v.Trick) > 0
}
