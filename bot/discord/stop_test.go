package discord_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
)

// A stop gives running presses 5 s, also if it takes a while to give up the turns, as while the store is slow.
func TestAStopDoesntWaitForTurnsFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake, air := discordtest.Within(t, "http://discord.test"), cable.NewAir(time.Millisecond)
		server := &http.Server{Handler: fake}
		ended := make(chan struct{})
		go func() { defer close(ended); _ = server.Serve(air.Listen("discord.test:80")) }()
		slow := func(ctx context.Context, name string, run func(ctx context.Context) error) error {
			err := run(ctx)
			time.Sleep(2500 * time.Millisecond)
			return err
		}
		a, err := discord.New(discord.Config{
			Commands: bot.Commands(), Easel: easel, Token: fake.Token(), APIBase: fake.URL(), Dial: air.Dial("bot"), Election: slow, Turns: chat.Alone, Log: slog.New(slog.DiscardHandler),
			HTTP: call.Client(func(t *http.Transport) { t.DialContext, t.Proxy = air.Dial("bot"), nil }),
		})
		if err != nil {
			t.Fatal(err)
		}
		began := make(chan bool)
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan error)
		go func() {
			stopped <- a.Run(ctx, handler(func(ctx context.Context, _ chat.Input) chat.Reply {
				close(began)
				<-ctx.Done()
				return chat.Reply{}
			}))
		}()
		time.Sleep(10 * time.Second)
		person := fake.NewPerson("Ann")
		person.Slash(fake.NewGuild(person).NewChannel("cards"), "help", nil)
		<-began
		stop()
		since := time.Now()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if took := time.Since(since); took > 6*time.Second {
			t.Errorf("the stop took %v", took)
		}
		fake.Drop()
		fake.Forgive()
		server.Close()
		<-ended
		air.Cut("bot")
		time.Sleep(time.Minute) // idle connections end
	})
}
