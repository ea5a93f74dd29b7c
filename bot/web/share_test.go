package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
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
var sizes = map[string][2]int64{"phone": {390, 844}, "sideways": {844, 390}, "desktop": {1280, 800}, "small": {320, 640}}

// shots keeps pictures of a state at all sizes. The page is never wider than the screen, no target is smaller than a finger, and each of
// these elements can be touched.
func shots(t *testing.T, ctx context.Context, name string, elements ...string) {
	t.Helper()
	for size, at := range sizes {
		browser.Do(t, ctx, chromedp.EmulateViewport(at[0], at[1], chromedp.EmulateTouch))
		browser.Frame(t, ctx)
		browser.Shot(t, ctx, name+"-"+size)
		checkLabels(t, ctx, name+", "+size)
		if got := browser.Eval(t, ctx, `document.documentElement.scrollWidth > innerWidth`); got != "false" {
			t.Errorf("%s, %s: the page is wider than the screen", name, size)
		}
		if got := browser.Eval(t, ctx, small); got != "" {
			t.Errorf("%s, %s: a finger hardly hits %s", name, size, got)
		}
		for _, element := range elements {
			if got := browser.Eval(t, ctx, `((e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); })(`+element+`)`); got != "true" {
				t.Errorf("%s, %s: %s can't be touched", name, size, element)
			}
		}
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
}

// A player of a lobby gets a link to it with a QR code; a spectator doesn't, and only the host is told what the host does.
func TestPlayersInvite(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
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
	shots(t, ctx, "lobby", `document.querySelector(".inviting")`)
	browser.Do(t, ctx, chromedp.Click(`.inviting`), chromedp.WaitVisible(`dialog .code path`))
	if got := browser.Eval(t, ctx, `document.querySelector("dialog .link").value`); got != "https://t.me/sedma_bot/table?startapp="+id {
		t.Errorf("the link is %q", got)
	}
	shots(t, ctx, "invite")
	// A server that doesn't know the question never answers. The page waits ten seconds, which this test leaves out.
	browser.Do(t, ctx, chromedp.Click(".shut"))
	browser.Eval(t, ctx, `(() => {
		const { setTimeout } = window, { send } = WebSocket.prototype;
		window.setTimeout = (then, ms, ...rest) => setTimeout(then, ms === 10000 ? 0 : ms, ...rest);
		WebSocket.prototype.send = () => {};
		document.querySelector(".inviting").click();
		Object.assign(window, { setTimeout });
		Object.assign(WebSocket.prototype, { send });
	})()`)
	browser.Until(t, ctx, `document.querySelector(".toast")?.innerText === "No answer came. Try again in a moment." && !document.querySelector("dialog").open`)
	if axe := browser.Axe(t); axe != "" {
		if faults := browser.Faults(t, ctx, axe); faults != "" {
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

// Discord's server tells the name of a person there only if they allow the page to ask for it.
func TestTheNameOnADiscordServer(t *testing.T) {
	t.Parallel()
	c := newChannel(t, "")
	running := c.Launch(c.cards, c.ann)
	login := &activity.Login{Token: c.Token(), Client: c.App(), APIBase: c.URL(), HTTP: http.DefaultClient}
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
