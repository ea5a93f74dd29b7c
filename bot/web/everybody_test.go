package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
)

// A dialog keeps the keyboard, reads toasts aloud, and Escape closes it.
func TestAnswersInADialog(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"),
		chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="rules:"]`),
		chromedp.Click(`dialog [data-press^="rest:"]`), chromedp.WaitVisible("dialog [aria-live=assertive] .toast"),
		chromedp.Click(`dialog [data-press^="rules:"]`))
	browser.Until(t, ctx, `document.querySelector("dialog").textContent.includes("Trick: Each in turn plays any card")`)
	if got := browser.Eval(t, ctx, `document.querySelector("dialog").contains(document.activeElement)`); got != "true" {
		t.Error("the keyboard is not in the dialog")
	}
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("dialog").open`)

	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("dialog .leaving"), chromedp.Click("dialog .leaving"))
	browser.Until(t, ctx, `!document.querySelector("dialog").open && document.body.innerText.includes("You have signed out of this page.") && !location.hash`)
}

// People who can't see the page well, or can't use a mouse, can play. axe-core finds no fault. SEDMABOT_TEST_AXE is the path of axe.min.js.
func TestThePageForEverybody(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	axe := browser.Axe(t)
	if axe == "" {
		t.Skip("SEDMABOT_TEST_AXE names no axe.min.js")
	}
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	check := func(state string) {
		t.Helper()
		faults := browser.Faults(t, ctx, axe)
		if faults != "" {
			t.Errorf("%s:\n%s", state, faults)
		}
	}
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "light")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	check("the first card")
	browser.Eval(t, ctx, `document.body.classList.add("lost")`)
	check("a lost line")
	browser.Eval(t, ctx, `document.body.classList.remove("lost")`)
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
