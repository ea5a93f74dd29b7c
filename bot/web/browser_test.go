package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	urlpath "path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/game"
)

// short opens a table for Ann and AIs in the channel, whose match is one deal long, and
// returns the link to its page.
func (r *room) short(t *testing.T, players int) string {
	t.Helper()
	line := fmt.Sprintf("/new %d", players)
	if players == 6 {
		line = "/new hola 6" // only Hola is for six, and nobody plays it by mistake
	}
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, line); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{":page:length", ":length:h1", "start:"} {
		r.tap(t, part)
	}
	return r.site.URL + "/#t=" + r.link(t, playground.Ann, "")
}

// tap waits until a message in the channel has a button whose press contains part, and
// presses it.
func (r *room) tap(t *testing.T, part string) {
	t.Helper()
	var press string
	var at playground.Message
	if err := r.Wait(t.Context(), func() bool {
		for _, m := range r.Channel() {
			for _, b := range slices.Concat(append(m.Screen.MenuRows(), m.Screen.Rows...)...) {
				if strings.Contains(b.Press, part) {
					press, at = b.Press, m
				}
			}
		}
		return press != ""
	}); err != nil {
		t.Fatalf("no button for %q: %v", part, err)
	}
	if _, err := r.PressData(t.Context(), playground.Ann, at.Address, press); err != nil {
		t.Fatal(err)
	}
}

// These scripts see what the reader can do now.
const (
	over    = `document.body.dataset.phase === "over"`
	choices = `[...document.querySelectorAll(".slot[aria-disabled=false], #moves [data-press^='play:']")]`
	myTurn  = `document.body.dataset.turn === "mine" && !document.querySelector(".sent") && ` + choices + `.length > 0`
)

// playOn calls touch at each turn, until the match is over. After the first turn the page shows each state at once.
func playOn(t *testing.T, ctx context.Context, touch func()) {
	t.Helper()
	for turn := 0; ; turn++ {
		browser.Until(t, ctx, over+" || "+myTurn)
		if browser.Eval(t, ctx, over) == "true" {
			return
		}
		if turn == 1 {
			atOnce(t, ctx)
		}
		touch()
	}
}

// atOnce makes the page show each state of the table at once, without the pauses in which its reader sees what happened.
func atOnce(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='look.js']").href).then(({ setLook }) => setLook("speed", "off"))`)
}

// touch touches an element with a finger, if it is there. frame is where the element is: the page itself, or
// a frame in it that is as large as the page.
func touch(t *testing.T, page, frame context.Context, element string) {
	t.Helper()
	var x, y, width, height float64
	at := browser.Eval(t, frame, `(() => { const r = `+element+`?.getBoundingClientRect(); return !r ? "" : [r.left + r.width / 2, r.top + r.height / 2, innerWidth, innerHeight].join(" "); })()`)
	if at == "" { // the bot has made a forced stop on its own
		return
	}
	if _, err := fmt.Sscan(at, &x, &y, &width, &height); err != nil {
		t.Fatal(err)
	}
	if x < 0 || x > width || y < 0 || y > height {
		t.Fatalf("a card is at %s, outside the screen", at)
	}
	for _, params := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}}, {Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := chromedp.Call(page, input.DispatchTouchEvent, params); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAMatchByTouch(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	upright := true // the phone, which is turned before each card
	playOn(t, ctx, func() {
		upright = !upright
		width, height := int64(390), int64(844)
		if !upright {
			width, height = height, width
		}
		browser.Do(t, ctx, chromedp.EmulateViewport(width, height, chromedp.EmulateTouch))
		touch(t, ctx, ctx, choices+"[0]")
	})
	browser.Until(t, ctx, `!document.querySelector(".panel").hidden`)
	for name, size := range map[string][2]int64{"upright": {390, 844}, "sideways": {844, 390}} {
		browser.Do(t, ctx, chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateTouch))
		browser.Shot(t, ctx, "table-"+name+"-over")
		if got := browser.Eval(t, ctx, `document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight`); got != "false" {
			t.Errorf("the page is larger than the phone %s", name)
		}
	}
	browser.Eval(t, ctx, `(() => {
		window.said = "";
		new MutationObserver(() => said += document.getElementById("toasts").innerText).observe(document.getElementById("toasts"), { childList: true });
		for (let i = 0; i < 3; i++) document.querySelector(".panel [data-press^='rematch:']").click();
	})()`)
	browser.Until(t, ctx, myTurn)
	if got := browser.Eval(t, ctx, `said`); got != "" {
		t.Errorf("three quick presses on Rematch: %s", got)
	}
}

// A whole match can be played by keys, at first while cards fly. "?" says what the keys do, and the tab's title says whose turn it is.
func TestAMatchByKeys(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 1280, 800, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Shot(t, ctx, "table-desktop")
	browser.Until(t, ctx, myTurn+` && document.title === "Your turn · Sedma"`)
	browser.Do(t, ctx, chromedp.KeyEvent("?"))
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll("dialog[open] dt")].map((e) => e.textContent).join()`); got != "1–9,← →,H,Esc,?" {
		t.Errorf("the keys are %q", got)
	}
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("dialog").open`)
	playOn(t, ctx, func() {
		browser.Do(t, ctx, chromedp.KeyEvent(browser.Eval(t, ctx, choices+`[0]?.getAttribute("aria-keyshortcuts") ?? "0"`)))
	})
	browser.Until(t, ctx, `!document.querySelector(".panel").hidden && !document.querySelector(".flying, .loose") && !document.title.includes("Your turn")`)
	for _, want := range []string{"Ann plays: ", "Dog plays: ", " took: "} {
		if got := browser.Eval(t, ctx, `document.getElementById("news").textContent`); !strings.Contains(got, want) {
			t.Errorf("a screen reader was told %q, without %q", got, want)
		}
	}
	if got := browser.Eval(t, ctx, `location.hash`); !strings.HasPrefix(got, "#as=") {
		t.Errorf("the address still has %q", got)
	}
	browser.Do(t, ctx, chromedp.Reload(), chromedp.WaitVisible(".panel [data-press^='rematch:']"))
}

// A card that is touched before one's turn waits for it, unless it is touched again. Then it is played by itself.
func TestACardChosenBeforeTheTurn(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	var r *room
	var ben *page
	for ben == nil || ben.choice() == "" { // until Ben leads
		r = open(t)
		for _, c := range []struct{ person, line string }{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}, {playground.Ann, "/begin"}} {
			if _, err := r.Command(t.Context(), c.person, playground.Channel, c.line); err != nil {
				t.Fatal(err)
			}
		}
		ben = r.enter(t, r.link(t, playground.Ben, ""))
		ben.next()
	}
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(r.site.URL+"/#t="+r.link(t, playground.Ann, "")), chromedp.WaitVisible("body[data-ready] .slot .card"))
	const card, next = `document.querySelector(".slot:has(.card)")`, `document.getElementById("next").textContent`
	name := browser.Eval(t, ctx, card+".ariaLabel")
	for _, want := range []string{"On your turn: " + name, "", "On your turn: " + name} {
		browser.Eval(t, ctx, card+".click()")
		if got := browser.Eval(t, ctx, next); got != want {
			t.Fatalf("after a touch: %q, want %q", got, want)
		}
	}
	browser.Shot(t, ctx, "table-chosen")
	if m := ben.press(ben.choice()); m.Toast != "" {
		t.Fatalf("Ben's card: %s", m.Toast)
	}
	browser.Until(t, ctx, `document.getElementById("news").textContent.includes("Ann plays: `+name+`.")`)
	if got := browser.Eval(t, ctx, next+` + document.getElementById("toasts").textContent`); got != "" {
		t.Errorf("the page says %q after Ann's card", got)
	}
}

// A card that is dragged onto the table is played. One that is let go before springs back. With two taps, the first one only
// raises a card.
func TestACardIsDragged(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	const cards = `document.querySelectorAll(".slot .card").length`
	drag := func(up float64) {
		t.Helper()
		browser.Until(t, ctx, myTurn+` && !!document.querySelector(".slot[aria-disabled=false]")`)
		var x, y float64
		if _, err := fmt.Sscan(browser.Eval(t, ctx, `(({ left, top }) => (left + 20) + " " + (top + 60))(document.querySelector(".slot[aria-disabled=false]").getBoundingClientRect())`), &x, &y); err != nil {
			t.Fatal(err)
		}
		for _, params := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: x, Y: y - up/2}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: x, Y: y - up}}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, params); err != nil {
				t.Fatal(err)
			}
		}
	}
	drag(30)
	if got := browser.Eval(t, ctx, cards+` + document.body.dataset.turn + document.querySelectorAll(".sent").length + [...document.querySelectorAll(".slot")].map((e) => e.style.translate).join("")`); got != "4mine0" {
		t.Fatalf("a card that was let go: %s", got)
	}
	drag(200)
	browser.Until(t, ctx, `document.getElementById("news").textContent.includes("Ann plays: ")`)

	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("dialog [value=two]"))
	browser.Eval(t, ctx, `document.querySelector("[name=set-taps][value=two]").click()`)
	browser.Do(t, ctx, chromedp.Click(".shut"))
	browser.Until(t, ctx, myTurn+` && !!document.querySelector(".slot[aria-disabled=false]")`)
	browser.Eval(t, ctx, `document.querySelector(".slot[aria-disabled=false]").click()`)
	if got := browser.Eval(t, ctx, `document.querySelectorAll(".raised").length + " " + document.querySelectorAll(".sent").length`); got != "1 0" {
		t.Errorf("raised cards, and cards that are played: %s", got)
	}
	browser.Eval(t, ctx, `document.querySelector(".raised").click()`)
	browser.Until(t, ctx, `!!document.querySelector(".sent") || !document.querySelector(".raised")`)
}

// A hint is a glow on a card or button with its reason beside it, until something is played.
func TestAHintGlows(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	browser.Do(t, ctx, chromedp.KeyEvent("h"))
	browser.Until(t, ctx, `document.querySelector(".glows")?.matches(".slot[aria-disabled=false], #moves button") && document.querySelector(".bubble")?.innerText.startsWith("I would play: ")`)
	browser.Shot(t, ctx, "hint")
	if got := browser.Eval(t, ctx, `(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= document.querySelector(".glows").getBoundingClientRect().top)(document.querySelector(".bubble").getBoundingClientRect())`); got != "true" {
		t.Error("the reason isn't above the card")
	}
	browser.Eval(t, ctx, `document.querySelector(".glows").click()`)
	browser.Until(t, ctx, `!document.querySelector(".glows, .bubble")`)
}

// altered is a script that runs window.alter on each state that the page gets, and keeps
// window.redo, which shows the latest one again.
const altered = `(() => {
	const on = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	Object.defineProperty(WebSocket.prototype, "onmessage", { ...on, set(hear) {
		on.set.call(this, (event) => {
			if (JSON.parse(event.data).t !== "live") return hear(event);
			window.redo = () => {
				const m = JSON.parse(event.data);
				window.alter?.(m.live);
				hear({ data: JSON.stringify(m) });
			};
			redo();
		});
	} });
})()`

// dressed is a script that shows a table of n seats with k rounds of cards, and a hand of which the second half
// can't be played. turn is the seat whose turn it is.
func dressed(n, k, turn int) string {
	return fmt.Sprintf(`(() => {
		const n = %d, k = %d, turn = %d, suits = ["h", "a", "l", "b"], ranks = ["7", "A", "K", "T"];
		alter = (live) => {
			live.me = 0;
			live.seats = Array.from({ length: n }, (_, i) => ({ ...live.seats[0], side: i %% 2, name: "Bartholomew", leads: i === 1, turn: i === turn, dealer: i === 2, cards: 4, won: i %% 3, ai: i %% 2 === 1, marks: i ? ["medium"] : [] }));
			Object.assign(live.felt, {
				turn, clock: Date.now() + 50000, limit: 60000, stock: 12, worth: "20 points", winning: k ? 1 : -1,
				trick: Array.from({ length: n * k }, (_, i) => ({ seat: i %% n, card: ranks[i / n | 0] + suits[i %% 4], name: "" })),
				hand: ["7a", "Ab", "Th", "9l"].map((card, i) => ({ card, name: card, press: "x", off: turn !== 0 || i > 1 })),
				moves: [{ label: "Stop", press: "x", tone: "danger" }, { label: "Hint", press: "x" }],
			});
			live.line = turn ? "Waiting for Bartholomew" : "Your turn: continue or stop? · Bartholomew is winning with A♣ · 20 points in the trick";
		};
		redo();
	})()`, n, k, turn)
}

// drawn is a script that reports whether the page shows a table of so many seats with so many cards, and whose turn it is.
const drawn = `document.querySelectorAll(".plate").length === %d && document.querySelectorAll(".pile .card").length === %d && document.querySelectorAll(".plate")[%d]?.classList.contains("turn")`

// On small screens, with a large text and in forced colours, nothing hides what a player needs, and nothing jumps. The marks on the
// plates can be read in every language, and the page looks as in the golden pictures.
func TestTheFelt(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	if _, err := chromedp.Call(ctx, browserpage.AddScriptToEvaluateOnNewDocument, browserpage.AddScriptToEvaluateOnNewDocumentParams{Source: altered}); err != nil {
		t.Fatal(err)
	}
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	for _, part := range []struct {
		name string
		run  func(*testing.T, context.Context)
	}{{"pictures", picturesOfThePage}, {"marks", marksAreReadable}, {"screens", everyScreen}, {"toasts", toasts}, {"closing", closing}} {
		t.Run(part.name, func(t *testing.T) { part.run(t, ctx) })
	}
}

// marksAreReadable checks that the marks on the players' plates are never cut, in any language on any screen, and that where there is
// no room for words, an icon has them for people who can't see it.
func marksAreReadable(t *testing.T, ctx context.Context) {
	t.Helper()
	// Each language would style the cards' drawings again.
	browser.Eval(t, ctx, `(window.drawings = document.querySelector("#sprite svg")).remove()`)
	defer browser.Eval(t, ctx, `document.getElementById("sprite").append(drawings)`)
	for name, size := range map[string][2]int64{"upright": {390, 844}, "sideways": {844, 390}, "desktop": {1280, 800}} {
		browser.Do(t, ctx, chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateTouch))
		for _, code := range lang.Languages() {
			c := lang.For(code)
			short, whole := c.Text("turn.away"), c.Text("mark.left")
			browser.Eval(t, ctx, fmt.Sprintf(`(() => {
				alter = (live) => {
					Object.assign(live, { lang: %q, me: 0, seats: Array.from({ length: 6 }, (_, i) => ({ ...live.seats[0], side: i %% 2, cards: 4 })) });
					live.seats.forEach((s, i) => Object.assign(s, { name: "Bartholomew", leads: true, dealer: true }, i %% 2 ? { marks: [%q] } : { short: %q, marks: [%q] }));
					live.felt.trick = live.seats.map((_, seat) => ({ seat, card: "7h", name: "" }));
				};
				redo();
			})()`, code, c.Text("level.medium"), short, whole))
			browser.Until(t, ctx, fmt.Sprintf(`(([first, second]) => first.querySelector(".note")?.ariaLabel === %q && first.innerText.includes(%q) === (innerWidth > 1000) && second.innerText.includes(%q) && second.innerText.includes(%q))(document.querySelectorAll(".plate"))`,
				whole, short, c.Text("mark.leads"), c.Text("level.medium")))
			browser.Shot(t, ctx, fmt.Sprintf("marks-%s-%s", name, code))
			if cut := browser.Eval(t, ctx, `[...document.querySelectorAll(".plate, .plate .more, .plate .more > *")].filter((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).map((e) => e.innerText).join(", ")`); cut != "" {
				t.Errorf("%s, %s: %s", name, code, cut)
			}
		}
	}
}

// everyScreen checks the felt at every size.
func everyScreen(t *testing.T, ctx context.Context) {
	t.Helper()
	dress := func(n, k, turn int) {
		t.Helper()
		browser.Eval(t, ctx, dressed(n, k, turn))
		browser.Until(t, ctx, fmt.Sprintf(drawn, n, n*k, turn))
	}
	const felt = `document.getElementById("felt").getBoundingClientRect().height`
	for name, size := range map[string][2]int64{"upright": {390, 844}, "sideways": {844, 390}, "desktop": {1280, 800}, "small": {320, 640}, "wide": {2560, 1440}} {
		browser.Do(t, ctx, chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateTouch))
		for n := 2; n <= 6; n++ {
			dress(n, 3, 0)
			browser.Shot(t, ctx, fmt.Sprintf("felt-%s-%d", name, n))
			if got := browser.Eval(t, ctx, `(() => {
				const boxes = (all) => [...document.querySelectorAll(all)].map((e) => e.getBoundingClientRect());
				return boxes(".plate").filter((p) => boxes(".pile .card").some((c) => Math.min(c.right, p.right) - Math.max(c.left, p.left) > 2 && Math.min(c.bottom, p.bottom) - Math.max(c.top, p.top) > 2)).length;
			})()`); got != "0" {
				t.Errorf("%s: cards cover the plates of %s players of %d", name, got, n)
			}
		}
		high := browser.Eval(t, ctx, felt)
		if dress(6, 1, 1); browser.Eval(t, ctx, felt) != high {
			t.Errorf("%s: the felt's height changes with the turn", name)
		}
		browser.Eval(t, ctx, `document.documentElement.style.fontSize = "200%"`)
		dress(4, 1, 0)
		browser.Shot(t, ctx, "text-"+name)
		if got := browser.Eval(t, ctx, `[...document.querySelectorAll("#bar button")].filter((e) => {
			const { left, top, right, bottom } = e.getBoundingClientRect();
			return e.offsetWidth && (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || !e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)));
		}).length + " " + (document.documentElement.scrollWidth > innerWidth)`); got != "0 false" {
			t.Errorf("%s, large text: %s (tools that can't be reached, and whether the page is too wide)", name, got)
		}
		if got := browser.Eval(t, ctx, `Math.round(Math.max(...[...document.querySelectorAll(".slot")].map((e) => e.getBoundingClientRect().bottom)) - innerHeight)`); !strings.HasPrefix(got, "-") && got != "0" {
			t.Errorf("%s, large text: the hand ends %s px below the screen", name, got)
		}
		if got := browser.Eval(t, ctx, `(() => {
			const [tool, worth] = ["#felt > .tool", ".worth"].map((e) => document.querySelector(e).getBoundingClientRect());
			return [...document.querySelectorAll(".pile .card")].some((e) => e.offsetWidth < 34) + " " + (worth.right > tool.left && worth.bottom > tool.top && worth.left < tool.right);
		})()`); got != "false false" {
			t.Errorf("%s, large text: %s (whether a card of the trick is tiny, and whether a tool covers its points)", name, got)
		}
		browser.Eval(t, ctx, `document.documentElement.style.fontSize = ""`)
	}

	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce", "forced-colors", "active")
	dress(4, 1, 0)
	for name, pair := range map[string][2]string{"turn": {".plate.turn", ".plate:not(.turn)"}, "winner": {".spot.won .card", ".spot:not(.won) .card"}, "legal": {".slot[aria-disabled=false] .card", ".slot[aria-disabled=true] .card"}} {
		look := func(element string) string {
			return browser.Eval(t, ctx, `(({ backgroundColor, outlineStyle, outlineWidth }) => backgroundColor + outlineStyle + outlineWidth)(getComputedStyle(document.querySelector("`+element+`")))`)
		}
		if look(pair[0]) == look(pair[1]) {
			t.Errorf("forced colours: %s can't be seen", name)
		}
	}
	browser.Shot(t, ctx, "forced")
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
}

// toasts checks that a page shows one hint at a time, on which all suits can be seen, until the table changes.
func toasts(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Eval(t, ctx, `(() => { alter = (live) => { live.version = 1e9; live.felt.ply = 1000; }; redo(); })()`)
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='screen.js']").href).then(({ toast }) => { for (const text of ["A♣", "The AI would play 7♠ or A♣."]) toast(text, true); })`)
	browser.Until(t, ctx, `document.getElementById("toasts").innerText.startsWith("The AI would play")`)
	browser.Shot(t, ctx, "toast")
	if got := browser.Eval(t, ctx, `document.querySelectorAll("#toasts .suit").length + " " + (Math.min(...getComputedStyle(document.querySelector(".toast")).backgroundColor.match(/\d+/g).slice(0, 3)) > 200)`); got != "2 true" {
		t.Errorf("marks of suits on a toast, and whether it is light: %s", got)
	}
	browser.Eval(t, ctx, `(() => { alter = (live) => { live.version = 2e9; live.felt.ply = 1001; }; redo(); })()`)
	browser.Until(t, ctx, `!document.querySelector(".toast")`)
}

// closing closes the table from its page, which asks first, and then says how to go on.
func closing(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Eval(t, ctx, `(() => { alter = (live) => { live.version += 3e9; }; redo(); })()`)
	asked := func() {
		t.Helper()
		browser.Do(t, ctx, chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="close:"]`), chromedp.Click(`dialog [data-press^="close:"]`))
		browser.Until(t, ctx, `document.querySelector("dialog").innerText.includes("for everyone?")`)
	}
	asked()
	browser.Shot(t, ctx, "ask")
	browser.Do(t, ctx, chromedp.Click("dialog .row button:not(.danger)"))
	browser.Until(t, ctx, `!document.querySelector("dialog").open`)
	asked()
	if got := browser.Eval(t, ctx, `document.body.dataset.phase`); got != "playing" {
		t.Fatalf("after Cancel: %s", got)
	}
	browser.Do(t, ctx, chromedp.Click("dialog .row .danger"))
	browser.Until(t, ctx, `document.body.dataset.phase === "closed" && !!document.querySelector(".panel [data-press^='meet:']")`)
	browser.Shot(t, ctx, "closed")
	if got := browser.Eval(t, ctx, `document.getElementById("line").innerText + document.querySelectorAll(".plate.turn, .slot .card, dialog[open]").length`); got != "0" {
		t.Errorf("a closed table: %q", got)
	}
	browser.Do(t, ctx, chromedp.Click(".panel [data-press^='meet:']"))
	browser.Until(t, ctx, `document.querySelector(".toast")?.innerText === "The table is open."`)
}

// A dialog keeps the keyboard, reads toasts aloud, and Escape closes it.
func TestAnswersInADialog(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"),
		chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="rules:"]`),
		chromedp.Click(`dialog [data-press^="rest:"]`), chromedp.WaitVisible("dialog [aria-live=assertive] .toast"),
		chromedp.Click(`dialog [data-press^="rules:"]`))
	browser.Until(t, ctx, `document.querySelector("dialog").textContent.includes("Trick: The leader plays any card")`)
	if got := browser.Eval(t, ctx, `document.querySelector("dialog").contains(document.activeElement)`); got != "true" {
		t.Error("the keyboard is not in the dialog")
	}
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("dialog").open`)

	browser.Do(t, ctx, chromedp.Click("[data-tool=more]"), chromedp.WaitVisible("dialog .leaving"), chromedp.Click("dialog .leaving"))
	browser.Until(t, ctx, `!document.querySelector("dialog").open && document.body.innerText.includes("You have signed out of this page.") && !location.hash`)
}

// People who can't see the page well, or can't use a mouse, can play. axe-core finds no
// serious fault. SEDMABOT_TEST_AXE is the path of axe.min.js.
func TestThePageForEverybody(t *testing.T) {
	t.Parallel()
	clock.Whole(t)
	axe := axeOf(t)
	if axe == "" {
		t.Skip("SEDMABOT_TEST_AXE names no axe.min.js")
	}
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	check := func(state string) {
		t.Helper()
		faults := faultsOf(t, ctx, axe)
		if faults != "" {
			t.Errorf("%s:\n%s", state, faults)
		}
	}
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "light")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	check("the first card")
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "dark")
	check("dark")
	browser.Do(t, ctx, chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="rules:"]`))
	check("a dialog")
	browser.Do(t, ctx, chromedp.Click(".shut"))
	playOn(t, ctx, func() { browser.Eval(t, ctx, choices+`[0].click()`) })
	browser.Until(t, ctx, `!document.querySelector(".panel").hidden`)
	check("the result, dark")
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "light")
	check("the result")
}

// axeOf returns the script of axe-core, or "" if SEDMABOT_TEST_AXE names none.
func axeOf(t *testing.T) string {
	t.Helper()
	file := os.Getenv("SEDMABOT_TEST_AXE")
	if file == "" {
		return ""
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}

// faultsOf returns the serious faults that axe-core finds on the page.
func faultsOf(t *testing.T, ctx context.Context, axe string) string {
	t.Helper()
	faults, err := chromedp.Run(ctx, chromedp.Evaluate[string](axe+`;
		axe.run().then(({ violations, passes }) => passes.length < 10 ? "it looked at nothing" : violations
			.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.impact + ": " + v.help + " " + v.nodes.map((n) => n.html).join(" "))
			.join("\n"))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

// Before the first card can be touched, a phone loads only the page, its styles and the cards
// of one face. It can be installed.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	r := open(t)
	size := 0
	load := func(path string) string {
		resp, err := http.Get(r.site.URL + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, resp.Status)
		}
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		size += b.Len()
		return string(data)
	}
	index := load("")
	paths := regexp.MustCompile(`a/[0-9a-f]+/[a-z]+\.(js|css|svg)`).FindAllString(index, -1) // the rest is loaded to install the page
	if len(paths) < 8 {
		t.Fatalf("the page loads only %q", paths)
	}
	for _, path := range paths {
		load(path)
	}
	small := size
	for _, f := range []face.Face{face.French, face.German, face.Czech, face.Slovak, face.Hungarian, face.Skat, face.Plain} {
		for _, d := range []game.Deck{game.German32, game.French52} {
			size = small
			load("cards/" + face.SpriteOf(f, d).Name)
			if size > 80_000 {
				t.Errorf("the page has %d bytes with %s cards of %s", size, f, d)
			}
		}
	}
	t.Logf("%d bytes without cards", small)

	// The fields without which a browser does not offer to install the page: https://developer.mozilla.org/docs/Web/Progressive_web_apps/Guides/Making_PWAs_installable
	path := regexp.MustCompile(`rel="manifest" href="([^"]+)"`).FindStringSubmatch(index)
	if path == nil {
		t.Fatal("the page has no manifest")
	}
	var m struct {
		Name, Display string
		Start         string `json:"start_url"`
		Scope         string
		Icons         []struct{ Src, Sizes string }
	}
	if err := json.Unmarshal([]byte(load(path[1])), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "Sedma" || m.Display != "standalone" || m.Scope != m.Start || load(urlpath.Join(urlpath.Dir(path[1]), m.Start)) != index {
		t.Errorf("the manifest: %+v", m)
	}
	large := 0
	for _, icon := range m.Icons {
		if load(urlpath.Join(urlpath.Dir(path[1]), icon.Src)); icon.Sizes == "512x512" {
			large++
		}
	}
	if large == 0 {
		t.Errorf("no icon is large enough: %+v", m.Icons)
	}
}
