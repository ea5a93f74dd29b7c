package playground

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
)

func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	p, _, url := page(t)
	ctx := browser.Open(t, 1360, 850)
	hand := `[data-panel="` + Ann + `"] `

	// Two clicks to the first card.
	browser.Prefer(t, ctx, "prefers-color-scheme", "light")
	browser.Do(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	browser.Shot(t, ctx, "1-empty")
	browser.Do(t, ctx, chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press=start]`))
	browser.Shot(t, ctx, "2-lobby")
	browser.Do(t, ctx, chromedp.Click("#menu"), chromedp.WaitVisible("#commands [data-command=rules]"))
	browser.Shot(t, ctx, "2-menu")
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#commands"))
	browser.Do(t, ctx, chromedp.Click(`#channel [data-press=start]`), chromedp.WaitVisible(hand+`[data-card="7h"]`))
	browser.Shot(t, ctx, "3-hand")
	if got := browser.Eval(t, ctx, `document.querySelectorAll("[data-card]").length`); got != "4" {
		t.Errorf("Ann's page shows %s cards", got)
	}
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll("[data-press]")].filter((b) => b.textContent === "Cards in private").length`); got != "0" {
		t.Error("a link to another place is shown")
	}

	// The cards by mouse and by keyboard; the keyboard stays where it was.
	browser.Do(t, ctx, chromedp.Click(hand+`[data-card="7h"]`), chromedp.WaitNotPresent(hand+`[data-card="7h"]`),
		chromedp.Focus(hand+`[data-card="Ta"]`), chromedp.KeyEvent(kb.Enter), chromedp.WaitNotPresent(hand+`[data-card="Ta"]`))
	if got := browser.Eval(t, ctx, `document.activeElement.dataset.card`); got != "Kl" {
		t.Errorf("after a card by keyboard the focus is on %s", got)
	}
	if got := browser.Eval(t, ctx, `document.getElementById("news").textContent`); !strings.Contains(got, "Ann plays 10♣") || strings.Count(got, "Sedma for four, deal 1") != 1 {
		t.Errorf("a screen reader was told %q", got)
	}

	// An answer for Ann alone, and a toast that stays.
	browser.Do(t, ctx, chromedp.Click(`#channel [data-press=cards]`), chromedp.WaitVisible(hand+`[data-only="`+Ann+`"]`),
		chromedp.Click(`#channel [data-press=rules]`), chromedp.WaitVisible(`#alerts .toast`))
	browser.Shot(t, ctx, "4-answer")
	if got := browser.Eval(t, ctx, `document.querySelectorAll("#channel [data-only]").length`); got != "0" {
		t.Error("the channel shows what only Ann may see")
	}
	browser.Do(t, ctx, chromedp.Click(`#alerts button`), chromedp.WaitNotPresent(`#alerts .toast`))

	// Others beside her, and their buttons are theirs.
	browser.Do(t, ctx, chromedp.Click(`[data-beside="`+Cat+`"]`), chromedp.WaitVisible(`[data-panel="`+Cat+`"]`),
		chromedp.Click(`[data-panel="`+Cat+`"] [data-card="7l"]`), chromedp.WaitNotPresent(`[data-card="7l"]`))
	browser.Shot(t, ctx, "5-beside")
	browser.Prefer(t, ctx, "prefers-color-scheme", "dark")
	browser.Do(t, ctx, chromedp.EmulateViewport(1280, 800))
	browser.Shot(t, ctx, "5-beside-dark")
	browser.Prefer(t, ctx, "prefers-color-scheme", "light")
	if got := texts(p.Channel()); !strings.Contains(got[1], "Cat plays 7♠") {
		t.Errorf("the table says %q", got[1])
	}

	// Typed commands, as somebody else, whose panel replaces Ann's.
	browser.Do(t, ctx, chromedp.Click(`.person:has([value="`+Ben+`"]) label`), chromedp.WaitVisible(`[data-panel="`+Ben+`"]`),
		chromedp.WaitNotPresent(hand), chromedp.SendKeys("#line", "/leaderboard"+kb.Enter), chromedp.WaitVisible(`#channel [data-press=next]`))
	if got := p.Channel(); got[len(got)-1].By != Ben {
		t.Errorf("the leaderboard was asked for by %s", got[len(got)-1].By)
	}

	// The look of another platform, drawn from what would be sent; its buttons work.
	browser.Eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = "telegram"; e.dispatchEvent(new Event("change")); })()`)
	browser.Do(t, ctx, chromedp.WaitVisible(`#channel .bubble`), chromedp.WaitVisible(`#channel footer .beyond`),
		chromedp.WaitVisible(`[data-panel="`+Ben+`"] .bubble`), chromedp.Click(`[data-press="play:8h"]`), chromedp.WaitNotPresent(`[data-press="play:8h"]`))
	browser.Shot(t, ctx, "5-telegram")
	browser.Eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = ""; e.dispatchEvent(new Event("change")); })()`)
	browser.Do(t, ctx, chromedp.WaitNotPresent(`.bubble`))

	// Something goes wrong, and right again.
	browser.Do(t, ctx, chromedp.Click("#tools summary"), chromedp.Click(`[data-tool="fault.closed"]`), chromedp.WaitVisible(`[data-tool="fault.closed"][aria-pressed=true]`))
	if _, err := p.Send(t.Context(), chat.Target{Player: Ben}, textScreen("hello"), ""); err == nil {
		t.Error("Ben's direct messages are not closed")
	}
	browser.Do(t, ctx, chromedp.Click(`[data-tool="fault.closed"]`), chromedp.WaitVisible(`[data-tool="fault.closed"][aria-pressed=false]`))
	browser.Shot(t, ctx, "5-tools")
	browser.Do(t, ctx, chromedp.Click("#tools summary"))

	// Dark, Czech, and on a phone.
	browser.Prefer(t, ctx, "prefers-color-scheme", "dark")
	browser.Eval(t, ctx, `(greeted = [], plain = fetch, fetch = (to, how) => { if (String(to).includes("hello")) greeted.push(JSON.parse(how.body).person); return plain(to, how); }, "")`)
	browser.Do(t, ctx, chromedp.SetValue("#lang", "cs"))
	browser.Eval(t, ctx, `document.getElementById("lang").dispatchEvent(new Event("change"))`)
	browser.Do(t, ctx, chromedp.WaitVisible(`html[lang=cs]`))
	browser.Until(t, ctx, `greeted.length > 0`)
	if got := browser.Eval(t, ctx, `[...new Set(greeted)].join()`); got != Ben {
		t.Errorf("the messages of %s are in the new language", got)
	}
	browser.Shot(t, ctx, "6-dark")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Click(`.person:has([value="`+Cat+`"]) label`))
	browser.Shot(t, ctx, "7-phone-dark")
	browser.Prefer(t, ctx, "prefers-color-scheme", "light")
	browser.Shot(t, ctx, "8-phone")
	if got := browser.Eval(t, ctx, `document.documentElement.scrollWidth > 390`); got != "false" {
		t.Error("the page is wider than the phone")
	}
}

// The viewer of a match, opened by its link and used by keyboard.
func TestTheViewerInABrowser(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	_, _, url := page(t)
	ctx := browser.Open(t, 1360, 850)
	shown := func() string { return browser.Eval(t, ctx, `document.getElementById("step").textContent`) }
	browser.Do(t, ctx, chromedp.Navigate(url+"/#replay=a-1"), chromedp.WaitVisible("#viewer"))
	if got := shown(); got != "dealt" {
		t.Errorf("the viewer begins with %q", got)
	}
	browser.Do(t, ctx, chromedp.Focus("#at"), chromedp.KeyEvent(kb.ArrowRight))
	browser.Until(t, ctx, `document.getElementById("step").textContent === "trick"`) // one step further
	browser.Until(t, ctx, `document.querySelector("#step img")?.naturalWidth === 800`)
	browser.Shot(t, ctx, "viewer")
	browser.Do(t, ctx, chromedp.Click("[data-go=last]"), chromedp.WaitVisible("[data-go=last]:disabled"))
	if got := shown() + browser.Eval(t, ctx, `document.getElementById("at").getAttribute("aria-valuetext")`); got != "dealt againDeal 2, step 0" {
		t.Errorf("the end is %q", got)
	}
	browser.Do(t, ctx, chromedp.Click("#shut"), chromedp.WaitNotVisible("#viewer"))
	browser.Until(t, ctx, `location.hash === ""`) // the address no longer names a match
}

// People who can't see the page well, or can't use a mouse, can play: axe-core finds
// no serious fault in any state of the page. SEDMABOT_TEST_AXE is the path of
// axe.min.js, from axe-core's npm package.
func TestThePageForEverybody(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	axe := browser.Axe(t)
	if axe == "" {
		t.Skip("SEDMABOT_TEST_AXE names no axe.min.js")
	}
	_, _, url := page(t)
	ctx := browser.Open(t, 1360, 850)
	check := func(state string) {
		t.Helper()
		if faults := browser.Faults(t, ctx, axe); faults != "" {
			t.Errorf("%s:\n%s", state, faults)
		}
	}

	browser.Prefer(t, ctx, "prefers-color-scheme", "light")
	browser.Do(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	check("empty")
	browser.Do(t, ctx, chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press=start]`))
	check("a lobby")
	browser.Do(t, ctx, chromedp.Click("#menu"), chromedp.WaitVisible("#commands"))
	check("the commands")
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#commands"))
	browser.Do(t, ctx, chromedp.Click(`#channel [data-press=start]`), chromedp.WaitVisible(`[data-panel="`+Ann+`"] [data-card="7h"]`),
		chromedp.Click(`#channel [data-press=cards]`), chromedp.WaitVisible(`[data-only]`),
		chromedp.Click(`[data-beside="`+Cat+`"]`), chromedp.Click("#tools summary"), chromedp.Click(`[data-tool="fault.slow"]`),
		chromedp.Click(`#channel [data-press=rules]`), chromedp.WaitVisible(`#alerts .toast`))
	check("a deal, with all that can be open")
	browser.Eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = "telegram"; e.dispatchEvent(new Event("change")); })()`)
	browser.Do(t, ctx, chromedp.WaitVisible(`#channel .beyond`))
	check("the look of Telegram")
	browser.Prefer(t, ctx, "prefers-color-scheme", "dark")
	check("dark")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844))
	check("dark, on a phone")
	browser.Prefer(t, ctx, "prefers-color-scheme", "light")
	check("on a phone")
	browser.Eval(t, ctx, `view("a-1")`)
	browser.Do(t, ctx, chromedp.WaitVisible("#viewer"))
	check("the viewer")
}

// The browser loads little before any picture, so that the page appears at once.
// A page whose stream has died in silence opens another one, and shows what it missed.
func TestAStreamThatDied(t *testing.T) {
	t.Parallel()
	p, _, at := page(t)
	line := cable.New(t, strings.TrimPrefix(at, "http://")) // it ends after the page, which would complain
	ctx := browser.Open(t, 1360, 850)
	browser.Do(t, ctx, chromedp.Navigate("http://"+line.Addr()), chromedp.WaitVisible("body[data-ready]"))
	browser.Eval(t, ctx, `silence = 1000`) // for each connection of the browser that is dead, too
	say := func(words string) {
		t.Helper()
		if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, textScreen(words), ""); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(words string) string {
		return `document.getElementById("channel").textContent.includes("` + words + `")`
	}
	say("before")
	browser.Until(t, ctx, shows("before"))
	if line.Cut() == 0 {
		t.Fatal("there are no connections")
	}
	say("meanwhile")
	browser.Until(t, ctx, shows("meanwhile")+` && document.getElementById("offline").hidden`)
}

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
