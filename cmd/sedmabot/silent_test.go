package main

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// givenUp is how long the bot may take to notice that its connections are dead, and to be back.
const givenUp = 45 * time.Second

// behind lays a cable to a platform that speaks TLS, and HTTP/2 or only HTTP/1.1. It returns the platform's address.
func behind(t *testing.T, platform http.Handler, http2 bool) (*cable.Cable, string) {
	t.Helper()
	server := cable.Serve(t, platform, http2)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	line := cable.New(t, server.Listener.Addr().String())
	return line, "https://" + line.Addr()
}

// When all connections to the platforms go dead, the bot soon answers again, on the same gateway session.
func TestConnectionsThatGoDead(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	for name, http2 := range map[string]bool{"HTTP1": false, "HTTP2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			telegram, discord := telegramtest.New(t), discordtest.New(t)
			toTelegram, telegramURL := behind(t, telegram, http2)
			toDiscord, discordURL := behind(t, discord, http2)
			discord.Via(discordURL)
			launch(t, []string{
				variable("telegram.token: " + telegram.Token), variable("telegram.api_base: " + telegramURL),
				variable("discord.token: " + discord.Token()), variable("discord.api_base: " + discordURL),
			})
			ann := telegram.Person("Ann")
			ann.Start("")
			dan := discord.NewPerson("Dan")
			channel := discord.NewGuild(dan).NewChannel("cards")
			discord.Until("the bot is there", discord.Reached)

			// onTelegram asks once, and onDiscord again and again, until the bot has answered.
			onTelegram := func() {
				before := len(ann.Private().Messages())
				ann.Say(ann.Private(), "/rules")
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if telegram.Until(ctx, func() bool { return len(ann.Private().Messages()) > before }) != nil {
					t.Error("telegram: no answer")
				}
			}
			answers := func() (n int) {
				for _, call := range discord.Calls() {
					if strings.HasPrefix(call.Path, "/interactions/") {
						n++
					}
				}
				return n
			}
			onDiscord := func() {
				every := time.NewTicker(time.Second)
				defer every.Stop()
				before := answers()
				for end := time.Now().Add(patience); answers() == before; <-every.C {
					dan.Slash(channel, "rules", nil)
					if time.Now().After(end) {
						t.Error("discord: no answer")
						return
					}
				}
			}
			onTelegram()
			onDiscord()
			watch := clocktest.Start(t)
			discord.AllowLateAnswers()
			t.Cleanup(func() { // after both of the following
				discord.Forgive()
				if n := discord.Sessions(); n != 1 {
					t.Errorf("%d sessions", n)
				}
			})
			for what, way := range map[string]struct {
				line *cable.Cable
				ask  func()
			}{"telegram": {toTelegram, onTelegram}, "discord": {toDiscord, onDiscord}} {
				t.Run(what, func(t *testing.T) {
					t.Parallel()
					if way.line.Cut() == 0 {
						t.Error("there are no connections")
					}
					began := watch.Now()
					way.ask()
					if took := watch.Now() - began; took > givenUp {
						t.Errorf("back after %v", took)
					}
				})
			}
		})
	}
}

// The bot stops in time while all that it is connected to is dead or frozen, in the middle of a game. The log has no error of
// things that the stop cut off.
func TestAStopWithDeadConnections(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	type lines map[string]*cable.Cable
	faults := map[string]func(lines){"frozen": func(all lines) {
		for _, line := range all {
			line.Freeze()
		}
	}}
	for _, dead := range [][]string{{"telegram"}, {"discord"}, {"telegram", "discord", "redis"}} {
		faults["dead "+strings.Join(dead, " ")] = func(all lines) {
			for _, part := range dead {
				all[part].Cut()
			}
		}
	}
	for protocol, http2 := range map[string]bool{"HTTP1": false, "HTTP2": true} {
		for name, fault := range faults {
			t.Run(protocol+" "+name, func(t *testing.T) {
				t.Parallel()
				redis := redistest.Start(t)
				all := lines{"redis": cable.New(t, redis.Addr)}
				telegram, discord := telegramtest.New(t), discordtest.New(t)
				var telegramURL, discordURL string
				all["telegram"], telegramURL = behind(t, telegram, http2)
				all["discord"], discordURL = behind(t, discord, http2)
				discord.Via(discordURL)
				p := eagerProcess(t, "store.redis_url: redis://"+all["redis"].Addr(),
					"telegram.token: "+telegram.Token, "telegram.api_base: "+telegramURL,
					"discord.token: "+discord.Token(), "discord.api_base: "+discordURL)
				defer p.kill()
				onTelegram := newTelegram(t, telegram, "Ann", "Ben")
				onTelegram.open()
				onTelegram.begun()
				onDiscord := newDiscord(t, discord, "Dan", "Eve")
				onDiscord.open()
				onDiscord.begun()
				for who := range onTelegram.people { // the bot is at work
					onTelegram.people[who].Say(onTelegram.chat, "/rules")
					onDiscord.people[who].Slash(onDiscord.channel, "rules", nil)
				}
				fault(all)
				if status := p.status(syscall.SIGTERM); status != 0 {
					t.Errorf("exit status %d\n%s", status, p.stderr)
				}
				if wrong := errorsIn(p.stderr); len(wrong) > 0 { // a press that was on its way may say that Redis is dead
					t.Errorf("errors in the log:\n%s", strings.Join(wrong, "\n"))
				}
				discord.Forgive()
				telegram.Forgive()
			})
		}
	}
}
