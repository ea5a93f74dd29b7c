package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
)

// A test alters the states that the page gets: lower versions, merged states, another language, fifty deals.
func TestThePageReadsItsStates(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 390, 844)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	onEach(t, ctx, altered)
	onEach(t, ctx, `window.requestIdleCallback = () => 0`) // no card is drawn but those that are shown: each has nodes of its own
	// The browser's clock is ten minutes ahead.
	onEach(t, ctx, `(() => { const real = Date.now; Date.now = () => real() + 600000; window.trueNow = real; })()`)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	atOnce(t, ctx)

	show := func(alter string) {
		t.Helper()
		browser.Eval(t, ctx, `(window.alter = (live) => { delete live.brief; `+alter+` }, redo(), 0)`)
	}
	const mine = `live.felt.turn = live.me = 0; live.felt.clock = trueNow() + 30000; live.felt.limit = 60000; live.felt.hand = ["7a", "Ab"].map((card) => ({ card, name: card, press: "x" }));`

	// After a rollback, versions are lower.
	show(`live.version = 1; live.line = "an older line";`)
	browser.Until(t, ctx, `document.getElementById("line").textContent === "an older line"`)

	// The time bar is right from the first frame on, whatever the browser's clock says.
	show(mine + `live.felt.ply = 100;`)
	browser.Until(t, ctx, `document.getElementById("time").getAnimations().length === 1`)
	if got := browser.Eval(t, ctx, `Math.round(document.getElementById("time").getAnimations()[0].effect.getTiming().duration / 20000)`); got != "2" { // on a busy machine, a frame is some seconds old
		t.Errorf("the bar of 30 s runs for %s times 20 s", got)
	}

	// Each decision calls the hand, also if the states between two of them were merged.
	browser.Until(t, ctx, `document.activeElement?.classList.contains("slot")`)
	browser.Eval(t, ctx, `(document.activeElement.blur(), 0)`)
	show(mine + `live.felt.ply = 100; live.line = "the same decision";`)
	browser.Until(t, ctx, `document.getElementById("line").textContent === "the same decision"`)
	if got := browser.Eval(t, ctx, `document.activeElement === document.body`); got != "true" {
		t.Error("the same decision took the focus again")
	}
	show(mine + `live.felt.ply = 102;`)
	browser.Until(t, ctx, `document.activeElement?.classList.contains("slot")`)

	// A held key raises a card, and doesn't play it, too.
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='look.js']").href).then(({ setLook }) => setLook("taps", "two"))`)
	for _, key := range []string{"1", "Enter"} {
		show(mine + fmt.Sprintf(`live.felt.ply = 20%d;`, len(key)))
		browser.Until(t, ctx, `document.activeElement?.classList.contains("slot") && !document.querySelector(".raised, .sent")`)
		browser.Eval(t, ctx, `(() => {
			const e = document.querySelector(".slot");
			e.focus();
			for (let i = 0; i < 4; i++) {
				const down = new KeyboardEvent("keydown", { key: "`+key+`", repeat: i > 0, bubbles: true, cancelable: true });
				if (e.dispatchEvent(down) && "`+key+`" === "Enter") e.click(); // as the browser does
			}
		})()`)
		browser.Until(t, ctx, `!!document.querySelector(".raised")`)
		if got := browser.Eval(t, ctx, `document.querySelectorAll(".sent").length`); got != "0" {
			t.Errorf("the held key %s played the card", key)
		}
	}

	// No label keeps the old language.
	const labels = `[...document.querySelectorAll("[aria-label]")].map((e) => e.ariaLabel).filter((text) => /[a-z]{3}/.test(text)).join("|")`
	show(mine + `live.felt.ply = 300; live.felt.stock = 8; live.felt.trick = [{ seat: 1, card: "Kb", name: "" }]; live.felt.winning = 0; live.seats[0].press = "sit:x"; live.lang = "en";`)
	browser.Until(t, ctx, `!!document.querySelector(".crown, .sit")`)
	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("dialog select"))
	browser.Eval(t, ctx, `(document.querySelector("dialog select").focus(), window.english = new Set((`+labels+`).split("|")), 0)`)
	show(mine + `live.felt.ply = 300; live.felt.stock = 8; live.felt.trick = [{ seat: 1, card: "Kb", name: "" }]; live.felt.winning = 0; live.seats[0].press = "sit:x"; live.lang = "de"; live.actions = []; live.seats.forEach((s) => { Object.assign(s, { name: "Q", marks: [], short: "" }); });`)
	browser.Until(t, ctx, `document.documentElement.lang === "de" && document.querySelector(".plate .name").textContent === "Q"`)
	if got := browser.Eval(t, ctx, `(`+labels+`).split("|").filter((text) => english.has(text)).join("|")`); got != "" {
		t.Errorf("labels in English on a German page: %s", got)
	}
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll("dialog legend, dialog h2")].map((e) => e.textContent).join("|") + document.activeElement.tagName`); !strings.HasSuffix(got, "SELECT") || strings.Contains(got, "Settings") {
		t.Errorf("the settings after another language was chosen: %s", got)
	}
	browser.Do(t, ctx, chromedp.Click(".shut"))

	// A phrase may come before the felt has the seat of the one who says it.
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='say.js']").href).then(({ said }) => { window.sentence = said({ seats: Array(6).fill({ name: "Zoe" }) }, 5, "hello"); })`)
	browser.Until(t, ctx, `window.sentence?.includes("Zoe")`)

	nodes := func(from, to int) (n, listeners int64) {
		t.Helper()
		for deal := from; deal < to; deal++ {
			for _, trick := range []string{"[]", `[{ seat: 1, card: "Kb", name: "" }]`, `[{ seat: 1, card: "Kb", name: "" }, { seat: 0, card: "7b", name: "" }]`} {
				show(fmt.Sprintf(`live.felt.deal = %d; live.felt.ply = %d; live.felt.trick = %s; live.felt.log = Array(%d).fill("a trick"); live.panel = %d %% 2 ? live.panel : { blocks: [{ spans: [{ text: "deal %d" }] }], rows: [[{ label: "OK", press: "x" }]] };`, deal, deal, trick, deal%8, deal, deal))
			}
		}
		browser.Until(t, ctx, `document.querySelectorAll(".pile .card").length === 2`)
		if _, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Call(ctx, memory.GetDOMCounters, cdp.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		return got.Nodes, got.JsEventListeners
	}
	browser.Prefer(t, ctx)
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='look.js']").href).then(({ setLook }) => setLook("speed", "fast"))`)
	nodes(1000, 1010)
	before, heard := nodes(1010, 1020)
	after, hears := nodes(1020, 1070)
	t.Logf("%d nodes and %d listeners; after fifty deals %d and %d", before, heard, after, hears)
	if after > before+before/10 || hears > heard+heard/10 {
		t.Errorf("%d nodes and %d listeners became %d and %d over fifty deals", before, heard, after, hears)
	}
}
