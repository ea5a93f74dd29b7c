package bottest

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
)

// TestEveryRoomAtOnce lets six people give each command at the same moment, in the channel and in their private chats, and press
// the buttons that they get. No command may fail. The race detector runs this test so that whatever two rooms or two people
// share in memory is used by several goroutines at once: most rooms' own tests do one thing after the other.
func TestEveryRoomAtOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, easy)
		defer w.halt()
		var mu sync.Mutex
		pressed := map[string]bool{}
		act := func(in chat.Input) chat.Reply {
			r := w.bot.Handle(t.Context(), in)
			if r.Outcome == chat.Failed {
				t.Errorf("%s: /%s %q: %s", in.Player.ID, in.Command, in.Press, r.Toast)
			}
			return r
		}
		began := time.Now()
		var people sync.WaitGroup
		for no, name := range cast {
			people.Go(func() {
				at := began
				rng := rand.New(rand.NewPCG(uint64(no), 7))
				in := chat.Input{Player: chat.Player{ID: id(name), Name: name, Lang: "en"}, Admin: no == 0, Chat: chat.Chat{ID: playground.Channel, Home: playground.Channel}}
				press := func(s *screen.Screen, times int) (next *screen.Screen) {
					var buttons []string
					for _, row := range s.Rows {
						for _, b := range row {
							if b.Press != "" && !b.Off && screen.PressWord(b.Press) != "data" { // nobody leaves for good
								buttons = append(buttons, b.Press)
							}
						}
					}
					for range times {
						if len(buttons) == 0 {
							return next
						}
						in := in
						in.Press = buttons[rng.IntN(len(buttons))]
						mu.Lock()
						pressed[screen.PressWord(in.Press)] = true
						mu.Unlock()
						if r := act(in); r.Screen != nil {
							next = r.Screen
						}
					}
					return next
				}
				for round := range 3 {
					for i, c := range bot.Commands() {
						at = at.Add(10 * time.Second) // background work is done meanwhile
						time.Sleep(time.Until(at))
						in := in
						if in.Command = c.Name; (i+round)%2 == 0 {
							in.Chat = chat.Chat{ID: id(name), Home: id(name), Private: true}
						}
						if r := act(in); r.Screen != nil {
							if next := press(r.Screen, 3); next != nil {
								press(next, 2)
							}
						}
						for _, m := range w.ground.Channel() {
							press(&m.Screen, 1)
						}
					}
				}
			})
		}
		people.Wait()
		if len(pressed) < 15 {
			t.Errorf("only these buttons were pressed: %v", pressed)
		}
	})
}
