package puzzle

import (
	"slices"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/puzzle"
)

// The day's puzzle in a chat says what lies on the table, and how people answered. Every puzzle that comes with the program fits a
// quiz poll, in every language.
func TestQuizScreens(t *testing.T) {
	all, err := puzzle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		var shown []screen.Screen
		for i := range all {
			p := &all[i]
			q := QuizPost{Position: Position{Name: p.ID(), Choices: movesOf(p.Choices), Date: "2026-11-23"}, Chat: "telegram:-1001234567890", Why: "Why."}
			if q.View, err = p.View(); err != nil {
				t.Fatal(err)
			}
			q.Votes = make([]int, len(q.Choices))
			if i > 0 {
				q.Votes[0], q.Votes[1] = 3, 1
			}
			s := q.Screen(c)
			if i < 2 {
				shown = append(shown, s)
			}
			poll := s.Poll
			long := slices.ContainsFunc(poll.Options, func(o string) bool { n := utf8.RuneCountInString(o); return n < 1 || n > 100 })
			if utf8.RuneCountInString(poll.Question) > screen.PollQuestion || utf8.RuneCountInString(poll.About) > screen.PollAbout || long || len(poll.Options) < 2 || len(poll.Options) > 12 {
				t.Errorf("puzzle %d as a poll: %+v", i, poll)
			}
		}
		screentest.Golden(t, language, "quiz", screentest.Words(t, shown...)+"\n"+shown[1].Poll.Question+"\n\n"+shown[1].Poll.About+"\n")
	})
}
