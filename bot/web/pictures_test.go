package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
)

// picturesOfThePage checks that no label is cut or covered in twelve states of the page: at the sizes of phones and of a desktop,
// with a large text, in forced colours and in the dark, and that a finger hits every button. axe-core finds no fault in them in either theme; see TestThePageForEverybody.
// SEDMABOT_TEST_SHOTS=FOLDER keeps pictures of them.
func picturesOfThePage(t *testing.T, ctx context.Context) {
	t.Helper()
	axe := browser.Axe(t)
	for i, state := range []struct {
		name           string
		width, height  int64
		players, cards int
		turn           int
		prefer         []string
		script         string // what else is done
	}{
		{name: "upright", width: 390, height: 844, players: 4, cards: 2},
		{name: "waiting", width: 390, height: 844, players: 4, cards: 1, turn: 1},
		{name: "six", width: 390, height: 844, players: 6, cards: 1},
		{name: "three", width: 390, height: 844, players: 3, cards: 1},
		{name: "sideways", width: 844, height: 390, players: 4, cards: 2},
		{name: "desktop", width: 1280, height: 800, players: 4, cards: 2},
		{name: "two", width: 1280, height: 800, players: 2, cards: 1},
		{name: "small", width: 320, height: 640, players: 4, cards: 2},
		{name: "large-text", width: 390, height: 844, players: 4, cards: 1, script: `document.documentElement.style.fontSize = "200%"`},
		{name: "forced", width: 1280, height: 800, players: 4, cards: 1, prefer: []string{"forced-colors", "active"}},
		{name: "dark", width: 390, height: 844, players: 4, cards: 2, prefer: []string{"prefers-color-scheme", "dark"}},
		{name: "settings", width: 390, height: 844, players: 4, cards: 1, script: `document.querySelector("[data-tool=gear]").click()`},
	} {
		browser.Do(t, ctx, chromedp.EmulateViewport(state.width, state.height, chromedp.EmulateTouch))
		browser.Prefer(t, ctx, append([]string{"prefers-reduced-motion", "reduce"}, state.prefer...)...)
		browser.Eval(t, ctx, dressed(state.players, state.cards, state.turn))
		browser.Until(t, ctx, fmt.Sprintf(drawn, state.players, state.players*state.cards, state.turn))
		browser.Eval(t, ctx, "(() => {"+state.script+"})()")
		browser.Shot(t, ctx, "picture-"+state.name)
		checkLabels(t, ctx, state.name)
		if state.name != "large-text" {
			if got := browser.Eval(t, ctx, small); got != "" {
				t.Errorf("%s: a finger hardly hits %s", state.name, got)
			}
		}
		themes := []string{"light", "dark"}
		switch {
		case state.prefer != nil: // it has its own colours
			themes = []string{""}
		case !long():
			themes = themes[i%2:][:1]
		}
		for _, theme := range themes {
			if axe == "" {
				continue
			}
			browser.Prefer(t, ctx, append([]string{"prefers-color-scheme", theme, "prefers-reduced-motion", "reduce"}, state.prefer...)...)
			if faults := browser.Faults(t, ctx, axe); faults != "" {
				t.Errorf("%s, %s:\n%s", state.name, theme, faults)
			}
		}
		browser.Eval(t, ctx, `(document.documentElement.style.fontSize = "", 0)`)
	}
	browser.Do(t, ctx, chromedp.Click(".shut"))
	for fault, script := range map[string]string{
		"name is cut: Bo":       `document.querySelector(".plate .name").textContent = "Bo", document.querySelector(".plate .name").style.width = ".5em"`,
		"worth 20 points is co": `document.querySelector("#felt").append(Object.assign(document.createElement("b"), { className: "cover" })), document.querySelector(".cover").style.cssText = "position: absolute; inset: 0; z-index: 99; background: red"`,
	} {
		browser.Eval(t, ctx, "("+script+")")
		if faults := browser.Eval(t, ctx, covered); !strings.Contains(faults, fault) {
			t.Errorf("no %q among:\n%s", fault, faults)
		}
	}
}

// checkLabels checks that no label of the page is covered or cut.
func checkLabels(t *testing.T, ctx context.Context, state string) {
	t.Helper()
	if faults := browser.Eval(t, ctx, covered); faults != "" {
		t.Errorf("%s:\n%s", state, faults)
	}
}

// small is a script that returns the controls that are less than 44 px wide or high. The dots of a replay are for keys.
const small = `[...document.querySelectorAll("button, input, select, a")].filter((e) => {
	const { width, height } = (e.closest("label") ?? e).getBoundingClientRect();
	return e.checkVisibility() && !e.matches(".slot, .dot") && Math.min(width, height) < 43.9;
}).map((e) => (e.ariaLabel || e.textContent || e.value) + " " + (e.closest("label") ?? e).getBoundingClientRect().width + "×" + (e.closest("label") ?? e).getBoundingClientRect().height).join(", ")`

// covered is a script that returns a line for each suit that a dark ground would hide, and for each label of the page that something else covers, that is outside the window, or
// that is cut: a name of which fewer than eight letters can be seen, or five on a small screen, or four with a large text, or any other text. It sees what lets touches
// through, too. A label that scrolls isn't outside, and beside an open dialog there is nothing to see.
const covered = `(() => {
	const letters = innerWidth < 1000 && parseFloat(getComputedStyle(document.documentElement).fontSize) > 20 ? 4 : innerWidth < 390 ? 5 : 8;
	const touched = new CSSStyleSheet();
	touched.replaceSync("* { pointer-events: auto !important; }");
	document.adoptedStyleSheets = [touched];
	const faults = [];
	const seen = e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && e.getClientRects().length > 0 && getComputedStyle(e).clipPath !== "inset(50%)";
	const labels = ".plate .name, .plate .taken b, .plate .note, .dealer, .count, .worth, #line, .slot, #moves button, .tool, #score td, #remark p, #watching, .trick .name, :is(#below, .panel, .content) :is(button:not(.dot), h2, p, label, figcaption)";
	const dialog = document.querySelector("dialog[open]");
	// first returns how wide the first letters of a name are, with the sign that it goes on.
	const first = e => {
		const range = document.createRange();
		range.setStart(e.firstChild, 0);
		range.setEnd(e.firstChild, Math.min(letters, e.firstChild.length));
		return range.getBoundingClientRect().width + parseFloat(getComputedStyle(e).fontSize);
	};
	for (const e of (dialog ?? document).querySelectorAll(labels)) {
		const text = (e.getAttribute("aria-label") || e.textContent).trim(), what = e.className || e.id || e.tagName, box = e.getBoundingClientRect();
		if (!seen(e) || box.width < 1) continue;
		if (e.scrollWidth > e.clientWidth + 1 && (!e.matches(".name") && getComputedStyle(e).overflowX !== "visible" || e.matches(".name") && ([...text].length <= letters || first(e) > e.clientWidth))) faults.push(what + " is cut: " + text);
		if ([...document.querySelectorAll("#below, #mine, .panel, .content")].some(s => s.contains(e) && s.scrollHeight > s.clientHeight + 1 && getComputedStyle(s).overflowY !== "visible")) continue;
		const at = e.matches(".slot, button, .tool") ? [[.5, .5]] : [[.15, .5], [.5, .5], [.85, .5]];
		for (const [x, y] of at) {
			const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
			if (!top && document.body.scrollHeight > innerHeight + 1) break;
			if (!top) { faults.push(what + " is outside: " + text); break; }
			if (e.contains(top) || top.contains(e) || top.matches(".sit")) continue;
			faults.push(what + " " + text + " is covered by " + (top.className.baseVal ?? top.className ?? top.tagName)); break;
		}
	}
	for (const e of document.querySelectorAll(".suit")) if (getComputedStyle(e).filter === "none" && getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)" && !e.closest(".toast, .bubble, #remark, #sprite")) faults.push("a suit has no edge in the dark: " + e.parentNode.textContent);
	document.adoptedStyleSheets = [];
	return faults.join("\n");
})()`
