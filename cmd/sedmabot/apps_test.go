package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/playground"
	"sedmabot/bot/telegram/telegramtest"
)

// app is a chat of two people on a platform, who may also write to the bot in private. The first person manages it.
type app interface {
	// Say gives a command in the chat. words are "name=value" pairs.
	say(who int, command string, words ...string)
	// sees returns all messages that a person sees, in the chat and in private, the oldest of each first.
	sees(who int) []seen
	// press presses a button on a message that the person sees. It may be one that the message hasn't.
	press(who int, m seen, data string)
	// copied returns the text that the message lets the person copy, or "".
	copied(m seen) string
	// marked returns the mark beside the names of both people.
	marked() string
}

// seen is a message in an app.
type seen struct {
	text string
	data []string // of its buttons
	it   any      // the app's own message
}

// offers returns the data of the message's first button that begins so, or "".
func (m seen) offers(begin string) string {
	for _, data := range m.data {
		if strings.HasPrefix(data, begin) {
			return data
		}
	}
	return ""
}

// values returns the values of "name=value" pairs.
func values(words []string) (out []string) {
	for _, word := range words {
		_, value, _ := strings.Cut(word, "=")
		out = append(out, value)
	}
	return out
}

type discordApp struct {
	*onDiscord
	guild *discordtest.Guild
}

func (a *discordApp) say(who int, command string, words ...string) {
	options := map[string]any{}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		options[name] = value
		if name == "players" {
			options[name] = int(value[0] - '0')
		}
	}
	a.people[who].Slash(a.channel, command, options).Wait()
}

func (a *discordApp) sees(who int) (all []seen) {
	p := a.people[who]
	for _, m := range append(p.Sees(p.DM()), p.Sees(a.channel)...) {
		s := seen{text: m.Text, it: m}
		for _, b := range m.Buttons {
			if !b.Off {
				s.data = append(s.data, b.CustomID)
			}
		}
		for _, menu := range m.Menus {
			for _, o := range menu.Options {
				s.data = append(s.data, o.Value)
			}
		}
		all = append(all, s)
	}
	return all
}

func (a *discordApp) press(who int, m seen, data string) {
	a.people[who].Press(m.it.(discordtest.Message), data).Wait()
}

func (a *discordApp) copied(m seen) string {
	_, text, _ := strings.Cut(m.text, "```\n")
	text, _, _ = strings.Cut(text, "\n```")
	return text
}

func (a *discordApp) marked() string {
	for _, p := range a.people {
		if a.guild.Has(p, championOf(a.guild.Locale)) {
			return championOf(a.guild.Locale)
		}
	}
	return ""
}

type telegramApp struct{ *onTelegram }

func (a *telegramApp) say(who int, command string, words ...string) {
	a.people[who].Say(a.chat, strings.Join(append([]string{"/" + command}, values(words)...), " "))
}

func (a *telegramApp) sees(who int) (all []seen) {
	p := a.people[who]
	for _, m := range slices.Concat(p.Private().Messages(), a.chat.Messages(), p.Ephemerals(a.chat)) {
		if m.For != 0 && m.For != p.ID {
			continue
		}
		s := seen{text: m.Text, it: m}
		for _, row := range m.Buttons {
			for _, b := range row {
				s.data = append(s.data, b.Data)
			}
		}
		all = append(all, s)
	}
	return all
}

func (a *telegramApp) press(who int, m seen, data string) {
	ctx, cancel := a.context()
	defer cancel()
	if _, err := a.people[who].PressData(ctx, m.it.(telegramtest.Message), data); err != nil {
		a.t.Fatal(err)
	}
}

func (a *telegramApp) copied(m seen) string {
	for _, row := range m.it.(telegramtest.Message).Buttons {
		for _, b := range row {
			if b.Copy != "" {
				return b.Copy
			}
		}
	}
	return ""
}

func (a *telegramApp) marked() string { return a.chat.Tag(a.people[0]) + a.chat.Tag(a.people[1]) }

type playgroundApp struct {
	t      *testing.T
	ground *playground.Playground
}

func (*playgroundApp) person(who int) string { return []string{playground.Ann, playground.Ben}[who] }

func (a *playgroundApp) say(who int, command string, words ...string) {
	line := strings.Join(append([]string{"/" + command}, values(words)...), " ")
	if _, err := a.ground.Command(a.t.Context(), a.person(who), playground.Channel, line); err != nil {
		a.t.Fatal(err)
	}
}

func (a *playgroundApp) sees(who int) (all []seen) {
	p := a.person(who)
	for _, m := range slices.Concat(a.ground.Direct(p), a.ground.Channel(), a.ground.Answers(p)) {
		s := seen{text: m.Screen.String(), it: m}
		for _, row := range m.Screen.Rows {
			for _, b := range row {
				if !b.Off {
					s.data = append(s.data, b.Press)
				}
			}
		}
		for _, menu := range m.Screen.Menus {
			for _, b := range menu.Options {
				s.data = append(s.data, b.Press)
			}
		}
		all = append(all, s)
	}
	return all
}

func (a *playgroundApp) press(who int, m seen, data string) {
	if _, err := a.ground.PressData(a.t.Context(), a.person(who), m.it.(playground.Message).Address, data); err != nil {
		a.t.Fatal(err)
	}
}

func (a *playgroundApp) copied(m seen) string {
	for _, row := range m.it.(playground.Message).Screen.Rows {
		for _, b := range row {
			if b.Copy != "" {
				return b.Copy
			}
		}
	}
	return ""
}

func (a *playgroundApp) marked() string {
	return a.ground.Tag(playground.Ann) + a.ground.Tag(playground.Ben)
}

// told returns what people see, for a failed test.
func told(all ...[]seen) string {
	var b strings.Builder
	for who, messages := range all {
		for _, m := range messages {
			fmt.Fprintf(&b, "--- person %d\n%s%v\n", who, m.text, m.data)
		}
	}
	return b.String()
}
