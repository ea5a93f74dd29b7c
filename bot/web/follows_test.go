package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
)

// rewound is a bot whose tables have lower versions once its store was rolled back.
type rewound struct {
	chat.Pages
	by *atomic.Int64
}

func (p rewound) Table(ctx context.Context, id string) (chat.PageTable, error) {
	t, err := p.Pages.Table(ctx, id)
	t.Version -= p.by.Load()
	return t, err
}

// A page that is open goes on after a backup was put back: the versions of its table begin again.
func TestAPageGoesOnAfterARollback(t *testing.T) {
	t.Parallel()
	var by atomic.Int64
	r := openAt(t, httptest.NewUnstartedServer(nil), func(p chat.Pages) chat.Pages { return rewound{p, &by} })
	ann, ben := r.pair(t)
	by.Store(1 << 40)
	for _, p := range []*page{ann, ben} {
		if p.choice() == "" {
			continue
		}
		ply := p.live.Felt.Ply
		if m := p.press(p.choice()); m.Toast != "" {
			t.Errorf("a card after the rollback: %+v", m)
		}
		for _, p := range []*page{ann, ben} {
			p.until(func(l view.Live) bool { return l.Felt.Ply > ply })
		}
	}
	if ann.live.Version >= 0 {
		t.Errorf("nothing was played after the rollback: version %d", ann.live.Version)
	}
}

// Each message has the time, from the first one on. Pages that share a frame share its time.
func TestEveryMessageHasTheTime(t *testing.T) {
	t.Parallel()
	r := open(t)
	ann, _ := r.pair(t)
	if m := ann.press("more:" + ann.live.Table); slices.ContainsFunc(slices.Concat(m.Screen.Rows...), func(b view.LiveButton) bool { return strings.HasPrefix(b.Press, "bump:") }) {
		t.Errorf("the page offers to move a message: %+v", m.Screen.Rows)
	}
	for _, data := range ann.got {
		var m struct{ Now int64 }
		if err := json.Unmarshal(data, &m); err != nil || time.Since(time.UnixMilli(m.Now)).Abs() > time.Minute {
			t.Errorf("the time %d in %.40s: %v", m.Now, data, err)
		}
	}
}

// A puzzle says which press shows it again. On another socket that leads to the same position, at each of its choices and
// after the answer, and counts as one answer.
func TestAPuzzleOnTheNextSocket(t *testing.T) {
	t.Parallel()
	r := open(t)
	p := r.door(t, playground.Ann)
	p.press(view.PuzzleNow)
	for {
		before := p.live
		_ = p.conn.CloseNow()
		p.conn = p.dial(t)
		p.next()
		p.press(before.Again)
		if diff := cmp.Diff(before.Felt, p.live.Felt); diff != "" || p.live.Phase != view.Puzzled {
			t.Fatalf("on the next socket, the page shows %s:\n%s", p.live.Phase, diff)
		}
		choice := ""
		for _, c := range p.live.Felt.Hand {
			if c.Press != "" {
				choice = c.Press
			}
		}
		if choice == "" {
			break
		}
		p.press(choice)
	}
}

// onEach lets a script run on each page before its own.
func onEach(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, browserpage.AddScriptToEvaluateOnNewDocument, browserpage.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		t.Fatal(err)
	}
}

// eventually waits for a script to return true on a page that loads itself again meanwhile.
func eventually(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	for {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); ok && err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%s: %v", script, ctx.Err())
		}
	}
}

// cutting is a script for [onEach] that lets a test cut the page's connection.
const cutting = `(() => {
	const Real = WebSocket, all = [];
	window.WebSocket = class extends Real { constructor(address) { super(address); all.push(this); } };
	window.cut = () => { for (const s of all.splice(0)) s.close(); };
	window.sockets = () => all.filter((s) => s.readyState === 1).length;
})()`

// The address follows what the page shows, so a reload finds it. A lost connection leaves a puzzle where it was, and another link
// in the same address opens like a page of its own.
func TestThePageFindsItsPlaceAgain(t *testing.T) {
	t.Parallel()
	r := open(t)
	ctx := browser.Open(t, 390, 844)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	onEach(t, ctx, cutting)
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Ann)), chromedp.WaitVisible("#below [data-press='"+view.PuzzleNow+"']"))
	browser.Eval(t, ctx, `document.querySelector("#below [data-press='`+view.PuzzleNow+`']").click()`)
	browser.Until(t, ctx, `document.body.dataset.phase === "puzzle"`)
	said := browser.Eval(t, ctx, `document.getElementById("below").innerText`)
	browser.Eval(t, ctx, `(() => {
		window.phases = new Set();
		new MutationObserver(() => phases.add(document.body.dataset.phase)).observe(document.body, { attributeFilter: ["data-phase"] });
		cut();
	})()`)
	browser.Until(t, ctx, `document.body.classList.contains("lost")`)
	browser.Until(t, ctx, `!document.body.classList.contains("lost") && sockets() === 1`)
	browser.Eval(t, ctx, `document.querySelector(".slot:not(:disabled)").click()`) // it is answered after the line's own press
	browser.Until(t, ctx, `document.getElementById("below").innerText !== `+fmt.Sprintf("%q", said))
	if got := browser.Eval(t, ctx, `[...phases.add(document.body.dataset.phase)].join()`); got != "puzzle" {
		t.Errorf("after a lost connection, the page shows %s", got)
	}

	browser.Eval(t, ctx, `document.querySelector("[data-tool=home]").click()`)
	browser.Do(t, ctx, chromedp.WaitVisible("#below [data-press='solo:']"))
	browser.Eval(t, ctx, `document.querySelector("#below [data-press='solo:']").click()`)
	browser.Do(t, ctx, chromedp.WaitVisible(".slot .card"))
	at := browser.Eval(t, ctx, `location.hash`)
	browser.Do(t, ctx, chromedp.Reload(), chromedp.WaitVisible(".slot .card"))
	if got := browser.Eval(t, ctx, `location.hash + localStorage.getItem("sedma-as")`); got != at+strings.TrimPrefix(at, "#as=") || !strings.HasSuffix(at, "@"+playground.Channel) {
		t.Errorf("the address is %s after a reload, and was %s", got, at)
	}

	if _, err := r.Command(t.Context(), playground.Ben, playground.Ben, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	token := r.link(t, playground.Ben, "")
	browser.Eval(t, ctx, `(location.hash = "t=`+token+`", 0)`)
	eventually(t, ctx, `document.body.dataset.ready === "" && !location.hash.includes("t=`+token+`") && document.querySelector(".plate.own")?.innerText.includes("Ben")`)
}

// Nothing is left of the table when the session ends, even in the middle of a flight with a dialog open, and no choice fails.
func TestTheEndOfASession(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 390, 844)
	onEach(t, ctx, altered)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("dialog select"))
	browser.Eval(t, ctx, `(window.list = document.querySelector("dialog select"), document.querySelector(".slot[aria-disabled=false]").click())`)
	browser.Eval(t, ctx, `(fetch("api/close", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ as: location.hash.slice(4) }) }), 0)`)
	browser.Until(t, ctx, `document.querySelector("#felt .panel p")?.textContent.includes("Open it again from your chat")`)
	browser.Eval(t, ctx, `(list.value = "de", list.dispatchEvent(new Event("change")), 0)`)
	if got := browser.Eval(t, ctx, `[document.querySelector("dialog").open, document.title, document.body.dataset.turn ?? "", document.querySelectorAll(".plate, .slot, .toast, .flying, .loose, #moves button, #tools button").length].join()`); got != "false,Sedma,,0" {
		t.Errorf("after the end: %s", got)
	}
}

// Where a browser keeps no cookie, as in some apps' frames, the page says how to play, instead of leading back to itself.
func TestABrowserWithoutCookies(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasPrefix(req.URL.Path, "/api/door") {
			r.pages.ServeHTTP(w, req)
			return
		}
		kept := httptest.NewRecorder()
		r.pages.ServeHTTP(kept, req)
		w.WriteHeader(kept.Code)
		_, _ = w.Write(kept.Body.Bytes())
	}))
	t.Cleanup(site.Close)
	ctx := browser.Open(t, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(site.URL+link[strings.Index(link, "/#"):]))
	browser.Until(t, ctx, `document.querySelector("#felt .panel p")?.textContent.includes("Play with the buttons in your chat")`)
}
