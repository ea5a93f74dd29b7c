package discord_test

import (
	"fmt"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

// TestDirectMessagesClosedInMidGame checks that from the next deal on, the player opens
// their hand with the button. The table says so, and nobody has to wait.
func TestDirectMessagesClosedInMidGame(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	w.shows(w.bob, w.bob.DM(), "deal 1")
	w.bob.RefuseDMs(true)
	var table discordtest.Message
	pressed := map[string]bool{} // hands that were pressed, as they were then
	for table.ID == "" {
		var press func()
		w.Until("a turn, or the table says that Bob cannot be written to", func() bool {
			for _, m := range w.ann.Sees(w.channel) {
				if strings.Contains(m.Text, "Bob: “My cards” shows your hand") {
					table = m
					return true
				}
			}
			for _, who := range []*discordtest.Person{w.ann, w.bob} {
				for _, m := range who.Sees(who.DM()) {
					if seen := fmt.Sprint(m); strings.Contains(m.Text, "Your turn") && !pressed[seen] {
						pressed[seen] = true
						press = func() { who.Press(m, playable(m)).Wait() }
						return true
					}
				}
			}
			return false
		})
		if press != nil {
			press()
		}
	}
	hand, ok := w.bob.Click(table, "My cards").Wait()
	if !ok || !hand.Ephemeral || len(hand.Buttons) < 4 {
		t.Fatalf("got %v", hand)
	}
	for _, m := range w.ann.Sees(w.channel) {
		if strings.Contains(m.Text, hand.Text) {
			t.Errorf("Ann sees %v", m)
		}
	}
}

// TestClosedDirectMessages checks that a player opens their hand with the button, and that
// only they see it.
func TestClosedDirectMessages(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.bob.RefuseDMs(true)
	w.deal(w.channel)
	table := w.shows(w.ann, w.channel, "Bob: “My cards” shows your hand")
	hand, ok := w.bob.Click(table, "My cards").Wait()
	if !ok || !hand.Ephemeral || len(hand.Buttons) < 4 {
		t.Fatalf("got %v", hand)
	}
	for _, m := range w.ann.Sees(w.channel) {
		if m.ID == hand.ID || strings.Contains(m.Text, hand.Text) {
			t.Errorf("Ann sees %v", m)
		}
	}
}

// Somebody takes direct messages again, and does something in their private chat: a command brings the hand at once, a press
// with the next change of the table.
func TestDirectMessagesOpenAgain(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for _, does := range []string{"command", "press"} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.play(t)
			help, ok := w.bob.Slash(w.bob.DM(), "help", nil).Wait()
			if !ok {
				t.Fatal("no help")
			}
			const closed = "Bob: “My cards” shows your hand"
			w.bob.RefuseDMs(true)
			w.deal(w.channel)
			table := w.shows(w.ann, w.channel, closed)
			w.bob.RefuseDMs(false)
			if does == "command" {
				w.bob.Slash(w.bob.DM(), "help", nil).Wait()
			} else {
				w.bob.Click(help, "Learn").Wait()
				play := func(who *discordtest.Person, hand discordtest.Message) { who.Press(hand, playable(hand)).Wait() }
				if hand := w.shows(w.ann, w.ann.DM(), "deal 1"); strings.Contains(hand.Text, "Your turn") {
					play(w.ann, hand)
				} else {
					hand, _ := w.bob.Click(table, "My cards").Wait()
					play(w.bob, hand)
				}
			}
			w.shows(w.bob, w.bob.DM(), "deal 1")
			w.Until("the table no longer says that Bob can't be written to", func() bool { return !strings.Contains(w.table(w.ann, w.channel).Text, closed) })
		})
	}
}

// TestATableInAThread checks that a table continues although Discord archives its thread.
func TestATableInAThread(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	thread := w.guild.NewThread("a thread")
	w.deal(thread)
	thread.Archive(false)
	before := w.table(w.ann, thread)
	p, hand := w.turn()
	p.Press(hand, playable(hand)).Wait()
	w.Until("the table shows the card", func() bool { return w.table(w.ann, thread).Text != before.Text })
	if thread.Archived() {
		t.Error("the thread is still archived")
	}
}

// TestAThreadWhereTheBotMayNotWrite checks a locked thread, and a private one without the
// bot. A person who asks for a table there gets one line that says what to do. No table
// opens until that is done. If a thread is locked during a game, the game continues in
// private, and a person who asks for its table gets that line.
func TestAThreadWhereTheBotMayNotWrite(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	locked, private := w.guild.NewThread("a locked thread"), w.guild.NewPrivateThread("a private thread")
	locked.Lock(true)
	for thread, want := range map[*discordtest.Channel]string{locked: "unlock it", private: "Mention me"} {
		for _, command := range []string{"new", "share"} {
			args := map[string]any(nil)
			if command == "share" {
				args = map[string]any{"code": "ABCDEFGH"}
			}
			if m, ok := w.ann.Slash(thread, command, args).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, want) || len(w.bob.Sees(thread)) > 0 {
				t.Errorf("%s in %s: %v, and all see %v", command, thread.Name, m, w.bob.Sees(thread))
			}
		}
	}
	locked.Lock(false)
	private.Invite()
	w.ann.Slash(private, "new", nil).Wait()
	w.shows(w.bob, private, "who plays?")
	w.deal(locked)
	locked.Lock(true)
	p, hand := w.turn()
	p.Press(hand, playable(hand)).Wait()
	w.Until("his hand went on", func() bool {
		for _, m := range p.Sees(p.DM()) {
			if m.ID == hand.ID {
				return m.Text != hand.Text
			}
		}
		return false
	})
	if m, ok := w.ann.Slash(locked, "table", nil).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "unlock it") {
		t.Errorf("asked for the table in a thread that was locked: %v", m)
	}
}
