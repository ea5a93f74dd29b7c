package playground

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/chat"
)

// browser is a page in headless Chromium. Every error of the browser, the script or
// the content policy fails the test. The page's server has to start earlier, so that
// it outlives the browser, which would report its end as an error.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "chromium") {
			t.Fatal("chromium is required and not installed")
		}
		t.Skip("chromium is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a hanging test reaches this timeout
	t.Cleanup(cancel)
	// It keeps its files in a folder that chromedp removes, for its children write there after its end.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en"))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)

	console := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for message, err := range console {
			if err != nil {
				return
			}
			t.Errorf("the browser complains: %s %s", message.Text, message.URL)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	do(t, ctx, chromedp.EmulateViewport(1360, 850))
	return ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// shot saves a screenshot in the folder SEDMABOT_TEST_SHOTS, if there is one.
func shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("SEDMABOT_TEST_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// scheme chooses between the page's light and dark colours.
func scheme(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	}); err != nil {
		t.Fatal(err)
	}
}

// eval returns the result of a script on the page, as text.
func eval(t *testing.T, ctx context.Context, script string) string {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// until waits for a script to return true.
func until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](script, chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	p, _, url := page(t)
	ctx := browser(t)
	hand := `[data-panel="` + Ann + `"] `

	// Two clicks to the first card.
	scheme(t, ctx, "light")
	do(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	shot(t, ctx, "1-empty")
	do(t, ctx, chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press=start]`))
	shot(t, ctx, "2-lobby")
	do(t, ctx, chromedp.Click("#menu"), chromedp.WaitVisible("#commands [data-command=rules]"))
	shot(t, ctx, "2-menu")
	do(t, ctx, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#commands"))
	do(t, ctx, chromedp.Click(`#channel [data-press=start]`), chromedp.WaitVisible(hand+`[data-card="7h"]`))
	shot(t, ctx, "3-hand")
	if got := eval(t, ctx, `document.querySelectorAll("[data-card]").length`); got != "4" {
		t.Errorf("Ann's page shows %s cards", got)
	}
	if got := eval(t, ctx, `[...document.querySelectorAll("[data-press]")].filter((b) => b.textContent === "Cards in private").length`); got != "0" {
		t.Error("a link to another place is shown")
	}

	// The cards by mouse and by keyboard; the keyboard stays where it was.
	do(t, ctx, chromedp.Click(hand+`[data-card="7h"]`), chromedp.WaitNotPresent(hand+`[data-card="7h"]`),
		chromedp.Focus(hand+`[data-card="Ta"]`), chromedp.KeyEvent(kb.Enter), chromedp.WaitNotPresent(hand+`[data-card="Ta"]`))
	if got := eval(t, ctx, `document.activeElement.dataset.card`); got != "Kl" {
		t.Errorf("after a card by keyboard the focus is on %s", got)
	}
	if got := eval(t, ctx, `document.getElementById("news").textContent`); !strings.Contains(got, "Ann plays 10♣") || strings.Count(got, "Sedma for four, deal 1") != 1 {
		t.Errorf("a screen reader was told %q", got)
	}

	// An answer for Ann alone, and a toast that stays.
	do(t, ctx, chromedp.Click(`#channel [data-press=cards]`), chromedp.WaitVisible(hand+`[data-only="`+Ann+`"]`),
		chromedp.Click(`#channel [data-press=rules]`), chromedp.WaitVisible(`#alerts .toast`))
	shot(t, ctx, "4-answer")
	if got := eval(t, ctx, `document.querySelectorAll("#channel [data-only]").length`); got != "0" {
		t.Error("the channel shows what only Ann may see")
	}
	do(t, ctx, chromedp.Click(`#alerts button`), chromedp.WaitNotPresent(`#alerts .toast`))

	// Others beside her, and their buttons are theirs.
	do(t, ctx, chromedp.Click(`[data-beside="`+Cat+`"]`), chromedp.WaitVisible(`[data-panel="`+Cat+`"]`),
		chromedp.Click(`[data-panel="`+Cat+`"] [data-card="7l"]`), chromedp.WaitNotPresent(`[data-card="7l"]`))
	shot(t, ctx, "5-beside")
	scheme(t, ctx, "dark")
	do(t, ctx, chromedp.EmulateViewport(1280, 800))
	shot(t, ctx, "5-beside-dark")
	scheme(t, ctx, "light")
	if got := texts(p.Channel()); !strings.Contains(got[1], "Cat plays 7♠") {
		t.Errorf("the table says %q", got[1])
	}

	// Typed commands, as somebody else, whose panel replaces Ann's.
	do(t, ctx, chromedp.Click(`.person:has([value="`+Ben+`"]) label`), chromedp.WaitVisible(`[data-panel="`+Ben+`"]`),
		chromedp.WaitNotPresent(hand), chromedp.SendKeys("#line", "/leaderboard"+kb.Enter), chromedp.WaitVisible(`#channel [data-press=next]`))
	if got := p.Channel(); got[len(got)-1].By != Ben {
		t.Errorf("the leaderboard was asked for by %s", got[len(got)-1].By)
	}

	// The look of another platform, drawn from what would be sent; its buttons work.
	eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = "telegram"; e.dispatchEvent(new Event("change")); })()`)
	do(t, ctx, chromedp.WaitVisible(`#channel .bubble`), chromedp.WaitVisible(`#channel footer .beyond`),
		chromedp.WaitVisible(`[data-panel="`+Ben+`"] .bubble`), chromedp.Click(`[data-press="play:8h"]`), chromedp.WaitNotPresent(`[data-press="play:8h"]`))
	shot(t, ctx, "5-telegram")
	eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = ""; e.dispatchEvent(new Event("change")); })()`)
	do(t, ctx, chromedp.WaitNotPresent(`.bubble`))

	// Something goes wrong, and right again.
	do(t, ctx, chromedp.Click("#tools summary"), chromedp.Click(`[data-tool="fault.closed"]`), chromedp.WaitVisible(`[data-tool="fault.closed"][aria-pressed=true]`))
	if _, err := p.Send(t.Context(), chat.Target{Player: Ben}, screen("hello"), ""); err == nil {
		t.Error("Ben's direct messages are not closed")
	}
	do(t, ctx, chromedp.Click(`[data-tool="fault.closed"]`), chromedp.WaitVisible(`[data-tool="fault.closed"][aria-pressed=false]`))
	shot(t, ctx, "5-tools")
	do(t, ctx, chromedp.Click("#tools summary"))

	// Dark, Czech, and on a phone.
	scheme(t, ctx, "dark")
	do(t, ctx, chromedp.SetValue("#lang", "cs"))
	eval(t, ctx, `document.getElementById("lang").dispatchEvent(new Event("change"))`)
	do(t, ctx, chromedp.WaitVisible(`html[lang=cs]`))
	shot(t, ctx, "6-dark")
	do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Click(`.person:has([value="`+Cat+`"]) label`))
	shot(t, ctx, "7-phone-dark")
	scheme(t, ctx, "light")
	shot(t, ctx, "8-phone")
	if got := eval(t, ctx, `document.documentElement.scrollWidth > 390`); got != "false" {
		t.Error("the page is wider than the phone")
	}
}

// The viewer of a match, opened by its link and used by keyboard.
func TestTheViewerInABrowser(t *testing.T) {
	t.Parallel()
	_, _, url := page(t)
	ctx := browser(t)
	shown := func() string { return eval(t, ctx, `document.getElementById("step").textContent`) }
	do(t, ctx, chromedp.Navigate(url+"/#replay=a-1"), chromedp.WaitVisible("#viewer"))
	if got := shown(); got != "dealt" {
		t.Errorf("the viewer begins with %q", got)
	}
	do(t, ctx, chromedp.Focus("#at"), chromedp.KeyEvent(kb.ArrowRight))
	until(t, ctx, `document.getElementById("step").textContent === "trick"`) // one step further
	until(t, ctx, `document.querySelector("#step img")?.naturalWidth === 800`)
	shot(t, ctx, "viewer")
	do(t, ctx, chromedp.Click("[data-go=last]"), chromedp.WaitVisible("[data-go=last]:disabled"))
	if got := shown() + eval(t, ctx, `document.getElementById("at").getAttribute("aria-valuetext")`); got != "dealt againDeal 2, step 0" {
		t.Errorf("the end is %q", got)
	}
	do(t, ctx, chromedp.Click("#shut"), chromedp.WaitNotVisible("#viewer"))
	until(t, ctx, `location.hash === ""`) // the address no longer names a match
}

// audit checks the current page with axe-core, which must find no serious or worse fault.
func audit(t *testing.T, ctx context.Context, axe, state string) {
	t.Helper()
	faults, err := chromedp.Run(ctx, chromedp.Evaluate[string](axe+`;
		axe.run().then(({ violations, passes }) => passes.length < 10 ? "it looked at nothing" : violations
			.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.impact + ": " + v.help + " " + v.nodes.map((n) => n.html).join(" "))
			.join("\n"))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if faults != "" {
		t.Errorf("%s:\n%s", state, faults)
	}
}

// People who can't see the page well, or can't use a mouse, can play: axe-core finds
// no serious fault in any state of the page. SEDMABOT_TEST_AXE is the path of
// axe.min.js, from axe-core's npm package.
func TestThePageForEverybody(t *testing.T) {
	t.Parallel()
	file := os.Getenv("SEDMABOT_TEST_AXE")
	if file == "" {
		t.Skip("SEDMABOT_TEST_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, _, url := page(t)
	ctx := browser(t)
	check := func(state string) { t.Helper(); audit(t, ctx, string(axe), state) }

	scheme(t, ctx, "light")
	do(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	check("empty")
	do(t, ctx, chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press=start]`))
	check("a lobby")
	do(t, ctx, chromedp.Click("#menu"), chromedp.WaitVisible("#commands"))
	check("the commands")
	do(t, ctx, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#commands"))
	do(t, ctx, chromedp.Click(`#channel [data-press=start]`), chromedp.WaitVisible(`[data-panel="`+Ann+`"] [data-card="7h"]`),
		chromedp.Click(`#channel [data-press=cards]`), chromedp.WaitVisible(`[data-only]`),
		chromedp.Click(`[data-beside="`+Cat+`"]`), chromedp.Click("#tools summary"), chromedp.Click(`[data-tool="fault.slow"]`),
		chromedp.Click(`#channel [data-press=rules]`), chromedp.WaitVisible(`#alerts .toast`))
	check("a deal, with all that can be open")
	eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = "telegram"; e.dispatchEvent(new Event("change")); })()`)
	do(t, ctx, chromedp.WaitVisible(`#channel .beyond`))
	check("the look of Telegram")
	scheme(t, ctx, "dark")
	check("dark")
	do(t, ctx, chromedp.EmulateViewport(390, 844))
	check("dark, on a phone")
	scheme(t, ctx, "light")
	check("on a phone")
	eval(t, ctx, `view("a-1")`)
	do(t, ctx, chromedp.WaitVisible("#viewer"))
	check("the viewer")
}

// The browser loads little before any picture, so that the page appears at once.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	var size int
	err := fs.WalkDir(files, "page", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += int(info.Size())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 60_000 {
		t.Errorf("the page is %d bytes", size)
	}
}
