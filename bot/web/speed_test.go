package web_test

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
)

// TestSpeedOfThePage measures the page in a browser with an empty cache and at a phone's
// size: how soon after opening the first card can be touched, without a limit and by 3G, and the frames of the
// animations of a deal with the processor slowed 4 times. SEDMABOT_TEST_SPEED=1 runs it, on an idle machine.
func TestSpeedOfThePage(t *testing.T) {
	if os.Getenv("SEDMABOT_TEST_SPEED") == "" {
		t.Skip("a measurement: it runs with SEDMABOT_TEST_SPEED=1")
	}
	for name, line := range map[string]*network.Conditions{
		"no limit": nil,
		// 3G as Lighthouse simulates it (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md).
		"3G (150 ms, 1.6 Mbit/s)": {Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 750e3 / 8},
	} {
		r := open(t)
		link := r.short(t, 4)
		ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
		if line != nil {
			if _, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{line}}); err != nil {
				t.Fatal(err)
			}
		}
		browser.Do(t, ctx, chromedp.Navigate(link))
		first, err := chromedp.Run(ctx, chromedp.Poll[float64](choices+`.length > 0 && performance.now()`, chromedp.WithPollingTimeout(0)))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: the first card can be touched after %.0f ms, with %s bytes in %s requests", name, first,
			browser.Eval(t, ctx, `performance.getEntriesByType("resource").reduce((n, e) => n + e.transferSize, performance.getEntriesByType("navigation")[0].transferSize)`),
			browser.Eval(t, ctx, `performance.getEntriesByType("resource").length + 1`))
	}
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	if _, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}); err != nil {
		t.Fatal(err)
	}
	browser.Eval(t, ctx, `(() => {
		window.gaps = [];
		let last = 0;
		const frame = (now) => {
			const flying = document.querySelector(".flying, .loose");
			if (flying && last) gaps.push(now - last);
			last = flying ? now : 0;
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	})()`)
	for browser.Until(t, ctx, over+" || "+myTurn); browser.Eval(t, ctx, over) != "true"; browser.Until(t, ctx, over+" || "+myTurn) {
		browser.Eval(t, ctx, `(`+choices+`[0]?.click(), 0)`)
	}
	browser.Until(t, ctx, `!document.querySelector(".flying, .loose")`)
	t.Logf("frames of animations: %s",
		browser.Eval(t, ctx, `(() => { gaps.sort((a, b) => a - b); return gaps.length + ", median " + gaps[gaps.length >> 1] + " ms, p99 " + gaps[Math.floor(gaps.length * 0.99)] + " ms, longest " + gaps.at(-1) + " ms, over 33 ms: " + gaps.filter((g) => g > 33.4).length; })()`))
}
