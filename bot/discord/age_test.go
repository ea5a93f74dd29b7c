package discord_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/store"
)

// heard returns the names of the people whose input the bot received, in order.
type heard struct {
	mu    sync.Mutex
	names []string
}

func (h *heard) handle(_ context.Context, in chat.Input) chat.Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.names = append(h.names, in.Player.Name)
	return chat.Reply{Toast: "here"}
}

// tooLate is well beyond Discord's timeout of three seconds, because at first only the
// whole seconds of its clock are known.
const tooLate = 5 * time.Second

// An interaction that arrives after Discord's timeout, as after a lost connection, is
// dropped. So is a duplicate.
func TestWhatNobodyWaitsForIsDropped(t *testing.T) {
	clocktest.Waits(t)
	t.Parallel()
	w := newWorld(t)
	var heard heard
	w.run(t, heard.handle)
	w.Drop()
	w.Delay(28 * time.Second)
	w.ann.Slash(w.channel, "hand", nil)
	w.Delay(tooLate)
	w.ann.Slash(w.channel, "hand", nil)
	w.Until("the session is resumed", func() bool { return w.Resumed() > 0 })
	w.Delay(time.Second)
	i := w.bob.Slash(w.channel, "hand", nil)
	if m, ok := i.Wait(); !ok || m.Text != "here" {
		t.Errorf("what came in time was answered %v, %v", m, ok)
	}
	i.Repeat()
	w.shutDown()
	if err := <-w.runResults; err != nil {
		t.Error(err)
	}
	if !slices.Equal(heard.names, []string{"Bob"}) {
		t.Errorf("the bot heard of %v", heard.names)
	}
}

// atEndpoint runs the adapter behind the interactions endpoint. It returns the endpoint's
// address and a function that stops the adapter.
func (w *world) atEndpoint(t *testing.T, h handler) (url string, stop func()) {
	t.Helper()
	waiting := bell{"waiting for discord", make(chan struct{}, 1)}
	w.configure(t, func(c *discord.Config) {
		c.PublicKey, c.Log = w.PublicKey(), slog.New(slog.NewTextHandler(io.MultiWriter(w.log, waiting), nil))
	})
	web := httptest.NewServer(w.adapter)
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { _ = w.adapter.Run(ctx, h) })
	stop = sync.OnceFunc(func() {
		cancel()
		run.Wait()
		web.Close()
	})
	t.Cleanup(stop)
	<-waiting.rung
	w.Until("the bot is ready", func() bool { return w.adapter.Ready() == nil })
	if !w.Endpoint(web.URL) {
		t.Fatal("discord would not take the endpoint")
	}
	return web.URL, stop
}

// The age of interactions and signatures is measured on Discord's clock. If the host's
// clock is wrong, nothing new is dropped, and old requests are still dropped.
func TestAClockThatIsWrong(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
		t.Run(fmt.Sprint("gateway ", ahead), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Advance(ahead)
			var heard heard
			w.run(t, heard.handle)
			w.Delay(tooLate)
			w.ann.Slash(w.channel, "hand", nil)
			w.Delay(0)
			w.bob.Slash(w.channel, "hand", nil).Wait()
			w.shutDown()
			if err := <-w.runResults; err != nil {
				t.Error(err)
			}
			if !slices.Equal(heard.names, []string{"Bob"}) {
				t.Errorf("the bot heard of %v", heard.names)
			}
		})
		t.Run(fmt.Sprint("endpoint ", ahead), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Advance(ahead)
			var heard heard
			_, stop := w.atEndpoint(t, heard.handle)
			i := w.bob.Slash(w.channel, "hand", nil)
			i.Wait()
			stop() // an answer of before the leap would turn the bot's clock back
			w.Advance(7 * time.Minute)
			url, stop := w.atEndpoint(t, heard.handle)
			w.ann.Slash(w.channel, "hand", nil).Wait()
			if status := i.Replay(url); status != http.StatusUnauthorized {
				t.Errorf("a request of seven minutes ago was answered %d", status)
			}
			stop()
			if !slices.Equal(heard.names, []string{"Bob", "Ann"}) {
				t.Errorf("the bot heard of %v", heard.names)
			}
		})
	}
}

// Somebody recorded the request with which Bob joined. After Bob has left, they send it
// again, to this process and to another. Bob doesn't join again.
func TestARecordedRequestDoesNothing(t *testing.T) {
	t.Parallel()
	w := newTwins(t)
	w.ann.Slash(w.channel, "new", map[string]any{"rules": "sedma-2p"}).Wait()
	join := w.bob.Click(w.shows(w.ann, w.channel, "who plays?"), "Join")
	join.Wait()
	sits := func() (sits bool) {
		for p := range store.Partitions {
			docs, _, err := w.store.Scan(t.Context(), p, "table:", "")
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range docs {
				sits = sits || bytes.Contains(doc.Data, []byte("discord:"+w.bob.ID))
			}
		}
		return sits
	}
	if !sits() {
		t.Fatal("Bob did not join")
	}
	w.bob.Slash(w.channel, "leave", nil).Wait()
	if sits() {
		t.Fatal("Bob did not leave")
	}
	for i, url := range w.urls {
		if status := join.Replay(url); status >= http.StatusInternalServerError || sits() {
			t.Errorf("process %d answered %d, Bob sits there: %v", i, status, sits())
		}
	}
}
