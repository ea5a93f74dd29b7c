package bottest

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// accepting is an instant platform that refuses the messages that closed reports.
type accepting struct {
	instant
	closed func(chat.Target) bool
}

func (p *accepting) Reach(_ context.Context, to chat.Target) error {
	if p.closed(to) {
		return &chat.DeliveryError{Fault: chat.Unreachable}
	}
	return nil
}

func (p *accepting) Send(ctx context.Context, to chat.Target, _ screen.Screen, nonce string) (chat.Address, error) {
	return chat.Address("instant:" + nonce), p.Reach(ctx, to)
}

// weighing is a store that adds up what its calls allocate. It makes one call at a time.
type weighing struct {
	store.Store
	mu           sync.Mutex
	bytes, count float64
}

func (s *weighing) call(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes, count := allocated(f)
	s.bytes, s.count = s.bytes+bytes, s.count+count
}

func (s *weighing) Get(ctx context.Context, keys ...store.Key) (docs []store.Doc, err error) {
	s.call(func() { docs, err = s.Store.Get(ctx, keys...) })
	return docs, err
}

func (s *weighing) Commit(ctx context.Context, c store.Change) (err error) {
	s.call(func() { err = s.Store.Commit(ctx, c) })
	return err
}

func (s *weighing) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (jobs []store.Job, next time.Time, err error) {
	s.call(func() { jobs, next, err = s.Store.Claim(ctx, now, lease, limit) })
	return jobs, next, err
}

// allocated returns the bytes and the number of allocations during f.
func allocated(f func()) (bytes, count float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), float64(after.Mallocs - before.Mallocs)
}

// A press that edits the table's message may allocate 60 kB in 400 pieces. That is everything between the platform and
// the store: the command, the commits, the screens, and what is recorded of the messages. The platform accepts messages
// and does nothing with them. The store's own allocations don't count. A press in a table with private hands edits all of those too. A hand in the
// chat is sent again at each turn of its player, and the older one deleted, which takes another round of deliveries.
func TestAPressAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates too")
	}
	for _, c := range []struct {
		name    string
		players int
		words   bool
		closed  func(chat.Target) bool

		maxBytes, maxCount float64
	}{
		{"two players in a chat, in words", 2, true, func(to chat.Target) bool { return to.Player != "" }, 60e3, 400},
		{"two players in a chat, with pictures", 2, false, func(to chat.Target) bool { return to.Player != "" }, 60e3, 400},
		{"four players with private hands", 4, false, func(chat.Target) bool { return false }, 100e3, 700},
		{"four players with hands in the chat", 4, false, func(to chat.Target) bool { return to.Chat == "" }, 190e3, 1250},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := storetest.NewMemory()
				defer file.Close()
				calls := &weighing{Store: file}
				deals := byte(0)
				seed := func() table.Seed { deals++; return table.Seed{17, deals} }
				b := bot.New(bot.Config{Store: calls, Platforms: []chat.Platform{&accepting{closed: c.closed}}, Think: easy, Worlds: 1, Log: slog.New(slog.DiscardHandler), Pace: time.Second, Seed: seed})
				const here = "instant:-1"
				if c.words {
					words := store.Write{Name: "home:" + here, Data: []byte(`{"v":1,"d":{"words":true}}`)}
					if err := calls.Commit(t.Context(), store.Change{Partition: store.Partition(here), Writes: []store.Write{words}}); err != nil {
						t.Fatal(err)
					}
				}
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { _ = b.Run(ctx) })
				defer running.Wait()
				defer stop()
				do := func(player, command, press string) {
					in := chat.Input{
						Player: chat.Player{ID: player, Name: "Player " + player[len(player)-1:], Lang: "en"},
						Chat:   chat.Chat{ID: here, Home: here}, Command: command, Press: press,
					}
					if command == "new" {
						in.Args = map[string]string{"players": fmt.Sprint(c.players)}
					}
					if r := b.Handle(ctx, in); r.Outcome != chat.Done {
						t.Fatal(command, press, r.Toast)
					}
					synctest.Wait()
				}
				do("instant:1", "new", "")
				for person := 2; person <= c.players; person++ {
					do(fmt.Sprint("instant:", person), "join", "")
				}
				// The end of a match does more than a press. In a match to ten, there are enough presses without one.
				do("instant:1", "", view.Press{Action: view.ActSet, Table: town.OnlyTable(t, calls).ID, What: "length", Value: "t10"}.String())
				do("instant:1", "start", "")
				var bytes, count, presses float64
				for presses < 200 {
					tb := town.OnlyTable(t, calls)
					if tb.Phase == table.Over {
						break
					}
					public := tb.Public()
					if tb.Phase != table.Playing || public.Turn < 0 {
						time.Sleep(time.Second)
						synctest.Wait()
						continue
					}
					v := tb.Deal.View(public.Turn)
					press := view.Press{Action: view.ActPlay, Table: tb.ID, Deal: tb.DealNo, Turn: v.Decisions[public.Turn], Move: ai.Beginner.Try(context.Background(), v, 0, 0)}
					ofStore, countOfStore := calls.bytes, calls.count
					size, n := allocated(func() { do(tb.Seats[public.Turn].Player.ID, "", press.String()) })
					bytes, count, presses = bytes+size-(calls.bytes-ofStore), count+n-(calls.count-countOfStore), presses+1
				}
				t.Logf("%v presses: %.0f bytes in %.0f pieces each", presses, bytes/presses, count/presses)
				if bytes/presses > c.maxBytes || count/presses > c.maxCount {
					t.Errorf("a press allocates %.0f bytes in %.0f pieces", bytes/presses, count/presses)
				}
			})
		})
	}
}
