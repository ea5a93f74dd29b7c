package web_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/bot/web"
)

// fragile is a bot that panics at one press.
type fragile struct{ chat.Handler }

func (f fragile) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if strings.HasPrefix(in.Press, "rules:") {
		panic("their hand: 7h Ks")
	}
	return f.Handler.Handle(ctx, in)
}

// A press at which the bot panics gets an answer. The socket stays open, and the log has no hand.
func TestAPanicFailsOnlyOnePress(t *testing.T) {
	t.Parallel()
	r := open(t)
	log := &text{}
	site, err := web.New(web.Config{Pages: r.bot.Pages, Handler: fragile{r.bot}, Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- site.Run(ctx) }()
	server := httptest.NewServer(site)
	t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		server.Close()
	})
	r.site.Close()
	r.site = server
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	p := r.enter(t, r.link(t, playground.Ann, ""))
	p.next()
	if m := p.press("rules:" + p.live.Table); m.Toast != lang.For("en").Text("reply.trouble") {
		t.Errorf("the answer: %+v", m)
	}
	if out := log.String(); strings.Count(out, "panicked") != 1 || !strings.Contains(out, "fragile.Handle") || strings.Contains(out, "7h") {
		t.Errorf("the log:\n%s", out)
	}
	p.play()
}

// A page may come before its site runs. A site that stops closes the socket. It doesn't say that the session is over,
// so the page connects again.
func TestAStoppingSiteEndsNoSession(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	link := r.link(t, playground.Ann, "")
	site, err := web.New(web.Config{Pages: r.bot.Pages, Handler: r.bot})
	if err != nil {
		t.Fatal(err)
	}
	r.site.Close()
	r.site = httptest.NewServer(site)
	t.Cleanup(r.site.Close)
	p := r.enter(t, link)
	if p.next(); p.live.Table == "" {
		t.Fatalf("before the site runs, the page got %s", p.got)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if err := site.Run(ended); err != nil {
		t.Fatal(err)
	}
	p.stopped()
	p.conn = p.dial(t)
	p.stopped()
}

// stopped reads until the site closes the socket, which must not say that the session is over.
func (p *page) stopped() {
	p.t.Helper()
	for {
		_, data, err := p.conn.Read(p.t.Context())
		if err != nil {
			return
		}
		if strings.Contains(string(data), `"gone"`) {
			p.t.Fatalf("the page got %s", data)
		}
	}
}
