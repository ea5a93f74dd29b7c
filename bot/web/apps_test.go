package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// cardsURL is the public address of the pages in these tests.
const cardsURL = "https://cards.example.org/sedma"

// internet opens a page in a browser for which each of these host names leads to a server of the test, by TLS.
func internet(t *testing.T, sites map[string]http.Handler) context.Context {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := sites[r.Host]
		if site == nil {
			if !strings.HasSuffix(r.Host, ".google.com") && !strings.HasSuffix(r.Host, ".googleapis.com") { // of the browser itself
				t.Errorf("the browser asks %s", r.Host)
			}
			http.NotFound(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // CONNECT, to any host
		there, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, read, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(there, read); _ = there.Close() }()
		_, _ = io.Copy(here, there)
	}))
	t.Cleanup(proxy.Close)
	return browser.OpenBehind(t, proxy.URL, 390, 844, chromedp.EmulateTouch)
}

// proxied is Discord's proxy, which serves pages at an address of the application.
func proxied(t *testing.T, pages http.Handler) http.Handler {
	t.Helper()
	there, err := url.Parse(cardsURL)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.StripPrefix("/sedma", pages))
	t.Cleanup(server.Close)
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(there)
		r.Out.URL.Scheme, r.Out.URL.Host = "http", server.Listener.Addr().String()
		r.SetXForwarded()
	}}
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
	return frameOf(t, ctx, frame, expected...)
}

// frameOf returns the frame that the page shows.
func frameOf(t *testing.T, ctx context.Context, frame string, expected ...string) context.Context {
	t.Helper()
	here := chromedp.FromContext(ctx).BrowserContextID // other tests have pages in the same browser
	for {
		all, err := chromedp.Targets(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, func(i *target.Info) bool {
			return i.Type != "iframe" || i.BrowserContextID != here || !strings.HasPrefix(i.URL, frame)
		})
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

// Telegram's web app opens the page in a frame, with signed data in the fragment. After the match, a player sends the result to a
// chat. If Telegram refuses, its reason is said.
func TestAMatchInTelegramsApp(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	g := newGroup(t, cardsURL)
	now := time.Now()
	theme := url.QueryEscape(`{"bg_color":"#17212b","text_color":"#f5f5f5"}`)
	// https://core.telegram.org/api/bots/webapps: how an app opens the page.
	version := "9.1"
	frame := func(data string) http.Handler {
		return app(cardsURL+"/?tgWebAppStartParam="+g.id+"#tgWebAppData="+url.QueryEscape(data)+"&tgWebAppVersion="+version+"&tgWebAppPlatform=weba&tgWebAppThemeParams="+theme,
			"allow-scripts allow-same-origin allow-popups allow-forms allow-modals",
			`const post = (eventType, eventData) => frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), origin);
			post("theme_changed", { theme_params: {} });
			post("viewport_changed", { height: innerHeight, is_expanded: true, is_state_stable: true });
			post("visibility_changed", { is_visible: true });
			if (event.data.includes("web_app_request_fullscreen")) post("fullscreen_changed", { is_fullscreen: true });
			if (event.data.includes("web_app_send_prepared_message")) post("prepared_message_failed", { error: "UNSUPPORTED" });`)
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
	refusedApp(t, open(telegramtest.Sign(g.Token, telegramtest.InitData(g.eve, now, g.id)), "status of 403"), "Only players and members")
	browser.Shot(t, ctx, "table-telegram-eve")

	inside := open(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, now, g.id)))
	for _, press := range []struct{ label, event string }{{"Full screen", "web_app_request_fullscreen"}, {"Full screen", "web_app_exit_fullscreen"}, {"Add to home screen", "web_app_add_to_home_screen"}} {
		browser.Do(t, inside, chromedp.WaitVisible("[data-tool=gear]"))
		touch(t, ctx, inside, `document.querySelector("[data-tool=gear]")`)
		browser.Until(t, inside, `document.querySelector("dialog").open`)
		browser.Eval(t, inside, fmt.Sprintf(`[...document.querySelectorAll("dialog button")].find((e) => e.textContent === %q).click()`, press.label))
		browser.Until(t, ctx, fmt.Sprintf(`said.some((data) => data.includes(%q))`, press.event))
	}
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

	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, inside, `(document.querySelector(".toast") ?? document.querySelector("dialog[open]"))?.textContent.includes("UNSUPPORTED")`)
	browser.Shot(t, ctx, "share-telegram")
	if got := said(t, ctx); !strings.Contains(got, `prepared-1`) {
		t.Errorf("the page said %s", got)
	}
	if got := g.Prepared(); len(got) != 1 || !strings.Contains(got[0], "Ann") || !strings.Contains(got[0], `"type":"`) {
		t.Errorf("the bot prepared %q", got)
	}

	// An app below 8.0 never answers, so the page says so at once.
	version = "7.10"
	inside = open(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, now.Add(-time.Second), g.id)))
	browser.Do(t, inside, chromedp.WaitVisible(".sharing"))
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, inside, `(document.querySelector(".toast") ?? document.querySelector("dialog[open]"))?.textContent.includes("Telegram 7.10 < 8.0")`)
}

// discordApp is Discord's app, which shows the page of an Activity in a frame. authorize returns the code for the page, which may do
// what the scopes allow; "": the person doesn't allow the application to know them. The app's window has happen, which sends an event
// to the page, and refuse, a word of commands that are refused.
func discordApp(frame, instance string, authorize func(scopes ...string) string) http.Handler {
	shown := app(frame+"/?frame_id=f-1&platform=desktop&guild_id=1&channel_id=2&instance_id="+instance, "allow-scripts allow-same-origin allow-popups allow-forms allow-modals",
		// https://github.com/discord/embedded-app-sdk: its messages are [code, data].
		`window.refuse ??= "";
		const [code, m] = event.data, answer = (m) => frame.contentWindow.postMessage([1, m], origin);
		const deny = (code, message) => answer({ cmd: m.cmd, evt: "ERROR", data: { code, message }, nonce: m.nonce });
		window.happen = (evt, data) => answer({ cmd: "DISPATCH", evt, data, nonce: null });
		if (code === 0) happen("READY", { v: 1, config: { environment: "production" } });
		else if (refuse && JSON.stringify(m).includes(refuse)) deny(4000, "not today");
		else if (m.cmd === "AUTHORIZE") fetch("/code?scopes=" + m.args.scope.join("+")).then((r) => r.text()).then((code) => code ? answer({ cmd: m.cmd, evt: null, data: { code }, nonce: m.nonce }) : deny(4009, "denied"));
		else if (m.cmd === "AUTHENTICATE") answer({ cmd: m.cmd, evt: null, data: { access_token: m.args.access_token, scopes: ["identify"] }, nonce: m.nonce });
		else answer({ cmd: m.cmd, evt: null, data: {}, nonce: m.nonce });`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/code" {
			fmt.Fprint(w, authorize(strings.Fields(r.FormValue("scopes"))...))
			return
		}
		shown.ServeHTTP(w, r)
	})
}

// Discord's proxy serves the page, at an address of the application. Discord itself shows it in a frame, and the two shake hands. At
// the door, the page asks only who the person is. A player can show the table in their status, see who speaks, use their name on
// the server, and share the picture of a result. Anything that Discord refuses is off.
func TestAMatchInDiscordsApp(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	c := newChannel(t, cardsURL)
	running := c.Launch(c.cards, c.ann)
	host := c.App() + ".discordsays.com"
	allowed := false
	ctx := internet(t, map[string]http.Handler{host: proxied(t, c.pages), "discord.com": discordApp("https://"+host, running.ID, func(scopes ...string) string {
		if !allowed {
			return ""
		}
		return c.Authorize(c.ann, scopes...)
	})})
	open := func(expected ...string) context.Context {
		return openApp(t, ctx, "https://discord.com/", "https://"+host, expected...)
	}
	refusedApp(t, open("status of 403"), "who opened this page")
	browser.Shot(t, ctx, "table-discord-denied")

	allowed = true
	inside := open()
	browser.Do(t, inside, chromedp.WaitVisible("body[data-ready] .slot .card"))
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
	if got := said(t, ctx); !strings.Contains(got, `"scope":["identify"]`) {
		t.Errorf("at the door, the page said %s", got)
	}
	asksDiscord(t, ctx, inside, c.ann.ID)
	playApp(t, ctx, inside)
	browser.Shot(t, ctx, "table-discord")
	sharesInDiscord(t, ctx, inside)
}

// Discord may not know an Activity yet when its page opens. Then the page asks again.
func TestAnActivityThatHasJustBegun(t *testing.T) {
	t.Parallel()
	c := newChannel(t, cardsURL)
	running := c.Launch(c.cards, c.ann)
	host := c.App() + ".discordsays.com"
	var asked atomic.Int64
	early := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/door" && asked.Add(1) <= 2 {
			http.Error(w, `{"error":"a stranger"}`, http.StatusForbidden)
			return
		}
		c.pages.ServeHTTP(w, r)
	})
	ctx := internet(t, map[string]http.Handler{host: proxied(t, early), "discord.com": discordApp("https://"+host, running.ID, func(scopes ...string) string {
		return c.Authorize(c.ann, scopes...)
	})})
	browser.Do(t, openApp(t, ctx, "https://discord.com/", "https://"+host, "status of 403"), chromedp.WaitVisible("body[data-ready] .slot .card"))
}

// asksDiscord turns on what the page of a person asks Discord for.
func asksDiscord(t *testing.T, ctx, inside context.Context, person string) {
	t.Helper()
	turn := func(name string) {
		t.Helper()
		browser.Eval(t, inside, `(document.querySelector("[data-tool=gear]").click(), 0)`)
		browser.Until(t, inside, `!!document.querySelector("[name=discord-`+name+`]")`)
		if name == "presence" {
			browser.Eval(t, inside, `(document.querySelector(".checks").scrollIntoView(), 0)`)
			browser.Shot(t, ctx, "discord-settings")
		}
		browser.Eval(t, inside, `(document.querySelector("[name=discord-`+name+`]").click(), 0)`)
		browser.Until(t, inside, `!document.querySelector("[name=discord-`+name+`]").disabled`)
	}
	shut := func() { browser.Eval(t, inside, `(document.querySelector(".shut").click(), 0)`) }

	turn("presence")
	browser.Until(t, ctx, `JSON.stringify(said).includes('"party":{"id":"') && JSON.stringify(said).includes('"size":[1,2]') && JSON.stringify(said).includes("rpc.activities.write")`)
	shut()
	// The status of a player of a lobby leads others to it; see https://github.com/discord/embedded-app-sdk (ACTIVITY_JOIN).
	browser.Eval(t, inside, `(import(document.querySelector("link[href$='discord.js']").href).then(({ joins, present }) => {
		present({ table: "t-1", phase: "lobby", title: "", invites: true, seats: [{ who: "a" }, {}] });
		joins({ me: -1 }, (table) => { window.led = table; });
	}), 0)`)
	browser.Until(t, ctx, `JSON.stringify(said).includes('"secrets":{"join":"join.t-1"}') && JSON.stringify(said).includes('"ACTIVITY_JOIN"')`)
	browser.Eval(t, ctx, `(["other", "join.t-1"].forEach((secret) => happen("ACTIVITY_JOIN", { applicationId: "1", secret })), 0)`)
	browser.Until(t, inside, `window.led === "t-1"`)

	turn("voice")
	shut()
	browser.Eval(t, ctx, `(happen("SPEAKING_START", { channel_id: "2", user_id: "`+person+`" }), 0)`)
	browser.Until(t, inside, `document.querySelectorAll(".plate.speaks").length === 1 && document.querySelector(".plate.speaks").innerText.includes("Ann")`)
	browser.Shot(t, ctx, "discord-voice")
	browser.Eval(t, ctx, `(happen("SPEAKING_STOP", { channel_id: "2", user_id: "`+person+`" }), 0)`)
	browser.Until(t, inside, `!document.querySelector(".plate.speaks")`)

	browser.Eval(t, ctx, `(window.refuse = "guilds.members.read", 0)`)
	turn("nick")
	browser.Until(t, inside, `!document.querySelector("[name=discord-nick]").checked && document.querySelector(".toast").textContent.includes("Discord didn't allow this")`)
	shut()
	browser.Eval(t, ctx, `(window.refuse = "", 0)`)
	turn("nick")
	browser.Until(t, inside, `document.querySelector("[name=discord-nick]").checked`)
	shut()
	browser.Until(t, inside, `!document.body.classList.contains("lost") && document.body.dataset.ready === ""`)
}

// sharesInDiscord shares the picture of a result, or its text if Discord refuses that.
func sharesInDiscord(t *testing.T, ctx, inside context.Context) {
	t.Helper()
	browser.Eval(t, ctx, `(Array.from({ length: 40 }, () => happen("SPEAKING_START", { channel_id: "2", user_id: "77" })), 0)`) // they don't play
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, ctx, `JSON.stringify(said).includes('"OPEN_SHARE_MOMENT_DIALOG"') && JSON.stringify(said).includes('"mediaUrl":"https://cdn.discordapp.com/')`)
	browser.Eval(t, ctx, `(window.refuse = "SHARE_", 0)`)
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, inside, `(document.querySelector(".toast") ?? document.querySelector("dialog[open]"))?.textContent.includes("not today")`)
	browser.Shot(t, ctx, "discord-share")
}
