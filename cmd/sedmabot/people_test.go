package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
)

// crowd is some people around one table on a platform, as the test plays them. Its methods must be called from one
// goroutine.
type crowd interface {
	// names returns the people's names. The first one is the host.
	names() []string
	// open opens a table for four in the group, seats all people and starts.
	open()
	// lastDeal ends the match with its first deal.
	lastDeal()
	// group returns what the group sees, oldest first.
	group() []string
	// hands returns the messages with which a person can play, oldest first.
	hands(who int) []message
	// play presses a button of a hand.
	play(who int, m message, b button)
	// board asks for the leaderboard and returns it.
	board() string
	// until waits until ok returns true, and checks it after every change. If the platform is gone, it returns at once.
	until(ok func() bool)
}

type message struct {
	id      string
	text    string
	buttons []button
}

type button struct {
	label, data string
}

// plays returns the buttons that play a card or stop.
func (m message) plays() []button {
	return slices.DeleteFunc(slices.Clone(m.buttons), func(b button) bool { return !strings.HasPrefix(b.data, "play:") })
}

func (m message) String() string { return fmt.Sprint(m.id, m.text, m.buttons) }

// over is the text by which the group knows that a match is over.
const over = "the match is over"

// finished reports whether the group sees that the match is over.
func finished(c crowd) bool {
	return slices.ContainsFunc(c.group(), func(text string) bool { return strings.Contains(text, over) })
}

// secondDeal reports whether somebody can play in the second deal. The hands are asked: the group's messages may wait for
// the platform's limit while the deal is played.
func secondDeal(c crowd) bool {
	for who := range c.names() {
		if slices.ContainsFunc(c.hands(who), func(m message) bool { return strings.Contains(m.text, "deal 2") }) {
			return true
		}
	}
	return false
}

// Person plays for one member of the crowd: a random legal card, whenever they
// see that it is their turn.
type person struct {
	c       crowd
	who     int
	random  *rand.Rand
	pressed string // hand on which the person pressed last
}

func everybody(c crowd, seed uint64) []*person {
	var all []*person
	for i := range c.names() {
		all = append(all, &person{c: c, who: i, random: rand.New(rand.NewPCG(seed, uint64(i)))})
	}
	return all
}

// turn returns the newest of their hands, if it shows that it is their turn and
// they have not pressed a button of this version yet.
func (p *person) turn() (message, bool) {
	hands := p.c.hands(p.who)
	if len(hands) == 0 {
		return message{}, false
	}
	m := hands[len(hands)-1]
	return m, strings.Contains(m.text, "Your turn") && len(m.plays()) > 0 && m.String() != p.pressed
}

// act plays a card if the person can, and reports whether they did.
func (p *person) act() bool {
	m, ok := p.turn()
	if !ok {
		return false
	}
	p.pressed = m.String()
	plays := m.plays()
	p.c.play(p.who, m, plays[p.random.IntN(len(plays))])
	return true
}

// playUntil lets everybody play until end returns true or the platform is gone.
func playUntil(c crowd, people []*person, end func(crowd) bool) {
	for {
		over, turn := false, false
		c.until(func() bool {
			over = end(c)
			turn = slices.ContainsFunc(people, func(p *person) bool { _, ok := p.turn(); return ok })
			return over || turn
		})
		if over || !turn {
			return
		}
		for _, p := range people {
			p.act() // nobody acts if the bot has just made the move, a forced stop, itself
		}
	}
}

// onTelegram is a crowd in a group on Telegram, each with a private chat with the bot.
type onTelegram struct {
	t      *testing.T
	server *telegramtest.Server
	chat   *telegramtest.Chat
	people []*telegramtest.Person
}

func newTelegram(t *testing.T, server *telegramtest.Server, names ...string) *onTelegram {
	c := &onTelegram{t: t, server: server}
	for _, name := range names {
		p := server.Person(name)
		c.people = append(c.people, p)
		p.Start("")
	}
	c.chat = server.Group("Card room", c.people...)
	return c
}

func (c *onTelegram) context() (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.t.Context(), patience)
}

func (c *onTelegram) names() []string {
	var names []string
	for _, p := range c.people {
		names = append(names, p.First)
	}
	return names
}

// wait waits for a message with that text in the group.
func (c *onTelegram) wait(text string) telegramtest.Message {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	m, err := c.chat.Wait(ctx, telegramtest.Contains(text))
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// begun waits until a table is in play.
func (c *onTelegram) begun() {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	if _, err := c.chat.Wait(ctx, isTable); err != nil {
		c.t.Fatal(err)
	}
}

// press presses a button in the group and returns the answer.
func (c *onTelegram) press(who int, m telegramtest.Message, label string) telegramtest.Answer {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	answer, err := c.people[who].Press(ctx, m, label)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// toTen turns the data of a lobby's button Start into the press that makes the match one to ten. A first match is one to
// three, which a single deal may end.
func toTen(start string) string { return strings.Replace(start, "start:", "set:", 1) + ":length:t10" }

func (c *onTelegram) open() {
	c.t.Helper()
	c.people[0].Say(c.chat, "/new")
	lobby := c.wait("who plays?")
	for who := range c.people[1:] {
		c.press(who+1, lobby, "Join")
	}
	ctx, cancel := c.context()
	defer cancel()
	if answer, err := c.people[0].PressData(ctx, lobby, toTen(dataOf(lobby, "Start"))); err != nil || answer.Text != "" {
		c.t.Fatalf("a match to ten: %q, %v", answer.Text, err)
	}
	c.press(0, lobby, "Start")
}

// isTable reports whether a message in a group shows a running deal. A lobby has no cards yet.
func isTable(m telegramtest.Message) bool { return m.Has("My cards") && m.Has("More") }

// lastOf returns the data of the button that makes the running deal the last one, after the bot has asked.
func lastOf(m telegramtest.Message) string {
	return strings.Replace(dataOf(m, "More"), "more:", "sure:", 1) + ":last"
}

// lastDeal ends the match with its first deal, by the button that More offers the host.
func (c *onTelegram) lastDeal() {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	m, err := c.chat.Wait(ctx, isTable)
	if err != nil {
		c.t.Fatal(err)
	}
	if answer, err := c.people[0].PressData(ctx, m, lastOf(m)); err != nil || answer.Text != "" {
		c.t.Fatalf("the last deal: %q, %v", answer.Text, err)
	}
}

func (c *onTelegram) group() []string {
	var texts []string
	for _, m := range c.chat.Messages() {
		texts = append(texts, m.Text)
	}
	return texts
}

func (c *onTelegram) hands(who int) []message {
	var hands []message
	for _, m := range c.people[who].Private().Messages() {
		if out := telegramMessage(m); len(out.plays()) > 0 {
			hands = append(hands, out)
		}
	}
	return hands
}

func telegramMessage(m telegramtest.Message) message {
	out := message{id: fmt.Sprint(m.ID), text: m.Text}
	for _, row := range m.Buttons {
		for _, b := range row {
			out.buttons = append(out.buttons, button{b.Label, b.Data})
		}
	}
	return out
}

func (c *onTelegram) play(who int, m message, b button) {
	c.t.Helper()
	c.answer(who, m, b)
}

// answer plays and returns the answer.
func (c *onTelegram) answer(who int, m message, b button) (answer telegramtest.Answer) {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	for _, own := range c.people[who].Private().Messages() {
		if fmt.Sprint(own.ID) == m.id {
			var err error
			if answer, err = c.people[who].PressData(ctx, own, b.data); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	return answer
}

func (c *onTelegram) board() string {
	c.t.Helper()
	c.people[0].Say(c.chat, "/leaderboard")
	return c.wait("Leaderboard").Text
}

func (c *onTelegram) until(ok func() bool) {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	if err := c.server.Until(ctx, ok); err != nil {
		var all strings.Builder
		fmt.Fprintln(&all, "the group:", strings.Join(c.group(), "\n--\n"))
		for who, name := range c.names() {
			fmt.Fprintln(&all, name+":", c.hands(who))
		}
		c.t.Fatalf("nothing happens any more: %v\n%s", err, all.String())
	}
}

// onDiscord is a crowd in a channel on Discord.
type onDiscord struct {
	t       *testing.T
	server  *discordtest.Server
	channel *discordtest.Channel
	people  []*discordtest.Person
}

func newDiscord(t *testing.T, server *discordtest.Server, names ...string) *onDiscord {
	c := &onDiscord{t: t, server: server}
	for _, name := range names {
		c.people = append(c.people, server.NewPerson(name))
	}
	c.channel = server.NewGuild(c.people[0]).NewChannel("card-room")
	return c
}

func (c *onDiscord) names() []string {
	var names []string
	for _, p := range c.people {
		names = append(names, p.Name)
	}
	return names
}

// wait waits for a message in the channel that the person sees.
func (c *onDiscord) wait(who int, text string) discordtest.Message {
	c.t.Helper()
	var found discordtest.Message
	c.server.Until("a message with "+text, func() bool {
		for _, m := range c.people[who].Sees(c.channel) {
			if strings.Contains(m.Text, text) {
				found = m
			}
		}
		return found.ID != ""
	})
	return found
}

// begun waits until a table is in play.
func (c *onDiscord) begun() {
	c.t.Helper()
	c.server.Until("a table in play", func() bool {
		return slices.ContainsFunc(c.people[0].Sees(c.channel), func(m discordtest.Message) bool {
			_, ok := m.Button("My cards")
			return ok
		})
	})
}

func (c *onDiscord) open() {
	c.t.Helper()
	c.server.Until("the commands are there", func() bool { return len(c.server.Commands()) > 0 && c.server.Reached() })
	c.people[0].Slash(c.channel, "new", map[string]any{"players": 4}).Wait()
	lobby := c.wait(0, "who plays?")
	for who := range c.people[1:] {
		c.people[who+1].Click(lobby, "Join").Wait()
	}
	start, _ := lobby.Button("Start")
	c.people[0].Press(lobby, toTen(start.CustomID)).Wait()
	c.people[0].Click(lobby, "Start").Wait()
}

func (c *onDiscord) group() []string {
	var texts []string
	for _, m := range c.people[0].Sees(c.channel) {
		if !m.Ephemeral {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

func (c *onDiscord) hands(who int) []message {
	var hands []message
	p := c.people[who]
	for _, m := range slices.Concat(p.Sees(c.channel), p.Sees(p.DM())) {
		if out := discordMessage(m); len(out.plays()) > 0 {
			hands = append(hands, out)
		}
	}
	return hands
}

func discordMessage(m discordtest.Message) message {
	out := message{id: m.ID, text: m.Text}
	for _, b := range m.Buttons {
		if !b.Off {
			out.buttons = append(out.buttons, button{b.Label, b.CustomID})
		}
	}
	return out
}

func (c *onDiscord) play(who int, m message, b button) {
	c.t.Helper()
	p := c.people[who]
	for _, own := range slices.Concat(p.Sees(c.channel), p.Sees(p.DM())) {
		if own.ID == m.id {
			p.Press(own, b.data).Wait()
		}
	}
}

func (c *onDiscord) board() string {
	c.t.Helper()
	c.people[0].Slash(c.channel, "leaderboard", nil).Wait()
	return c.wait(0, "Leaderboard").Text
}

func (c *onDiscord) until(ok func() bool) {
	c.t.Helper()
	c.server.Until("somebody's turn", ok)
}
