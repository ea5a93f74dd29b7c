package bot

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// begun opens a table for Ann and Ben and starts the match.
func begun(b *Bot) {
	in := by("ann")
	in.Command, in.Args = "new", map[string]string{"players": "2"}
	b.Handle(context.Background(), in)
	command(b, "ben", "join")
	command(b, "ann", "start")
}

// nobodyAway checks that the AI plays for nobody.
func nobodyAway(t *testing.T, b *Bot) {
	t.Helper()
	synctest.Wait()
	tab := theTable(t, b)
	for _, s := range tab.Seats {
		if s.Away || s.Left {
			t.Fatalf("in %s: %+v", tab.Phase, s)
		}
	}
}

// away is a store that sometimes refuses to change a table.
type away struct {
	store.Store
	left atomic.Int64 // how often yet
}

func (s *away) Commit(ctx context.Context, c store.Change) error {
	if len(c.Writes) > 0 && strings.HasPrefix(c.Writes[0].Name, "table:") && s.left.Add(-1) >= 0 {
		return errors.New("the store is away")
	}
	return s.Store.Commit(ctx, c)
}

// A turn counts from the delivery of its hand: while a platform takes no messages, nobody's time runs out.
func TestATurnCountsFromItsHand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after time.Duration // how long after Start the platform fails
		fails string        // which deliveries fail; "": all
		err   chat.DeliveryError
		away  int // how often the store refuses to begin the turn again
	}{
		"from Start":         {0, "", chat.DeliveryError{Fault: chat.Retry}, 0},
		"the hands alone":    {0, "hands", chat.DeliveryError{Fault: chat.Retry}, 0},
		"a store away":       {0, "", chat.DeliveryError{Fault: chat.Retry}, 3},
		"away, after a hand": {10 * time.Second, "", chat.DeliveryError{Fault: chat.Retry}, 3},
		"told to wait":       {0, "", chat.DeliveryError{Fault: chat.Retry, After: 90 * time.Second}, 0},
		"after the hand":     {10 * time.Second, "", chat.DeliveryError{Fault: chat.Retry}, 0},
		"before the warning": {time.Minute, "", chat.DeliveryError{Fault: chat.Retry}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
				away := &away{Store: s.Store}
				s.Store = away
				running(t, b, func() {
					if c.after > 0 {
						begun(b)
					}
					time.Sleep(c.after)
					fail := func(call string) error {
						if c.fails == "" || strings.HasPrefix(call, "send test:") && !strings.HasPrefix(call, "send test:chat") {
							return &c.err
						}
						return nil
					}
					p.failing(fail)
					if c.after == 0 {
						begun(b)
					}
					time.Sleep(10 * time.Minute)
					nobodyAway(t, b)
					p.failing(nil)
					p.count("")
					away.left.Store(int64(c.away))
					for range 100 {
						time.Sleep(time.Second)
						synctest.Wait()
						if since := time.Since(theTable(t, b).Since); since < 2*time.Second {
							break
						}
					}
					if n := p.count("send test:chat"); n > 2 {
						t.Errorf("%d messages in the chat, not a lobby and a deal", n)
					}
					if n := away.left.Load(); n > 0 {
						t.Errorf("the store refused %d times less", n)
					}
					time.Sleep(table.DefaultLimit - 5*time.Second)
					synctest.Wait()
					nobodyAway(t, b)
					time.Sleep(10 * time.Second)
					synctest.Wait()
					if tab := theTable(t, b); !tab.Seats[0].Away && !tab.Seats[1].Away {
						t.Error("the time of the turn doesn't run out")
					}
				})
			})
		})
	}
}

// The bot is down for nine hours, in a match or in the countdown of a rematch. Afterwards the AI plays for nobody.
func TestNobodyLosesWhileTheBotIsDown(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		begun(b)
		running(t, b, func() { time.Sleep(time.Minute) })
		time.Sleep(9 * time.Hour)
		running(t, b, func() {
			time.Sleep(10 * time.Minute)
			nobodyAway(t, b)
			if !theTable(t, b).Resting {
				t.Error("the game continues with nobody there")
			}
		})
		in := by("ann")
		in.Press = view.Press{Action: view.ActResume, Table: theTable(t, b).ID}.String()
		b.Handle(t.Context(), in)
		over := playMatch(t, b, theTable(t, b).ID, time.Second)
		in.Press = view.Press{Action: view.ActRematch, Table: over.ID}.String()
		b.Handle(t.Context(), in)
		time.Sleep(9 * time.Hour)
		running(t, b, func() {
			time.Sleep(10 * time.Minute)
			if tab := theTable(t, b); tab.Phase != table.Lobby || !tab.Begins.IsZero() {
				t.Errorf("the rematch is in %s, begins %v", tab.Phase, tab.Begins)
			}
		})
	})
}
