package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sedmabot/bot/clocktest"
)

// player is Ann at a browser, with the program's playground on her screen.
type player struct {
	*testing.T
	ctx context.Context
}

// newPlayer starts the program, with further settings, and a browser on its page. It skips
// the test if there is no browser.
func newPlayer(t *testing.T, settings ...string) player {
	t.Helper()
	path := chromium(t)
	url := start(t, append(settings, dataFile(t), "playground.listen: 127.0.0.1:0")...).playgroundURL()
	p := atBrowser(t, path)
	p.do(chromedp.EmulateViewport(desktop.wide, desktop.high), chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	p.do(chromedp.WaitVisible(`#channel [data-press]`)) // the welcome, which would else push a table's message out of sight
	return p
}

// chromium returns the path of the browser. It skips the test if there is none.
func chromium(t *testing.T) string {
	t.Helper()
	unhurried(t)
	path, err := exec.LookPath("chromium")
	if err != nil {
		if required("chromium") {
			t.Fatal("no chromium in PATH, and SEDMABOT_TEST_REQUIRE asks for it: install Debian's package chromium")
		}
		t.Skip("no chromium in PATH: install Debian's package chromium to run this test")
	}
	return path
}

// required reports whether SEDMABOT_TEST_REQUIRE has the word: then a test that lacks it fails instead of being skipped.
func required(word string) bool {
	return slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), word)
}

// atBrowser returns a player at a browser with an empty page. The program has to start
// earlier, so that it outlives the browser.
func atBrowser(t *testing.T, path string) player {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("lang", "en"), chromedp.WSURLReadTimeout(patience))...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return player{t, ctx}
}

func (p player) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		text, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		p.Fatalf("%v; the page says\n%s", err, text)
	}
}

// eval returns the result of a script, which may be a promise of text.
func (p player) eval(script string) string {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatal(err)
	}
	return value
}

// screen is a size of screen, and what a player must see there on their turn without
// scrolling: a script that returns the parts of the page.
type window struct {
	name       string
	wide, high int64
	sees       string
}

// theTable is the script for the newest message in the channel with a picture, and theHand
// for the newest with cards in Ann's direct messages.
const (
	theTable = `[...document.querySelectorAll("#channel .message:has(.picture)")].at(-1)`
	theHand  = `[...document.querySelectorAll('[data-panel="playground:ann"] .message:has([data-card])')].at(-1)`
)

var (
	desktop = window{"desktop", 1280, 800, `[table.querySelector(".picture"), table.querySelector(".body > :not(.picture)"), ...hand.querySelectorAll("[data-card]")]`}
	phone   = window{"phone", 390, 844, `[table.querySelector(".body > :not(.picture)"), hand.querySelector("[data-card]:enabled")]`}
)

// on sets the size of the screen and its colours, "light" or "dark", and waits until all
// pictures are loaded.
func (p player) on(s window, colours string) {
	p.Helper()
	p.do(chromedp.EmulateViewport(s.wide, s.high))
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}},
	}); err != nil {
		p.Fatal(err)
	}
	p.eval(`(async () => {
		await Promise.all([...document.images].map((i) => i.decode().catch(() => 0)));
		await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
		return "";
	})()`)
}

// sees checks that a player on that screen sees what they need on their turn: each part is
// in its list's view and on the screen, and nothing is in front of it.
func (p player) sees(s window) {
	p.Helper()
	if hidden := p.eval(`(() => {
		const table = ` + theTable + `, hand = ` + theHand + `;
		const box = (e) => e.getBoundingClientRect();
		const seen = (e) => {
			const at = box(e), list = box(e.closest(".list"));
			const front = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
			return at.height > 0 && at.top >= Math.max(list.top, 0) - 1 && at.bottom <= Math.min(list.bottom, innerHeight) + 1 &&
				at.left >= 0 && at.right <= innerWidth && (e.contains(front) || front?.closest(".toast"));
		};
		return ` + s.sees + `.filter((e) => !seen(e)).map((e) => (e.innerText || e.alt) + " at " + JSON.stringify(box(e)) + " in " + JSON.stringify(box(e.closest(".list")))).join("\n");
	})()`); hidden != "" {
		p.Errorf("on a %s of %d×%d the player doesn't see\n%s", s.name, s.wide, s.high, hidden)
	}
}

// shoot saves the page as it looks on both screens, light and dark, if SEDMABOT_TEST_SHOTS
// names a folder.
func (p player) shoot(name string) {
	p.Helper()
	folder := os.Getenv("SEDMABOT_TEST_SHOTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.Fatal(err)
	}
	for _, s := range []window{phone, desktop} {
		for _, colours := range []string{"dark", "light"} {
			p.on(s, colours)
			p.eval(`document.querySelectorAll(".toast").forEach((e) => e.style.visibility = "hidden"), ""`) // it covers the page's head
			picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				p.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, strings.Join([]string{name, s.name, colours}, "-")+".png"), picture, 0o644); err != nil {
				p.Fatal(err)
			}
		}
	}
}

// imitate shoots the page in the look of a platform, or returns it to its own look if the
// platform is "".
func (p player) imitate(platform string) {
	p.Helper()
	p.eval(`(() => { const e = document.getElementById("look"); e.value = "` + platform + `"; e.dispatchEvent(new Event("change")); return ""; })()`)
	if platform == "" {
		p.do(chromedp.WaitNotPresent(".message .container"))
		return
	}
	p.do(chromedp.WaitVisible(".panel .container .picture"))
	p.shoot("3-turn-5-" + platform)
}

// turn waits until Ann can play a card, and returns the press that plays it, or until the
// match is over, and returns "over".
func (p player) turn() string {
	p.Helper()
	return p.eval(`new Promise(done => {
		const look = () => {
			const hand = ` + theHand + `;
			if (document.querySelector('#channel [data-press^="rematch:"]')) done("over");
			else if (hand?.querySelector("[data-card]:enabled")) done(hand.querySelector("[data-card]:enabled").dataset.press);
		};
		new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
		look();
	})`)
}

// A person who has just started the program plays a match of one deal with the mouse, card by
// card. On each turn they see what they need, at a desk and on a phone, and in the end how it went.
func TestADealInABrowser(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	p := newPlayer(t, "table.pace: 0")
	const mine = `[data-panel="playground:ann"] `
	p.shoot("1-empty")
	p.do(chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press^="start:"]`))
	p.shoot("2-lobby")
	p.do(chromedp.Click(`#channel [data-press$=":page:length"]`), chromedp.WaitVisible(`#channel [data-press$=":length:h1"]`))
	p.do(chromedp.Click(`#channel [data-press$=":length:h1"]`), chromedp.WaitVisible(`#channel [data-press^="start:"]`))
	p.do(chromedp.Click(`#channel [data-press^="start:"]`), chromedp.WaitVisible(mine+`[data-card]`))

	played := 0
	for ; played < 40; played++ {
		press := p.turn()
		if press == "over" {
			break
		}
		for _, s := range []window{phone, desktop} {
			p.on(s, "light")
			p.sees(s)
		}
		if played == 0 || played == 4 {
			p.shoot(fmt.Sprintf("3-turn-%d", played+1))
		}
		if played == 4 {
			p.do(chromedp.Click(`#channel [data-press^="more:"]`), chromedp.WaitVisible(mine+`[data-only]`))
			p.shoot("3-turn-5-more")
			p.do(chromedp.Click(mine+`[data-only] > header button`), chromedp.WaitNotPresent(mine+`[data-only]`))
			for _, look := range []string{"discord", "telegram", ""} {
				p.imitate(look)
			}
		}
		card := fmt.Sprintf(`%s[data-press="%s"]`, mine, press)
		p.do(chromedp.Click(card), chromedp.WaitNotPresent(card))
	}
	p.shoot("4-over")
	p.do(chromedp.Click(`#channel [data-watch]`), chromedp.WaitVisible("#viewer"))
	p.shoot("5-replay")
	// Ann plays eight cards if she never stops one of her tricks and no stop is forced.
	if played < 8 || played == 40 {
		t.Errorf("Ann played %d cards in a deal", played)
	}
}
