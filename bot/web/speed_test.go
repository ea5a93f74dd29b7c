package web_test

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
)

// TestSpeedOfThePage measures the page in a browser with an empty cache and at a phone's
// size: how soon after opening the first card can be touched, and the frames of the
// animations of a deal with the processor slowed 4 times. SEDMABOT_TEST_SPEED=1 runs it, on an idle machine.
func TestSpeedOfThePage(t *testing.T) {
	if os.Getenv("SEDMABOT_TEST_SPEED") == "" {
		t.Skip("a measurement: it runs with SEDMABOT_TEST_SPEED=1")
	}
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link))
	first, err := chromedp.Run(ctx, chromedp.Poll[float64](choices+`.length > 0 && performance.now()`, chromedp.WithPollingTimeout(0)))
	if err != nil {
		t.Fatal(err)
	}
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
	playOn(t, ctx, func() { browser.Eval(t, ctx, choices+`[0].click()`) })
	browser.Until(t, ctx, `!document.querySelector(".flying, .loose")`)
	t.Logf("the first card can be touched after %.0f ms; frames of animations: %s", first,
		browser.Eval(t, ctx, `(() => { gaps.sort((a, b) => a - b); return gaps.length + ", median " + gaps[gaps.length >> 1] + " ms, p99 " + gaps[Math.floor(gaps.length * 0.99)] + " ms, longest " + gaps.at(-1) + " ms, over 33 ms: " + gaps.filter((g) => g > 33.4).length; })()`))
}
