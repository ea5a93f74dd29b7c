package bot

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game/table"
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

// A turn counts from the delivery of its hand: while a platform takes no messages, nobody's time runs out.
func TestATurnCountsFromItsHand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after time.Duration // how long after Start the platform fails
		fails string        // which deliveries fail; "": all
		err   chat.DeliveryError
	}{
		"from Start":         {0, "", chat.DeliveryError{Fault: chat.Retry}},
		"the hands alone":    {0, "hands", chat.DeliveryError{Fault: chat.Retry}},
		"told to wait":       {0, "", chat.DeliveryError{Fault: chat.Retry, After: 90 * time.Second}},
		"after the hand":     {10 * time.Second, "", chat.DeliveryError{Fault: chat.Retry}},
		"before the warning": {time.Minute, "", chat.DeliveryError{Fault: chat.Retry}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
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
					for range 100 {
						time.Sleep(time.Second)
						synctest.Wait()
						if since := time.Since(theTable(t, b).Since); since < 2*time.Second {
							break
						}
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
