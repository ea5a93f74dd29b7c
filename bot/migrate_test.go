package bot

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// fused is the store of a process that dies. All commits after the first few fail. The first failing one may still take
// effect.
type fused struct {
	store.Store
	mu   sync.Mutex
	left int
	last bool // the first failing commit takes effect, but its answer is lost
}

var errFused = errors.New("the process died")

func (s *fused) Commit(ctx context.Context, c store.Change) error {
	s.mu.Lock()
	s.left--
	left := s.left
	s.mu.Unlock()
	switch {
	case left >= 0:
		return s.Store.Commit(ctx, c)
	case left == -1 && s.last:
		_ = s.Store.Commit(ctx, c)
	}
	return errFused
}

// inGroup gives a command in a group whose id is also its home's, as on Telegram.
func inGroup(b *Bot, player, name, group string) chat.Reply {
	in := by(player)
	in.Command, in.Chat.ID, in.Chat.Home = name, group, group
	return b.Handle(context.Background(), in)
}

// A process may die at any step of a group's move to a new id. Another one may then repeat the whole move.
func TestAMoveIsDoneOnceHoweverOftenItIsTold(t *testing.T) {
	t.Parallel()
	for commits := range 4 {
		for _, last := range []bool{false, true} {
			inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
				inGroup(b, "ann", "new", "test:group")
				inGroup(b, "ben", "join", "test:group")
				home, err := b.docs.Home(t.Context(), "test:group")
				if err != nil {
					t.Fatal(err)
				}
				id := home.Open["test:group"]
				press := by("ann")
				press.Chat.ID, press.Chat.Home = "test:group", "test:group"
				press.Admin, press.Press = true, view.Press{Action: view.ActDefault, Table: id}.String()
				b.Handle(t.Context(), press)
				inGroup(b, "ann", "start", "test:group")
				moved := chat.Input{Chat: chat.Chat{ID: "test:super", Home: "test:super"}, Former: "test:group"}

				b.docs.Store = &fused{Store: s, left: commits, last: last}
				died := b.Handle(t.Context(), moved).Outcome == chat.Failed
				if died != (commits < 2) {
					t.Errorf("after %d commits: died %v", commits, died)
				}
				b.docs.Store = s
				for range 2 {
					if r := b.Handle(t.Context(), moved); r.Outcome != chat.Done || r.Toast != "" || r.Screen != nil {
						t.Errorf("after %d commits: %v", commits, r)
					}
				}
				s.take()
				b.Handle(t.Context(), moved)
				if got := s.take(); got != "3 gets, 0 commits" {
					t.Errorf("what was done already is done again: %s", got)
				}

				in := by("ann")
				in.Chat.ID, in.Chat.Home = "test:super", "test:super"
				in, err = b.docs.Settled(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				home, err = b.docs.Home(t.Context(), in.Chat.Home)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(map[string]string{"test:super": id}, home.Open); diff != "" || home.Default == nil {
					t.Errorf("the home: %v, %s", home, diff)
				}
				tab, err := b.tables.Load(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]table.Chat{{ID: "test:super", ChatSettings: table.ChatSettings{Lang: "en"}}}, tab.Chats); diff != "" {
					t.Errorf("the table: %s", diff)
				}
				running(t, b, func() {
					time.Sleep(10 * time.Second)
					if n := p.count("send test:super"); n == 0 {
						t.Error("the table does not stand in the supergroup")
					}
				})
			})
		}
	}
}

// Until the platform reports the move, deliveries fail with the new id. The table then
// uses the new id, and nothing more is sent to the old one.
func TestADeliveryTellsOfTheMove(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		inGroup(b, "ann", "new", "test:group")
		running(t, b, func() { time.Sleep(time.Second) })
		old := "" // message in the group that was edited
		p.failing(func(call string) error {
			if old == "" {
				old = call
			}
			if call == old || call == "send test:group" {
				return &chat.DeliveryError{Fault: chat.Gone, Chat: "test:super", Err: errors.New("moved")}
			}
			return nil
		})
		running(t, b, func() {
			inGroup(b, "ben", "join", "test:group")
			time.Sleep(10 * time.Second)
			if n := p.count("send test:super"); n != 1 {
				t.Errorf("%d messages in the supergroup", n)
			}
			inGroup(b, "cat", "join", "test:super")
			time.Sleep(10 * time.Second)
			if n := p.count("edit test:"); n != 1 {
				t.Errorf("%d edits after another joined", n)
			}
		})
	})
}
