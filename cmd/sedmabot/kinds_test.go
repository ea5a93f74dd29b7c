package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/telegram/telegramtest"
)

// unreduced is the commit before parts of the program were taken out. It has tables of every kind that today's has.
const unreduced = "b8dd8945f9d5a8d118d1fe4b0b7d835e2fc11ef5"

// aside is a table of one kind, and where people play at it.
type aside struct {
	kind string
	*onTelegram
	players []*buttonPlayer
}

// oldPress is a press on a message as somebody saw it.
type oldPress struct {
	who  *telegramtest.Person
	on   telegramtest.Message
	data string
}

// asides opens a table of each kind.
func asides(t *testing.T, s *telegramtest.Server) (all []*aside) {
	t.Helper()
	add := func(kind string, names ...string) *aside {
		a := &aside{kind: kind, onTelegram: newTelegram(t, s, names...)}
		for who := range names {
			a.players = append(a.players, &buttonPlayer{c: a.onTelegram, who: who})
		}
		all = append(all, a)
		return a
	}
	say := func(a *aside, who int, words string) {
		a.people[who].Say(a.people[who].Private(), words)
		a.until(func() bool { return s.Pending() == 0 })
	}
	tap := func(a *aside, who int, c *telegramtest.Chat, label string) {
		t.Helper()
		ctx, cancel := a.context()
		defer cancel()
		m, err := c.Wait(ctx, func(m telegramtest.Message) bool { return m.Has(label) })
		if err != nil {
			for _, m := range append(c.Messages(), a.people[who].Private().Messages()...) {
				t.Log(m.Text, m.Buttons)
			}
			t.Fatal(a.kind, label, err)
		}
		if _, err := a.people[who].Press(ctx, m, label); err != nil {
			t.Fatal(err)
		}
	}
	say(add("the deal of the day", "Gil"), 0, "/daily")
	say(add("a lesson", "Hal"), 0, "/tutorial")
	say(add("against the AI", "Ivy"), 0, "/solo 2")
	strangers := add("strangers", "Jan", "Kim")
	say(strangers, 0, "/play 2")
	say(strangers, 1, "/play 2")
	cup := add("a round of a tournament", "Leo", "Mia", "Nel", "Ota")
	cup.people[0].Say(cup.chat, "/tournament singles")
	tap(cup, 0, cup.people[0].Private(), "Post it here")
	for who := range cup.people {
		tap(cup, who, cup.chat, "Take part")
	}
	tap(cup, 0, cup.chat, "Start")
	guests := add("a chat without the bot", "Pia", "Rob")
	ctx, cancel := guests.context()
	defer cancel()
	posted, err := guests.people[0].Summon(ctx, guests.chat, "new sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	tap(guests, 1, posted, "Join")
	tap(guests, 0, posted, "Start")
	open := add("a chat", "Sue", "Tom")
	open.people[0].Say(open.chat, "/new 2")
	tap(open, 1, open.chat, "Join")
	tap(open, 0, open.chat, "Start")
	return all
}

// move waits until somebody at the table has a hand on which they haven't pressed, and presses a card of each such hand.
func (a *aside) move(step string) {
	a.t.Helper()
	ready := func(p *buttonPlayer) bool { _, ok := p.hand(); return ok }
	ctx, cancel := a.context()
	defer cancel()
	if err := a.server.Until(ctx, func() bool { return slices.ContainsFunc(a.players, ready) }); err != nil {
		a.t.Fatalf("%s: %s: nobody has a new hand: %v", step, a.kind, err)
	}
	for _, p := range a.players {
		if hand, ok := p.hand(); ok {
			a.answer(p.who, hand, hand.plays()[0])
			p.pressed = hand.String()
		}
	}
}

// pressable returns all buttons that people have seen.
func pressable(all []*aside) (presses []oldPress) {
	for _, a := range all {
		for _, p := range a.people {
			for _, m := range append(p.Private().Messages(), a.chat.Messages()...) {
				for _, row := range m.Buttons {
					for _, b := range row {
						if b.Data != "" && !b.Disabled {
							presses = append(presses, oldPress{p, m, b.Data})
						}
					}
				}
			}
		}
	}
	return presses
}

// An older program opens a table of every kind and shows all that was taken out since. Today's plays on, beside it if they share
// a Redis, and also after the way back. All old buttons are answered.
func TestUpgradeWithTablesOfEveryKind(t *testing.T) {
	t.Parallel()
	unhurried(t)
	if !long() {
		t.Skip("it builds an older program: it runs with SEDMABOT_TEST_LONG=1")
	}
	older := builtAt(t, unreduced)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	everyStore(t, func(t *testing.T, k kept) {
		s := telegramtest.New(t)
		s.Guests = true
		s.Fail(telegramtest.Failure{Method: "sendRichMessage", Code: 404, Description: "Not Found: method not found"}) // the older program's
		front := newBalancer(t, s)
		env := []string{
			variable(k.config), variable("telegram.token: " + s.Token), variable("telegram.api_base: " + s.URL), "SEDMABOT_TABLE_PACE=0", eagerly + "=1",
			variable("telegram.mode: webhook"), variable("telegram.webhook_url: " + front.URL + "/telegram"), variable("limits.presses: 0"),
		}
		start := func(file string) *behindOne { return front.add(t, cmp.Or(file, self), env) }
		running := start(older)
		all := asides(t, s)
		step := func(name string) {
			t.Helper()
			for _, a := range all {
				a.move(name)
			}
			t.Log(name)
		}
		step("the older program")
		open := all[len(all)-1]
		for _, words := range []string{"/settings", "/leaderboard", "/puzzle", "/help", "/tournament singles " + time.Now().UTC().Add(50*time.Hour).Format("2006-01-02 15:04")} {
			open.people[0].Say(open.chat, words)
		}
		open.until(func() bool { return s.Pending() == 0 })
		presses := pressable(all[len(all)-1:])
		for _, p := range presses { // the pages of menus
			if !strings.HasPrefix(p.data, "play:") && p.who == open.people[0] {
				p.press(t)
			}
		}
		presses = slices.Concat(presses, pressable(all))
		replace := func(name, file string) {
			t.Helper()
			if strings.HasPrefix(k.config, "store.redis_url") {
				next := start(file)
				step(name + ", beside the other one")
				front.remove(t, running)
				running = next
			} else {
				front.remove(t, running)
				running = start(file)
			}
			step(name)
		}
		replace("the upgrade", "")
		replace("the way back", older)
		replace("the second upgrade", "")
		done := map[string]bool{}
		for _, p := range presses {
			if id := fmt.Sprint(p.on.Chat, p.on.ID, p.data); !done[id] {
				done[id] = true
				if answer := p.press(t); strings.Contains(answer.Text, text("reply.trouble")) {
					t.Errorf("a press on %q of %q: %s", p.data, p.on.Text, answer.Text)
				}
			}
		}
		t.Log(len(done), "old buttons")
		if status := running.status(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

func (p oldPress) press(t *testing.T) telegramtest.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	answer, err := p.who.PressData(ctx, p.on, p.data)
	if err != nil {
		t.Errorf("a press on %q of %q: %v", p.data, p.on.Text, err)
	}
	return answer
}
