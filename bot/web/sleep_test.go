package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/emulation"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// freeze suspends a page, as phones do with those in the background, and as a computer does
// that sleeps. It returns what wakes the page up ten minutes later, by its clock.
func freeze(t *testing.T, ctx context.Context) (wake func()) {
	t.Helper()
	call := func(state browserpage.SetWebLifecycleStateState) {
		t.Helper()
		if _, err := chromedp.Call(ctx, browserpage.SetWebLifecycleState, browserpage.SetWebLifecycleStateParams{State: state}); err != nil {
			t.Fatal(err)
		}
	}
	call(browserpage.SetWebLifecycleStateStateFrozen)
	return func() {
		t.Helper()
		browser.Eval(t, ctx, `slept = 10 * 60 * 1000`)
		call(browserpage.SetWebLifecycleStateStateActive)
		if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil { // makes it visible again
			t.Fatal(err)
		}
	}
}

// halt stops the scripts of a page. Its connections stay open, and messages wait. It returns
// what lets the scripts run again, ten minutes later by their clock.
func halt(t *testing.T, ctx context.Context) (wake func()) {
	t.Helper()
	if _, err := chromedp.Call(ctx, debugger.Enable, debugger.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	pause := chromedp.Action[cdp.Empty](func(ctx context.Context, page *chromedp.Target) (cdp.Empty, error) {
		return cdp.Call(ctx, page, debugger.Pause, cdp.Empty{})
	})
	if _, err := chromedp.Run(ctx, chromedp.WaitEvent(debugger.Paused, nil, pause)); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		browser.Eval(t, ctx, `slept = 10 * 60 * 1000`)
		if _, err := chromedp.Call(ctx, debugger.Resume, debugger.ResumeParams{}); err != nil {
			t.Fatal(err)
		}
	}
}

// A page that has slept shows the present table when it wakes up, without flying cards of
// what it missed. Its reader can play at once.
func TestAPageWakesUp(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	for name, sleep := range map[string]func(t *testing.T, ctx context.Context) func(){"the line is dead": freeze, "the messages have waited": halt} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t)
			if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
				t.Fatal(err)
			}
			for _, press := range []string{":page:length", ":length:t10", "start:"} { // whoever takes every trick of a deal doesn't win the match
				r.tap(t, press)
			}
			link := r.link(t, playground.Ann, "")
			c := cable.New(t, strings.TrimPrefix(r.site.URL, "http://"))
			ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
			if name == "the messages have waited" { // they come before any timer
				if _, err := chromedp.Call(ctx, browserpage.AddScriptToEvaluateOnNewDocument, browserpage.AddScriptToEvaluateOnNewDocumentParams{Source: `window.setInterval = () => 0;`}); err != nil {
					t.Fatal(err)
				}
			}
			browser.Do(t, ctx, chromedp.Navigate("http://"+c.Addr()+"/#t="+link), chromedp.WaitVisible("body[data-ready] .slot .card"))
			browser.Until(t, ctx, myTurn)
			browser.Eval(t, ctx, `(() => {
				window.flown = 0;
				const animate = Element.prototype.animate;
				Element.prototype.animate = function (...how) { if (this.classList.contains("card")) flown++; return animate.apply(this, how); };
			})()`)
			browser.Eval(t, ctx, `(() => { const now = Date.now; window.slept = 0; Date.now = () => now() + slept; })()`)
			wake := sleep(t, ctx)
			if name == "the line is dead" {
				c.Cut()
			}

			// Meanwhile Ann plays on another device.
			id, _, _ := strings.Cut(link, ".")
			client, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Ann, Lang: "en"}, Table: id})
			other := r.page(t, client, as)
			for done := ""; ; {
				card := other.choice()
				mayStop := strings.HasSuffix(card, ":"+game.Stop.String()) // the bot may do so on its own
				if card != "" && !mayStop && other.live.Felt.Deal == 2 && other.live.Felt.Tricks > 1 {
					break
				}
				if card == "" || card == done {
					other.next()
					continue
				}
				done = card
				other.press(card)
			}
			_ = other.conn.CloseNow()

			wake()
			hand := make([]string, len(other.live.Felt.Hand))
			for i, card := range other.live.Felt.Hand {
				hand[i] = card.Card
			}
			now := `[...document.querySelectorAll(".slot")].map((e) => e.dataset.card ?? "").join(" ") === "` + strings.Join(hand, " ") + `"`
			browser.Until(t, ctx, myTurn+" && "+now)
			if got := browser.Eval(t, ctx, `flown + " cards, lost: " + document.body.classList.contains("lost") + document.getElementById("toasts").textContent`); got != "0 cards, lost: false" {
				t.Errorf("after ten minutes: %s", got)
			}
			browser.Shot(t, ctx, "table-awake")
			browser.Eval(t, ctx, choices+`[0].click()`)
			browser.Until(t, ctx, `!document.querySelector(".sent") && !(`+now+` && `+myTurn+`)`)
			if got := browser.Eval(t, ctx, `document.getElementById("toasts").textContent`); got != "" {
				t.Errorf("the first card after ten minutes: %s", got)
			}
		})
	}
}

// pipes is a network of this process: its connections are pipes, which a test can stall.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes {
	return &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7} }
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.accept <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// openPiped opens a room whose network is one of this process, so that it can be in a bubble of synctest. It returns what
// connects a browser there.
func openPiped(t *testing.T) (*room, *http.Transport) {
	t.Helper()
	net := newPipes()
	server := httptest.NewUnstartedServer(nil)
	_ = server.Listener.Close()
	server.Listener = net
	r := openAt(t, server)
	transport := &http.Transport{DialContext: net.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return r, transport
}

// patient opens a table for Ann and an AI, with an hour for a move, and returns Ann's page on
// her turn. The network is one of this process.
func patient(t *testing.T) (*room, *http.Transport, *page) {
	t.Helper()
	r, transport := openPiped(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
		t.Fatal(err)
	}
	here := chat.Chat{ID: playground.Channel, Home: playground.Home}
	id, err := r.bot.Pages().OpenIn(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	hour := view.Press{Action: view.ActSet, Table: id, What: "limit", Value: "3600"}
	if reply := r.bot.Handle(t.Context(), chat.Input{Player: chat.Player{ID: playground.Ann}, Chat: here, Press: hour.String()}); reply.Toast != "" {
		t.Fatal(reply.Toast)
	}
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/begin"); err != nil {
		t.Fatal(err)
	}
	p := r.enterBy(t, transport, r.link(t, playground.Ann, ""))
	for p.choice() == "" {
		p.next()
	}
	return r, transport, p
}

// idle reads a page's socket for as long as that many pings take, and returns how many other
// messages came, and how many bytes in all.
func (p *page) idle(pings int) (others, size int) {
	for pings > 0 {
		_, data, err := p.conn.Read(p.t.Context())
		if err != nil {
			p.t.Error(err)
			return others, size
		}
		size += len(data)
		if strings.HasPrefix(string(data), `{"t":"ping"`) {
			pings--
		} else {
			others++
		}
	}
	return others, size
}

// While nothing changes, a player's page and a spectator's get only pings. The next change
// reaches both, and a page that asks for its table gets it again.
func TestAnIdlePageGetsOnlyPings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, transport, ann := patient(t)
		watching, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Dan, Lang: "en"}, Chats: []string{playground.Channel}})
		watching.Transport = transport
		guest := r.page(t, watching, as)
		guest.send(fmt.Sprintf(`{"t":"table","table":%q}`, ann.live.Table))
		for guest.live.Table != ann.live.Table {
			guest.next()
		}
		both := []*page{ann, guest}
		var wg sync.WaitGroup
		for _, p := range both {
			wg.Go(func() {
				p.idle(100) // until Ann has been called, and the chat has stackTrace silent
				others, size := p.idle(20)
				t.Logf("seat %d: %d bytes in a minute", p.live.Me, size)
				if others > 0 {
					t.Errorf("the idle page of seat %d got %d messages in a minute", p.live.Me, others)
				}
			})
		}
		wg.Wait()
		ann.send(fmt.Sprintf(`{"t":"table","table":%q}`, ann.live.Table))
		if m := ann.next(); m.T != "live" {
			t.Errorf("a page that asked for its table got %+v", m)
		}
		ply := ann.live.Felt.Ply
		if m := ann.press(ann.choice()); m.Toast != "" {
			t.Errorf("Ann's card: %+v", m)
		}
		for _, p := range both {
			for p.live.Felt.Ply == ply {
				p.next()
			}
		}
	})
}

// While a page sleeps for ten minutes, the server gives its socket up, and the chat has the
// cards again, of which the player uses one. When the page is back, its session still holds.
func TestTheSessionOutlivesASleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _, p := patient(t)
		synctest.Wait()
		if len(r.Direct(playground.Ann)) > 0 {
			t.Error("the cards are in a message although the page is open")
		}
		before := p.live.Felt.Ply

		time.Sleep(5 * time.Minute) // nobody reads the socket
		r.link(t, playground.Ann, "")
		hand := r.Direct(playground.Ann)[0]
		if reply, err := r.PressData(t.Context(), playground.Ann, hand.Address, p.choice()); err != nil || reply.Toast != "" {
			t.Fatalf("a card by message: %+v, %v", reply, err)
		}
		time.Sleep(5 * time.Minute)
		for {
			if _, _, err := p.conn.Read(t.Context()); err != nil {
				break // all that was on its way has been read
			}
		}

		p.conn = p.dial(t)
		p.next()
		if p.live.Felt.Ply <= before {
			t.Errorf("the page got an old table: %+v", p.live.Felt)
		}
		for p.choice() == "" {
			p.next()
		}
		if m := p.press(p.choice()); m.Toast != "" {
			t.Errorf("a card after ten minutes: %+v", m)
		}
	})
}

// A page that has answered pings, and doesn't any more, is given up: its connection may be dead. One that goes on answering stays,
// and so does a page of an earlier version, which never answers.
func TestAPageThatNoLongerAnswersIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers int // how many pings the page answers
		stays   bool
	}{"never answers": {0, true}, "answers": {1000, true}, "falls silent": {1, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, _, p := patient(t)
				began := time.Now()
				answers := 0
				var err error
				for err == nil && time.Since(began) < 2*time.Minute {
					var data []byte
					if _, data, err = p.conn.Read(t.Context()); strings.Contains(string(data), `"ask":true`) && answers < c.answers {
						answers++
						p.send(`{"t":"here"}`)
						if asked := time.Since(began); answers == 1 && asked > time.Second {
							t.Errorf("the page was asked after %v: until then, nobody notices when it dies", asked)
						}
					}
				}
				if took := time.Since(began); c.stays != (err == nil) || !c.stays && took > 45*time.Second {
					t.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}
