package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A person who has just started the program plays a deal with the mouse. It takes three clicks to the first hand, and
// then one per card.
func TestADealInABrowser(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "chromium") {
			t.Fatal("no chromium in PATH, and SEDMABOT_TEST_REQUIRE asks for it: install Debian's package chromium")
		}
		t.Skip("no chromium in PATH: install Debian's package chromium to run this test")
	}
	url := start(t, dataFile(t), "playground.listen: 127.0.0.1:0", "table.pace: 0").playgroundURL()

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("lang", "en"), chromedp.WSURLReadTimeout(patience))...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	do := func(actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
			t.Fatalf("%v; the page says\n%s", err, text)
		}
	}

	const mine = `[data-panel="playground:ann"] `
	do(chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"),
		chromedp.Click("#new"),
		chromedp.Click(`#channel [data-press^="start:"]`),
		chromedp.WaitVisible(mine+`[data-card]`))

	played := 0
	for ; played < 40; played++ {
		// Wait until it is Ann's turn or the deal is over.
		state, err := chromedp.Run(ctx, chromedp.Evaluate[string](`new Promise(done => {
			const look = () => {
				if (document.getElementById("channel").innerText.includes("deal 1 is over")) done("over");
				const hand = [...document.querySelectorAll('`+mine+`[data-message]')].findLast(m => m.querySelector("[data-card]"));
				const card = hand && hand.innerText.includes("Your turn") && hand.querySelector("[data-card]:not([disabled])");
				if (card) done(card.dataset.press);
			};
			new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
			look();
		})`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		if state == "over" {
			break
		}
		card := fmt.Sprintf(`%s[data-press="%s"]`, mine, state)
		do(chromedp.Click(card), chromedp.WaitNotPresent(card))
	}
	// Ann plays eight cards if she never stops one of her tricks and no stop is forced.
	if played < 8 || played == 40 {
		t.Errorf("Ann played %d cards in a deal", played)
	}
}
