package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/activity"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// appOf is an app of the playground, whose people all belong to its channel.
type appOf struct{}

func (appOf) Authenticate(context.Context, chat.Credentials) (chat.Caller, error) {
	return chat.Caller{}, chat.ErrStranger
}
func (appOf) IsMember(context.Context, chat.Chat, string) (bool, error) { return true, nil }
func (appOf) Invite(table string, here chat.Chat) string {
	return "https://t.me/sedma_bot/table?startapp=" + table
}

func (appOf) Share(context.Context, chat.Credentials, string, screen.Screen) (string, error) {
	return "", nil
}
func (appOf) Frames() []string { return nil }
func (appOf) Origin() string   { return "" }

// sizes are those of screens at which states are looked at.
var sizes = map[string][2]int64{"phone": {390, 844}, "desktop": {1280, 800}, "small": {320, 640}}

// shots keeps pictures of a state at all sizes. No button is outside the screen.
func shots(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	for size, at := range sizes {
		browser.Do(t, ctx, chromedp.EmulateViewport(at[0], at[1], chromedp.EmulateTouch))
		browser.Shot(t, ctx, name+"-"+size)
		if got := browser.Eval(t, ctx, `document.documentElement.scrollWidth > innerWidth`); got != "false" {
			t.Errorf("%s, %s: the page is wider than the screen", name, size)
		}
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
}

// A player of a lobby gets a link to it with a QR code; a spectator doesn't, and only the host is told what the host does.
func TestPlayersInvite(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.pages.Apps = map[string]chat.Authenticator{"playground": appOf{}}
	id := r.lobby(t)
	ben, eve := r.at(t, id, fromChannel(playground.Ben)), r.at(t, id, fromChannel(playground.Eve))
	if !ben.live.Invites || ben.live.Hosts || eve.live.Invites {
		t.Errorf("Ben may invite: %t; is the host: %t. Eve may invite: %t", ben.live.Invites, ben.live.Hosts, eve.live.Invites)
	}
	eve.send(fmt.Sprintf(`{"t":"invite","id":1,"at":%q}`, id))
	for m := eve.next(); m.Toast == ""; m = eve.next() {
	}
	if strings.Contains(string(eve.got[len(eve.got)-1]), "startapp") {
		t.Error("a spectator gets the link")
	}
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(r.tableAddress(t, ctx, playground.Ann, id)), chromedp.WaitVisible(`.hosts`))
	shots(t, ctx, "lobby")
	browser.Do(t, ctx, chromedp.Click(`.inviting`), chromedp.WaitVisible(`dialog .code path`))
	if got := browser.Eval(t, ctx, `document.querySelector("dialog .link").value`); got != "https://t.me/sedma_bot/table?startapp="+id {
		t.Errorf("the link is %q", got)
	}
	shots(t, ctx, "invite")
	if axe := axeOf(t); axe != "" {
		if faults := faultsOf(t, ctx, axe); faults != "" {
			t.Error(faults)
		}
	}
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/begin"); err != nil {
		t.Fatal(err)
	}
	ben.until(func(l view.Live) bool { return l.Phase == table.Playing })
	if ben.live.Invites {
		t.Error("a player invites to a match that runs")
	}
}

// In Telegram's app, a player sends the result of the match to a chat. If Telegram refuses, its reason is said.
func TestTelegramSharesAResult(t *testing.T) {
	t.Parallel()
	g := newGroup(t, cardsURL)
	telegramApp := app(cardsURL+"/?tgWebAppStartParam="+g.id+"#tgWebAppData="+url.QueryEscape(signed(g.Token, initData(g.ann, time.Now(), g.id)))+"&tgWebAppVersion=9.1&tgWebAppPlatform=weba",
		"allow-scripts allow-same-origin", `if (event.data.includes("web_app_send_prepared_message")) frame.contentWindow.postMessage(JSON.stringify({ eventType: "prepared_message_failed", eventData: { error: "UNSUPPORTED" } }), origin);`)
	ctx := internet(t, map[string]http.Handler{"cards.example.org": http.StripPrefix("/sedma", g.pages), "web.telegram.org": telegramApp})
	inside := openApp(t, ctx, "https://web.telegram.org/", cardsURL)
	playApp(t, ctx, inside)
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, inside, `(document.querySelector(".toast") ?? document.querySelector("dialog[open]"))?.textContent.includes("UNSUPPORTED")`)
	browser.Shot(t, ctx, "share-telegram")
	if got := said(t, ctx); !strings.Contains(got, `prepared-1`) {
		t.Errorf("the page said %s", got)
	}
	if got := g.Prepared(); len(got) != 1 || !strings.Contains(got[0], "Ann") || !strings.Contains(got[0], `"type":"`) {
		t.Errorf("the bot prepared %q", got)
	}
}

// In Discord's app, a player can show the table in their status and see who speaks, shares the picture of a result, and may use their
// name on the server. At the door, the page asks only who they are. Anything that Discord refuses is off.
func TestWhatDiscordCanDo(t *testing.T) {
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
	discordApp := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/code" {
			fmt.Fprint(w, c.Authorize(c.ann, strings.Fields(r.FormValue("scopes"))...))
			return
		}
		app("https://"+proxied+"/?frame_id=f-1&platform=desktop&guild_id=1&channel_id=2&instance_id="+running.ID, "allow-scripts allow-same-origin allow-popups allow-forms allow-modals",
			`window.refuse ??= "";
			const [code, m] = event.data, answer = (m) => frame.contentWindow.postMessage([1, m], origin);
			window.happen = (evt, data) => answer({ cmd: "DISPATCH", evt, data, nonce: null });
			if (code === 0) happen("READY", { v: 1 });
			else if (refuse && JSON.stringify(m).includes(refuse)) answer({ cmd: m.cmd, evt: "ERROR", data: { code: 4000, message: "not today" }, nonce: m.nonce });
			else if (m.cmd === "AUTHORIZE") fetch("/code?scopes=" + m.args.scope.join("+")).then((r) => r.text()).then((code) => answer({ cmd: m.cmd, evt: null, data: { code }, nonce: m.nonce }));
			else answer({ cmd: m.cmd, evt: null, data: {}, nonce: m.nonce });`).ServeHTTP(w, r)
	})
	ctx := internet(t, map[string]http.Handler{proxied: proxy, "discord.com": discordApp})
	inside := openApp(t, ctx, "https://discord.com/", "https://"+proxied)
	browser.Do(t, inside, chromedp.WaitVisible("body[data-ready] .slot .card"))
	if got := said(t, ctx); strings.Contains(got, "rpc.") || strings.Contains(got, "guilds.") || !strings.Contains(got, `"scope":["identify"]`) {
		t.Errorf("at the door, the page said %s", got)
	}
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

	turn("voice")
	shut()
	browser.Eval(t, ctx, `(happen("SPEAKING_START", { channel_id: "2", user_id: "`+c.ann.ID+`" }), 0)`)
	browser.Until(t, inside, `document.querySelectorAll(".plate.speaks").length === 1 && document.querySelector(".plate.speaks").innerText.includes("Ann")`)
	browser.Shot(t, ctx, "discord-voice")
	browser.Eval(t, ctx, `(happen("SPEAKING_STOP", { channel_id: "2", user_id: "`+c.ann.ID+`" }), 0)`)
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

	playApp(t, ctx, inside)
	browser.Eval(t, ctx, `(Array.from({ length: 40 }, () => happen("SPEAKING_START", { channel_id: "2", user_id: "77" })), 0)`) // they don't play
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, ctx, `JSON.stringify(said).includes('"OPEN_SHARE_MOMENT_DIALOG"') && JSON.stringify(said).includes('"mediaUrl":"https://cdn.discordapp.com/')`)
	browser.Eval(t, ctx, `(window.refuse = "SHARE_", 0)`)
	touch(t, ctx, inside, `document.querySelector(".sharing")`)
	browser.Until(t, inside, `(document.querySelector(".toast") ?? document.querySelector("dialog[open]"))?.textContent.includes("not today")`)
	browser.Shot(t, ctx, "discord-share")
}

// Discord's server tells the name of a person there only if they allow the page to ask for it.
func TestTheNameOnADiscordServer(t *testing.T) {
	t.Parallel()
	c := newChannel(t, "")
	running := c.Launch(c.cards, c.ann)
	login := &activity.Login{Token: c.Token(), Client: c.App(), APIBase: c.URL(), HTTP: chat.Client()}
	for scope, want := range map[string]string{"": "Ann", "guilds.members.read": "Sir Ann"} {
		_, out := c.post(cookies(t), "/api/token", map[string]string{"code": c.Authorize(c.ann, scope)})
		for _, nick := range []bool{true, false} {
			who, err := login.Authenticate(t.Context(), chat.Credentials{Token: out["access_token"], Instance: running.ID, Nick: nick})
			if expected := map[bool]string{true: want, false: "Ann"}[nick]; err != nil || who.Player.Name != expected {
				t.Errorf("scope %q, asked for the name: %t: %q, want %q; %v", scope, nick, who.Player.Name, expected, err)
			}
			if who.Photo != "https://cdn.discordapp.com/avatars/"+c.ann.ID+"/a_0123456789abcdef.png?size=128" {
				t.Errorf("the photo is %q", who.Photo)
			}
		}
	}
}
