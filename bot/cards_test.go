package bot

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// filming is a platform that notes how many cards of the open trick each delivery of a table shows, and when.
type filming struct {
	chats
	gap   time.Duration
	cards []int
	times []time.Time
}

func (f *filming) Gap(chat.Target) time.Duration { return f.gap }

func (f *filming) film(s screen.Screen) {
	if s.Picture == nil || s.Picture.Draw.Table == nil {
		return
	}
	n := len(s.Picture.Draw.Table.Plays)
	if s.Picture.Draw.Table.Past {
		n = 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cards, f.times = append(f.cards, n), append(f.times, time.Now())
}

func (f *filming) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	f.film(s)
	return f.chats.Send(ctx, to, s, nonce)
}

func (f *filming) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	f.film(s)
	return f.chats.Edit(ctx, a, s)
}

// reel returns what was filmed since its last call.
func (f *filming) reel() (cards []int, times []time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	cards, times = f.cards, f.times
	f.cards, f.times = nil, nil
	return cards, times
}

// The AI's three cards come one by one, about a second apart, where a place allows that many edits, and the player's own
// at once. A place that allows fewer shows them together, as soon as it is the player's turn. With the speed "at once",
// all do.
func TestTheAIsCardsComeOneByOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		private bool
		gap     time.Duration
		speed   table.Speed
		want    []int
	}{
		"a private chat on Telegram":        {true, time.Second, table.Normal, []int{1, 2, 3, 4}},
		"a private chat on Discord, slowly": {true, time.Second / 2, table.Slow, []int{1, 2, 3, 4}},
		"a channel on Discord":              {false, time.Second, table.Normal, []int{1, 2, 3, 4}},
		"a group on Telegram":               {false, 3 * time.Second, table.Normal, []int{4}},
		"at once":                           {true, time.Second, table.AtOnce, []int{4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kept := storetest.NewMemory()
				defer kept.Close()
				p := &filming{gap: c.gap}
				seed := func() table.Seed { return table.Seed{3} } // the person leads, and may continue
				b := New(Config{Store: kept, Platforms: []chat.Platform{p}, Think: easy, Log: slog.New(slog.DiscardHandler), Pace: 1500 * time.Millisecond, Seed: seed})
				in := by("ann")
				if c.private {
					in.Chat = chat.Chat{ID: in.Player.ID, Home: in.Player.ID, Private: true, Lang: "en"}
				}
				do := func(command, press string) {
					in.Command, in.Press = command, press
					if reply := b.Handle(t.Context(), in); reply.Outcome != chat.Done {
						t.Fatalf("%s%s: %+v", command, press, reply)
					}
				}
				running(t, b, func() {
					if c.speed != table.Normal {
						do("", screen.PressOf("mine", "speed", string(c.speed), in.Chat.Home))
					}
					in.Args = map[string]string{"players": "4"}
					do("new", "")
					do("", screen.PressOf(view.ActStart, openTable(t, b, in.Chat)))
					id := openTable(t, b, in.Chat)
					time.Sleep(15 * time.Second)
					at, err := b.tables.Load(t.Context(), id)
					if err != nil {
						t.Fatal(err)
					}
					own, _ := at.Private(in.Player.ID)
					if own.Turn != own.Seat || len(own.View.Trick) > 0 {
						t.Fatalf("the turn is %d after %d cards", own.Turn, len(own.View.Trick))
					}
					p.reel()
					do("", view.Press{Action: view.ActPlay, Table: id, Deal: own.DealNo, Turn: own.View.Decisions[own.Seat], Move: own.View.Legal[0]}.String())
					time.Sleep(12 * time.Second)
					cards, times := p.reel()
					if !slices.Equal(cards, c.want) {
						t.Fatalf("the messages show %v cards, wanted %v", cards, c.want)
					}
					for i := 1; i < len(times); i++ {
						if d := times[i].Sub(times[i-1]); d < c.gap || d > 3*time.Second || c.speed == table.Normal && c.private && d > 1300*time.Millisecond {
							t.Errorf("card %d comes after %v", i+1, d)
						}
					}
				})
			})
		})
	}
}

// openTable returns the id of the open table of a chat.
func openTable(t *testing.T, b *Bot, in chat.Chat) string {
	t.Helper()
	id, err := b.tables.OpenTable(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
