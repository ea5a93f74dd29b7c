package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/telegram/telegramtest"
)

// Nothing of the page lies below what the apps cover. Telegram tells two areas, which add up, and Discord sets lengths, which are
// empty at first.
func TestSafeAreas(t *testing.T) {
	t.Parallel()
	g := newGroup(t, cardsURL)
	data := telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now(), g.id))
	shown := app(cardsURL+"/#tgWebAppData="+url.QueryEscape(data), "allow-scripts allow-same-origin",
		`const post = (eventType, eventData) => frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), origin);
		window.area ??= (top) => {
			post("safe_area_changed", { top, bottom: 20, left: 0, right: 0 });
			post("content_safe_area_changed", { top: 46, bottom: 0, left: 5, right: 7 });
		};
		if (event.data.includes("web_app_request_content_safe_area")) area(59);`)
	ctx := internet(t, map[string]http.Handler{"cards.example.org": http.StripPrefix("/sedma", g.pages), "web.telegram.org": shown})
	inside := openApp(t, ctx, "https://web.telegram.org/", cardsURL)
	browser.Do(t, inside, chromedp.WaitVisible("body[data-ready] .slot .card"))
	edges := func(want string) {
		t.Helper()
		browser.Until(t, inside, `getComputedStyle(document.body).padding === "`+want+`"`)
	}
	edges("105px 7px 20px 5px")
	if got := browser.Eval(t, inside, `document.getElementById("tools").getBoundingClientRect().top >= 105`); got != "true" {
		t.Error("the bar lies below Telegram's buttons")
	}
	browser.Do(t, inside, chromedp.Click("[data-tool=gear]"))
	browser.Until(t, inside, `document.querySelector("dialog[open]")?.getBoundingClientRect().top >= 105`)
	browser.Shot(t, ctx, "area-telegram")
	browser.Eval(t, ctx, `area(0)`)
	edges("46px 7px 20px 5px")

	for value, want := range map[string]string{"": "46px 7px 20px 5px", "0px": "46px 7px 20px 5px", "80px": "80px 80px 80px 80px"} {
		rule := ""
		for _, edge := range []string{"top", "right", "bottom", "left"} {
			rule += fmt.Sprintf("--discord-safe-area-inset-%s: %s;", edge, value)
		}
		browser.Eval(t, inside, `(window.rule && document.styleSheets[0].deleteRule(rule), window.rule = document.styleSheets[0].insertRule(":root { `+rule+` }", document.styleSheets[0].cssRules.length))`)
		edges(strings.Replace(want, "80px 80px 80px 80px", "80px", 1))
	}
}

// Where a frame has no origin of its own, the browser refuses the page's scripts. Then the page says how to play.
func TestAFrameWithoutAnOrigin(t *testing.T) {
	t.Parallel()
	g := newGroup(t, cardsURL)
	shown := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><iframe src="%s/?frame_id=f&instance_id=i" sandbox="allow-scripts" width="390" height="600"></iframe>`, cardsURL)
	}
	ctx := internet(t, map[string]http.Handler{"cards.example.org": http.StripPrefix("/sedma", g.pages), "web.telegram.org": http.HandlerFunc(shown)})
	browser.Do(t, ctx, chromedp.Navigate("https://web.telegram.org/"))
	inside := frameOf(t, ctx, cardsURL, "CORS", "ERR_FAILED")
	browser.Until(t, inside, `document.body.innerText.trim() === "This app can't show the table here. Play with the buttons in your chat."`)
	browser.Shot(t, ctx, "stuck")
}
