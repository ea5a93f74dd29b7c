package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/browser"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// cardsURL is the public address of the pages in these tests.
const cardsURL = "https://cards.example.org/sedma"

// internet opens a browser for which each of these host names leads to a server of the test,
// by TLS. Like future browsers, it keeps cookies from frames of other sites only if they are
// partitioned.
func internet(t *testing.T, sites map[string]http.Handler) context.Context {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := sites[r.Host]
		if site == nil {
			t.Errorf("the browser asks %s", r.Host)
			http.NotFound(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var rules []string
	for site := range sites {
		rules = append(rules, "MAP "+site+" "+server.Listener.Addr().String())
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.Flag("host-resolver-rules", strings.Join(rules, ",")),
		chromedp.Flag("ignore-certificate-errors", true), chromedp.Flag("test-third-party-cookie-phaseout", true),
	}
	return browser.OpenWith(t, options, 390, 844, chromedp.EmulateTouch)
}

// app is the page of a platform's own app, which shows the table's page in a frame that is as
// large as the app. It keeps the frame's messages in "said".
func app(frame, sandbox, script string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><style>*{margin:0;padding:0}iframe{position:fixed;border:0;width:100%%;height:100%%}</style>
			<iframe src="%s" sandbox="%s"></iframe>
			<script>const said = [], frame = document.querySelector("iframe"), origin = new URL(frame.src).origin;
			addEventListener("message", (event) => { if (event.source === frame.contentWindow && event.origin === origin) { said.push(event.data); %s } });</script>`,
			html.EscapeString(frame), sandbox, script)
	})
}

// openApp opens an app. It returns the app's frame when the frame has sent a message to the app.
// expected are words of errors that the browser may report there.
func openApp(t *testing.T, ctx context.Context, address, frame string, expected ...string) context.Context {
	t.Helper()
	browser.Do(t, ctx, chromedp.Navigate(address))
	browser.Until(t, ctx, `said.length > 0`)
	for {
		all, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, func(i *target.Info) bool { return i.Type != "iframe" || !strings.HasPrefix(i.URL, frame) })
		if len(all) != 1 {
			continue // the previous page's frame is still there
		}
		inside, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(all[0].TargetID))
		browser.Complaints(t, inside, cancel, expected...)
		return inside
	}
}

// said returns the frame's messages to its app, as JSON.
func said(t *testing.T, ctx context.Context) string {
	t.Helper()
	return browser.Eval(t, ctx, `JSON.stringify(said)`)
}

// playApp makes the deal the last one, and plays it on the page in an app, by touch.
func playApp(t *testing.T, ctx, frame context.Context) {
	t.Helper()
	browser.Do(t, frame, chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Prefer(t, frame, "prefers-reduced-motion", "reduce")
	atOnce(t, frame)
	for _, button := range []string{`[data-tool=more]`, `dialog [data-press^="last:"]`, `dialog .danger:not([data-press])`} { // the page asks before the last deal
		browser.Do(t, frame, chromedp.WaitVisible(button))
		touch(t, ctx, frame, `document.querySelector('`+button+`')`)
	}
	browser.Until(t, frame, `!document.querySelector("dialog").open`)
	playOn(t, frame, func() { touch(t, ctx, frame, choices+"[0]") })
	browser.Until(t, frame, `!document.querySelector(".panel").hidden && !!document.querySelector('.panel [data-press^="rematch:"]')`)
}

// refusedApp waits for the sentence that a page shows instead of a table.
func refusedApp(t *testing.T, frame context.Context, want string) {
	t.Helper()
	browser.Until(t, frame, fmt.Sprintf(`document.querySelector("#felt .panel p")?.textContent.includes(%q) && !document.querySelector("#felt .panel button")`, want))
}

// Telegram's web app opens the page in a frame, with signed data in the fragment.
func TestAMatchInTelegramsApp(t *testing.T) {
	t.Parallel()
	g := newGroup(t, cardsURL)
	now := time.Now()
	theme := url.QueryEscape(`{"bg_color":"#17212b","text_color":"#f5f5f5"}`)
	// https://core.telegram.org/api/bots/webapps: how an app opens the page.
	frame := func(data string) http.Handler {
		return app(cardsURL+"/?tgWebAppStartParam="+g.id+"#tgWebAppData="+url.QueryEscape(data)+"&tgWebAppVersion=9.1&tgWebAppPlatform=weba&tgWebAppThemeParams="+theme,
			"allow-scripts allow-same-origin allow-popups allow-forms allow-modals",
			`for (const [eventType, eventData] of [["theme_changed", { theme_params: {} }], ["viewport_changed", { height: innerHeight, is_expanded: true, is_state_stable: true }], ["visibility_changed", { is_visible: true }]])
				frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), origin);`)
	}
	var shown http.Handler
	ctx := internet(t, map[string]http.Handler{
		"cards.example.org": http.StripPrefix("/sedma", g.pages),
		"web.telegram.org":  http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { shown.ServeHTTP(w, r) }),
	})
	open := func(data string, expected ...string) context.Context {
		shown = frame(data)
		return openApp(t, ctx, "https://web.telegram.org/", cardsURL, expected...)
	}
	forged := strings.Replace(signed(g.Token, initData(g.ann, now, g.id)), "Ann", "Eve", 1)
	for name, refused := range map[string]struct{ data, words string }{
		"forged": {forged, "who opened this page"},
		"old":    {signed(g.Token, initData(g.ann, now.Add(-2*time.Hour), g.id)), "opened too long ago"},
		"eve":    {signed(g.Token, initData(g.eve, now, g.id)), "Only players and members"},
	} {
		refusedApp(t, open(refused.data, "status of 403"), refused.words)
		browser.Shot(t, ctx, "table-telegram-"+name)
	}

	inside := open(signed(g.Token, initData(g.ann, now, g.id)))
	playApp(t, ctx, inside)
	browser.Shot(t, ctx, "table-telegram")
	var events []string
	if err := json.Unmarshal([]byte(said(t, ctx)), &events); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, data := range events {
		var e struct{ EventType string }
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		types = append(types, e.EventType)
	}
	if want := []string{"web_app_ready", "web_app_expand", "web_app_setup_swipe_behavior"}; !slices.Equal(types[:3], want) {
		t.Errorf("the page said %q to Telegram", types)
	}
	for _, want := range []string{"web_app_trigger_haptic_feedback", "web_app_setup_back_button", "web_app_setup_closing_behavior"} {
		if !slices.Contains(types, want) {
			t.Errorf("the page didn't say %q to Telegram", want)
		}
	}
	if got := browser.Eval(t, inside, `document.documentElement.dataset.look + " " + location.href`); !strings.HasPrefix(got, "dark "+cardsURL+"/#as=") {
		t.Errorf("the page after it was opened: %s", got)
	}
}

// discordApp is Discord's app, which shows the page of an Activity in a frame. authorize returns the code for the page; "":
// the person doesn't allow the application to know them.
func discordApp(frame, instance string, authorize func() string) http.Handler {
	shown := app(frame+"/?frame_id=f-1&platform=desktop&guild_id=1&channel_id=2&instance_id="+instance, "allow-scripts allow-same-origin allow-popups allow-forms allow-modals",
		// https://github.com/discord/embedded-app-sdk: its messages are [code, data].
		`const [code, m] = event.data, answer = (m) => frame.contentWindow.postMessage([1, m], origin);
		if (code === 0) answer({ cmd: "DISPATCH", evt: "READY", data: { v: 1, config: { environment: "production" } }, nonce: null });
		if (m.cmd === "AUTHORIZE") fetch("/code").then((r) => r.text()).then((code) => answer(code ? { cmd: m.cmd, evt: null, data: { code }, nonce: m.nonce }
			: { cmd: m.cmd, evt: "ERROR", data: { code: 4009, message: "denied" }, nonce: m.nonce }));
		if (m.cmd === "AUTHENTICATE") answer({ cmd: m.cmd, evt: null, data: { access_token: m.args.access_token, scopes: ["identify"] }, nonce: m.nonce });`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/code" {
			fmt.Fprint(w, authorize())
			return
		}
		shown.ServeHTTP(w, r)
	})
}

// Discord's proxy serves the page, at an address of the application. Discord itself shows it
// in a frame, and the two shake hands.
func TestAMatchInDiscordsApp(t *testing.T) {
	t.Parallel()
	c := newChannel(t, cardsURL)
	running := c.Launch(c.cards, c.ann)
	proxied := c.App() + ".discordsays.com"
	there, err := url.Parse(cardsURL)
	if err != nil {
		t.Fatal(err)
	}
	pages := httptest.NewServer(http.StripPrefix("/sedma", c.pages))
	t.Cleanup(pages.Close)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(there)
		r.Out.URL.Scheme, r.Out.URL.Host = "http", pages.Listener.Addr().String()
		r.SetXForwarded()
	}}
	allowed := c.ann // the person in Discord's app; nil: they don't allow the application to know them
	ctx := internet(t, map[string]http.Handler{proxied: proxy, "discord.com": discordApp("https://"+proxied, running.ID, func() string {
		if allowed == nil {
			return ""
		}
		return c.Authorize(allowed)
	})})
	open := func(expected ...string) context.Context {
		return openApp(t, ctx, "https://discord.com/", "https://"+proxied, expected...)
	}

	allowed = nil
	refusedApp(t, open("status of 403"), "who opened this page")
	browser.Shot(t, ctx, "table-discord-denied")
	allowed = c.bob // Bob doesn't have the Activity open
	refusedApp(t, open("status of 403"), "who opened this page")
	browser.Shot(t, ctx, "table-discord-elsewhere")

	allowed = c.ann
	inside := open()
	playApp(t, ctx, inside)
	browser.Shot(t, ctx, "table-discord")
	var talk [][2]json.RawMessage
	if err := json.Unmarshal([]byte(said(t, ctx)), &talk); err != nil || len(talk) != 3 {
		t.Fatalf("the page said %s: %v", said(t, ctx), err)
	}
	for i, want := range []string{
		`"client_id":"` + c.App() + `","frame_id":"f-1"`, `"client_id":"` + c.App() + `","response_type":"code"`, `"access_token":"access-`,
	} {
		if !strings.Contains(string(talk[i][1]), want) {
			t.Errorf("the page said %s, without %s", talk[i][1], want)
		}
	}
}
