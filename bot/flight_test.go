package bot

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/store/boltstore"
)

// hung is a platform whose calls end only when their context does.
type hung struct{ chats }

func (*hung) Name() string { return "hung" }

func (*hung) Send(ctx context.Context, _ chat.Target, _ view.Screen, _ string) (chat.Address, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// A platform that hangs must not delay another one, even if it has more tables than there are workers.
func TestAHungPlatformDelaysNoOther(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		file, err := boltstore.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		well := &chats{}
		b := New(Config{Store: file, Platforms: []chat.Platform{&hung{}, well}, Think: easy, Pace: time.Second, Log: slog.New(slog.DiscardHandler)})
		for i := range 4 * work.Workers {
			in := by("ann")
			in.Command = "new"
			in.Player.ID, in.Chat.ID, in.Chat.Home = fmt.Sprint("hung:", i), fmt.Sprint("hung:chat", i), fmt.Sprint("hung:home", i)
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
				t.Fatal(r)
			}
		}
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			for i := range 20 {
				in := by(fmt.Sprint("ben", i))
				in.Command, in.Chat.ID, in.Chat.Home = "new", fmt.Sprint("test:chat", i), fmt.Sprint("test:home", i)
				b.Handle(t.Context(), in)
				time.Sleep(time.Second)
				if n := well.count("send test:chat"); n != 1 {
					t.Errorf("table %d: %d messages after a second", i, n)
				}
			}
		})
	})
}
