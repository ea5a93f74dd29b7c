package discord_test

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/screen"
)

// bell signals when a line with a given word is logged.
type bell struct {
	word string
	rung chan struct{}
}

func (b bell) Write(p []byte) (int, error) {
	if strings.Contains(string(p), b.word) {
		b.rung <- struct{}{}
	}
	return len(p), nil
}

// configure replaces the adapter of the world with one that has another configuration.
func (w *world) configure(t *testing.T, change func(*discord.Config)) {
	t.Helper()
	c := discord.Config{Commands: bot.Commands(), Easel: easel, Token: w.Token(), APIBase: w.URL(), Log: slog.New(slog.NewTextHandler(w.log, nil))}
	change(&c)
	a, err := discord.New(c)
	if err != nil {
		t.Fatal(err)
	}
	w.adapter = a
}

func TestInteractionsByTheEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	waiting := bell{"waiting for discord", make(chan struct{}, 1)}
	w.configure(t, func(c *discord.Config) {
		c.PublicKey, c.Log = w.PublicKey(), slog.New(slog.NewTextHandler(io.MultiWriter(w.log, waiting), nil))
	})
	web := httptest.NewServer(w.adapter)
	defer web.Close()
	if !w.Endpoint(web.URL) { // works before the bot runs, too
		t.Fatal("discord would not take the endpoint")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	begun, end := make(chan struct{}), make(chan struct{})
	go func() {
		ended <- w.adapter.Run(ctx, handler(func(_ context.Context, in chat.Input) chat.Reply {
			if in.Command == "table" {
				close(begun)
				<-end
			}
			if in.Command == "rules" {
				return chat.Reply{Screen: &screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: "the rules"}}}}}}
			}
			return chat.Reply{Toast: "here is " + in.Command}
		}))
	}()
	<-waiting.rung
	if m, ok := w.ann.Slash(w.channel, "hand", nil).Wait(); !ok || m.Text != "here is hand" {
		t.Errorf("it was answered %v, %v", m, ok)
	}
	if m, ok := w.ann.Slash(w.channel, "rules", nil).Wait(); !ok || m.Text != "the rules" {
		t.Errorf("it was answered %v, %v", m, ok)
	}
	var how []string
	for _, c := range w.Calls() {
		if strings.HasSuffix(c.Path, "/callback") {
			how = append(how, c.Method)
		}
	}
	// Discord always accepts a line of text. It may refuse a screen.
	if want := []string{discordtest.InResponse, http.MethodPost}; !slices.Equal(how, want) {
		t.Errorf("it was answered by %v, not by %v", how, want)
	}
	if w.Connected() != 0 {
		t.Error("the bot is on the gateway, too")
	}
	at := w.ann.Slash(w.channel, "table", nil)
	<-begun
	cancel()
	close(end)
	if m, ok := at.Wait(); !ok || m.Text != "here is table" {
		t.Errorf("what was at hand was answered %v, %v", m, ok)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTheEndpointTakesNothingFromStrangers(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, others, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.configure(t, func(c *discord.Config) { c.PublicKey = hex.EncodeToString(public) })
	const ping, command = `{"type":1}`, `{"id":"1","application_id":"2","token":"x","type":2}`
	sign := func(key ed25519.PrivateKey, text string) string {
		return hex.EncodeToString(ed25519.Sign(key, []byte(text)))
	}
	stamp := func(ago time.Duration) string { return strconv.FormatInt(time.Now().Add(-ago).Unix(), 10) }
	now, other, minute, minutes := stamp(0), stamp(time.Second), stamp(time.Minute), stamp(4*time.Minute)
	for _, c := range []struct {
		what, time, signature, body string
		want                        int
	}{
		{"a ping", now, sign(private, now+ping), ping, http.StatusOK},
		{"no interaction", now, sign(private, now+"x"), "x", http.StatusBadRequest},
		{"one while the bot does not run", now, sign(private, now+command), command, http.StatusServiceUnavailable},
		{"another time", other, sign(private, now+ping), ping, http.StatusUnauthorized},
		{"no time", "", sign(private, now+ping), ping, http.StatusUnauthorized},
		{"another body", now, sign(private, now+ping), command, http.StatusUnauthorized},
		{"another's key", now, sign(others, now+ping), ping, http.StatusUnauthorized},
		{"half a signature", now, sign(private, now+ping)[:64], ping, http.StatusUnauthorized},
		{"no hexadecimal", now, strings.Repeat("x", 128), ping, http.StatusUnauthorized},
		{"no signature", now, "", ping, http.StatusUnauthorized},
		{"a minute old", minute, sign(private, minute+ping), ping, http.StatusOK},
		{"four minutes old", minutes, sign(private, minutes+ping), ping, http.StatusUnauthorized},
		{"of no time", "x", sign(private, "x"+ping), ping, http.StatusUnauthorized},
	} {
		r := httptest.NewRequest(http.MethodPost, "/interactions", strings.NewReader(c.body))
		r.Header.Set("X-Signature-Timestamp", c.time)
		r.Header.Set("X-Signature-Ed25519", c.signature)
		answer := httptest.NewRecorder()
		w.adapter.ServeHTTP(answer, r)
		if answer.Code != c.want {
			t.Errorf("%s: answered %d, want %d", c.what, answer.Code, c.want)
		}
	}
	// An adapter on the gateway has no key, and refuses every signature.
	w.configure(t, func(*discord.Config) {})
	r := httptest.NewRequest(http.MethodPost, "/interactions", strings.NewReader(ping))
	answer := httptest.NewRecorder()
	if w.adapter.ServeHTTP(answer, r); answer.Code != http.StatusUnauthorized {
		t.Errorf("on the gateway: answered %d", answer.Code)
	}
}

func TestAWrongPublicKeyIsOneClearLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wrong := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "discord.public_key") || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is %v", err)
		}
	}
	for _, key := range []string{"x", w.PublicKey()[1:], w.PublicKey() + "00"} {
		_, err := discord.New(discord.Config{Commands: bot.Commands(), Token: "x", PublicKey: key, Log: slog.New(slog.DiscardHandler)})
		wrong(err)
	}
	w.configure(t, func(c *discord.Config) { c.PublicKey = strings.Repeat("07", 32) })
	wrong(w.adapter.Run(t.Context(), handler(nil)))
}

// There are two groups of shards. The second shard of a group starts five seconds after the
// first, and each shard receives the interactions of its servers.
func TestShards(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.Shards(3, 2)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- w.adapter.Run(ctx, handler(func(_ context.Context, in chat.Input) chat.Reply { return chat.Reply{Toast: in.Chat.ID} }))
	}()
	w.Until("all shards are connected", func() bool { return w.On(0) == 1 && w.On(1) == 1 && w.On(2) == 1 })
	for range 3 {
		c := w.NewGuild(w.ann).NewChannel("more cards")
		if m, ok := w.bob.Slash(c, "hand", nil).Wait(); !ok || !strings.Contains(m.Text, c.ID) {
			t.Errorf("it was answered %v, %v", m, ok)
		}
	}
	if m, ok := w.bob.Slash(w.bob.DM(), "hand", nil).Wait(); !ok || !strings.Contains(m.Text, w.bob.ID) {
		t.Errorf("in private it was answered %v, %v", m, ok)
	}
	w.CloseWith(4014)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "intents") {
		t.Errorf("the error is %v", err)
	}
}
