package upkeep_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// group and supergroup are the ids of a group before and after its move.
const (
	group      = "test:group"
	supergroup = "test:super"
)

// moved tells of the move, as Telegram does.
func moved(t *testing.T, w *town.Town) chat.Reply {
	return w.Handle(t.Context(), chat.Input{Chat: chat.Chat{ID: supergroup, Home: supergroup}, Former: group})
}

// A group's former id is reported as left, before the new id is told or after. That is no removal: nothing is deleted, even
// if nobody plays for a month. A removal of the supergroup is one.
func TestAMovedGroupThatWasLeftStays(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, early := range []bool{false, true} {
		town.In(t, func(t *testing.T, w *town.Town) {
			w.Match(group, "2", town.Ann, "test:ben")
			w.Pass(3 * 24 * time.Hour) // the table is gone
			if early {
				w.Presence(group, chat.Removed)
			}
			moved(t, w)
			if !early {
				w.Presence(group, chat.Removed)
			}
			w.Pass(upkeep.PurgeAfter + time.Hour)
			if h, err := w.Docs.Home(t.Context(), group); err != nil || h.Played != 1 {
				t.Errorf("left before the move %v: %+v, %v", early, h, err)
			}
			w.Presence(supergroup, chat.Removed)
			w.Pass(upkeep.PurgeAfter + time.Hour)
			if left := w.Traces(group, supergroup); len(left) > 0 {
				t.Errorf("left before the move %v: after the removal there is %v", early, left)
			}
		})
	}
}

// A process may die at any step of a group's move to a new id. Another one may then repeat the whole move.
func TestAMoveIsDoneOnceHoweverOftenItIsTold(t *testing.T) {
	t.Parallel()
	for commits := range 4 {
		for _, last := range []bool{false, true} {
			town.InDying(t, func(t *testing.T, w *town.Town, s *town.Dying) {
				w.Command("test:ann", group, "new")
				w.Command("test:ben", group, "join")
				id := w.At(group).ID
				press := w.Input("test:ann", group)
				press.Admin, press.Press = true, view.Press{Action: view.ActDefault, Table: id}.String()
				w.Handle(t.Context(), press)
				w.Command("test:ann", group, "start")

				s.Dies(commits, last)
				died := moved(t, w).Outcome == chat.Failed
				if died != (commits < 2) {
					t.Errorf("after %d commits: died %v", commits, died)
				}
				s.Lives()
				for range 2 {
					if r := moved(t, w); r.Outcome != chat.Done || r.Toast != "" || r.Screen != nil {
						t.Errorf("after %d commits: %v", commits, r)
					}
				}
				before := s.Commits()
				moved(t, w)
				if n := s.Commits() - before; n != 0 {
					t.Errorf("what was done already is done again, with %d commits", n)
				}

				in, err := w.Docs.Settled(t.Context(), w.Input("test:ann", supergroup))
				if err != nil {
					t.Fatal(err)
				}
				home, err := w.Docs.Home(t.Context(), in.Chat.Home)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(map[string]string{supergroup: id}, home.Open); diff != "" || home.Default == nil {
					t.Errorf("the home: %v, %s", home, diff)
				}
				if diff := cmp.Diff([]table.Chat{{ID: supergroup}}, w.Load(id).Chats); diff != "" {
					t.Errorf("the table: %s", diff)
				}
				w.Pass(10 * time.Second)
				if !slices.Contains(w.Chats.Sent(), supergroup) {
					t.Error("the table does not stand in the supergroup")
				}
			})
		}
	}
}

// Until the platform reports the move, deliveries fail with the new id. The table then
// uses the new id, and nothing more is sent to the old one.
func TestADeliveryTellsOfTheMove(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Command("test:ann", group, "new")
		w.Pass(time.Second)
		old := "" // message in the group that was edited
		w.Chats.Failing(func(call string) error {
			if old == "" {
				old = call
			}
			if call == old || call == "send "+group {
				return &chat.DeliveryError{Fault: chat.Gone, Chat: supergroup, Err: errors.New("moved")}
			}
			return nil
		})
		w.Command("test:ben", group, "join")
		w.Pass(10 * time.Second)
		if n := w.Chats.Count("send " + supergroup); n != 1 {
			t.Errorf("%d messages in the supergroup", n)
		}
		w.Command("test:cat", supergroup, "join")
		w.Pass(10 * time.Second)
		if n := w.Chats.Count("edit test:"); n != 1 {
			t.Errorf("%d edits after another joined", n)
		}
	})
}
