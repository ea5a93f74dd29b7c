package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
)

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
			Object.assign(live, { me: 0, phase: "playing", panel: null });
			live.seats = Array.from({ length: n }, (_, i) => ({ ...live.seats[0], side: i %% 2, name: "Bartholomew", leads: i === 1, turn: i === turn, dealer: i === 2, cards: 4, won: i %% 3, ai: i %% 2 === 1, short: "", marks: i ? ["medium"] : [] }));
			Object.assign(live.felt, {
				turn, clock: Date.now() + 50000, limit: 60000, stock: 12, worth: "20 points", winning: k ? 1 : -1,
				trick: Array.from({ length: n * k }, (_, i) => ({ seat: i %% n, card: ranks[i / n | 0] + suits[i %% 4], name: "" })),
				hand: ["7a", "Ab", "Th", "9l"].map((card, i) => ({ card, name: card, press: "x", takes: turn === 0 && i < 2, off: turn !== 0 || i > 1 })),
				moves: [{ label: "Stop", press: "x", tone: "danger" }, { label: "Hint", press: "x" }],
			});
			live.line = turn ? "Waiting for Bartholomew" : "Your turn: play a card · Bartholomew is winning with A♣ · aces and sevens take it · 20 points in the trick";
			live.brief = turn ? undefined : "A♣ wins · aces, sevens take it · 20 points";
		};
		redo();
	})()`, n, k, turn)
}

// drawn is a script that reports whether the page shows a table of so many seats with so many cards, and whose turn it is.
const drawn = `document.querySelectorAll(".plate").length === %d && document.querySelectorAll(".pile .card").length === %d && document.querySelectorAll(".plate")[%d]?.classList.contains("turn")`

// feltOf opens the page of a table of four whose states can be altered.
func feltOf(t *testing.T) context.Context {
	t.Helper()
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	if _, err := chromedp.Call(ctx, browserpage.AddScriptToEvaluateOnNewDocument, browserpage.AddScriptToEvaluateOnNewDocumentParams{Source: altered}); err != nil {
		t.Fatal(err)
	}
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	return ctx
}

// On small screens, with a large text and in forced colours, nothing hides what a player needs, and axe finds no fault of any weight.
func TestTheFeltInTwelveStates(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	picturesOfThePage(t, feltOf(t))
}

// The marks on the plates can be read in every language, and nothing jumps.
func TestTheFelt(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	ctx := feltOf(t)
	for _, part := range []struct {
		name string
		run  func(*testing.T, context.Context)
	}{{"marks", marksAreReadable}, {"screens", everyScreen}, {"toasts", toasts}, {"closing", closing}} {
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
			checkLabels(t, ctx, fmt.Sprintf("%s, %d players", name, n))
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
	// The answer to the press, which closes the dialog, may come after the state of the table.
	browser.Until(t, ctx, `document.body.dataset.phase === "closed" && !!document.querySelector(".panel [data-press^='meet:']") && document.getElementById("line").innerText === "" && !document.querySelector(".plate.turn, .slot .card, dialog[open]")`)
	browser.Shot(t, ctx, "closed")
	browser.Do(t, ctx, chromedp.Click(".panel [data-press^='meet:']"))
	browser.Until(t, ctx, `document.querySelector(".toast")?.innerText === "The table is open."`)
}
