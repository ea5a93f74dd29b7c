package main

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
)

// TestEveryGameOnEveryPlatform plays each family's plain games, each on one of the platforms. With SEDMABOT_TEST_LONG=1, Discord
// and Telegram play all presets, and the playground, which has room for one table at a time, all plain games. One person opens
// it by name and makes the first deal the last. The AI has the other seats. The person plays whatever the buttons offer.
func TestEveryGameOnEveryPlatform(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	for name, platform := range map[string]struct {
		open   func(*testing.T) func() presetCrowd
		groups int // number of groups at a time; a Discord channel accepts one message a second
		third  int // which of the plain games, counted by threes
		all    bool
	}{
		"telegram": {presetsOnTelegram, 4, 0, true}, "discord": {presetsOnDiscord, 24, 1, true}, "playground": {presetsOnPage, 1, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crowdOf := platform.open(t)
			presets := make(chan string, len(game.Presets()))
			plain := 0
			for _, preset := range game.Presets() {
				rules, _ := game.Preset(preset)
				isPlain := game.FamilyPresets(game.Family(preset), rules.Players)[0] == preset
				if isPlain {
					plain++
				}
				if isPlain && plain%3 == platform.third || long() && (isPlain || platform.all) {
					presets <- preset
				}
			}
			close(presets)
			var groups sync.WaitGroup
			for range platform.groups {
				groups.Go(func() {
					for preset := range presets {
						playPreset(t, crowdOf(), preset)
					}
				})
			}
			groups.Wait()
		})
	}
}

// playPreset opens a table of that preset and plays until its match is over.
func playPreset(t *testing.T, c presetCrowd, preset string) {
	rules := gametest.Preset(t, preset)
	end := screen.GameName(lang.For("en"), rules) + ": " + over
	lobby := c.ask("/new " + preset)
	id := strings.Split(lobby.buttons[0].data, ":")[1]
	c.tap(lobby, "start:"+id)
	c.tap(lobby, "sure:"+id+":last")
	played := false
	playUntil(c, everybody(c, uint64(len(preset))), func(crowd) bool {
		played = slices.ContainsFunc(c.group(), func(text string) bool { return strings.Contains(text, end) })
		return played
	})
	if !played {
		t.Errorf("%s was not played to its end", preset)
	}
}

// presetCrowd is a crowd of one that can play any game.
type presetCrowd interface {
	crowd
	// ask types a command in the group and returns the lobby that it opens.
	ask(line string) message
	// tap presses made-up data on a message in the group.
	tap(m message, data string)
}

// lobbyOf returns the latest lobby with a free seat.
func lobbyOf(messages []message) (message, bool) {
	for _, m := range slices.Backward(messages) {
		if strings.Contains(m.text, "who plays?") && len(m.buttons) > 0 {
			return m, true
		}
	}
	return message{}, false
}

// deal runs the program with these lines of configuration until the test ends. Its AI thinks little, because it only has
// to move.
func deal(t *testing.T, config ...string) *program {
	t.Helper()
	c, err := loadConfig(write(t, "config.yaml", testSections(append(config, dataFile(t), "table.pace: 0"))), none)
	if err != nil {
		t.Fatal(err)
	}
	c.eager, c.tune = true, func(b *bot.Config) {
		b.Worlds, b.Think = 20, func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		}
	}
	return begin(t, func(ctx context.Context, stdout, stderr io.Writer) error { return serve(ctx, c, stdout, stderr) })
}

func presetsOnTelegram(t *testing.T) func() presetCrowd {
	server := telegramtest.New(t)
	deal(t, "telegram.token: "+server.Token, "telegram.api_base: "+server.URL)
	return func() presetCrowd { return newTelegram(t, server, "Ann") }
}

func (c *onTelegram) ask(line string) message {
	c.t.Helper()
	c.people[0].Say(c.chat, line)
	return telegramMessage(c.wait("who plays?"))
}

func (c *onTelegram) tap(m message, data string) {
	c.t.Helper()
	ctx, cancel := c.context()
	defer cancel()
	for _, own := range c.chat.Messages() {
		if strconv.Itoa(int(own.ID)) == m.id {
			if _, err := c.people[0].PressData(ctx, own, data); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

func presetsOnDiscord(t *testing.T) func() presetCrowd {
	server := discordtest.New(t)
	deal(t, "discord.token: "+server.Token(), "discord.api_base: "+server.URL())
	server.Until("the commands are there", func() bool { return len(server.Commands()) > 0 && server.Connected() > 0 })
	return func() presetCrowd { return newDiscord(t, server, "Ann") }
}

// TestChoosingFromMenusOnDiscord goes from the lobby to the settings, uses their select menus, and returns.
func TestChoosingFromMenusOnDiscord(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	c := presetsOnDiscord(t)().(*onDiscord)
	c.ask("/new sedma-4p")
	latest := func(text string) discordtest.Message { return c.wait(0, text) }
	ann := c.people[0]
	ann.Click(latest("who plays?"), "Settings").Wait()
	ann.Click(latest("Only Ann can choose"), "Game: Sedma, 4 players").Wait()
	ann.Choose(latest("Settings: Game"), "Hola").Wait()
	ann.Choose(latest("Settings: Hola"), "6 players").Wait()
	ann.Click(latest("Only Ann can choose"), "House rules").Wait()
	ann.Choose(latest("Settings: House rules"), "Continue with: any card").Wait()
	ann.Choose(latest("Settings: Continue with"), "equal or wild cards").Wait()
	ann.Click(latest("Settings: House rules"), "Back").Wait()
	ann.Click(latest("Only Ann can choose"), "Make default here").Wait()
	latest("From now on, new tables here start with: Hola with house rules, 6 players.")
	ann.Click(latest("Only Ann can choose"), "Done").Wait()
	latest("Hola with house rules, 6 players: who plays?")
}

func (c *onDiscord) ask(line string) message {
	c.t.Helper()
	c.people[0].Slash(c.channel, "new", map[string]any{"rules": strings.TrimPrefix(line, "/new ")}).Wait()
	return discordMessage(c.wait(0, "who plays?"))
}

func (c *onDiscord) tap(m message, data string) {
	c.t.Helper()
	for _, own := range c.people[0].Sees(c.channel) {
		if own.ID == m.id {
			c.people[0].Press(own, data).Wait()
		}
	}
}

func presetsOnPage(t *testing.T) func() presetCrowd {
	p := deal(t, "playground.listen: 127.0.0.1:0")
	c := newPage(t, "Ann")
	c.connect(p.playgroundURL())
	return func() presetCrowd { return c }
}

func (c *onPage) ask(line string) message {
	c.t.Helper()
	c.post("/command", map[string]string{"person": c.people[0], "chat": pageChannel, "line": line, "lang": "en"})
	var lobby message
	c.until(func() bool {
		found, ok := lobbyOf(c.see(func(m pageMessage) bool { return m.Chat == pageChannel && m.Only == "" }))
		lobby = found
		return ok
	})
	return lobby
}

func (c *onPage) tap(m message, data string) {
	c.t.Helper()
	c.post("/press", map[string]string{"person": c.people[0], "message": m.id, "press": data, "lang": "en"})
}
