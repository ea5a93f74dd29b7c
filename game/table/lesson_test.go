package table_test

import (
	"testing"

	"sedmabot/game/table"
)

// TestALessonCountsNowhere: it is one deal, of which no event tells; the rematch
// is a match of which they do.
func TestALessonCountsNowhere(t *testing.T) {
	t.Parallel()
	now, ann := noon, people[0]
	s, err := table.NewLesson("k3", ann.ID, table.Chat{ID: ann.ID}, ann, 0, table.DefaultLimit, now)
	if err != nil {
		t.Fatal(err)
	}
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
	if s, _, err = table.Apply(s, ann, table.Rematch{}, table.Env{Now: now, Seed: table.Seed{2}}); err != nil || s.Lesson || s.LastDeal || s.Phase != table.Playing {
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
