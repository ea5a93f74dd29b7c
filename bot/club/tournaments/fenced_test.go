package tournaments_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// frozen is a store that holds up the next commit of a job of a kind that showed something, for longer than its lease. Then it
// fails twice.
type frozen struct {
	store.Store
	kind  string
	thaws func()
	fails atomic.Int32
}

func (f *frozen) Commit(ctx context.Context, c store.Change) error {
	if c.Done != nil && f.kind != "" && doc.KindOf(c.Done.ID) == f.kind && len(c.Writes) > 0 {
		f.kind = ""
		time.Sleep(2 * work.Lease)
		f.thaws()
		f.fails.Store(2)
	} else if c.Done == nil && len(c.Writes) > 0 && f.fails.Add(-1) >= 0 {
		return errors.New("the store is away")
	}
	return f.Store.Commit(ctx, c)
}

// A worker that has lost its lease when it has edited a message may have overwritten a newer edit. So that is made again.
func TestAWorkerWithoutALeaseLeavesADoubt(t *testing.T) {
	t.Parallel()
	for kind, joins := range map[string]func(t *testing.T, w *town.Town) (join func() chat.Reply){
		"tournament": func(t *testing.T, w *town.Town) func() chat.Reply {
			w.Asks("test:ann", eveningHome, town.Press("cup:new:open:singles"))
			id := opened(t, w, eveningHome)
			return func() chat.Reply {
				return w.Asks("test:ben", eveningHome, town.Press(screen.PressOf("cup", id, "join", "new")))
			}
		},
		"evenings": func(t *testing.T, w *town.Town) func() chat.Reply {
			planned(t, w, "when", "Friday 20:00")
			return func() chat.Reply { return evening(t, w, "test:ben", "join") }
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := &frozen{}
			town.In(t, func(t *testing.T, w *town.Town) {
				join := joins(t, w)
				w.Pass(time.Minute)
				w.Chats.Count("")
				shown := 0
				f.kind, f.thaws = kind, func() { shown = w.Chats.Count("edit") }
				if r := join(); r.Outcome != chat.Done {
					t.Fatal(r.Toast)
				}
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- w.Run(ctx) }()
				time.Sleep(time.Minute)
				stop()
				if err := <-ended; err != nil {
					t.Fatal(err)
				}
				if again := w.Chats.Count("edit"); shown != 2 || again != 1 {
					t.Errorf("with two leases it was edited %d times, and after the end of the first job %d times", shown, again)
				}
			}, func(c *bot.Config) { f.Store = c.Store; c.Store = f })
		})
	}
}
